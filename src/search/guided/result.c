/* The result of a search. */
#include <math.h>
#include <stdlib.h>

#include "base/time.h"
#include "search/guided/internal.h"

struct candidate {
    const struct yo_guided_edge *edge;
    const struct yo_guided_node *child;
    unsigned visits; /* by the edge, and their weight */
    double weight;
    double lcb; /* of the utility, for the side to move */
};

/* The lower confidence bound of the utility, from the variance of the values. A few values that
 * happen to be alike have no variance: so there is a prior, the largest variance there is, whose
 * weight falls with the square of the visits. After KataGo (searchhelpers.cpp). */
static double lower_bound(const struct guided_search *s, const struct yo_guided_node *child,
                          double weight, double sign) {
    const struct yo_guided_options *o = &s->options;
    double mean = yo_guided_get(&child->mean.utility);
    double square = yo_guided_get(&child->mean.utility_sq), variance = square - mean * mean;
    double range = 1, prior = 1 / (weight * weight);
    if (s->score_unit > 0) range += (double)(o->score_static + o->score_dynamic);
    if (o->mode == YO_GUIDED_MCSS) return sign * mean; /* its values are not means of samples */
    if (variance < 1e-8) variance = 1e-8;
    variance += range * range * prior / (weight + prior);
    double samples = (weight + prior) * (weight + prior) / (weight + prior * prior);
    return sign * mean - (double)o->lcb_stdevs * sqrt(variance / samples);
}

static int by_visits(const void *a, const void *b) {
    const struct candidate *x = a, *y = b;
    if (x->visits != y->visits) return x->visits < y->visits ? 1 : -1;
    if (x->edge->prior != y->edge->prior) return x->edge->prior < y->edge->prior ? 1 : -1;
    return x->edge->move < y->edge->move ? -1 : 1;
}

static size_t gather(const struct yo_guided *g, struct candidate *found) {
    const struct yo_guided_tree *tree = &g->search.tree;
    const struct yo_guided_node *root = yo_guided_node(tree, tree->root);
    const struct yo_guided_edge *edges = yo_guided_edges(tree, root);
    double sign = root->to_move == 0 ? 1 : -1;
    size_t count = 0;
    for (unsigned i = 0; edges && i < atomic_load(&root->reach); i++) {
        yo_cell cell = yo_guided_child(&edges[i]);
        if (!cell || g->banned[edges[i].move]) continue;
        const struct yo_guided_node *child = yo_guided_node(tree, cell);
        unsigned visits = yo_guided_edge_visits(tree, &edges[i]);
        double weight = yo_guided_edge_weight(tree, &edges[i]);
        if (visits == 0) continue;
        found[count++] = (struct candidate){&edges[i], child, visits, weight,
                                            lower_bound(&g->search, child, weight, sign)};
    }
    qsort(found, count, sizeof *found, by_visits);
    return count;
}

static int worth(const struct yo_guided_node *child, int to_move) {
    enum yo_guided_solved solved = yo_guided_solved(child);
    if (solved == YO_GUIDED_UNSOLVED || solved == YO_GUIDED_DRAWN) return 0;
    return (solved == YO_GUIDED_FIRST_WINS) == (to_move == 0) ? 1 : -1;
}

static size_t place_of(const struct yo_guided *g, const struct candidate *found, size_t count,
                       unsigned edge) {
    const struct yo_guided_node *root = yo_guided_node(&g->search.tree, g->search.tree.root);
    const struct yo_guided_edge *edges = yo_guided_edges(&g->search.tree, root);
    for (size_t i = 0; i < count; i++)
        if (found[i].edge == &edges[edge]) return i;
    return 0;
}

/* The move to play: a proven win; else the best lower bound among the moves with enough visits;
 * never a proven loss while there is another move. */
static size_t choose(const struct yo_guided *g, const struct candidate *found, size_t count,
                     int to_move) {
    const struct yo_guided_options *o = &g->search.options;
    size_t best = o->gumbel ? place_of(g, found, count, guided_gumbel_best(g)) : 0;
    double enough = (double)o->lcb_min_share * found[0].visits;
    for (size_t i = 0; i < count; i++) {
        int mine = worth(found[i].child, to_move), its = worth(found[best].child, to_move);
        bool better = mine > its;
        if (mine == its && o->lcb && !o->gumbel && found[i].visits >= enough)
            better = found[i].lcb > found[best].lcb;
        if (better) best = i;
    }
    return best;
}

/* The next edge of a PV: a proven win if the node is one, else the most visited child. NULL if
 * there is none, also where the game has proven the node and no child of it. */
static const struct yo_guided_edge *next_edge(const struct yo_guided_tree *tree,
                                              const struct yo_guided_node *node) {
    const struct yo_guided_edge *edges = yo_guided_edges(tree, node), *best = NULL;
    int won = worth(node, node->to_move) > 0, best_worth = -1;
    unsigned most = 0;
    for (unsigned i = 0; edges && i < atomic_load(&node->reach); i++) {
        yo_cell cell = yo_guided_child(&edges[i]);
        const struct yo_guided_node *child = cell ? yo_guided_node(tree, cell) : NULL;
        unsigned n = yo_guided_edge_visits(tree, &edges[i]);
        int its = child && won ? worth(child, node->to_move) : 0;
        if (n == 0 || its < best_worth || (its == best_worth && n <= most)) continue;
        most = n;
        best_worth = its;
        best = &edges[i];
    }
    return won && best_worth < 1 ? NULL : best;
}

