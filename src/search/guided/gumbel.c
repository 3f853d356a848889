/* Root search for few visits: moves are drawn by the policy without replacement (Gumbel's trick),
 * and sequential halving spends the visits on them, so that the move played is better than the
 * policy's in expectation even after two visits (Danihelka, Guez, Schrittwieser, Silver, "Policy
 * improvement by planning with Gumbel", 2022). */
#include <math.h>

#include "base/random.h"
#include "search/guided/internal.h"

/* Of this search: those of a kept tree were chosen by PUCT, and are no part of the schedule. */
static unsigned tries(const struct yo_guided *g, const struct yo_guided_node *root, unsigned i) {
    const struct yo_guided_tree *tree = &g->search.tree;
    const struct yo_guided_edge *edge = &yo_guided_edges(tree, root)[i];
    yo_cell cell = yo_guided_child(edge);
    if (!cell) return 0;
    return yo_guided_edge_visits(tree, edge) + yo_guided_pending(yo_guided_node(tree, cell)) -
           g->gumbel[i].had;
}

/* Each position has draws of its own: with the same ones everywhere, the moves of some ranks in the
 * policy would be preferred in the whole game. */
void guided_gumbel_begin(struct yo_guided *g) {
    const struct guided_search *s = &g->search;
    const struct yo_guided_node *root = yo_guided_node(&s->tree, s->tree.root);
    const struct yo_guided_edge *edges = yo_guided_edges(&s->tree, root);
    uint64_t random = yo_mix64(s->options.seed + yo_mix64(g->game->hash(g->position)));
    for (unsigned i = 0; i < root->edge_count; i++) {
        double uniform = yo_random_uniform(&random);
        g->gumbel[i].draw = (float)-log(-log(uniform));
        g->gumbel[i].had = yo_guided_edge_visits(&s->tree, &edges[i]);
    }
}

/* sigma of equation 8 of that paper; the value in -1 .. +1 is halved. */
static float worth(const struct yo_guided *g, const struct yo_guided_node *root, unsigned i,
                   unsigned most) {
    const struct yo_guided_options *o = &g->search.options;
    const struct yo_guided_edge *edge = &yo_guided_edges(&g->search.tree, root)[i];
    float sign = root->to_move == 0 ? 1.0f : -1.0f, q = sign * root->own.utility;
    yo_cell cell = yo_guided_child(edge);
    const struct yo_guided_node *child = cell ? yo_guided_node(&g->search.tree, cell) : NULL;
    if (child && yo_guided_edge_visits(&g->search.tree, edge) > 0)
        q = sign * yo_guided_get(&child->mean.utility);
    float prior = guided_prior(&g->search, root, edge);
    return g->gumbel[i].draw + logf(prior > 1e-9f ? prior : 1e-9f) +
           (o->gumbel_visit + (float)most) * o->gumbel_scale * 0.5f * q;
}

/* The number of tries that the move of this simulation must have had before: the schedule of
 * sequential halving. */
static unsigned scheduled(unsigned considered, uint64_t budget, uint64_t simulation) {
    uint64_t at = 0;
    unsigned phases = 0, visits = 0;
    while (1u << phases < considered)
        phases++;
    if (phases == 0) return (unsigned)simulation;
    for (;;) {
        uint64_t rounds = budget / (phases * (uint64_t)considered);
        for (uint64_t r = rounds ? rounds : 1; r > 0; r--, visits++) {
            if (simulation < at + considered) return visits;
            at += considered;
        }
        considered = considered / 2 > 2 ? considered / 2 : 2;
    }
}

static unsigned best_of(const struct yo_guided *g, unsigned wanted, bool exactly, unsigned most) {
    const struct yo_guided_node *root = yo_guided_node(&g->search.tree, g->search.tree.root);
    const struct yo_guided_edge *edges = yo_guided_edges(&g->search.tree, root);
    unsigned best = root->edge_count;
    float highest = -INFINITY;
    for (unsigned i = 0; i < root->edge_count; i++) {
        if (guided_is_banned(&g->search, edges[i].move)) continue;
        if (exactly ? tries(g, root, i) != wanted : tries(g, root, i) < wanted) continue;
        float w = worth(g, root, i, most);
        if (w <= highest) continue;
        highest = w;
        best = i;
    }
    return best;
}

static unsigned most_tries(const struct yo_guided *g, uint64_t *total, unsigned *choices) {
    const struct yo_guided_node *root = yo_guided_node(&g->search.tree, g->search.tree.root);
    const struct yo_guided_edge *edges = yo_guided_edges(&g->search.tree, root);
    unsigned most = 0;
    *total = *choices = 0;
    for (unsigned i = 0; i < root->edge_count; i++) {
        if (guided_is_banned(&g->search, edges[i].move)) continue;
        unsigned n = tries(g, root, i);
        *total += n;
        ++*choices;
        if (n > most) most = n;
    }
    return most;
}

unsigned guided_gumbel_select(const struct yo_guided *g) {
    uint64_t total;
    unsigned choices, most = most_tries(g, &total, &choices);
    unsigned considered = g->search.options.gumbel;
    if (considered > choices) considered = choices;
    unsigned wanted = scheduled(considered, g->budget, total);
    unsigned best = best_of(g, wanted, true, most);
    /* With simulations in flight there may be no move with exactly this many tries. */
    const struct yo_guided_node *root = yo_guided_node(&g->search.tree, g->search.tree.root);
    return best < root->edge_count ? best : best_of(g, 0, false, most);
}

unsigned guided_gumbel_best(const struct yo_guided *g) {
    uint64_t total;
    unsigned choices, most = most_tries(g, &total, &choices);
    return best_of(g, most, true, most);
}
