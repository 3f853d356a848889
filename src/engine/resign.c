#include "engine/resign.h"

#include "base/diag.h"
#include "game/go/state.h"

/* A winrate from fewer playouts is not reliable; a network's is from the first visit on. */
#define PLAYOUTS_MIN 100
#define VISITS_MIN   10
/* Consecutive low winrates, one per move: longer than a threat and its answer. */
#define LOW_MIN 3
/* A ko not taken for this many moves is not being fought; leaves room for a few threats and
 * answers. */
#define KO_MOVES 12
/* Playouts of the search with the ko won, and the winrate from which on the ko matters. */
#define KO_PLAYOUTS 400
#define KO_MATTERS  0.4

/* ---- is a ko being fought? ---- */

struct ko {
    yo_go_point stone; /* the one that took it last */
    yo_go_point mouth; /* where it can be taken back */
    enum yo_go_color holder;
};

/* Goes back through the copy's last moves to the one that took a ko. */
static bool find_taken(struct yo_go_game *copy, struct ko *ko) {
    for (int i = 0; i < KO_MOVES && copy->count > 0; i++) {
        struct yo_go_played last = copy->moves[copy->count - 1];
        if (copy->board.ko != YO_GO_NONE) {
            *ko = (struct ko){last.move, copy->board.ko, last.color};
            return true;
        }
        if (yo_go_game_undo(copy, NULL)) return false;
    }
    return false;
}

/* Sets up `copy` with the ko taken by `color` and `color` to move, as if the opponent had not
 * answered. False if the ko is over: filled, or its stone captured or not in atari. Ignores
 * superko, since threats and answers would come between. */
static bool suppose_won(const struct yo_go_game *game, enum yo_go_color color, const struct ko *ko,
                        struct yo_go_game *copy) {
    uint8_t colors[YO_GO_POINTS_MAX];
    int points = game->board.geometry->points;
    for (int p = 0; p < points; p++)
        colors[p] = (uint8_t)yo_go_game_at(game, (yo_go_point)p);
    if (colors[ko->stone] != ko->holder || colors[ko->mouth] != YO_GO_EMPTY) return false;
    int handicap = copy->handicap;
    if (yo_go_game_setup(copy, colors, color, NULL)) return false;
    copy->handicap = handicap;
    bool in_atari = yo_go_board_liberties(&copy->board, ko->stone, 2) == 1;
    if (!in_atari || ko->holder == color) return in_atari;
    if (yo_go_game_play(copy, color, ko->mouth, NULL)) return false;
    yo_go_game_set_to_move(copy, color);
    return yo_go_game_at(copy, ko->stone) == YO_GO_EMPTY;
}

/* The winrate of `color` if it wins the ko; 0 if there is no ko. */
static enum yo_err ask_ko(struct yo_search search, const struct yo_go_game *game,
                          enum yo_go_color color, int64_t time_ms, double *chance,
                          struct yo_diag *diag) {
    struct yo_go_game *copy;
    struct ko ko;
    *chance = 0;
    enum yo_err err = yo_go_game_copy(game, &copy);
    if (err) return yo_diag_set(diag, err, "no memory to look at a ko");
    if (find_taken(copy, &ko) && suppose_won(game, color, &ko, copy)) {
        struct yo_search_limits limits = {.playouts = KO_PLAYOUTS, .time_ms = time_ms};
        struct yo_search_result result;
        err = yo_search_run(search, copy, &limits, NULL, NULL, NULL, &result, diag);
        if (!err && result.move_count > 0) *chance = result.moves[0].winrate_to_move;
    }
    yo_go_game_delete(copy);
    return err;
}

/* ---- the decision ---- */

/* Stones on a third of the board, and no handicap. */
static bool is_far(const struct yo_go_game *game) {
    return game->handicap == 0 && 3 * yo_go_game_stones(game) >= game->board.geometry->points;
}

/* The searches that count visits are those on networks. */
static bool is_reliable(struct yo_search search, const struct yo_search_result *result) {
    return (search.ops->limits & YO_LIMIT_VISITS) ||
           (result->playouts >= PLAYOUTS_MIN && result->moves[0].visits >= VISITS_MIN);
}

static bool is_low(struct yo_search search, const struct yo_search_result *result, double below) {
    const struct yo_search_move *best = &result->moves[0];
    return result->move_count > 0 && best->move != YO_GO_PASS && best->winrate_to_move < below &&
           is_reliable(search, result);
}

/* Does it pass in a game lost by YO_RESIGN_POINTS points? */
static bool gives_in(const struct yo_search_result *result, double below) {
    const struct yo_search_move *best = result->moves;
    if (result->move_count == 0 || best->move != YO_GO_PASS) return false;
    bool has_hope = result->move_count > 1 && best[1].winrate_to_move >= below;
    return !has_hope && best->score_to_move <= -YO_RESIGN_POINTS;
}

/* Counts consecutive low winrates of one colour; at most two moves lie between two searches. */
static unsigned count_low(struct yo_resign *resign, enum yo_go_color color, size_t count,
                          bool low) {
    bool follows =
        count > resign->side[color].at_count && count <= resign->side[color].at_count + 2;
    if (!follows) resign->side[color].low = 0;
    resign->side[color].low = low ? resign->side[color].low + 1 : 0;
    resign->side[color].at_count = count;
    return resign->side[color].low;
}

enum yo_err yo_resign_decide(struct yo_resign *resign, struct yo_search search,
                             const struct yo_go_game *game, enum yo_go_color color,
                             const struct yo_search_result *result, double below, int64_t time_ms,
                             bool *resigns, struct yo_diag *diag) {
    double chance = 0;
    enum yo_err err = YO_OK;
    unsigned low = count_low(resign, color, yo_go_game_move_count(game),
                             is_far(game) && is_low(search, result, below));
    *resigns = low >= LOW_MIN || (is_far(game) && gives_in(result, below));
    if (*resigns) err = ask_ko(search, game, color, time_ms, &chance, diag);
    if (!err && chance >= KO_MATTERS) *resigns = false;
    return err;
}
