#include "support/ttt_eval.h"

#include <stdio.h>

#include "base/diag.h"
#include "support/tictactoe.h"

static void describe(void *ctx, int playout_policy, struct yo_eval_about *about) {
    (void)playout_policy;
    struct ttt_eval *t = ctx;
    *about = (struct yo_eval_about){.game = &ttt_ops,
                                    .wants = YO_EVAL_VALUE | YO_EVAL_POLICY,
                                    .batch = t->batch,
                                    .exact = true};
    snprintf(about->name, sizeof about->name, "noughts and crosses");
}

static void value_of(const struct ttt_eval *t, const struct ttt *position,
                     struct yo_eval_value *value) {
    float half = t->knows ? 0.25f * (float)ttt_value(position) : 0;
    *value = (struct yo_eval_value){.win = 0.5f + half};
}

static void answer(struct ttt_eval *t, struct yo_eval_item *item) {
    for (size_t i = 0; i < item->child_count && item->children; i++) {
        struct ttt child = *(const struct ttt *)item->position;
        ttt_ops.play(&child, item->children[i]);
        value_of(t, &child, &item->results[i].value);
    }
    if (item->children) return;
    value_of(t, item->position, &item->results->value);
    for (size_t i = 0; i < item->move_count; i++)
        item->results->policy[i] = 1 / (float)item->move_count;
}

static enum yo_err submit(void *ctx, struct yo_eval_batch *batch, struct yo_diag *diag) {
    struct ttt_eval *t = ctx;
    if (t->fail_after >= 0 && t->batches++ >= t->fail_after)
        return yo_diag_set(diag, YO_ERR_IO, "the evaluator is gone");
    for (size_t i = 0; i < batch->item_count; i++)
        answer(t, &batch->items[i]);
    t->items += (long)batch->item_count;
    batch->err = YO_OK;
    return YO_OK;
}

static bool poll(void *ctx, struct yo_eval_batch *batch) {
    (void)ctx;
    (void)batch;
    return true;
}

static enum yo_err wait(void *ctx, struct yo_eval_batch *batch) {
    (void)ctx;
    return batch->err;
}

static void cancel(void *ctx, struct yo_eval_batch *batch) {
    (void)ctx;
    (void)batch;
}

static void destroy(void *ctx) { (void)ctx; }

struct yo_eval ttt_eval(struct ttt_eval *state) {
    static const struct yo_eval_ops ops = {.describe = describe,
                                           .submit = submit,
                                           .poll = poll,
                                           .wait = wait,
                                           .cancel = cancel,
                                           .destroy = destroy};
    return (struct yo_eval){&ops, state};
}
