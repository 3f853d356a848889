#include "search/tree.h"

#include <limits.h>
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
    tree->thinned = false;
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

/* Blocks between two calls of enough(): well below a millisecond of work. */
#define LOOK_EVERY 64

/* Calls enough() once every LOOK_EVERY blocks. */
struct patience {
    yo_tree_enough_fn enough; /* or NULL */
    void *user;
    unsigned blocks;
};

static bool is_enough(struct patience *patience) {
    return patience->enough && ++patience->blocks % LOOK_EVERY == 0 &&
           patience->enough(patience->user);
}

static yo_node_index children_of(const struct yo_node *node) {
    return atomic_load_explicit(&node->children, memory_order_relaxed);
}

static unsigned visits_of(const struct yo_node *node) {
    return atomic_load_explicit(&node->visits, memory_order_relaxed);
}

/* Marks the gap that an interrupted sweep leaves between the blocks it has moved and the others.
 * The `children` field of the first node holds the length. */
static void leave_gap(struct yo_tree *tree, yo_node_index from, yo_node_index to) {
    if (from == to) return;
    tree->nodes[from].block = 0;
    atomic_store_explicit(&tree->nodes[from].children, to - from, memory_order_relaxed);
}

static size_t length_of(const struct yo_node *first) {
    return first->block ? first->block : children_of(first);
}

/* Moves a block down to `to`, or drops it if its owner was dropped or has fewer than `least` visits
 * and is not the root. Owners have smaller indices than their children, because they were allocated
 * first; so the sweep has moved or dropped an owner before it comes to its children. */
static yo_node_index settle_block(struct yo_tree *tree, yo_node_index at, unsigned least,
                                  yo_node_index to) {
    struct yo_node *nodes = tree->nodes;
    size_t count = nodes[at].block;
    bool kept = nodes[at].parent != YO_NODE_NONE;
    if (kept) {
        struct yo_node *owner = &nodes[nodes[at].parent];
        kept = visits_of(owner) >= least || nodes[at].parent == YO_NODE_ROOT;
        atomic_store_explicit(&owner->children, kept ? to : YO_NODE_NONE, memory_order_relaxed);
    }
    for (size_t k = 0; k < count; k++) {
        yo_node_index below = children_of(&nodes[at + k]);
        if (below != YO_NODE_NONE)
            nodes[below].parent = kept ? to + (yo_node_index)k : YO_NODE_NONE;
    }
    if (!kept) return to;
    if (to != at) memmove(&nodes[to], &nodes[at], count * sizeof nodes[0]);
    return to + (yo_node_index)count;
}

/* Moves the blocks to keep, from `at` on, down to `to`. False if enough() ended it. */
static bool sweep(struct yo_tree *tree, yo_node_index at, yo_node_index to, unsigned least,
                  struct patience *patience) {
    yo_node_index used = atomic_load(&tree->used);
    while (at < used) {
        if (is_enough(patience)) {
            leave_gap(tree, to, at);
            return false;
        }
        size_t length = length_of(&tree->nodes[at]);
        if (tree->nodes[at].block) to = settle_block(tree, at, least, to);
        at += (yo_node_index)length;
    }
    atomic_store(&tree->used, to);
    atomic_store(&tree->full, false);
    return true;
}

/* Replaces the root by one of its children, with its subtree, and drops the other children and
 * their subtrees. */
static void keep_only(struct yo_tree *tree, yo_node_index block, size_t chosen) {
    struct patience endless = {0};
    struct yo_node *nodes = tree->nodes;
    memcpy(&nodes[YO_NODE_ROOT], &nodes[block + chosen], sizeof nodes[0]);
    nodes[YO_NODE_ROOT].banned = false;
    for (size_t k = 0; k < nodes[block].block; k++) {
        yo_node_index below = children_of(&nodes[block + k]);
        if (below != YO_NODE_NONE) nodes[below].parent = k == chosen ? YO_NODE_ROOT : YO_NODE_NONE;
        atomic_store_explicit(&nodes[block + k].children, YO_NODE_NONE, memory_order_relaxed);
    }
    nodes[block].parent = YO_NODE_NONE;
    sweep(tree, YO_NODE_ROOT + 1, YO_NODE_ROOT + 1, 0, &endless);
    tree->thinned = false;
}

bool yo_tree_advance(struct yo_tree *tree, yo_move move) {
    size_t count = 0;
    const struct yo_node *child = yo_tree_children(tree, &tree->nodes[YO_NODE_ROOT], &count);
    for (size_t i = 0; i < count; i++)
        if (child[i].move == move) {
            keep_only(tree, (yo_node_index)(child - tree->nodes), i);
            return true;
        }
    yo_tree_clear(tree);
    return false;
}

/* ---- thinning ---- */

/* Classes of visit counts by their leading four bits: counts of a class differ by at most an
 * eighth. */
#define CLASSES (8 * 30)

static size_t class_of(unsigned visits) {
    unsigned high = 0;
    while (visits >> high > 15)
        high++;
    return 8 * (size_t)high + (visits >> high);
}

static unsigned least_of_class(size_t class) {
    unsigned high = class < 16 ? 0 : (unsigned)(class / 8 - 1);
    return (unsigned)(class - 8 * high) << high;
}

/* The least visits with which a node keeps its children, so that at most `most` children are kept
 * in all. 0 if enough() ended it. */
static unsigned find_least(const struct yo_tree *tree, size_t most, struct patience *patience) {
    size_t nodes_of[CLASSES] = {0}, kept = 0, class = CLASSES;
    yo_node_index used = atomic_load(&tree->used);
    for (yo_node_index at = YO_NODE_ROOT + 1; at < used;) {
        const struct yo_node *first = &tree->nodes[at];
        bool orphan = first->block == 0 || first->parent == YO_NODE_NONE;
        if (is_enough(patience)) return 0;
        if (!orphan) nodes_of[class_of(visits_of(&tree->nodes[first->parent]))] += first->block;
        at += (yo_node_index)length_of(first);
    }
    while (class > 1 && kept + nodes_of[class - 1] <= most)
        kept += nodes_of[--class];
    return class < CLASSES ? least_of_class(class) : UINT_MAX;
}

bool yo_tree_thin(struct yo_tree *tree, yo_tree_enough_fn enough, void *user) {
    struct patience patience = {enough, user, 0};
    yo_node_index first = YO_NODE_ROOT + 1, used = atomic_load(&tree->used);
    if (used == first) return true;
    unsigned least = find_least(tree, tree->capacity / 2, &patience);
    tree->thinned = true;
    return least > 0 && sweep(tree, first, first, least, &patience) &&
           atomic_load(&tree->used) <= tree->capacity / 4 * 3;
}
