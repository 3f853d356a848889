/* One playout, synchronously in the calling thread. A tree search on a CPU runs one at every leaf,
 * where building a batch and waking a thread would cost more than the game. Positions have the type
 * of the game's table (game/game.h). The games are the same as a batch's: position, seed and number
 * determine every move. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "game/game.h"

/* The arrays live in the caller's scratch until its next call. */
struct yo_rollout {
    int score2; /* the first side's margin, in half points, with komi; 0: draw */
    size_t move_count;
    const yo_move *moves; /* sides alternate; the first is by the side to move at the start */
    const int8_t *owner;  /* +1 the first side's, -1 the other's, 0 neutral; or NULL */
};

struct yo_rollout_ops {
    const char *name;
    size_t scratch_size; /* 64-byte aligned and the caller's; one for each thread */
    /* Plays game `number` of the stream `seed` from the position. */
    void (*play)(void *ctx, const void *position, uint64_t seed, uint64_t number, void *scratch,
                 struct yo_rollout *out);
    /* Scores a position where the game is over. Returns true when the result is final, and false
     * when it depends on which stones the players agree are dead: *out is then the result of one
     * playout. */
    bool (*finish)(void *ctx, const void *position, uint64_t seed, uint64_t number, void *scratch,
                   struct yo_rollout *out);
    /* Entries of `owner` for this position. */
    size_t (*cells)(const void *position);
};

struct yo_rollouts {
    const struct yo_rollout_ops *ops;
    void *ctx;
};
