#include "eval/shogi/net_eval.h"

#include <string.h>

#include "eval/shogi/kernel.h"
#include "eval/shogi/material.h"

/* Beyond so many moves, computing the sums from scratch is cheaper than updating them. */
enum { STEPS_MAX = 12 };

/* What the search keeps for each ply. */
struct state {
    _Alignas(64) int16_t sums[2][SHOGI_NET_SUMS]; /* Black's view, White's view */
    struct state *before;                         /* NULL at the root */
    struct shogi_input_change change;             /* from `before` to this state */
    bool ready[2];
};

static void root(const void *net, const struct yo_shogi_position *pos, void *at) {
    (void)net, (void)pos;
    struct state *state = at;
    state->before = NULL;
    state->ready[0] = state->ready[1] = false;
}

static void step(const void *context, const struct yo_shogi_position *before,
                 const struct yo_shogi_position *after, yo_shogi_move move, void *old_state,
                 void *at) {
    (void)after;
    const struct yo_shogi_net *net = context;
    struct state *state = at;
    state->before = old_state;
    state->ready[0] = state->ready[1] = false;
    yo_shogi_input_change(before, move, net->kind, &state->change);
}

/* ---- Sums ---- */

static void sum_anew(const struct yo_shogi_net *net, const struct yo_shogi_position *pos,
                     int viewer, int16_t *sums) {
    size_t inputs[SHOGI_INPUTS_ON], count = yo_shogi_inputs(pos, viewer, net->kind, inputs);
    memcpy(sums, net->layers.sum_biases, sizeof net->layers.sum_biases);
    for (size_t i = 0; i < count; i += 2) {
        const int16_t *rows[2];
        int n = i + 2 <= count ? 2 : 1;
        for (int j = 0; j < n; j++)
            rows[j] = net->weights[inputs[i + (size_t)j]];
        net->kernel->update(sums, sums, rows, n, NULL, 0);
    }
}

/* offset: of a piece's input; the viewer's king has not moved since the state before. */
static void sum_on(const struct yo_shogi_net *net, struct state *state, int viewer, size_t offset) {
    const struct shogi_input_change *change = &state->change;
    const int16_t *on[2], *off[2];
    for (int i = 0; i < change->on_count; i++)
        on[i] = net->weights[offset + change->on[i][viewer]];
    for (int i = 0; i < change->off_count; i++)
        off[i] = net->weights[offset + change->off[i][viewer]];
    net->kernel->update(state->sums[viewer], state->before->sums[viewer], on, change->on_count, off,
                        change->off_count);
    state->ready[viewer] = true;
}

/* Collects the states that are not ready, this one first, back to one that is ready. Returns 0 if
 * the sums cannot be updated from there: it is too many moves back, or the king has moved since,
 * which changes all inputs. */
static int collect(const struct yo_shogi_net *net, struct state *state, int viewer,
                   struct state *out[STEPS_MAX]) {
    bool by_king = net->kind == YO_SHOGI_NET_HALFKP;
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
    if (count == 0) sum_anew(net, pos, viewer, state->sums[viewer]);
    size_t offset = shogi_input_offset(pos, viewer, net->kind);
    while (count > 0)
        sum_on(net, steps[--count], viewer, offset);
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
                                  .root = root,
                                  .step = step,
                                  .value = value};
}
