/* The move picker: generates moves in stages, each only when it is needed. The order is the table's
 * move, winning captures, killers and the counter move, quiet moves by history, losing captures. */
#pragma once

#include <stddef.h>

#include "search/alphabeta/history.h"

struct ab_picker {
    const struct ab_context *context;
    yo_shogi_move first;      /* the table's, or none */
    yo_shogi_move refuted[3]; /* killers and the counter move */
    bool all;                 /* include moves that never pay (picker.c) */
    bool quiets;              /* false: captures only */
    int stage;
    size_t next, end, bad_end;
    yo_shogi_move moves[YO_SHOGI_LIST];
    int32_t keys[YO_SHOGI_LIST]; /* the score and the number of each move; least: given out */
    yo_shogi_move bad[128];
};

/* For the search. In check all moves are evasions. */
void ab_picker_init(struct ab_picker *p, const struct ab_context *context, yo_shogi_move first,
                    const yo_shogi_move killers[2], bool all);
/* For quiescence: captures, and in check all evasions. */
void ab_picker_init_quiesce(struct ab_picker *p, const struct ab_context *context,
                            yo_shogi_move first, bool all);
/* YO_SHOGI_NO_MOVE at the end. */
yo_shogi_move ab_picker_next(struct ab_picker *p);
/* Skips the remaining quiet moves. */
static inline void ab_picker_skip_quiets(struct ab_picker *p) { p->quiets = false; }
