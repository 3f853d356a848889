/* Exchange of statistics with searches of the same position in other processes (search/share.h).
 * Values are those of the side that moves first in the game.
 *
 * A node's means are recomputed from its own value and its children. So what others found becomes
 * part of the own value of the deepest nodes that they name: there it counts as much as so many
 * visits, and the nodes above follow. A child that only others have visited is created; this search
 * has it evaluated when it gets there itself. */
#include <math.h>

#include "search/guided/internal.h"

static struct yo_share_sum total_of(const struct yo_guided_node *node, double visits) {
    return (struct yo_share_sum){.visits = visits,
                                 .value = visits * 0.5 * (1 + yo_guided_get(&node->mean.value)),
                                 .score = visits * yo_guided_get(&node->mean.score)};
}

static float mix(float a, float weight_a, float b, float weight_b) {
    return (a * weight_a + b * weight_b) / (weight_a + weight_b);
}

/* `own` stands for so many visits more. Selection reads its utility without the lock. */
static void absorb(struct guided_search *s, struct yo_guided_node *node,
                   const struct yo_share_sum *sum, float visits) {
    struct yo_guided_value own = node->own,
                           found = {.value = (float)(2 * sum->value / sum->visits - 1),
                                    .score = (float)(sum->score / sum->visits)};
    float weight = node->own_weight;
    own.value = mix(own.value, weight, found.value, visits);
    own.score = mix(own.score, weight, found.score, visits);
    own.utility = guided_utility(s, &own);
    node->own.value = own.value;
    node->own.score = own.score;
    __atomic_store(&node->own.utility, &own.utility, __ATOMIC_RELAXED);
    node->own_weight = weight + visits;
    struct yo_guided_bias *bias = yo_guided_bias(&s->tree, node);
    if (bias) bias->slot = 0; /* its own value is not the network's any more */
}

/* The own value may be changed while the node is open, under its lock, or by the thread that has
 * claimed it. False: another thread has. */
static bool absorb_locked(struct guided_search *s, struct yo_guided_node *node,
                          const struct yo_share_sum *sum, float visits) {
    unsigned char fresh = YO_GUIDED_FRESH;
    enum yo_guided_state state = yo_guided_state(node);
    bool claims = state == YO_GUIDED_FRESH;
    if (state == YO_GUIDED_WAITING || state == YO_GUIDED_OVER) return false;
    if (claims && !atomic_compare_exchange_strong(&node->state, &fresh, YO_GUIDED_WAITING))
        return false;
    yo_guided_lock(node);
    absorb(s, node, sum, visits);
    guided_unlock(s, node);
    if (claims) guided_update(s, node);
    if (claims) atomic_store_explicit(&node->state, YO_GUIDED_FRESH, memory_order_release);
    return true;
}

/* Visits of others that wait for the children of a node. */
static double waiting_below(struct yo_guided *g, const struct yo_guided_node *node, uint64_t key) {
    const struct yo_guided_edge *edges = yo_guided_edges(&g->search.tree, node);
    double visits = 0;
    for (unsigned i = 0; edges && i < node->edge_count; i++) {
        const struct yo_share_slot *slot =
            yo_share_slot(&g->share, yo_share_child_key(key, edges[i].move), false);
        if (slot) visits += slot->waiting.visits;
    }
    return visits;
}

/* A search that exchanges joins no nodes, but its tree may have some from before. */
static atomic_uint *visits_by(const struct yo_guided_tree *tree, yo_cell way) {
    return way & YO_GUIDED_LINK ? &yo_guided_link(tree, way)->visits
                                : &yo_guided_node(tree, way)->visits;
}

static void merge(struct yo_guided *g, yo_cell way, struct yo_share_slot *slot, bool open) {
    struct yo_guided_node *node = yo_guided_node(&g->search.tree, way);
    double visits = slot->waiting.visits;
    if (visits < 1) return;
    double rest = open ? visits - waiting_below(g, node, slot->key) : visits;
    if (rest > 0 && !absorb_locked(&g->search, node, &slot->waiting, (float)rest)) return;
    atomic_fetch_add_explicit(&node->visits, (unsigned)visits, memory_order_relaxed);
    if (way & YO_GUIDED_LINK)
        atomic_fetch_add_explicit(visits_by(&g->search.tree, way), (unsigned)visits,
                                  memory_order_relaxed);
    yo_share_merge(slot);
}

/* Means are no plain averages: when the search turns to a better move, they change by more than the
 * new visits could. The rest of such a change goes with later offers. */
static void offer(struct yo_guided *g, struct yo_share_slot *slot,
                  const struct yo_share_sum *total) {
    const double far = 0.25;
    struct yo_share_offer *o = yo_share_offer(&g->share, slot, total);
    if (!o) return;
    double mean = total->value / total->visits, n = o->news.visits;
    o->news.value = fmin(fmax(o->news.value, n * (mean - far)), n * (mean + far));
}

static void walk(struct yo_guided *g, yo_cell way, uint64_t key, double least, size_t depth);

static void walk_children(struct yo_guided *g, struct yo_guided_node *node, uint64_t key,
                          bool was_there, double least, size_t depth) {
    struct yo_guided_edge *edges = yo_guided_edges(&g->search.tree, node);
    for (unsigned i = 0; edges && i < node->edge_count; i++) {
        yo_cell child = yo_guided_child(&edges[i]);
        uint64_t below = yo_share_child_key(key, edges[i].move);
        bool worth = child && yo_guided_edge_visits(&g->search.tree, &edges[i]) >= least;
        if (!worth && was_there) {
            const struct yo_share_slot *slot = yo_share_slot(&g->share, below, false);
            worth = slot && slot->waiting.visits > 0;
        }
        if (worth && !child) child = guided_child_of(g, node, &edges[i], i, NULL, depth + 1);
        if (worth && child) walk(g, child, below, least, depth + 1);
    }
}

static void walk(struct yo_guided *g, yo_cell way, uint64_t key, double least, size_t depth) {
    struct yo_guided_node *node = yo_guided_node(&g->search.tree, way);
    struct yo_share_slot *slot = yo_share_slot(&g->share, key, true);
    if (!slot || depth > GUIDED_DEPTH_MAX || yo_guided_solved(node) != YO_GUIDED_UNSOLVED) return;
    bool open = yo_guided_state(node) == YO_GUIDED_OPEN;
    merge(g, way, slot, open);
    bool was_there = slot->foreign.visits > 0;
    if (open) walk_children(g, node, key, was_there, least, depth);
    if (was_there && open) guided_update(&g->search, node);
    struct yo_share_sum total = total_of(node, *visits_by(&g->search.tree, way));
    if (total.visits >= least) offer(g, slot, &total);
}

void guided_share(struct yo_guided *g, bool at_end) {
    const struct yo_guided_tree *tree = &g->search.tree;
    if (!tree->root || !yo_share_open(&g->share, at_end)) return;
    double visits = yo_guided_visits(yo_guided_node(tree, tree->root));
    walk(g, tree->root, g->share.root, yo_share_least(visits), 0);
    yo_share_close(&g->share);
}
