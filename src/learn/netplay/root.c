#include "learn/netplay/root.h"

#include <math.h>
#include <stdlib.h>

#include "base/random.h"
#include "search/guided/tree.h"

#define MOVES_MAX 1024

/* ---- noise ---- */

static float prior_of(uint16_t packed) {
    float root = (float)packed * (1 / 65535.0f);
    return root * root;
}

void yo_netplay_root_noise(struct yo_netplay_tree *tree, float share, float alpha,
                           uint64_t *random) {
    double noise[MOVES_MAX], sum = 0;
    struct yo_netplay_node *root = yo_netplay_node(tree, tree->root);
    struct yo_netplay_kid *kids = yo_netplay_kids(tree, root);
    struct yo_netplay_edge *edges = yo_netplay_edges(tree, root);
    size_t count = (size_t)root->kid_count + root->edge_count;
    if (count > MOVES_MAX || count == 0) return;
    for (size_t i = 0; i < count; i++)
        sum += noise[i] = yo_random_gamma((double)alpha / (double)count, random);
    if (!(sum > 0)) return;
    for (size_t i = 0; i < count; i++) {
        uint16_t *prior = i < root->kid_count ? &kids[i].prior : &edges[i - root->kid_count].prior;
        *prior =
            yo_guided_prior_pack((1 - share) * prior_of(*prior) + share * (float)(noise[i] / sum));
    }
    yo_netplay_tree_settle(tree, root);
}

/* ---- visits ---- */

static int by_weight(const void *a, const void *b) {
    const struct yo_netplay_target *x = a, *y = b;
    if (x->weight != y->weight) return x->weight < y->weight ? 1 : -1;
    return x->move < y->move ? -1 : x->move > y->move;
}

static unsigned most_visited(const struct yo_netplay_kid *kids, unsigned count) {
    unsigned best = 0;
    for (unsigned i = 1; i < count; i++)
        if (kids[i].visits > kids[best].visits) best = i;
    return best;
}

/* The visits of a kid that its value explains: the fewest for which its PUCT is not above that of
 * the best move. */
static float explained(const struct yo_netplay_kid *kid, float sign, float best, float explore,
                       float forced) {
    float n = (float)kid->visits, q = sign * kid->sum / n, prior = prior_of(kid->prior);
    if (q >= best) return n;
    float wanted = explore * prior / (best - q) - 1, least = n - sqrtf(forced * prior);
    if (wanted < least) wanted = least;
    if (wanted > n) wanted = n;
    /* A single visit that only the forcing explains tells nothing. */
    return wanted <= 1 ? 0 : ceilf(wanted);
}

size_t yo_netplay_root_visits(const struct yo_netplay_tree *tree,
                              const struct yo_netplay_puct *puct, bool pruned,
                              struct yo_netplay_target *out, size_t room) {
    const struct yo_netplay_node *root = yo_netplay_node(tree, tree->root);
    const struct yo_netplay_kid *kids = yo_netplay_kids(tree, root);
    float sign = root->to_move == 0 ? 1.0f : -1.0f, total = 0;
    size_t count = 0;
    if (root->kid_count == 0 || room < root->kid_count) return 0;
    for (unsigned i = 0; i < root->kid_count; i++)
        total += (float)kids[i].visits;
    unsigned top = most_visited(kids, root->kid_count);
    float n = (float)kids[top].visits, cpuct = puct->cpuct;
    if (n == 0) return 0;
    if (total > 32) cpuct += puct->cpuct_log * logf(1 + total / puct->cpuct_base);
    float explore = cpuct * sqrtf(total + 0.01f);
    float best = sign * kids[top].sum / n + explore * prior_of(kids[top].prior) / (1 + n);
    for (unsigned i = 0; i < root->kid_count; i++) {
        float visits = (float)kids[i].visits;
        if (pruned && i != top && visits > 0)
            visits = explained(&kids[i], sign, best, explore, puct->forced * total);
        if (visits < 1) continue;
        out[count++] = (struct yo_netplay_target){
            kids[i].move, (uint16_t)(visits < UINT16_MAX ? visits : UINT16_MAX)};
    }
    qsort(out, count, sizeof *out, by_weight);
    return count;
}

/* ---- drawing ---- */

static size_t draw(const double *weights, size_t count, double sum, uint64_t *random) {
    double at = sum * yo_random_uniform(random);
    for (size_t i = 0; i + 1 < count; i++)
        if ((at -= weights[i]) < 0) return i;
    return count - 1;
}

size_t yo_netplay_root_pick(const struct yo_netplay_target *moves, size_t count, float temperature,
                            uint64_t *random) {
    double weights[MOVES_MAX], sum = 0;
    if (count < 2 || count > MOVES_MAX || temperature < 0.02f) return 0;
    for (size_t i = 0; i < count; i++)
        sum += weights[i] = pow((double)moves[i].weight / moves[0].weight, 1 / (double)temperature);
    return draw(weights, count, sum, random);
}

yo_move yo_netplay_root_draw(const struct yo_netplay_tree *tree, float temperature,
                             uint64_t *random) {
    double weights[MOVES_MAX], sum = 0;
    const struct yo_netplay_node *root = yo_netplay_node(tree, tree->root);
    const struct yo_netplay_kid *kids = yo_netplay_kids(tree, root);
    const struct yo_netplay_edge *edges = yo_netplay_edges(tree, root);
    size_t count = (size_t)root->kid_count + root->edge_count;
    if (count == 0 || count > MOVES_MAX) return YO_MOVE_NONE;
    for (size_t i = 0; i < count; i++) {
        uint16_t prior = i < root->kid_count ? kids[i].prior : edges[i - root->kid_count].prior;
        sum += weights[i] = pow((double)prior_of(prior) + 1e-9, 1 / (double)temperature);
    }
    size_t i = draw(weights, count, sum, random);
    return i < root->kid_count ? kids[i].move : edges[i - root->kid_count].move;
}
