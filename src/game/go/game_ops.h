/* Go as a struct yo_game_ops: a position is plain data of fixed size, and yo_go_ops is the table
 * that searches call. A yo_move of Go is a yo_go_point. */
#pragma once

#include "game/game.h"
#include "game/go/board.h"
#include "yomi/go.h"

/* Superko inside a search compares with the whole game before the root and with this many moves
 * before the position; it misses longer cycles. */
#define YO_GO_RECENT 128

/* Last moves that a position stores. */
#define YO_GO_TURNS 5

/* How moves change the komi of a position that yo_go_position_use_area has converted. */
enum yo_go_stones_cost {
    YO_GO_STONES_FREE,   /* not converted */
    YO_GO_STONES_OPEN,   /* either side may make the last move */
    YO_GO_STONES_CLOSED, /* no point is left that either side could take */
};

struct yo_go_position {
    struct yo_go_board board;
    struct yo_go_rules rules;
    const uint64_t *game; /* situations of the game up to the root; owned by the game */
    size_t game_count;
    unsigned played; /* moves since the root */
    uint16_t handicap;
    yo_go_point last;   /* the move that led here, YO_GO_PASS included; or YO_GO_NONE */
    yo_go_point before; /* the move before that, likewise */
    yo_go_point earlier[YO_GO_TURNS - 2]; /* the moves before these, the latest first */
    uint8_t turns;        /* how many of the last YO_GO_TURNS moves alternate in colour, counted
                             back from the opponent's last move */
    int16_t stones_ahead; /* stones put on the board by Black minus those by White */
    uint8_t stones_cost;  /* enum yo_go_stones_cost: the komi follows the moves */
    uint8_t to_move;
    uint8_t passes;
    bool ko_holds;         /* the last move was the opponent's */
    bool repeated;         /* simple ko only: the situation occurred before */
    yo_go_point ko_was[2]; /* board.ko one and two moves ago, valid up to `turns` */
    uint64_t empty_was[2][YO_GO_WORDS_MAX]; /* board.empty likewise: with the moves it gives the
                                               stones of that time */
    uint64_t recent[YO_GO_RECENT];          /* situations since the root, a ring */
};

extern const struct yo_game_ops yo_go_ops;

/* The game must outlive the position and not change meanwhile. Two passes at the end of the game do
 * not count: a search from there continues the game. */
void yo_go_position_from_game(const struct yo_go_game *game, struct yo_go_position *position);

/* Converts territory rules to area rules with an adjusted komi, for playouts, which count area
 * only. `closed` as in yo_go_score_area_komi2. From then on each move adjusts the komi, so that it
 * stays that of the position: a stone put where the opponent need not answer costs its point. */
void yo_go_position_use_area(struct yo_go_position *position, bool closed);

bool yo_go_position_legal(const struct yo_go_position *position, yo_go_point move);
/* The points where superko alone forbids a move, a bit for each. False, with none: there are none.
 */
bool yo_go_position_superko(const struct yo_go_position *position,
                            uint64_t forbidden[YO_GO_WORDS_MAX]);
void yo_go_position_play(struct yo_go_position *position, yo_go_point move);

/* The colours of all points `ago` moves ago (0, 1 or 2; at most `turns`), and of YO_GO_OFF_POINT.
 */
void yo_go_position_colors(const struct yo_go_position *position, int ago,
                           uint8_t color[YO_GO_POINTS_MAX + 1]);
