/* Moves in the order they should be tried, made only as far as they are asked for: the table's, the
 * captures that win something, killers and the counter move, the quiet moves by their history, and
 * last the captures that lose something. */
#pragma once

#include <stddef.h>

#include "search/alphabeta/history.h"

struct ab_picker {
    const struct ab_context *context;
    yo_shogi_move first;      /* the table's, or none */
    yo_shogi_move refuted[3]; /* killers and the counter move */
    bool all;                 /* moves that never pay too */
    bool quiets;              /* false: captures alone */
    int stage;
    int worst_sorted;
    size_t next, end, bad_end;
    yo_shogi_move moves[YO_SHOGI_LIST];
    int scores[YO_SHOGI_LIST];
    yo_shogi_move bad[128];
};

/* For the search. Quiet moves whose history is below worst_sorted come in any order. In check all
 * moves are evasions. */
void ab_picker_init(struct ab_picker *p, const struct ab_context *context, yo_shogi_move first,
                    const yo_shogi_move killers[2], int worst_sorted, bool all);
/* For beyond the depth: captures, and in check all evasions. */
void ab_picker_init_quiesce(struct ab_picker *p, const struct ab_context *context,
                            yo_shogi_move first, bool all);
/* YO_SHOGI_NO_MOVE at the end. */
yo_shogi_move ab_picker_next(struct ab_picker *p);
/* No more quiet moves, from now on. */
static inline void ab_picker_skip_quiets(struct ab_picker *p) { p->quiets = false; }
