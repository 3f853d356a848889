/* The tree of a Monte-Carlo search: one arena of nodes, given out by one atomic counter, shared by
 * all threads without locks. A node's children are one block in it, so a node is reached by its
 * index alone and choosing among children reads memory in order. When the arena is full nothing
 * more is given out until the tree is thinned.
 *
 * Values are those of the side that made the move leading to the node: what its parent chooses by.
 */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "game/game.h"

typedef uint32_t yo_node_index;
#define YO_NODE_NONE    ((yo_node_index)0)
#define YO_NODE_ROOT    ((yo_node_index)1)
#define YO_NODE_CLAIMED ((yo_node_index)0xffffffffu) /* some thread is making the children */

enum yo_solved { YO_UNSOLVED, YO_SOLVED_WIN, YO_SOLVED_LOSS, YO_SOLVED_DRAW };

struct yo_node {
    yo_move move;
    atomic_uint visits;    /* simulations that went through, those still on their way included */
    atomic_uint half_wins; /* two for a win, one for a draw */
    _Atomic(yo_node_index) children;
    _Atomic(uint64_t) amaf; /* all moves as first: visits << 32 | half wins */
    _Atomic(int64_t) score2;
    yo_node_index parent; /* of the first node of a block: whose children they are */
    uint16_t block;       /* of the first node of a block: how many; 0: a gap */
    uint16_t prior_visits;
    uint16_t prior_half_wins;
    float chance;        /* that a good player makes the move, as known beforehand */
    atomic_uchar solved; /* enum yo_solved */
    bool banned;         /* at the root: not to be looked at in this search */
};

struct yo_tree {
    struct yo_node *nodes;
    yo_node_index capacity;
    _Atomic(yo_node_index) used; /* the next free index */
    atomic_bool full;            /* something was refused since the last clear, advance or thin */
    bool thinned;                /* since the last clear or advance */
};

/* At least a root and its children fit whatever `bytes` says. */
enum yo_err yo_tree_init(struct yo_tree *tree, size_t bytes, struct yo_diag *diag);
void yo_tree_free(struct yo_tree *tree);
/* Only a root that nobody has visited. */
void yo_tree_clear(struct yo_tree *tree);

static inline struct yo_node *yo_tree_node(const struct yo_tree *tree, yo_node_index i) {
    return &tree->nodes[i];
}

/* A block of `count` zeroed children for a node that the caller has claimed; YO_NODE_NONE when the
 * tree is full. The caller fills them in and then publishes the block in the node. */
yo_node_index yo_tree_alloc(struct yo_tree *tree, yo_node_index parent, size_t count);

/* The children that have been published, and how many; NULL for none. */
static inline struct yo_node *yo_tree_children(const struct yo_tree *tree,
                                               const struct yo_node *node, size_t *count) {
    yo_node_index first = atomic_load_explicit(&node->children, memory_order_acquire);
    if (first == YO_NODE_NONE || first == YO_NODE_CLAIMED) return NULL;
    *count = tree->nodes[first].block;
    return &tree->nodes[first];
}

/* The child of the root by that move becomes the root, what is below it stays, and all else is
 * given back. Returns false, the tree cleared, if there is no such child. Not while threads search.
 */
bool yo_tree_advance(struct yo_tree *tree, yo_move move);

/* Asked now and then in something that takes long: should it end? */
typedef bool (*yo_tree_enough_fn)(void *user);

/* Drops the children of the nodes that were visited least, so that no more than half of the arena
 * is in use; they become leaves and keep their own values. The root's children stay. Returns false
 * if that leaves less than a quarter free, or if it was ended by enough(), which may be NULL: the
 * tree is a good one then too, but still full. Not while threads search. */
bool yo_tree_thin(struct yo_tree *tree, yo_tree_enough_fn enough, void *user);
