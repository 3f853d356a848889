/* Leaves of a tree as items of an evaluator's batches: many positions at once, some playouts each.
 * Positions are those of the game's table (game/game.h); a leaf's slot holds what the evaluator
 * needs of one and what it found. */
#pragma once

#include <stdint.h>

#include "eval/eval.h"

/* Sums over the playouts of one leaf. */
struct yo_leaf_sums {
    uint64_t games;
    uint64_t half_wins_first; /* of the side that moves first in the game: two a win, one a draw */
    int64_t score2_first;     /* its margin in half points, komi counted */
    const int32_t *owner;     /* games the first side owned a cell less games the other did; NULL */
};

struct yo_leaf_ops {
    size_t slot_size; /* 64-byte aligned and the caller's */
    /* Fills the item but for its playouts, seed and first game. */
    void (*put)(void *ctx, const void *position, bool want_owner, void *slot,
                struct yo_eval_item *item);
    void (*get)(void *ctx, const void *slot, struct yo_leaf_sums *sums);
};

/* ops is NULL where there are none. */
struct yo_leaves {
    const struct yo_leaf_ops *ops;
    void *ctx;
    struct yo_eval eval;
};
