/* One node of alpha-beta: the state that its steps share, and the steps that prune, reduce and
 * extend. */
#pragma once

#include "search/alphabeta/internal.h"
#include "search/alphabeta/picker.h"

/* Moves tried before the one that cut: their history gets a malus. */
enum { AB_TRIED_MAX = 64 };

/* Shared by the steps of one node. */
struct ab_node {
    struct ab_worker *w;
    struct ab_frame *f;
    const struct yo_shogi_position *pos;
    const struct yo_ab_margins *m;
    int ply, depth, plies; /* plies: the depth in whole plies */
    int alpha, beta;
    bool root, pv, check, cut_node;
    bool was_pv;        /* this node is or was on a principal variation */
    bool prune;         /* pruning that may change the value of the node */
    bool selective;     /* pruning and reduction of single moves */
    bool improving;     /* the static value is above the one two plies ago */
    bool table_capture; /* the table's move is a capture */
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
    int depth;     /* of the child, without reduction */
    int reduction; /* late move reduction, in parts of a ply */
};

static inline bool ab_is_mate_score(int score) {
    return score >= YO_AB_MATE_FROM || score <= -YO_AB_MATE_FROM;
}

/* ---- prune.c: of whole nodes, and of single moves ---- */

/* Fills in the static value, except in check. */
void yo_ab_node_evaluate(struct ab_node *node);
/* Reverse futility: true if the static value is so far above beta that the node is cut with
 * *score. */
bool yo_ab_node_is_futile(const struct ab_node *node, int *score);
/* Razoring, null move, ProbCut. True: the node is cut with *score. */
bool yo_ab_node_cuts_early(struct ab_node *node, int *score);
/* Late move pruning, futility, history pruning, static exchange: true if the move is left out. */
bool yo_ab_node_skips(const struct ab_node *node, struct ab_picker *picker,
                      const struct ab_try *try);

/* ---- extend.c ---- */

/* The extension of a move, negative for less depth. *cuts: multi-cut, other moves reach beta too;
 * the node returns *score. */
int yo_ab_node_extension(struct ab_node *node, const struct ab_try *try, bool *cuts, int *score);
/* Late move reduction, in parts of a ply; may be below zero. */
int yo_ab_node_reduction(const struct ab_node *node, const struct ab_try *try);

/* ---- learn.c: updates after a node ---- */

struct ab_context yo_ab_context_at(struct ab_worker *worker, int ply);
/* Rewards the best move; the moves tried before it get a malus. */
void yo_ab_learn_best(struct ab_node *node, yo_shogi_move move);
/* Fail low: rewards the opponent's move that led here. */
void yo_ab_learn_refuted(struct ab_node *node);
/* The table's move cut. */
void yo_ab_learn_table(struct ab_node *node);
/* Rewards the opponent's move that led here by how much it changed the static value. */
void yo_ab_learn_swing(const struct ab_node *node);
void yo_ab_learn_error(const struct ab_node *node, int score, enum ab_bound bound);
