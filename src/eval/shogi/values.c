#include "eval/shogi/values.h"

#include <stdio.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "game/shogi/game_ops.h"
#include "game/shogi/movegen.h"

/* Stack space for an evaluation's state: submit allocates nothing, and any thread may call it. */
#define STATE_MAX 8192

struct values {
    struct yo_shogi_eval eval;
};

static void evaluate(const struct yo_shogi_eval *eval, const struct yo_shogi_position *position,
                     struct yo_eval_result *result) {
    _Alignas(64) unsigned char state[STATE_MAX];
    if (eval->root) eval->root(eval->net, position, state);
    int centipawns = eval->value(eval->net, position, state);
    result->value = (struct yo_eval_value){.win = (float)yo_eval_winrate_of(centipawns)};
}

static void evaluate_item(const struct yo_shogi_eval *eval, const struct yo_eval_item *item) {
    const struct yo_shogi_state *state = item->position;
    if (!item->children) {
        evaluate(eval, &state->position, item->results);
        return;
    }
    for (size_t i = 0; i < item->child_count; i++) {
        struct yo_shogi_position after = state->position;
        yo_shogi_play(&after, (yo_shogi_move)item->children[i]);
        evaluate(eval, &after, &item->results[i]);
    }
}

static enum yo_err check_item(const struct yo_eval_item *item, struct yo_diag *diag) {
    const struct yo_shogi_state *state = item->position;
    if (item->want != YO_EVAL_VALUE)
        return yo_diag_set(diag, YO_ERR_UNSUPPORTED, "a static evaluation gives values alone");
    for (size_t i = 0; item->children && i < item->child_count; i++)
        if (item->children[i] > UINT16_MAX ||
            !yo_shogi_move_is_sound(&state->position, (yo_shogi_move)item->children[i]))
            return yo_diag_set(diag, YO_ERR_ILLEGAL, "move %u is illegal",
                               (unsigned)item->children[i]);
    return YO_OK;
}

static enum yo_err submit(void *ctx, struct yo_eval_batch *batch, struct yo_diag *diag) {
    const struct values *values = ctx;
    for (size_t i = 0; i < batch->item_count; i++) {
        enum yo_err err = check_item(&batch->items[i], diag);
        if (err) return err;
    }
    for (size_t i = 0; i < batch->item_count; i++)
        evaluate_item(&values->eval, &batch->items[i]);
    batch->err = YO_OK;
    if (batch->done)
        batch->done(batch);
    else
        atomic_store_explicit(&batch->finished, true, memory_order_release);
    return YO_OK;
}

static bool poll(void *ctx, struct yo_eval_batch *batch) {
    (void)ctx;
    return atomic_load_explicit(&batch->finished, memory_order_acquire);
}

static enum yo_err wait(void *ctx, struct yo_eval_batch *batch) {
    (void)ctx;
    return batch->err;
}

static void cancel(void *ctx, struct yo_eval_batch *batch) { (void)ctx, (void)batch; }

static void describe(void *ctx, int playout_policy, struct yo_eval_about *about) {
    (void)playout_policy;
    const struct values *values = ctx;
    *about = (struct yo_eval_about){
        .game = &yo_shogi_ops, .wants = YO_EVAL_VALUE, .batch = 1, .exact = true, .at_once = true};
    snprintf(about->name, sizeof about->name, "%s", values->eval.name);
}

static const struct yo_eval_ops ops = {
    .describe = describe,
    .submit = submit,
    .poll = poll,
    .wait = wait,
    .cancel = cancel,
    .destroy = yo_free,
};

enum yo_err yo_shogi_values_new(const struct yo_shogi_eval *eval, struct yo_eval *out,
                                struct yo_diag *diag) {
    if (eval->state_size > STATE_MAX)
        return yo_diag_set(diag, YO_ERR_UNSUPPORTED, "%s keeps too much of a position for a tree",
                           eval->name);
    struct values *values = yo_alloc(1, sizeof *values);
    if (!values) return yo_diag_set(diag, YO_ERR_NOMEM, "out of memory");
    values->eval = *eval;
    *out = (struct yo_eval){&ops, values};
    return YO_OK;
}
