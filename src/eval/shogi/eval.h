/* The interface of a shogi evaluation for alpha-beta: the value of a position, and optional state
 * that is updated incrementally. The search owns the states, one per ply, each of state_size bytes
 * and aligned to 64. To undo a move, it returns to the state before. */
#pragma once

#include <stddef.h>

#include "game/shogi/position.h"

/* Bound of evaluations; values beyond it are mate scores. */
enum { YO_SHOGI_EVAL_MAX = 30000 };

struct yo_shogi_eval {
    const char *name;
    const void *net;   /* passed to the functions; read-only, shared by all threads */
    size_t state_size; /* 0: no state; root and step are NULL */
    size_t cache_size; /* 0: no cache; use_cache is NULL */
    void (*root)(const void *net, const struct yo_shogi_position *pos, void *state);
    /* After root, if at all: a cache of cache_size bytes, aligned to 64, for the states of one
     * thread. It makes values faster, and lives as long as the states. */
    void (*use_cache)(void *root_state, void *cache);
    /* This move leads from `before` to `after`; YO_SHOGI_NO_MOVE is the null move. old_state lives
     * as long as state, so step may record the change only and leave the update to value. */
    void (*step)(const void *net, const struct yo_shogi_position *before,
                 const struct yo_shogi_position *after, yo_shogi_move move, void *old_state,
                 void *state);
    /* In hundredths of a pawn, for the side to move. */
    int (*value)(const void *net, const struct yo_shogi_position *pos, void *state);
};

/* Material and a little more: material.h. */
extern const struct yo_shogi_eval yo_shogi_eval_material;
