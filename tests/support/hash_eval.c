#include "support/hash_eval.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/random.h"
#include "base/time.h"

static float draw(uint64_t key) { return (float)(yo_mix64(key) >> 40) / (float)(1 << 24); }

float hash_value(const struct yo_game_ops *game, const void *position) {
    uint64_t key = game->hash(position) * 2 + (uint64_t)game->side_to_move(position);
    return 0.1f + 0.8f * draw(key);
}

void hash_policy(const struct yo_game_ops *game, const void *position, const yo_move *moves,
                 size_t count, float *policy) {
    uint64_t key = yo_mix64(game->hash(position) + 99);
    float sum = 0;
    for (size_t i = 0; i < count; i++) {
        float x = draw(key + moves[i]);
        sum += policy[i] = 0.02f + x * x * x; /* a few good moves, as a network has it */
    }
    for (size_t i = 0; i < count; i++)
        policy[i] /= sum;
}

static void describe(void *ctx, int playout_policy, struct yo_eval_about *about) {
    (void)playout_policy;
    struct hash_eval *h = ctx;
    *about = (struct yo_eval_about){
        .game = h->game, .wants = YO_EVAL_VALUE | YO_EVAL_POLICY, .batch = h->batch, .exact = true};
    snprintf(about->name, sizeof about->name, "hash");
}

static float value_of(const struct hash_eval *h, const void *position) {
    float noise = hash_value(h->game, position);
    return h->value ? 0.8f * h->value(position) + 0.2f * noise : noise;
}

static void answer(struct hash_eval *h, struct yo_eval_item *item) {
    void *child = malloc(h->game->position_size);
    if (!child) abort();
    for (size_t i = 0; item->children && i < item->child_count; i++) {
        memcpy(child, item->position, h->game->position_size);
        h->game->play(child, item->children[i]);
        item->results[i].value = (struct yo_eval_value){.win = value_of(h, child)};
    }
    free(child);
    if (item->children) return;
    item->results->value = (struct yo_eval_value){.win = value_of(h, item->position)};
    if (item->want & YO_EVAL_POLICY)
        hash_policy(h->game, item->position, item->moves, item->move_count, item->results->policy);
}

/* When a batch in flight is done, by yo_time_ms; -1: never. */
static int64_t *due(struct yo_eval_batch *batch) { return (int64_t *)(void *)batch->work; }

static enum yo_err submit(void *ctx, struct yo_eval_batch *batch, struct yo_diag *diag) {
    struct hash_eval *h = ctx;
    (void)diag;
    long number = ++h->batches;
    bool stalls = h->stall_after && number > h->stall_after;
    atomic_store(&batch->finished, false);
    batch->err = YO_OK;
    *due(batch) = stalls ? -1 : yo_time_ms() + h->slow_ms;
    if (stalls) return YO_OK;
    for (size_t i = 0; i < batch->item_count; i++)
        answer(h, &batch->items[i]);
    h->items += (long)batch->item_count;
    return YO_OK;
}

static bool poll(void *ctx, struct yo_eval_batch *batch) {
    (void)ctx;
    if (*due(batch) >= 0 && yo_time_ms() >= *due(batch)) atomic_store(&batch->finished, true);
    return atomic_load(&batch->finished);
}

static enum yo_err wait(void *ctx, struct yo_eval_batch *batch) {
    while (!poll(ctx, batch))
        usleep(200);
    return batch->err;
}

static void cancel(void *ctx, struct yo_eval_batch *batch) {
    struct hash_eval *h = ctx;
    if (poll(ctx, batch)) return;
    h->cancelled++;
    batch->err = YO_ERR_CANCELLED;
    yo_diag_set(&batch->diag, YO_ERR_CANCELLED, "cancelled");
    atomic_store(&batch->finished, true);
}

static void destroy(void *ctx) { (void)ctx; }

struct yo_eval hash_eval(struct hash_eval *state) {
    static const struct yo_eval_ops ops = {.describe = describe,
                                           .submit = submit,
                                           .poll = poll,
                                           .wait = wait,
                                           .cancel = cancel,
                                           .destroy = destroy};
    return (struct yo_eval){&ops, state};
}
