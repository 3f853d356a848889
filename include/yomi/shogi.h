/* Shogi: moves, a game with its history, and an engine that searches for the best move.
 * A yo_shogi_game and a yo_shogi_engine are made by their _new and owned by the caller; nothing is
 * shared between them, so different ones may be used from different threads. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "yomi/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Black (sente) moves first and up the board, towards rank a. */
enum yo_shogi_side { YO_SHOGI_BLACK = 0, YO_SHOGI_WHITE = 1 };

/* The eight unpromoted kinds, then the promoted ones: the kind plus 8. */
enum yo_shogi_kind {
    YO_SHOGI_NO_KIND = 0,
    YO_SHOGI_PAWN,
    YO_SHOGI_LANCE,
    YO_SHOGI_KNIGHT,
    YO_SHOGI_SILVER,
    YO_SHOGI_GOLD,
    YO_SHOGI_BISHOP,
    YO_SHOGI_ROOK,
    YO_SHOGI_KING,
    YO_SHOGI_TOKIN,
    YO_SHOGI_PRO_LANCE,
    YO_SHOGI_PRO_KNIGHT,
    YO_SHOGI_PRO_SILVER,
    YO_SHOGI_HORSE = 14, /* 13 would be a promoted gold, which does not exist */
    YO_SHOGI_DRAGON,
    YO_SHOGI_KINDS,
    YO_SHOGI_PROMOTED = 8 /* added to a kind */
};

/* An opaque number; 0 is no move. */
typedef uint16_t yo_shogi_move;
#define YO_SHOGI_NO_MOVE ((yo_shogi_move)0)

/* Buffer sizes: a list of legal moves, a SFEN, a move in USI, a move in Japanese. */
enum {
    YO_SHOGI_LIST = 640,
    YO_SHOGI_SFEN_MAX = 192,
    YO_SHOGI_MOVE_TEXT = 8,
    YO_SHOGI_WORDS_TEXT = 40
};

/* "7g7f", "8h2b+", "P*5e". Checks the syntax only, not whether the move is legal. */
enum yo_err yo_shogi_move_parse(const char *text, yo_shogi_move *move, struct yo_diag *diag);
/* "none" for no move. Returns out. */
char *yo_shogi_move_format(yo_shogi_move move, char out[YO_SHOGI_MOVE_TEXT]);

/* ---- A game ---- */
struct yo_shogi_game;

enum yo_shogi_outcome {
    YO_SHOGI_OPEN, /* not finished */
    YO_SHOGI_BLACK_WINS,
    YO_SHOGI_WHITE_WINS,
    YO_SHOGI_DRAWN
};

/* sfen: the initial position; NULL for the standard one. A king may be missing, as in mate
 * problems. On failure *game is untouched. */
enum yo_err yo_shogi_game_new(const char *sfen, struct yo_shogi_game **game, struct yo_diag *diag);
void yo_shogi_game_delete(struct yo_shogi_game *game); /* NULL is allowed */
/* Copies the whole history too. Release the copy with yo_shogi_game_delete. */
enum yo_err yo_shogi_game_copy(const struct yo_shogi_game *game, struct yo_shogi_game **copy);

/* The current position. Returns out. */
char *yo_shogi_game_sfen(const struct yo_shogi_game *game, char out[YO_SHOGI_SFEN_MAX]);
enum yo_shogi_side yo_shogi_game_to_move(const struct yo_shogi_game *game);
bool yo_shogi_game_in_check(const struct yo_shogi_game *game);
/* The piece on a square and its side (side may be NULL). file is 1 to 9 from the right, rank 1 to 9
 * from the top: 7g is 7, 7. YO_SHOGI_NO_KIND for an empty square and off the board. */
enum yo_shogi_kind yo_shogi_game_at(const struct yo_shogi_game *game, int file, int rank,
                                    enum yo_shogi_side *side);
/* The number of pieces of a kind, pawn to rook, that a side has in hand. */
int yo_shogi_game_in_hand(const struct yo_shogi_game *game, enum yo_shogi_side side,
                          enum yo_shogi_kind kind);

/* Every legal move; returns how many. moves holds YO_SHOGI_LIST entries. */
size_t yo_shogi_game_legal_moves(const struct yo_shogi_game *game, yo_shogi_move *moves);
bool yo_shogi_game_legal(const struct yo_shogi_game *game, yo_shogi_move move);
/* An illegal move changes nothing and fills diag. Moves may follow a fourfold repetition. */
enum yo_err yo_shogi_game_play(struct yo_shogi_game *game, yo_shogi_move move,
                               struct yo_diag *diag);
/* Takes the last move back; YO_ERR_STATE if there is none. */
enum yo_err yo_shogi_game_undo(struct yo_shogi_game *game, struct yo_diag *diag);
/* Moves since the beginning, oldest first; i is below the count. */
size_t yo_shogi_game_move_count(const struct yo_shogi_game *game);
yo_shogi_move yo_shogi_game_move(const struct yo_shogi_game *game, size_t i);

/* A legal move as people type it: USI, or Japanese such as "７六歩", "76歩", "同銀", "５五角打". */
enum yo_err yo_shogi_game_read_move(const struct yo_shogi_game *game, const char *text,
                                    yo_shogi_move *move, struct yo_diag *diag);
/* A legal move in Japanese with its sign, in UTF-8: "▲７六歩". Returns out. */
char *yo_shogi_game_move_words(const struct yo_shogi_game *game, yo_shogi_move move,
                               char out[YO_SHOGI_WORDS_TEXT]);

/* Decided by mate (or no legal move), or by fourfold repetition: a draw, or a loss for the side
 * that gave perpetual check. */
enum yo_shogi_outcome yo_shogi_game_outcome(const struct yo_shogi_game *game);
/* Whether the side to move can win by declaring its king entered, by the 27-point rule. */
bool yo_shogi_game_can_declare(const struct yo_shogi_game *game);

/* ---- The engine ---- */
struct yo_shogi_engine;

/* The search ends at the first limit it reaches. Zero means no limit; without any limit it runs
 * until it is stopped. */
struct yo_shogi_limits {
    int depth;
    uint64_t nodes;
    int64_t time_ms;
};

enum { YO_SHOGI_LINE = 128 };

struct yo_shogi_found {
    yo_shogi_move line[YO_SHOGI_LINE]; /* the PV: the best move first */
    size_t length;                     /* 0: there is no legal move */
    int score;  /* for the side to move, in hundredths of a pawn; beyond 30000 if there is a mate */
    bool mates; /* one side is mated by force, in mate_in plies */
    int mate_in; /* plies; 0 (mated now) or below: the side to move loses */
    int depth;
    uint64_t nodes;
    int64_t elapsed_ms;
};

/* table_mb: memory for the transposition table. threads: 0 for one per core. eval: "material",
 * "builtin" or a network file in YaneuraOu's format; NULL for the default. */
enum yo_err yo_shogi_engine_new(size_t table_mb, int threads, const char *eval,
                                struct yo_shogi_engine **engine, struct yo_diag *diag);
void yo_shogi_engine_delete(struct yo_shogi_engine *engine); /* NULL is allowed */
/* Blocks until a limit, or until stopped. With one thread and no time limit the same calls on a new
 * engine give the same results. */
enum yo_err yo_shogi_engine_think(struct yo_shogi_engine *engine, const struct yo_shogi_game *game,
                                  const struct yo_shogi_limits *limits,
                                  struct yo_shogi_found *found, struct yo_diag *diag);
/* Ends the running search. May be called from any thread. */
void yo_shogi_engine_stop(struct yo_shogi_engine *engine);

#ifdef __cplusplus
}
#endif
