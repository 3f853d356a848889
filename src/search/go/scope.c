#include "search/go/scope.h"

#include <math.h>
#include <string.h>

#include "base/time.h"
#include "game/go/fate.h"
#include "game/go/game_ops.h"
#include "game/go/state.h"

/* With fewer moves than GROUP_MIN there is no choice; with GROUP_SHARE of all moves or more there
 * is no restriction. */
#define GROUP_MIN   4
#define GROUP_SHARE 0.9
/* The zone extends this many lines beyond the group. */
#define ZONE_MARGIN 2
/* Playouts that score the board outside the zone, as in the paper; and playouts per batch. */
#define ZONE_GAMES 5000
#define ZONE_BATCH 1000

/* ---- group mode ---- */

static size_t last_two(const struct yo_go_game *game, yo_go_point *last) {
    size_t count = 0;
    for (size_t i = game->count; i-- > 0 && count < 2;)
        last[count++] = game->moves[i].move;
    return count;
}

/* Finds the points within reach; stones belong to the group because the zone surrounds them too.
 * Returns whether the group restricts the search. */
static bool find_group(struct yo_go_scope *scope, const struct yo_go_game *game) {
    const struct yo_go_board *board = &game->board;
    uint8_t distance[YO_GO_POINTS_MAX];
    yo_go_point last[2];
    size_t count = last_two(game, last);
    int moves = 0, empty = 0, points = board->geometry->points;
    yo_go_fate_distance(board, last, count, scope->options.group, distance);
    for (int p = 0; p < points; p++) {
        scope->in_group[p] = distance[p] != YO_GO_FATE_FAR;
        if (board->color[p] != YO_GO_EMPTY) continue;
        empty++;
        moves += scope->in_group[p];
    }
    return moves >= GROUP_MIN && moves < GROUP_SHARE * empty;
}

static void estimate(void *ctx, const void *position, const yo_move *moves, size_t count,
                     struct yo_prior *out) {
    const struct yo_go_scope *scope = ctx;
    if (scope->base.estimate) scope->base.estimate(scope->base.ctx, position, moves, count, out);
    for (size_t i = 0; scope->on && i < count; i++)
        if (moves[i] < YO_GO_POINTS_MAX && !scope->in_group[moves[i]]) out[i].prune = true;
}

struct yo_priors yo_go_scope_priors(struct yo_go_scope *scope, struct yo_priors base) {
    scope->base = base;
    return (struct yo_priors){.estimate = estimate, .ctx = scope, .has_chances = base.has_chances};
}

/* ---- zone mode ---- */

static void find_zone(struct yo_go_scope *scope, const struct yo_go_geometry *g) {
    struct yo_playout_zone *zone = &scope->zone;
    memset(zone->outside, 0, sizeof zone->outside);
    for (int p = 0; p < g->points; p++) {
        zone->inside[p] = 0;
        for (int q = 0; q < g->points && !zone->inside[p]; q++) {
            int dx = p % g->size - q % g->size, dy = p / g->size - q / g->size;
            if (scope->in_group[q] && dx <= ZONE_MARGIN && -dx <= ZONE_MARGIN &&
                dy <= ZONE_MARGIN && -dy <= ZONE_MARGIN)
                zone->inside[p] = 1;
        }
        if (!zone->inside[p]) zone->outside[p >> 6] |= (uint64_t)1 << (p & 63);
    }
}

/* Ownership, by playouts of the whole board. */
static enum yo_err play_outside(const struct yo_go_game *game, struct yo_eval eval, uint64_t seed,
                                int64_t deadline_ms, const atomic_bool *stop, int32_t *ownership,
                                uint64_t *games, struct yo_diag *diag) {
    struct yo_go_position position;
    struct yo_eval_result result = {.playouts = {.owner = ownership}};
    struct yo_eval_item item = {.position = &position,
                                .want = YO_EVAL_PLAYOUTS,
                                .results = &result,
                                .playout_policy = YO_PLAYOUT_LIGHT,
                                .playouts = ZONE_BATCH,
                                .seed = seed};
    yo_go_position_from_game(game, &position);
    do {
        enum yo_err err = yo_eval_run(eval, &item, 1, diag);
        if (err) return err;
        item.first_game += ZONE_BATCH;
    } while (item.first_game < ZONE_GAMES && !(stop && atomic_load(stop)) &&
             !(deadline_ms && yo_time_ms() >= deadline_ms));
    *games = result.playouts.games;
    return YO_OK;
}

/* Equation 2, in half points: the term added to the score of the zone. If the zone ends as
 * expected, Black then leads by alpha times the expected lead. */
static int adjusted2(double inside, double outside, double komi, double alpha) {
    double adjusted = alpha * (outside + inside - komi) - (inside - komi);
    return (int)lround(2 * adjusted);
}

enum yo_err yo_go_scope_find(struct yo_go_scope *scope, const struct yo_go_game *game,
                             struct yo_eval eval, uint64_t seed, int64_t deadline_ms,
                             const atomic_bool *stop, struct yo_diag *diag) {
    scope->zone.on = scope->on = false;
    if (scope->options.group == 0) return YO_OK;
    scope->on = find_group(scope, game);
    if (!scope->on || !scope->options.zone) return YO_OK;
    int32_t ownership[YO_GO_POINTS_MAX] = {0};
    uint64_t games = 0;
    find_zone(scope, game->board.geometry);
    enum yo_err err = play_outside(game, eval, seed, deadline_ms, stop, ownership, &games, diag);
    if (err) return err;
    double inside = 0, outside = 0;
    for (int p = 0; p < game->board.geometry->points; p++)
        *(scope->zone.inside[p] ? &inside : &outside) += (double)ownership[p] / (double)games;
    struct yo_go_position position;
    yo_go_position_from_game(game, &position);
    yo_go_position_use_area(&position, false);
    scope->zone.add2 = adjusted2(inside, outside, 0.5 * yo_playout_white_bonus2(&position),
                                 (double)scope->options.even);
    scope->zone.on = true;
    return YO_OK;
}
