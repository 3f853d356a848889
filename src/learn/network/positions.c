#include "learn/network/positions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "game/shogi/packed.h"

/* One run in RUNS of so many positions is held out; runs are shorter in small sets. */
enum { RUN = 2000, RUNS = 20, HELD_RUN = 7, COUNT_MAX = INT32_MAX };

/* ---- The set ---- */

static float target_of(const struct yo_shogi_sample *s, const struct fit_targets *t) {
    double chance = 1 / (1 + exp(-s->score / t->scale));
    if (s->flags & YO_SHOGI_SAMPLE_ASIDE) return (float)chance;
    return (float)((1 - t->results) * chance + t->results * (1 + s->result) / 2);
}

static enum yo_err keep(struct fit_set *set, const struct yo_shogi_sample *s,
                        const struct fit_targets *t, struct yo_diag *diag) {
    struct yo_shogi_position pos;
    enum yo_err err = yo_shogi_unpack(s->position, &pos, diag);
    if (err) return err;
    if (set->count == set->cap) {
        size_t cap = set->cap ? 2 * set->cap : 1 << 16;
        void *grown =
            cap <= COUNT_MAX ? yo_realloc(set->positions, cap, sizeof *set->positions) : NULL;
        if (!grown) return yo_diag_set(diag, YO_ERR_NOMEM, "not enough memory for the positions");
        set->positions = grown;
        set->cap = cap;
    }
    bool aside = s->flags & YO_SHOGI_SAMPLE_ASIDE;
    struct fit_position *p = &set->positions[set->count++];
    *p = (struct fit_position){.target = target_of(s, t),
                               .result = aside ? FIT_NO_RESULT : s->result};
    memcpy(p->packed, s->position, sizeof p->packed);
    return YO_OK;
}

enum yo_err yo_fit_set_add(struct fit_set *set, const void *bytes, size_t len, const char *name,
                           const struct fit_targets *targets, struct yo_diag *diag) {
    const uint8_t *at = bytes;
    for (size_t i = 0; i < len / YO_SHOGI_SAMPLE; i++) {
        struct yo_shogi_sample sample;
        enum yo_err err = yo_shogi_sample_read(at + i * YO_SHOGI_SAMPLE, &sample, diag);
        if (!err && sample.flags & YO_SHOGI_SAMPLE_QUIET && abs(sample.score) < targets->below)
            err = keep(set, &sample, targets, diag);
        if (!err) continue;
        yo_shogi_sample_where(diag, name, i);
        return err;
    }
    return YO_OK;
}

enum yo_err yo_fit_set_divide(struct fit_set *set) {
    set->learned = yo_alloc(set->count + 1, sizeof *set->learned);
    set->held = yo_alloc(set->count + 1, sizeof *set->held);
    if (!set->learned || !set->held) return YO_ERR_NOMEM;
    size_t run = set->count / RUNS < RUN ? set->count / RUNS + 1 : RUN;
    for (size_t i = 0; i < set->count; i++)
        if (i / run % RUNS == HELD_RUN)
            set->held[set->held_count++] = (uint32_t)i;
        else
            set->learned[set->learned_count++] = (uint32_t)i;
    return YO_OK;
}

void yo_fit_set_free(struct fit_set *set) {
    yo_free(set->positions);
    yo_free(set->learned);
    yo_free(set->held);
    *set = (struct fit_set){0};
}

/* ---- Inputs ---- */

void yo_fit_inputs_of(const struct fit_position *position, bool mirrored, struct fit_inputs *out) {
    struct yo_shogi_position pos;
    size_t inputs[SHOGI_INPUTS_ON];
    if (yo_shogi_unpack(position->packed, &pos, NULL))
        memset(&pos, 0, sizeof pos); /* it was read before */
    for (int i = 0; i < 2; i++) {
        int viewer = i ? pos.side ^ 1 : pos.side, king = 0;
        size_t count = yo_shogi_inputs(&pos, viewer, YO_SHOGI_NET_KP, inputs), total = count;
        for (size_t j = 0; j < count; j++) {
            if (mirrored) inputs[j] = yo_shogi_mirrored_inputs[inputs[j]];
            if (inputs[j] >= SHOGI_PIECE_INPUTS && inputs[j] < SHOGI_PIECE_INPUTS + 81)
                king = (int)(inputs[j] - SHOGI_PIECE_INPUTS);
        }
        for (size_t j = 0; j < count; j++)
            if (shogi_is_on_board(inputs[j]))
                inputs[total++] = shogi_relative_input(inputs[j], king);
        for (size_t j = 0; j < total; j++)
            out->on[i][j] = (uint16_t)inputs[j];
        out->count[i] = (uint8_t)total;
    }
}
