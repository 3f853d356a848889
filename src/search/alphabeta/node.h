/* One node of alpha-beta: the state that its steps share, and the steps that prune, reduce and
 * extend. */
#pragma once

#include "search/alphabeta/internal.h"
#include "search/alphabeta/picker.h"

/* Moves tried before the one that cut: their history gets a malus. */
enum { AB_TRIED_MAX = 64 };

/* What the steps of one node share. */
struct ab_node {
    struct ab_worker *w;
    struct ab_frame *f;
    const struct yo_shogi_position *pos;
    const struct yo_ab_margins *m;
    int ply, depth, plies; /* plies: the depth in whole plies */
    int alpha, beta;
    bool root, pv, check, cut_node;
    bool was_pv;        /* this node is or once was on a principal variation */
    bool prune;         /* pruning that may change the value of the node */
    bool selective;     /* pruning and reduction of single moves, too */
    bool improving;     /* the static value is above the one two plies ago */
    bool table_capture; /* the table's move takes something */
    uint64_t key;
    struct ab_entry entry;
    bool found;
    struct ab_context context;
    int best;
    yo_shogi_move best_move;
    yo_shogi_move tried[AB_TRIED_MAX];
    int tried_count;
};

/* A move about to be searched. */
struct ab_try {
    yo_shogi_move move;
    int number; /* in the order, from 1 */
    bool quiet, gives_check;
    int history;
    int depth;     /* of the child, if nothing is reduced */
    int reduction; /* if it is */
};

static inline bool ab_is_mate_score(int score) {
    return score >= YO_AB_MATE_FROM || score <= -YO_AB_MATE_FROM;
}

/* ---- prune.c: before any move, and single moves left out ---- */

/* Fills in the static value, except in check. */
void yo_ab_node_evaluate(struct ab_node *node);
/* Reverse futility, razoring, null move, ProbCut. True: the node is worth *score. */
bool yo_ab_node_cuts_early(struct ab_node *node, int *score);
/* Late move pruning, futility, history pruning, static exchange: true if the move is left out. */
bool yo_ab_node_skips(const struct ab_node *node, struct ab_picker *picker,
                      const struct ab_try *try);

/* ---- extend.c ---- */

/* How much deeper, or less deep, a move is read for what it is. *cuts: other moves hold beta too,
 * and the node is done with *score. */
int yo_ab_node_extension(struct ab_node *node, const struct ab_try *try, bool *cuts, int *score);
/* Late move reduction, in parts of a ply; may be below zero. */
int yo_ab_node_reduction(const struct ab_node *node, const struct ab_try *try);

/* ---- learn.c: what a finished node teaches ---- */

struct ab_context yo_ab_context_at(struct ab_worker *worker, int ply);
/* This move was the best, and those that were tried before it were not. */
void yo_ab_learn_best(struct ab_node *node, yo_shogi_move move);
/* No move reached alpha: the move before was a good one. */
void yo_ab_learn_refuted(struct ab_node *node);
void yo_ab_learn_error(const struct ab_node *node, int score, enum ab_bound bound);
