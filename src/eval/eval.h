/* An evaluator: a batch of positions in, values out, asynchronously. Playouts and networks are both
 * evaluators, so that any tree search runs on either. The caller owns the batch, its items and all
 * result storage, and leaves them alone from submit until the batch is finished. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "game/game.h"
#include "yomi/error.h"
#include "yomi/playout.h"

enum yo_eval_want {
    YO_EVAL_PLAYOUTS = 1 << 0,
    YO_EVAL_VALUE = 1 << 1,  /* of a network */
    YO_EVAL_POLICY = 1 << 2, /* of a network */
};

struct yo_playout_sink;

struct yo_eval_result {
    struct yo_playout_result playouts; /* added to; set its arrays to what is wanted */
    float value_to_move;               /* 0..1, chance to win for the side to move */
    float *policy;                     /* a probability for each move of the item, or NULL */
};

struct yo_eval_item {
    const void *position; /* of the evaluator's game: a struct yo_playout_position for Go */
    /* When children are given, it is they that are evaluated, one result each; otherwise the
     * position itself, one result. */
    const yo_move *children;
    size_t child_count;
    unsigned want; /* of enum yo_eval_want */
    /* The position came about by play, and so do its children: the board is not looked over first,
     * which for small batches takes longer than the games. */
    bool trusted;
    struct yo_eval_result *results;

    /* For playouts: games first_game .. first_game + playouts - 1 of the stream `seed`, for each
     * position evaluated. */
    enum yo_playout_policy policy;
    uint64_t playouts;
    uint64_t seed;
    uint64_t first_game;
    const struct yo_playout_sink *sink; /* every move of every game; or NULL */
};

struct yo_eval_batch {
    struct yo_eval_item *items;
    size_t item_count;
    /* Called once, from a thread of the evaluator, when all results are in; may be NULL. After
     * it the evaluator does not touch the batch again. */
    void (*done)(struct yo_eval_batch *batch);
    void *user;
    enum yo_err err;     /* set when finished */
    struct yo_diag diag; /* filled when err is not YO_OK */
    void *work;          /* the evaluator's */
};

struct yo_eval_ops {
    /* Refuses (with a diag) what it cannot do; the batch is then not touched. */
    enum yo_err (*submit)(void *ctx, struct yo_eval_batch *batch, struct yo_diag *diag);
    /* Has it finished? Never blocks. Not to be asked of a batch with a done callback. */
    bool (*poll)(void *ctx, struct yo_eval_batch *batch);
    /* Returns the batch's error when it has finished. A batch without a done callback is waited for
     * once, also after poll said yes: that releases what the evaluator keeps of it. */
    enum yo_err (*wait)(void *ctx, struct yo_eval_batch *batch);
    void (*destroy)(void *ctx);
    /* Which backend this is, for people. */
    const char *(*name)(void *ctx);
};

struct yo_eval {
    const struct yo_eval_ops *ops;
    void *ctx;
};