static size_t follow(const struct yo_guided *g, const struct candidate *from, yo_move *pv,
                     uint64_t *visits) {
    const struct yo_guided_tree *tree = &g->search.tree;
    const struct yo_guided_node *node = from->child;
    size_t count = 1;
    pv[0] = from->edge->move;
    visits[0] = from->visits;
    while (count < GUIDED_PV_MAX) {
        if (yo_guided_state(node) != YO_GUIDED_OPEN) break;
        const struct yo_guided_edge *best = next_edge(tree, node);
        if (!best) break;
        node = yo_guided_node(tree, yo_guided_child(best));
        pv[count] = best->move;
        visits[count++] = yo_guided_edge_visits(tree, best);
    }
    return count;
}

/* MC softmax search knows the expected depth, by the weights of the backup; PUCT does not. */
static int expected_depth(const struct yo_guided_options *o, const struct yo_guided_node *child) {
    return o->mode == YO_GUIDED_MCSS ? 1 + (int)lround(yo_guided_get(&child->mean.depth)) : 0;
}

static void fill_move(const struct yo_guided *g, const struct candidate *from, size_t i,
                      struct yo_search_move *out) {
    const struct yo_guided_node *child = from->child;
    const struct yo_guided_node *root = yo_guided_node(&g->search.tree, g->search.tree.root);
    double sign = root->to_move == 0 ? 1 : -1, score = yo_guided_get(&child->mean.score);
    double variance = yo_guided_get(&child->mean.score_sq) - score * score;
    double value = sign * yo_guided_get(&child->mean.value);
    double utility = sign * yo_guided_get(&child->mean.utility);
    int known = worth(child, root->to_move);
    yo_move *pv = g->pv + i * GUIDED_PV_MAX;
    uint64_t *visits = g->pv_visits + i * GUIDED_PV_MAX;
    double below = 0.5 * (utility - from->lcb); /* in units of the winrate */
    if (known) {
        value = known; /* the mean has values from before the proof */
        below = 0;
    }
    *out = (struct yo_search_move){
        .move = from->edge->move,
        .visits = from->visits,
        .winrate_to_move = 0.5 * (value + 1),
        .score_to_move = sign * score,
        .proven = known != 0,
        .depth = expected_depth(&g->search.options, child),
        .lcb_to_move = fmax(0, 0.5 * (value + 1) - below),
        .prior = guided_prior(&g->search, root, from->edge),
        .score_stdev = variance > 0 ? sqrt(variance) : 0,
        .weight = from->weight,
        .utility_to_move = utility,
        .utility_lcb_to_move = utility - 2 * below,
        .pv = pv,
        .pv_visits = visits,
        .pv_count = follow(g, from, pv, visits),
    };
}

static size_t fill_priors(struct yo_guided *g) {
    const struct yo_guided_node *root = yo_guided_node(&g->search.tree, g->search.tree.root);
    const struct yo_guided_edge *edges = yo_guided_edges(&g->search.tree, root);
    for (unsigned i = 0; edges && i < root->edge_count; i++)
        g->priors[i] =
            (struct yo_search_prior){edges[i].move, guided_prior(&g->search, root, &edges[i])};
    return edges ? root->edge_count : 0;
}

/* Without visits: the move with the highest prior. */
static size_t fill_guess(struct yo_guided *g) {
    const struct yo_guided_node *root = yo_guided_node(&g->search.tree, g->search.tree.root);
    const struct yo_guided_edge *edges = yo_guided_edges(&g->search.tree, root);
    double sign = root->to_move == 0 ? 1 : -1, rate = 0.5 * (1 + sign * root->own.value);
    for (unsigned i = 0; edges && i < root->edge_count; i++) {
        if (g->banned[edges[i].move]) continue;
        g->pv[0] = edges[i].move;
        g->pv_visits[0] = 0;
        g->moves[0] = (struct yo_search_move){.move = edges[i].move,
                                              .winrate_to_move = rate,
                                              .lcb_to_move = 0,
                                              .score_to_move = sign * root->own.score,
                                              .score_stdev = root->own.score_stdev,
                                              .prior = guided_prior(&g->search, root, &edges[i]),
                                              .pv = g->pv,
                                              .pv_visits = g->pv_visits,
                                              .pv_count = 1};
        return 1;
    }
    return 0;
}

void guided_fill_result(struct yo_guided *g, struct yo_search_result *result) {
    struct candidate found[GUIDED_CHILDREN_MAX];
    const struct yo_guided_node *root = yo_guided_node(&g->search.tree, g->search.tree.root);
    size_t count = gather(g, found);
    if (count > 1) {
        size_t best = choose(g, found, count, root->to_move);
        struct candidate first = found[best];
        for (; best > 0; best--)
            found[best] = found[best - 1];
        found[0] = first;
    }
    for (size_t i = 0; i < count; i++)
        fill_move(g, &found[i], i, &g->moves[i]);
    if (count == 0) count = fill_guess(g);
    *result = (struct yo_search_result){
        .moves = g->moves,
        .move_count = count,
        .playouts = atomic_load(&g->finished),
        .joined = atomic_load(&g->joined),
        .elapsed_ms = yo_time_ms() - g->start_ms,
        .priors = g->priors,
        .prior_count = fill_priors(g),
        .raw = g->limits->details ? &g->raw : NULL,
    };
    guided_owners_fill(g, result);
}
