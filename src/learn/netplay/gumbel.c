#include "learn/netplay/gumbel.h"

#include <math.h>

#include "base/random.h"

#define C_VISIT   50.0f
#define MOVES_MAX 1024

static float log_prior(uint16_t packed) {
    float root = (float)packed * (1 / 65535.0f);
    return 2 * logf(root > 1e-5f ? root : 1e-5f);
}

static const struct yo_netplay_node *root_of(const struct yo_netplay_tree *tree) {
    return yo_netplay_node(tree, tree->root);
}

void yo_netplay_gumbel_begin(struct yo_netplay_gumbel *gumbel, struct yo_netplay_tree *tree,
                             unsigned most, uint64_t *random) {
    struct yo_netplay_node *root = yo_netplay_node(tree, tree->root);
    struct yo_netplay_edge *edges = yo_netplay_edges(tree, root);
    float drawn[MOVES_MAX];
    gumbel->count = 0;
    if (root->kid_count > 0 || root->edge_count > MOVES_MAX) return;
    for (unsigned i = 0; i < root->edge_count; i++)
        drawn[i] = log_prior(edges[i].prior) - logf((float)-log(yo_random_uniform(random)));
    if (most > YO_NETPLAY_GUMBEL_MAX) most = YO_NETPLAY_GUMBEL_MAX;
    while (gumbel->count < most && root->edge_count > 0) {
        unsigned best = 0, last = root->edge_count - 1u;
        for (unsigned i = 1; i <= last; i++)
            if (drawn[i] > drawn[best]) best = i;
        gumbel->drawn[gumbel->count] = drawn[best];
        struct yo_netplay_edge edge = edges[best];
        edges[best] = edges[last];
        drawn[best] = drawn[last];
        edges[last] = edge;
        if (yo_netplay_tree_take(tree, root) != gumbel->count) break;
        gumbel->count++;
    }
    yo_netplay_tree_settle(tree, root);
}

/* ---- values ---- */

static unsigned most_visits(const struct yo_netplay_tree *tree) {
    const struct yo_netplay_node *root = root_of(tree);
    const struct yo_netplay_kid *kids = yo_netplay_kids(tree, root);
    unsigned most = 0;
    for (unsigned i = 0; i < root->kid_count; i++)
        if (kids[i].visits > most) most = kids[i].visits;
    return most;
}

/* sigma of equation 8; values in -1 .. 1 are halved. */
static float sigma(float q, unsigned most) { return (C_VISIT + (float)most) * 0.5f * q; }

static float worth(const struct yo_netplay_gumbel *gumbel, const struct yo_netplay_tree *tree,
                   unsigned i, unsigned most) {
    const struct yo_netplay_node *root = root_of(tree);
    const struct yo_netplay_kid *kid = &yo_netplay_kids(tree, root)[i];
    float sign = root->to_move == 0 ? 1.0f : -1.0f;
    float q = kid->visits ? kid->sum / (float)kid->visits : root->own;
    return gumbel->drawn[i] + sigma(sign * q, most);
}

/* ---- visits ---- */

/* The number of visits that the kid of this visit has had before. */
static unsigned scheduled(unsigned considered, unsigned budget, unsigned visit) {
    unsigned at = 0, phases = 0, visits = 0;
    while (1u << phases < considered)
        phases++;
    if (phases == 0) return visit;
    for (;;) {
        unsigned rounds = budget / (phases * considered);
        for (unsigned r = rounds ? rounds : 1; r > 0; r--, visits++) {
            if (visit < at + considered) return visits;
            at += considered;
        }
        considered = considered / 2 > 2 ? considered / 2 : 2;
    }
}

/* The best kid that has been visited so often; count if there is none. */
static unsigned best_of(const struct yo_netplay_gumbel *gumbel, const struct yo_netplay_tree *tree,
                        unsigned visits) {
    const struct yo_netplay_kid *kids = yo_netplay_kids(tree, root_of(tree));
    unsigned best = gumbel->count, most = most_visits(tree);
    float highest = -INFINITY;
    for (unsigned i = 0; i < gumbel->count; i++) {
        if (kids[i].visits != visits) continue;
        float w = worth(gumbel, tree, i, most);
        if (w <= highest) continue;
        highest = w;
        best = i;
    }
    return best;
}

unsigned yo_netplay_gumbel_select(const struct yo_netplay_gumbel *gumbel,
                                  const struct yo_netplay_tree *tree, unsigned budget) {
    const struct yo_netplay_kid *kids = yo_netplay_kids(tree, root_of(tree));
    unsigned total = 0;
    for (unsigned i = 0; i < gumbel->count; i++)
        total += kids[i].visits;
    unsigned best = best_of(gumbel, tree, scheduled(gumbel->count, budget, total));
    return best < gumbel->count ? best : best_of(gumbel, tree, most_visits(tree));
}

uint16_t yo_netplay_gumbel_best(const struct yo_netplay_gumbel *gumbel,
                                const struct yo_netplay_tree *tree) {
    unsigned best = best_of(gumbel, tree, most_visits(tree));
    return yo_netplay_kids(tree, root_of(tree))[best].move;
}

/* ---- the target ---- */

/* The value for moves that were not visited (equation 33): the network's, mixed with that of the
 * visited moves by their priors. */
static float mixed(const struct yo_netplay_tree *tree) {
    const struct yo_netplay_node *root = root_of(tree);
    const struct yo_netplay_kid *kids = yo_netplay_kids(tree, root);
    float sum = 0, share = 0, total = 0;
    for (unsigned i = 0; i < root->kid_count; i++) {
        if (kids[i].visits == 0) continue;
        float prior = expf(log_prior(kids[i].prior));
        sum += prior * kids[i].sum / (float)kids[i].visits;
        share += prior;
        total += (float)kids[i].visits;
    }
    return share > 0 ? (root->own + total * sum / share) / (1 + total) : root->own;
}

size_t yo_netplay_gumbel_target(const struct yo_netplay_tree *tree, struct yo_netplay_target *out,
                                size_t room) {
    const struct yo_netplay_node *root = root_of(tree);
    const struct yo_netplay_kid *kids = yo_netplay_kids(tree, root);
    const struct yo_netplay_edge *edges = yo_netplay_edges(tree, root);
    float logit[MOVES_MAX], highest = -INFINITY, sum = 0;
    float sign = root->to_move == 0 ? 1.0f : -1.0f, other = mixed(tree);
    unsigned most = most_visits(tree);
    size_t all = (size_t)root->kid_count + root->edge_count, count = 0;
    if (all > room || all > MOVES_MAX) return 0;
    for (size_t i = 0; i < all; i++) {
        bool visited = i < root->kid_count && kids[i].visits > 0;
        float q = visited ? kids[i].sum / (float)kids[i].visits : other;
        logit[i] =
            log_prior(i < root->kid_count ? kids[i].prior : edges[i - root->kid_count].prior) +
            sigma(sign * q, most);
        if (logit[i] > highest) highest = logit[i];
    }
    for (size_t i = 0; i < all; i++)
        sum += logit[i] = expf(logit[i] - highest);
    for (size_t i = 0; i < all; i++) {
        uint16_t weight = (uint16_t)(60000 * logit[i] / sum + 0.5f);
        if (weight == 0) continue;
        uint16_t move = i < root->kid_count ? kids[i].move : edges[i - root->kid_count].move;
        out[count++] = (struct yo_netplay_target){move, weight};
    }
    return count;
}
