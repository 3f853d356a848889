#include "eval/shogi/net_eval.h"

#include "eval/shogi/kernel.h"
#include "eval/shogi/material.h"
#include "eval/shogi/refresh.h"

/* Beyond so many moves, computing the sums from scratch is cheaper than updating them. */
enum { STEPS_MAX = 12 };

/* What the search keeps for each ply. */
struct state {
    _Alignas(64) int16_t sums[2][SHOGI_NET_SUMS]; /* Black's view, White's view */
    struct state *before;                         /* NULL at the root */
    struct shogi_refresh *refresh;                /* may be NULL */
    struct shogi_input_change change;             /* from `before` to this state */
    bool ready[2];
};

static void root(const void *net, const struct yo_shogi_position *pos, void *at) {
    (void)net, (void)pos;
    struct state *state = at;
    state->before = NULL;
    state->refresh = NULL;
    state->ready[0] = state->ready[1] = false;
}

static void use_cache(void *root_state, void *cache) {
    yo_shogi_refresh_clear(cache); /* it may be of another network */
    ((struct state *)root_state)->refresh = cache;
}

static void step(const void *net, const struct yo_shogi_position *before,
                 const struct yo_shogi_position *after, yo_shogi_move move, void *old_state,
                 void *at) {
    (void)net, (void)after;
    struct state *state = at;
    state->before = old_state;
    state->refresh = state->before->refresh;
    state->ready[0] = state->ready[1] = false;
    yo_shogi_input_change(before, move, &state->change);
}

/* ---- Sums ---- */

/* Most inputs that a move turns on, or off: two pieces, and their relative inputs. */
enum { ROWS_MAX = 4 };

static inline __attribute__((always_inline)) int rows_of(const struct yo_shogi_net *net,
                                                         const struct shogi_viewpoint *view,
                                                         int viewer, const uint16_t (*inputs)[2],
                                                         int count, const int16_t *rows[ROWS_MAX]) {
    int n = 0;
    for (int i = 0; i < count; i++)
        n += shogi_net_rows(net, view, inputs[i][viewer], rows + n);
    return n;
}

static inline __attribute__((always_inline)) void sum_on_kind(const struct yo_shogi_net *net,
                                                              const struct yo_shogi_position *pos,
                                                              struct state *state, int viewer,
                                                              enum yo_shogi_net_kind kind) {
    const struct shogi_input_change *change = &state->change;
    struct shogi_viewpoint view = shogi_viewpoint(pos, viewer, kind);
    const int16_t *on[ROWS_MAX], *off[ROWS_MAX];
    int on_count = rows_of(net, &view, viewer, change->on, change->on_count, on);
    int off_count = rows_of(net, &view, viewer, change->off, change->off_count, off);
    net->kernel->update(state->sums[viewer], state->before->sums[viewer], on, on_count, off,
                        off_count);
    state->ready[viewer] = true;
}

/* The viewer's king has not moved between the state before and pos. Each kind gets code of its own.
 */
static void sum_on(const struct yo_shogi_net *net, const struct yo_shogi_position *pos,
                   struct state *state, int viewer) {
    switch (net->kind) {
    case YO_SHOGI_NET_KP:
        sum_on_kind(net, pos, state, viewer, YO_SHOGI_NET_KP);
        break;
    case YO_SHOGI_NET_HALFKP:
        sum_on_kind(net, pos, state, viewer, YO_SHOGI_NET_HALFKP);
        break;
    case YO_SHOGI_NET_RELATIVE:
        sum_on_kind(net, pos, state, viewer, YO_SHOGI_NET_RELATIVE);
        break;
    case YO_SHOGI_NET_ZONES:
        sum_on_kind(net, pos, state, viewer, YO_SHOGI_NET_ZONES);
        break;
    }
}

/* Collects the states that are not ready, this one first, back to one that is ready. Returns 0 if
 * the sums cannot be updated from there: it is too many moves back, or the king has moved since,
 * which changes all inputs. */
static int collect(const struct yo_shogi_net *net, struct state *state, int viewer,
                   struct state *out[STEPS_MAX]) {
    bool by_king = net->kind != YO_SHOGI_NET_KP;
    int count = 0;
    for (; !state->ready[viewer]; state = state->before) {
        bool moved = by_king && state->before && (state->change.king >> viewer & 1);
        if (!state->before || moved || count == STEPS_MAX) return 0;
        out[count++] = state;
    }
    return count;
}

static const int16_t *sums_of(const struct yo_shogi_net *net, const struct yo_shogi_position *pos,
                              struct state *state, int viewer) {
    if (state->ready[viewer]) return state->sums[viewer];
    struct state *steps[STEPS_MAX];
    int count = collect(net, state, viewer, steps);
    if (count == 0) yo_shogi_refresh_sums(state->refresh, net, pos, viewer, state->sums[viewer]);
    while (count > 0)
        sum_on(net, pos, steps[--count], viewer);
    state->ready[viewer] = true;
    return state->sums[viewer];
}

static int value(const void *context, const struct yo_shogi_position *pos, void *at) {
    const struct yo_shogi_net *net = context;
    /* Networks cannot evaluate positions without both kings (tsume problems). */
    if (pos->king[0] == YO_SHOGI_NO_SQUARE || pos->king[1] == YO_SHOGI_NO_SQUARE)
        return yo_shogi_material(pos);
    const int16_t *us = sums_of(net, pos, at, pos->side);
    const int16_t *them = sums_of(net, pos, at, pos->side ^ 1);
    int output = net->kernel->forward(&net->layers, us, them) / net->scale;
    return output > YO_SHOGI_EVAL_MAX    ? YO_SHOGI_EVAL_MAX
           : output < -YO_SHOGI_EVAL_MAX ? -YO_SHOGI_EVAL_MAX
                                         : output;
}

struct yo_shogi_eval yo_shogi_net_eval(const struct yo_shogi_net *net) {
    if (!net) return yo_shogi_eval_material;
    return (struct yo_shogi_eval){.name = yo_shogi_net_name(net),
                                  .net = net,
                                  .state_size = sizeof(struct state),
                                  .cache_size = sizeof(struct shogi_refresh),
                                  .root = root,
                                  .use_cache = use_cache,
                                  .step = step,
                                  .value = value};
}
