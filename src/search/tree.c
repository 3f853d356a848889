#include "search/tree.h"

#include <string.h>

#include "base/alloc.h"
#include "base/diag.h"

/* Room for the root and the moves of any game we know (shogi has 593 at most). */
#define CAPACITY_MIN 1024
#define CAPACITY_MAX ((size_t)YO_NODE_CLAIMED)

enum yo_err yo_tree_init(struct yo_tree *tree, size_t bytes, struct yo_diag *diag) {
    size_t capacity = bytes / sizeof(struct yo_node);
    if (capacity < CAPACITY_MIN) capacity = CAPACITY_MIN;
    if (capacity > CAPACITY_MAX) capacity = CAPACITY_MAX;
    *tree = (struct yo_tree){.nodes = yo_alloc(capacity, sizeof *tree->nodes)};
    if (!tree->nodes) {
        yo_diag_set(diag, YO_ERR_NOMEM, "no memory for a tree of %zu MB", bytes >> 20);
        yo_diag_hint(diag, "ask for less with --memory");
        return YO_ERR_NOMEM;
    }
    tree->capacity = (yo_node_index)capacity;
    yo_tree_clear(tree);
    return YO_OK;
}

void yo_tree_free(struct yo_tree *tree) {
    yo_free(tree->nodes);
    tree->nodes = NULL;
}

void yo_tree_clear(struct yo_tree *tree) {
    memset(&tree->nodes[YO_NODE_ROOT], 0, sizeof tree->nodes[0]);
    tree->nodes[YO_NODE_ROOT].move = YO_MOVE_NONE;
    atomic_store(&tree->used, YO_NODE_ROOT + 1);
    atomic_store(&tree->full, false);
}

/* The counter never passes the end, so that blocks follow one another without holes: advancing the
 * tree walks along them. */
static yo_node_index take(struct yo_tree *tree, size_t count) {
    yo_node_index used = atomic_load_explicit(&tree->used, memory_order_relaxed);
    do {
        if (count > tree->capacity - used) {
            atomic_store_explicit(&tree->full, true, memory_order_relaxed);
            return YO_NODE_NONE;
        }
    } while (!atomic_compare_exchange_weak_explicit(&tree->used, &used, used + (yo_node_index)count,
                                                    memory_order_relaxed, memory_order_relaxed));
    return used;
}

yo_node_index yo_tree_alloc(struct yo_tree *tree, yo_node_index parent, size_t count) {
    yo_node_index first = take(tree, count);
    if (first == YO_NODE_NONE) return first;
    memset(&tree->nodes[first], 0, count * sizeof tree->nodes[0]);
    tree->nodes[first].parent = parent;
    tree->nodes[first].block = (uint16_t)count;
    return first;
}

/* ---- keeping a part of the tree ---- */

static yo_node_index children_of(const struct yo_node *node) {
    return atomic_load_explicit(&node->children, memory_order_relaxed);
}

/* Moves a block down to `to`, or drops it if its owner was dropped. Owners stand below their
 * children, since they were there first; so an owner has moved, or gone, before its children are
 * looked at. */
static yo_node_index settle_block(struct yo_tree *tree, yo_node_index at, size_t count,
                                  yo_node_index to) {
    struct yo_node *nodes = tree->nodes;
    bool kept = nodes[at].parent != YO_NODE_NONE;
    if (kept) atomic_store_explicit(&nodes[nodes[at].parent].children, to, memory_order_relaxed);
    for (size_t k = 0; k < count; k++) {
        yo_node_index below = children_of(&nodes[at + k]);
        if (below != YO_NODE_NONE)
            nodes[below].parent = kept ? to + (yo_node_index)k : YO_NODE_NONE;
    }
    if (!kept) return to;
    if (to != at) memmove(&nodes[to], &nodes[at], count * sizeof nodes[0]);
    return to + (yo_node_index)count;
}

static void keep_only(struct yo_tree *tree, struct yo_node *child) {
    struct yo_node *nodes = tree->nodes;
    yo_node_index used = atomic_load(&tree->used), to = YO_NODE_ROOT + 1;
    memcpy(&nodes[YO_NODE_ROOT], child, sizeof *child);
    nodes[YO_NODE_ROOT].banned = false;
    /* The root's old children go; those of the new root, which are below one of them, belong to the
     * root from now on. The first block is the root's. */
    nodes[to].parent = YO_NODE_NONE;
    yo_node_index at = to + nodes[to].block;
    settle_block(tree, to, nodes[to].block, to);
    yo_node_index below = children_of(&nodes[YO_NODE_ROOT]);
    if (below != YO_NODE_NONE) nodes[below].parent = YO_NODE_ROOT;
    while (at < used) {
        size_t count = nodes[at].block;
        to = settle_block(tree, at, count, to);
        at += (yo_node_index)count;
    }
    atomic_store(&tree->used, to);
    atomic_store(&tree->full, false);
}

bool yo_tree_advance(struct yo_tree *tree, yo_move move) {
    size_t count = 0;
    struct yo_node *child = yo_tree_children(tree, &tree->nodes[YO_NODE_ROOT], &count);
    for (size_t i = 0; child && i < count; i++, child++)
        if (child->move == move) {
            keep_only(tree, child);
            return true;
        }
    yo_tree_clear(tree);
    return false;
}
