/* An evaluator for any game that knows nothing of it: value and policy are drawn from the hash of
 * the position, the same on every machine. It can be slow, and can stall until it is cancelled. */
#pragma once

#include "eval/eval.h"

struct hash_eval {
    const struct yo_game_ops *game;
    size_t batch;
    float (*value)(const void *position); /* or NULL: the win rate, to which the hash adds noise */
    unsigned slow_ms;                     /* how long a batch takes */
    long stall_after; /* batches after which one finishes only if it is cancelled; 0: never */
    _Atomic(long) batches, items, cancelled;
};

struct yo_eval hash_eval(struct hash_eval *state);
/* The win rate of a position for the side to move, and the policy of its moves. */
float hash_value(const struct yo_game_ops *game, const void *position);
void hash_policy(const struct yo_game_ops *game, const void *position, const yo_move *moves,
                 size_t count, float *policy);
