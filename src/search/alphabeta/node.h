/* One node of alpha-beta: what its steps share, and those that decide how little of it has to be
 * searched. */
#pragma once

#include "search/alphabeta/internal.h"
#include "search/alphabeta/picker.h"

/* Moves that are remembered to be punished when another cuts. */
enum { AB_TRIED_MAX = 64 };

/* What the steps of one node share. */
struct ab_node {
    struct ab_worker *w;
    struct ab_frame *f;
    const struct yo_shogi_position *pos;
    int ply, depth, plies; /* plies: the depth in whole plies */
    int alpha, beta;
    bool root, pv, check, cut_node;
    bool prune;     /* shortcuts that may change the value */
    bool selective; /* and those that leave out or cut short single moves */
    bool improving; /* the side to move is better off than two plies ago */
    uint64_t key;
    struct ab_entry entry;
    bool found;
    struct ab_context context;
    int best;
    yo_shogi_move best_move;
    yo_shogi_move tried[AB_TRIED_MAX];
    int tried_count;
};

static inline bool ab_is_mate_score(int score) {
    return score >= YO_AB_MATE_FROM || score <= -YO_AB_MATE_FROM;
}

/* ---- prune.c ---- */

/* The static value of the position, where it is of use. */
void yo_ab_node_evaluate(struct ab_node *node);
/* Before any move: so far ahead, or behind, that the node is done. */
bool yo_ab_node_cuts_early(struct ab_node *node, int *score);
/* Quiet moves late in the order, captures that lose material: not worth a look this near to the
 * end. */
bool yo_ab_node_skips(const struct ab_node *node, struct ab_picker *picker, yo_shogi_move move,
                      int number, bool quiet, bool gives_check);
/* Everything else is much worse than the table's move: it alone is read deeper. Returns the
 * extension, or -1 where even without it the node cuts. */
int yo_ab_node_singular(struct ab_node *node, yo_shogi_move move);
/* How much less deep a move this late is read. */
int yo_ab_node_reduction(const struct ab_node *node, yo_shogi_move move, int number, bool quiet,
                         bool gives_check);
