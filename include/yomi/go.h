/* Go: points, rules, and a game with its history.
 * A yo_go_game is made by yo_go_game_new and owned by the caller; nothing here is shared between
 * games, so different games may be used from different threads. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "yomi/error.h"

#ifdef __cplusplus
extern "C" {
#endif

#define YO_GO_SIZE_MIN   2
#define YO_GO_SIZE_MAX   19
#define YO_GO_POINTS_MAX 361

/* Everywhere below, size is the width of a board: YO_GO_SIZE_MIN to YO_GO_SIZE_MAX.
 * A point is row * size + column; row 0 is the top row and column 0 the left one, as in SGF. The
 * values below are not points of any board: */
typedef uint16_t yo_go_point;
#define YO_GO_PASS   ((yo_go_point)361)
#define YO_GO_NONE   ((yo_go_point)362)
#define YO_GO_RESIGN ((yo_go_point)363)

/* Two bits, so that a 3x3 neighbourhood packs into 16. YO_GO_OFF is off the board. */
enum yo_go_color { YO_GO_EMPTY = 0, YO_GO_BLACK = 1, YO_GO_WHITE = 2, YO_GO_OFF = 3 };

static inline enum yo_go_color yo_go_other(enum yo_go_color color) {
    return (enum yo_go_color)(3 - (int)color); /* only for BLACK and WHITE */
}

/* ---- Rules: a set of choices, as KataGo names them ---- */
enum yo_go_ko { YO_GO_KO_SIMPLE, YO_GO_KO_POSITIONAL, YO_GO_KO_SITUATIONAL };
enum yo_go_scoring { YO_GO_AREA, YO_GO_TERRITORY };
enum yo_go_tax { YO_GO_TAX_NONE, YO_GO_TAX_SEKI, YO_GO_TAX_ALL };
/* Extra points for White in a handicap game: none, one for each handicap stone, or one fewer. */
enum yo_go_bonus { YO_GO_BONUS_0, YO_GO_BONUS_N, YO_GO_BONUS_N_MINUS_1 };

struct yo_go_rules {
    enum yo_go_ko ko;
    enum yo_go_scoring scoring;
    enum yo_go_tax tax;
    enum yo_go_bonus handicap_bonus;
    bool suicide;          /* allowed for two or more stones; never for a single one */
    bool friendly_pass_ok; /* a player may pass without removing dead stones */
    int komi2;             /* komi in half points, so that 7.5 is 15 */
};

/* Area scoring, positional superko, no suicide, komi 7.5: the rules of CGOS, except that players
 * may agree on dead stones. */
extern const struct yo_go_rules yo_go_rules_default;

/* Named sets: tromp-taylor, chinese, japanese, korean, aga, new-zealand, cgos and others
 * (yo_go_rules_list), and a few spellings that clients use; or a JSON object in KataGo's form,
 * whose missing keys keep the values in *rules. Komi is never changed. On failure *rules is
 * unchanged. */
enum yo_err yo_go_rules_parse(const char *text, struct yo_go_rules *rules, struct yo_diag *diag);
/* Writes KataGo's JSON form. Returns the untruncated length, as snprintf does. */
int yo_go_rules_format(const struct yo_go_rules *rules, char *out, size_t size);
/* The name of the set that equals *rules in all but komi, or NULL. */
const char *yo_go_rules_name(const struct yo_go_rules *rules);
/* The i-th named set and its name, or NULL past the last. */
const char *yo_go_rules_list(size_t i, struct yo_go_rules *rules);

/* "7.5", "-3", "0.5" and so on, within +-4000, in halves only. */
enum yo_err yo_go_komi_parse(const char *text, int *komi2, struct yo_diag *diag);

/* ---- Text of points and colours ---- */
/* "D4", "pass", "resign"; letters skip I; case does not matter. */
enum yo_err yo_go_point_parse(const char *text, int size, yo_go_point *point, struct yo_diag *diag);
/* At least 8 bytes; returns out. */
char *yo_go_point_format(yo_go_point point, int size, char out[8]);
/* "b", "black", "w", "white" in any case. */
enum yo_err yo_go_color_parse(const char *text, enum yo_go_color *color, struct yo_diag *diag);

/* ---- A game ---- */
struct yo_go_game;

