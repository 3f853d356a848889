/* Exchange of statistics with searches of the same position in other processes (search/share.h).
 * Values are, as in the tree, those of the side that made the move leading to the node. */
#include "search/uct/internal.h"

/* Half points in a point. */
#define SCORE_POINT ((double)(2 * YO_SCORE_HALF))

static void add_foreign(struct yo_uct *uct, struct yo_node *node, const struct yo_share_sum *sum) {
    unsigned visits = (unsigned)sum->visits;
    if (visits == 0) return;
    atomic_fetch_add_explicit(&node->value, (int64_t)(sum->value * (double)YO_VALUE_ONE),
                              memory_order_relaxed);
    atomic_fetch_add_explicit(&node->score, (int64_t)(sum->score * SCORE_POINT),
                              memory_order_relaxed);
    atomic_fetch_add_explicit(&node->visits, visits, memory_order_relaxed);
    if (node == yo_tree_node(&uct->tree, YO_NODE_ROOT)) uct->visits_before += visits;
}

static struct yo_share_sum total_of(const struct yo_node *node) {
    return (struct yo_share_sum){
        .visits = uct_visits(node),
        .value =
            (double)atomic_load_explicit(&node->value, memory_order_relaxed) / (double)YO_VALUE_ONE,
        .score = (double)atomic_load_explicit(&node->score, memory_order_relaxed) / SCORE_POINT};
}

static void walk(struct yo_uct *uct, struct yo_node *node, uint64_t key, double least) {
    struct yo_share_slot *slot = yo_share_slot(&uct->share, key, true);
    if (!slot) return;
    struct yo_share_sum foreign = yo_share_merge(slot);
    add_foreign(uct, node, &foreign);
    struct yo_share_sum total = total_of(node);
    if (total.visits >= least) yo_share_offer(&uct->share, slot, &total);
    bool was_there = slot->foreign.visits > 0; /* another search: it may have gone further down */
    size_t count = 0;
    struct yo_node *child = yo_tree_children(&uct->tree, node, &count);
    for (size_t i = 0; i < count; i++) {
        uint64_t below = yo_share_child_key(key, child[i].move);
        bool worth = uct_visits(&child[i]) >= least;
        if (!worth && was_there) worth = yo_share_slot(&uct->share, below, false) != NULL;
        if (worth) walk(uct, &child[i], below, least);
    }
}

void yo_uct_share(struct yo_uct *uct, bool at_end) {
    struct yo_node *root = yo_tree_node(&uct->tree, YO_NODE_ROOT);
    if (!yo_share_open(&uct->share, at_end)) return;
    walk(uct, root, uct->share.root, yo_share_least(uct_visits(root)));
    yo_share_close(&uct->share);
}
