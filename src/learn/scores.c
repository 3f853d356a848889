#include "learn/scores.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "game/shogi/game_ops.h"
#include "game/shogi/packed.h"

/* Positions of a portion. Two are on their way: while one is evaluated, the next is unpacked. */
enum { PORTION = 8192 };

struct portion {
    struct yo_eval_batch batch;
    size_t first; /* sample */
    struct yo_eval_item items[PORTION];
    struct yo_eval_result results[PORTION];
    struct yo_shogi_past pasts[PORTION];
    struct yo_shogi_state states[PORTION];
};

static enum yo_err unpack(struct portion *p, const uint8_t *samples, size_t first, size_t count,
                          const char *name, struct yo_diag *diag) {
    for (size_t i = 0; i < count; i++) {
        struct yo_shogi_sample sample;
        struct yo_shogi_position pos;
        enum yo_err err =
            yo_shogi_sample_read(samples + (first + i) * YO_SHOGI_SAMPLE, &sample, diag);
        if (!err) err = yo_shogi_unpack(sample.position, &pos, diag);
        if (err) {
            yo_shogi_sample_where(diag, name, first + i);
            return err;
        }
        yo_shogi_state_init(&p->states[i], &pos, &yo_shogi_rules_default, &p->pasts[i]);
        p->items[i] = (struct yo_eval_item){
            .position = &p->states[i], .want = YO_EVAL_VALUE, .results = &p->results[i]};
    }
    p->first = first;
    memset(&p->batch, 0, sizeof p->batch);
    p->batch.items = p->items;
    p->batch.item_count = count;
    return YO_OK;
}

static int16_t score_of(double chance, int16_t old, const struct yo_scores_mix *mix) {
    double found = yo_eval_score_of(chance, mix->scale);
    return (int16_t)lround(mix->share * found + (1 - mix->share) * old);
}

void yo_scores_mix_in(const struct yo_scores_mix *mix, const float *chances, uint8_t *samples,
                      size_t count) {
    for (size_t i = 0; i < count; i++) {
        uint8_t *at = samples + i * YO_SHOGI_SAMPLE;
        struct yo_shogi_sample sample;
        if (chances[i] < 0 || yo_shogi_sample_read(at, &sample, NULL)) continue;
        sample.score = score_of(chances[i], sample.score, mix);
        yo_shogi_sample_write(&sample, at);
    }
}

/* Waits for a portion and writes its scores. */
static enum yo_err finish(struct yo_eval eval, struct portion *p, const struct yo_scores_mix *mix,
                          uint8_t *samples, const char *name, struct yo_diag *diag) {
    enum yo_err err = eval.ops->wait(eval.ctx, &p->batch);
    if (err && diag) *diag = p->batch.diag;
    for (size_t i = 0; !err && i < p->batch.item_count; i++) {
        uint8_t *at = samples + (p->first + i) * YO_SHOGI_SAMPLE;
        struct yo_shogi_sample sample;
        double chance = p->results[i].value.win;
        err = yo_shogi_sample_read(at, &sample, diag);
        if (!err && !(chance >= 0 && chance <= 1)) {
            err = yo_diag_set(diag, YO_ERR_STATE, "the network's chance to win is no number");
            yo_shogi_sample_where(diag, name, p->first + i);
        }
        if (err) break;
        sample.score = score_of(chance, sample.score, mix);
        yo_shogi_sample_write(&sample, at);
    }
    return err;
}

enum yo_err yo_scores_replace(struct yo_eval eval, const struct yo_scores_mix *mix,
                              uint8_t *samples, size_t count, const char *name,
                              void (*told)(void *user, size_t done), void *user,
                              struct yo_diag *diag) {
    struct portion *portions = yo_alloc_aligned(2 * sizeof *portions);
    struct portion *before = NULL;
    enum yo_err err = portions ? YO_OK : yo_diag_set(diag, YO_ERR_NOMEM, "out of memory");
    for (size_t first = 0, turn = 0; !err && first < count; first += PORTION, turn ^= 1) {
        struct portion *p = &portions[turn];
        size_t n = count - first < PORTION ? count - first : PORTION;
        err = unpack(p, samples, first, n, name, diag);
        if (!err) err = eval.ops->submit(eval.ctx, &p->batch, diag);
        struct portion *now = err ? NULL : p;
        if (before) { /* it is waited for in any case: the evaluator works in its memory */
            enum yo_err late = finish(eval, before, mix, samples, name, err ? NULL : diag);
            if (!err) err = late;
            if (told && !err) told(user, first);
        }
        before = now;
    }
    if (before) {
        enum yo_err late = finish(eval, before, mix, samples, name, err ? NULL : diag);
        if (!err) err = late;
    }
    yo_free_aligned(portions);
    return err;
}