struct yo_go_played {
    enum yo_go_color color;
    yo_go_point move; /* a point or YO_GO_PASS */
};

struct yo_go_score {
    /* Black's lead with komi and handicap bonus counted in, in half points. */
    int lead2;
    int black2, white2; /* each side's points in halves; White's include komi and bonus */
};

/* rules are copied; NULL for the default ones. On failure (YO_ERR_RANGE for the size, or no memory)
 * *game is untouched. */
enum yo_err yo_go_game_new(int size, const struct yo_go_rules *rules, struct yo_go_game **game);
void yo_go_game_delete(struct yo_go_game *game); /* NULL is allowed */
/* Copies the whole history too. Release the copy with yo_go_game_delete. */
enum yo_err yo_go_game_copy(const struct yo_go_game *game, struct yo_go_game **copy);

/* Empty board of this size, Black to move, no history; rules and komi stay. */
enum yo_err yo_go_game_clear(struct yo_go_game *game, int size);

int yo_go_game_size(const struct yo_go_game *game);
const struct yo_go_rules *yo_go_game_rules(const struct yo_go_game *game);
/* Rules may change at any time; they apply from the next move on. */
void yo_go_game_set_rules(struct yo_go_game *game, const struct yo_go_rules *rules);
/* YO_GO_OFF if point is not on the board. */
enum yo_go_color yo_go_game_at(const struct yo_go_game *game, yo_go_point point);
enum yo_go_color yo_go_game_to_move(const struct yo_go_game *game);
/* color is Black or White. */
void yo_go_game_set_to_move(struct yo_go_game *game, enum yo_go_color color);
/* The point that simple ko forbids to the side to move, or YO_GO_NONE. */
yo_go_point yo_go_game_ko(const struct yo_go_game *game);
int yo_go_game_captures(const struct yo_go_game *game, enum yo_go_color by);
/* Consecutive passes just played. */
int yo_go_game_passes(const struct yo_go_game *game);
int yo_go_game_handicap(const struct yo_go_game *game);

/* Moves since the board was set up, oldest first; i is below the count. */
size_t yo_go_game_move_count(const struct yo_go_game *game);
struct yo_go_played yo_go_game_move(const struct yo_go_game *game, size_t i);

/* Either colour may move, as GTP allows. An illegal move changes nothing; diag has the reason. */
enum yo_err yo_go_game_play(struct yo_go_game *game, enum yo_go_color color, yo_go_point move,
                            struct yo_diag *diag);
bool yo_go_game_legal(const struct yo_go_game *game, enum yo_go_color color, yo_go_point move);
/* Takes the last move back; its colour is then to move. YO_ERR_STATE if there is no move. */
enum yo_err yo_go_game_undo(struct yo_go_game *game, struct yo_diag *diag);

/* Sets every point (YO_GO_EMPTY removes a stone) and makes the result the start of the game:
 * history and undo begin there, with no prisoners and no handicap. Fails, changing nothing, if a
 * string has no liberties. colors holds size*size entries. */
enum yo_err yo_go_game_setup(struct yo_go_game *game, const uint8_t *colors,
                             enum yo_go_color to_move, struct yo_diag *diag);

/* Handicap. yo_go_handicap_points gives the standard places for 2 to 9 stones on boards from 7x7;
 * at most 4 where the size is even or 7. points must hold stones entries. yo_go_game_handicap_set
 * places the stones on an empty board; White is to move. */
enum yo_err yo_go_handicap_points(int size, int stones, yo_go_point *points, struct yo_diag *diag);
enum yo_err yo_go_game_handicap_set(struct yo_go_game *game, const yo_go_point *points, int stones,
                                    struct yo_diag *diag);

/* Dead stones are removed first: dead[p] != 0 marks them; NULL for none. */
void yo_go_game_score(const struct yo_go_game *game, const uint8_t *dead,
                      struct yo_go_score *score);
/* Benson: alive[p] becomes the colour that owns p unconditionally (a stone of it, or a point that
 * is vital to or enclosed by its pass-alive strings), else YO_GO_EMPTY. */
void yo_go_game_benson(const struct yo_go_game *game, uint8_t *alive);
/* "B+3.5", "W+0.5", "0". */
char *yo_go_score_format(const struct yo_go_score *score, char out[16]);

#ifdef __cplusplus
}
#endif
