/* The tree of a Monte-Carlo search: one arena of nodes, handed out by one atomic counter, shared by
 * all threads without locks. The children of a node are one contiguous block, so selection reads
 * memory in order. A full arena allocates nothing until the tree is thinned.
 *
 * Values are from the view of the side that made the move leading to the node: the parent selects
 * by them. They are fixed-point sums, so that a network's value adds up as exactly as a playout's,
 * in any order of the additions. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "game/game.h"

typedef uint32_t yo_node_index;
#define YO_NODE_NONE    ((yo_node_index)0)
#define YO_NODE_ROOT    ((yo_node_index)1)
#define YO_NODE_CLAIMED ((yo_node_index)0xffffffffu) /* a thread is creating the children */

/* The value of a win; a draw is half of it. */
#define YO_VALUE_SHIFT 24
#define YO_VALUE_ONE   ((int64_t)1 << YO_VALUE_SHIFT)
/* The score of half a point. */
#define YO_SCORE_SHIFT 12
#define YO_SCORE_HALF  ((int64_t)1 << YO_SCORE_SHIFT)

enum yo_solved { YO_UNSOLVED, YO_SOLVED_WIN, YO_SOLVED_LOSS, YO_SOLVED_DRAW };

struct yo_node {
    yo_move move;
    atomic_uint visits;              /* simulations, those in flight included */
    _Atomic(yo_node_index) children; /* a block, or a state of the expansion */
    yo_node_index parent;            /* of the first node of a block: the parent of the block */
    _Atomic(int64_t) value;          /* sum, YO_VALUE_ONE a win */
    _Atomic(uint64_t) amaf;          /* all moves as first: visits << 32 | half wins */
    _Atomic(int64_t) score;          /* sum, YO_SCORE_HALF half a point */
    uint16_t block;                  /* of the first node of a block: its length; 0: a gap */
    uint16_t prior_visits;
    uint16_t prior_half_wins;
    atomic_uchar solved; /* enum yo_solved */
    bool banned;         /* child of the root that this search leaves out */
    float chance;        /* prior probability of the move, 0..1 */
    bool advised;        /* child of the root that widening does not leave out */
};

struct yo_tree {
    struct yo_node *nodes;
    yo_node_index capacity;
    _Atomic(yo_node_index) used; /* the next free index */
    atomic_bool full;            /* an allocation failed since the last clear, advance or thin */
    bool thinned;                /* since the last clear or advance */
};

/* There is room for a root and its children even if `bytes` is too small for them. */
enum yo_err yo_tree_init(struct yo_tree *tree, size_t bytes, struct yo_diag *diag);
void yo_tree_free(struct yo_tree *tree);
/* Leaves only a root without visits. */
void yo_tree_clear(struct yo_tree *tree);

static inline struct yo_node *yo_tree_node(const struct yo_tree *tree, yo_node_index i) {
    return &tree->nodes[i];
}

/* ---- expansion ----
 * One thread claims the node, allocates the block, fills it in and publishes it. */

/* False if another thread has claimed it, or if it has children. */
static inline bool yo_tree_claim(struct yo_node *node) {
    yo_node_index none = YO_NODE_NONE;
    return atomic_compare_exchange_strong(&node->children, &none, YO_NODE_CLAIMED);
}

/* A block of `count` zeroed children for a claimed node; YO_NODE_NONE when the tree is full. */
yo_node_index yo_tree_alloc(struct yo_tree *tree, yo_node_index parent, size_t count);

/* All threads see the children from now on. Without a block the node may be claimed again. */
static inline void yo_tree_publish(struct yo_node *node, yo_node_index block) {
    atomic_store_explicit(&node->children, block, memory_order_release);
}

/* The children that have been published, and how many; NULL for none. */
static inline struct yo_node *yo_tree_children(const struct yo_tree *tree,
                                               const struct yo_node *node, size_t *count) {
    yo_node_index first = atomic_load_explicit(&node->children, memory_order_acquire);
    if (first == YO_NODE_NONE || first == YO_NODE_CLAIMED) return NULL;
    *count = tree->nodes[first].block;
    return &tree->nodes[first];
}

/* The child of the root by this move becomes the root and keeps its subtree; all other nodes are
 * freed. Returns false, the tree cleared, if there is no such child. Not while threads search.
 */
bool yo_tree_advance(struct yo_tree *tree, yo_move move);

/* Called from time to time during a long operation: should the operation end? */
typedef bool (*yo_tree_enough_fn)(void *user);

/* Drops the children of the nodes that were visited least, so that no more than half of the arena
 * is in use; they become leaves and keep their own values. The root's children stay. Returns false
 * if less than a quarter is free afterwards, or if enough(), which may be NULL, ended it: the tree
 * is valid then too, but still full. Not while threads search. */
bool yo_tree_thin(struct yo_tree *tree, yo_tree_enough_fn enough, void *user);
