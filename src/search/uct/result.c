/* The result of a search: the root moves, best first, with their PVs. */
#include <stdlib.h>
#include <string.h>

#include "base/time.h"
#include "search/uct/internal.h"

/* A move may be chosen for its lower bound if it has this share of the visits of the most visited
 * one: with fewer visits the bound is mostly noise. */
#define LCB_SHARE 0.15

/* ---- the PV ---- */

static const struct yo_node *most_visited(const struct yo_tree *tree, const struct yo_node *node) {
    size_t count = 0;
    const struct yo_node *child = yo_tree_children(tree, node, &count), *best = NULL;
    for (size_t i = 0; i < count; i++) {
        if (uct_visits(&child[i]) == 0 || child[i].banned) continue;
        if (uct_solved(&child[i]) == YO_SOLVED_WIN) return &child[i];
        if (!best || uct_visits(&child[i]) > uct_visits(best)) best = &child[i];
    }
    return best;
}

static size_t follow(const struct yo_tree *tree, const struct yo_node *node, yo_move *pv,
                     uint64_t *visits) {
    size_t count = 0;
    for (; node && count < UCT_PV_MAX; node = most_visited(tree, node)) {
        pv[count] = node->move;
        visits[count++] = uct_visits(node);
    }
    return count;
}

/* ---- the moves ---- */

/* The unnormalised prior of a move: its prior probability, or else its prior wins; 0 for a banned
 * move. Divided by the sum over the moves it is the share of the move. */
static double known(const struct yo_uct *uct, const struct yo_node *node) {
    if (node->banned) return 0;
    return uct->priors.has_chances ? (double)node->chance : node->prior_half_wins;
}

/* Leaves rave_to_move at 0 without AMAF visits. */
static void fill_rave(const struct yo_node *node, struct yo_search_move *m) {
    uint64_t amaf = atomic_load_explicit(&node->amaf, memory_order_relaxed);
    m->rave_visits = amaf >> 32;
    if (m->rave_visits) m->rave_to_move = 0.5 * (uint32_t)amaf / (double)m->rave_visits;
}

static void fill_move(struct yo_uct *uct, const struct yo_node *node, size_t i, double prior_sum) {
    double visits = uct_visits(node);
    struct yo_search_move *m = &uct->moves[i];
    yo_move *pv = uct->pv + UCT_PV_MAX * i;
    uint64_t *pv_visits = uct->pv_visits + UCT_PV_MAX * i;
    *m = (struct yo_search_move){
        .move = node->move,
        .visits = uct_visits(node),
        .winrate_to_move = uct_mean(node),
        .score_to_move = 0.5 * (double)atomic_load(&node->score) / (double)YO_SCORE_HALF / visits,
        .prior = prior_sum > 0 ? known(uct, node) / prior_sum : 0,
        .pv = pv,
        .pv_visits = pv_visits,
        .pv_count = follow(&uct->tree, node, pv, pv_visits),
    };
    fill_rave(node, m);
    if (uct->want == YO_EVAL_VALUE) m->centipawns = yo_eval_centipawns_of(m->winrate_to_move);
    m->lcb_to_move = yo_search_lower_bound(m->winrate_to_move, m->visits);
    enum yo_solved solved = uct_solved(node);
    m->proven = solved == YO_SOLVED_WIN || solved == YO_SOLVED_LOSS;
    if (m->proven) m->winrate_to_move = m->lcb_to_move = solved == YO_SOLVED_WIN;
}

/* Proven moves are ranked regardless of their visits. */
static int proven_rank(const struct yo_search_move *m) {
    return !m->proven ? 1 : m->winrate_to_move > 0 ? 0 : 2;
}

static int by_visits(const void *a, const void *b) {
    const struct yo_search_move *x = a, *y = b;
    if (proven_rank(x) != proven_rank(y)) return proven_rank(x) - proven_rank(y);
    if (x->visits != y->visits) return x->visits < y->visits ? 1 : -1;
    if (x->winrate_to_move != y->winrate_to_move)
        return x->winrate_to_move < y->winrate_to_move ? 1 : -1;
    return x->move < y->move ? -1 : x->move > y->move;
}

/* Puts the move with the greatest lower bound first. */
static void prefer_sure(struct yo_search_move *moves, size_t count) {
    size_t best = 0;
    for (size_t i = 1; i < count; i++)
        if ((double)moves[i].visits >= LCB_SHARE * (double)moves[0].visits &&
            moves[i].lcb_to_move > moves[best].lcb_to_move)
            best = i;
    struct yo_search_move sure = moves[best];
    memmove(moves + 1, moves, best * sizeof moves[0]);
    moves[0] = sure;
}

static size_t fill_moves(struct yo_uct *uct) {
    size_t children = 0, count = 0;
    const struct yo_node *root = yo_tree_node(&uct->tree, YO_NODE_ROOT);
    const struct yo_node *child = yo_tree_children(&uct->tree, root, &children);
    double prior_sum = 0;
    for (size_t i = 0; i < children; i++)
        prior_sum += known(uct, &child[i]);
    for (size_t i = 0; i < children; i++) {
        if (child[i].banned || uct_visits(&child[i]) == 0) continue;
        fill_move(uct, &child[i], count, prior_sum);
        yo_uct_details_fill(uct, i, &uct->moves[count++]);
    }
    qsort(uct->moves, count, sizeof uct->moves[0], by_visits);
    if (uct->options.lcb && count > 1) prefer_sure(uct->moves, count);
    return count;
}

static size_t fill_priors(struct yo_uct *uct) {
    size_t children = 0, count = 0;
    double sum = 0;
    const struct yo_node *root = yo_tree_node(&uct->tree, YO_NODE_ROOT);
    const struct yo_node *child = yo_tree_children(&uct->tree, root, &children);
    for (size_t i = 0; i < children; i++)
        sum += known(uct, &child[i]);
    for (size_t i = 0; sum > 0 && i < children; i++)
        if (!child[i].banned)
            uct->root_priors[count++] =
                (struct yo_search_prior){child[i].move, known(uct, &child[i]) / sum};
    return count;
}

static void sum_ownership(struct yo_uct *uct) {
    uint64_t rollouts = 0;
    for (int t = 0; t < uct->options.threads; t++)
        rollouts += atomic_load_explicit(&uct->workers[t].rollouts, memory_order_relaxed);
    for (size_t c = 0; c < uct->cells; c++) {
        int64_t sum = 0;
        for (int t = 0; t < uct->options.threads; t++)
            sum += atomic_load_explicit(&uct->workers[t].owner[c], memory_order_relaxed);
        uct->ownership[c] = rollouts ? (float)sum / (float)rollouts : 0;
    }
}

void yo_uct_fill_result(struct yo_uct *uct, struct yo_search_result *result) {
    const struct yo_node *root = yo_tree_node(&uct->tree, YO_NODE_ROOT);
    sum_ownership(uct);
    *result = (struct yo_search_result){
        .moves = uct->moves,
        .move_count = fill_moves(uct),
        .playouts = uct_visits(root) - uct->visits_before,
        .elapsed_ms = yo_time_ms() - uct->start_ms,
        .ownership = uct->ownership,
        .priors = uct->root_priors,
        .prior_count = fill_priors(uct),
    };
}
