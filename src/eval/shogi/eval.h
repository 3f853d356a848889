/* What alpha-beta asks of an evaluation of shogi: a value for a position, and what may be kept from
 * move to move to have it sooner. The search owns the states, one a ply, each of state_size bytes
 * and aligned to 64; a move is taken back by returning to the state before it. */
#pragma once

#include <stddef.h>

#include "game/shogi/position.h"

/* Values stay well inside this: what is beyond is a mate. */
enum { YO_SHOGI_EVAL_MAX = 30000 };

struct yo_shogi_eval {
    const char *name;
    const void *net;   /* handed back to the functions; all threads read it, none writes */
    size_t state_size; /* 0: nothing is kept, and root and step are NULL */
    void (*root)(const void *net, const struct yo_shogi_position *pos, void *state);
    /* `after` comes from `before` by this move; YO_SHOGI_NO_MOVE is a pass. old_state lives as long
     * as state does, so this may only note what changed and leave the work to value. */
    void (*step)(const void *net, const struct yo_shogi_position *before,
                 const struct yo_shogi_position *after, yo_shogi_move move, void *old_state,
                 void *state);
    /* In hundredths of a pawn, for the side to move. */
    int (*value)(const void *net, const struct yo_shogi_position *pos, void *state);
};

/* Material and a little more: material.h. */
extern const struct yo_shogi_eval yo_shogi_eval_material;
