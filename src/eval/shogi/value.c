#include "eval/shogi/value.h"

#include <string.h>

#include "base/alloc.h"
#include "eval/shogi/material.h"

enum yo_err yo_shogi_values_init(struct yo_shogi_values *v, const struct yo_shogi_net *net,
                                 int plies) {
    *v = (struct yo_shogi_values){.net = net, .kernel = yo_shogi_net_kernel(), .cap = plies + 1};
    if (!net) return YO_OK;
    v->levels = yo_alloc_aligned((size_t)v->cap * sizeof *v->levels);
    return v->levels ? YO_OK : YO_ERR_NOMEM;
}

void yo_shogi_values_free(struct yo_shogi_values *v) {
    yo_free_aligned(v->levels);
    *v = (struct yo_shogi_values){0};
}

void yo_shogi_values_set_kernel(struct yo_shogi_values *v, const struct shogi_net_kernel *kernel) {
    v->kernel = kernel;
}

void yo_shogi_values_root(struct yo_shogi_values *v) {
    v->top = 0;
    if (v->net) v->levels[0].ready[0] = v->levels[0].ready[1] = false;
}

void yo_shogi_values_play(struct yo_shogi_values *v, const struct yo_shogi_position *pos,
                          yo_shogi_move move) {
    if (!v->net) return;
    struct shogi_value_level *level = &v->levels[++v->top];
    level->ready[0] = level->ready[1] = false;
    yo_shogi_input_change(pos, move, v->net->kind, &level->change);
}

/* ---- Sums ---- */

static void sum_anew(struct yo_shogi_values *v, const struct yo_shogi_position *pos, int viewer) {
    size_t inputs[SHOGI_INPUTS_ON], count = yo_shogi_inputs(pos, viewer, v->net->kind, inputs);
    int16_t *sums = v->levels[v->top].sums[viewer];
    memcpy(sums, v->net->layers.sum_biases, sizeof v->net->layers.sum_biases);
    for (size_t i = 0; i < count; i += 2) {
        const int16_t *rows[2];
        int n = i + 2 <= count ? 2 : 1;
        for (int j = 0; j < n; j++)
            rows[j] = v->net->weights[inputs[i + (size_t)j]];
        v->kernel->update(sums, sums, rows, n, NULL, 0);
    }
}

/* offset: of a piece's input; the king has not moved since the level before. */
static void sum_on(struct yo_shogi_values *v, int at, int viewer, size_t offset) {
    struct shogi_value_level *level = &v->levels[at];
    const struct shogi_input_change *change = &level->change;
    const int16_t *on[2], *off[2];
    for (int i = 0; i < change->on_count; i++)
        on[i] = v->net->weights[offset + change->on[i][viewer]];
    for (int i = 0; i < change->off_count; i++)
        off[i] = v->net->weights[offset + change->off[i][viewer]];
    v->kernel->update(level->sums[viewer], level[-1].sums[viewer], on, change->on_count, off,
                      change->off_count);
    level->ready[viewer] = true;
}

/* The nearest level from which the sums can be carried on, or -1. */
static int ready_level(const struct yo_shogi_values *v, int viewer) {
    bool by_king = v->net->kind == YO_SHOGI_NET_HALFKP;
    for (int at = v->top; at >= 0; at--) {
        if (v->levels[at].ready[viewer]) return at;
        if (at > 0 && by_king && v->levels[at].change.king >> viewer & 1) return -1;
        /* Carried on that far, it costs more than all pieces anew. */
        if (v->top - at >= 12) return -1;
    }
    return -1;
}

static const int16_t *sums_of(struct yo_shogi_values *v, const struct yo_shogi_position *pos,
                              int viewer) {
    int at = ready_level(v, viewer);
    if (at < 0) sum_anew(v, pos, viewer);
    size_t offset = shogi_input_offset(pos, viewer, v->net->kind);
    while (at >= 0 && ++at <= v->top)
        sum_on(v, at, viewer, offset);
    v->levels[v->top].ready[viewer] = true;
    return v->levels[v->top].sums[viewer];
}

int yo_shogi_value(struct yo_shogi_values *v, const struct yo_shogi_position *pos) {
    /* Problems without a king have nothing that a network knows. */
    if (!v->net || pos->king[0] == YO_SHOGI_NO_SQUARE || pos->king[1] == YO_SHOGI_NO_SQUARE)
        return yo_shogi_material(pos);
    const int16_t *us = sums_of(v, pos, pos->side), *them = sums_of(v, pos, pos->side ^ 1);
    int value = v->kernel->forward(&v->net->layers, us, them) / v->net->scale;
    return value > YO_SHOGI_VALUE_MAX    ? YO_SHOGI_VALUE_MAX
           : value < -YO_SHOGI_VALUE_MAX ? -YO_SHOGI_VALUE_MAX
                                         : value;
}
