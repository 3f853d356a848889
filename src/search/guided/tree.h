/* The tree of searches that ask a network: PUCT, Gumbel and MCSS. A node has an edge for each legal
 * move, sorted by the policy, and a child only where a simulation went: a policy is sharp, so most
 * moves never get a node, and an edge takes 8 bytes where a node takes 64. (UCT's tree gives every
 * move a node, because AMAF needs a place for each.)
 *
 * Positions that several orders of moves lead to may have one node: then it is no tree, but still
 * has no cycles. Each edge to such a node goes through a link, which counts the edge's own visits.
 * The node may have more, by other edges.
 *
 * Threads share the tree without locks, except for a node's means, which are recomputed from its
 * children under the node's own lock, by one thread for all that come meanwhile. Nodes that the
 * game has left behind are freed one by one, when memory is needed. Values are for the side that
 * moves first in the game. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "game/game.h"
#include "search/guided/cells.h"
#include "search/guided/joins.h"

enum yo_guided_state {
    YO_GUIDED_FRESH,   /* not evaluated */
    YO_GUIDED_WAITING, /* a thread has sent it to the evaluator */
    YO_GUIDED_OPEN,    /* evaluated */
    YO_GUIDED_OVER,    /* the game ends here */
};

enum yo_guided_solved {
    YO_GUIDED_UNSOLVED,
    YO_GUIDED_FIRST_WINS,
    YO_GUIDED_SECOND_WINS,
    YO_GUIDED_DRAWN,
};

/* The evaluator's result for a position. */
struct yo_guided_value {
    float utility; /* value and score combined; selection uses it */
    float value;   /* wins less losses, -1 .. +1 */
    float score;   /* points */
    float score_stdev;
};

/* Means over the subtree of a node, the node itself included. Written under the node's lock, read
 * without it. */
struct yo_guided_means {
    _Atomic(float) utility;
    union {
        _Atomic(float) utility_sq; /* PUCT: the mean of the squares */
        _Atomic(float) depth;      /* MCSS: the expected depth, by the weights of the backup */
    };
    _Atomic(float) value, score, score_sq;
};

struct yo_guided_node {  /* one cell */
    atomic_uint visits;  /* finished simulations */
    atomic_uint pending; /* simulations in flight below this node */
    yo_cell edges;       /* written before the state becomes OPEN; 0: none */
    uint16_t edge_count;
    atomic_ushort reach; /* edges from this one on have no child */
    atomic_uchar state;  /* enum yo_guided_state */
    atomic_uchar solved; /* enum yo_guided_solved, and above it how many proofs were tried */
    atomic_uchar lock;   /* guards the means and the weights: YO_GUIDED_HELD, _CHANGED */
    uint8_t to_move;     /* 0: the side that moves first in the game */
    float own_weight; /* visits that `own` stands for: 1, or those of a subtree that was dropped */
    _Atomic(float) weight; /* of `mean` */
    struct yo_guided_value own;
    struct yo_guided_means mean;
};
_Static_assert(sizeof(struct yo_guided_node) == YO_CELL_SIZE, "a node is a cell");

struct yo_guided_edge {
    uint16_t move;          /* of any game whose moves are below 65536 */
    uint16_t prior;         /* yo_guided_prior */
    _Atomic(yo_cell) child; /* a way: to the node, or to a link to it; 0: none */
};

/* This bit of a way says that its cell is a link. */
#define YO_GUIDED_LINK ((yo_cell)1 << 31)

struct yo_guided_link {
    atomic_uint visits; /* by this edge: at most those of the node */
    yo_cell node;
    uint32_t entry; /* of the node in the table */
};

/* Behind the edges of a node, if the tree has them. */
struct yo_guided_bias {
    uint32_t slot;       /* where the errors of such moves are kept; 0: nowhere */
    float error, weight; /* what this node has added there */
};

struct yo_guided_tree {
    struct yo_cells cells;
    struct yo_joins joins;
    bool has_bias; /* set before the first node is made */
    yo_cell root;  /* a way; 0: none */
    uint32_t ply;  /* moves that the game has made since the tree was cleared */
    yo_cell dead;  /* head of the list of nodes to be freed, linked through `visits` */
    pthread_mutex_t dead_mutex;
    atomic_bool full; /* an allocation failed since the last clear or thin */
};

/* With `joins`, yo_guided_tree_join may be called, and its table is part of the bytes. */
enum yo_err yo_guided_tree_init(struct yo_guided_tree *tree, size_t bytes, bool joins,
                                struct yo_diag *diag);
void yo_guided_tree_free(struct yo_guided_tree *tree);

/* ---- by any thread ---- */

/* A new node, FRESH; 0 if there is no memory. */
yo_cell yo_guided_tree_add(struct yo_guided_tree *tree, int to_move);
/* A way to the node with this key, `depth` moves below the root: to `fresh`, which nothing
 * leads to yet, or to the node that another way leads to; then `fresh` is freed. */
yo_cell yo_guided_tree_join(struct yo_guided_tree *tree, yo_cell fresh, uint64_t key, size_t depth);
/* Gives back what add or join have returned, and no edge has taken. */
void yo_guided_tree_take_back(struct yo_guided_tree *tree, yo_cell way);
/* Room for a node's edges, which the caller fills; NULL if there is no memory. The caller is the
 * one thread that made the node WAITING. */
struct yo_guided_edge *yo_guided_tree_add_edges(struct yo_guided_tree *tree,
                                                struct yo_guided_node *node, size_t count);
/* Gives back edges, and the children that they have so far, before any other thread has seen them.
 */
void yo_guided_tree_take_back_edges(struct yo_guided_tree *tree, struct yo_guided_node *node);

/* ---- by one thread, while no other uses the tree ---- */

/* Frees all nodes. */
void yo_guided_tree_clear(struct yo_guided_tree *tree);
/* The game continued with this move: its child becomes the root. Returns false, and leaves no root,
 * if there is no child. */
bool yo_guided_tree_advance(struct yo_guided_tree *tree, yo_move move);
/* Drops the children of the nodes that were visited least until about half of the memory is free. A
 * node keeps the means of its subtree as its own value. */
void yo_guided_tree_thin(struct yo_guided_tree *tree);
/* Nodes below this one, itself included. */
size_t yo_guided_tree_count(struct yo_guided_tree *tree, yo_cell way);

/* ---- */

static inline struct yo_guided_link *yo_guided_link(const struct yo_guided_tree *tree,
                                                    yo_cell way) {
    return yo_cells_at(&tree->cells, way & ~YO_GUIDED_LINK);
}

/* The node that a way leads to. */
static inline struct yo_guided_node *yo_guided_node(const struct yo_guided_tree *tree,
                                                    yo_cell way) {
    yo_cell cell = way & YO_GUIDED_LINK ? yo_guided_link(tree, way)->node : way;
    return yo_cells_at(&tree->cells, cell);
}

/* A walk that meets each node once begins. It asks at every way whether it should go on there. By
 * one thread, while no other uses the tree. */
static inline void yo_guided_tree_begin_walk(struct yo_guided_tree *tree) {
    yo_joins_begin_walk(&tree->joins);
}

static inline bool yo_guided_tree_meet(struct yo_guided_tree *tree, yo_cell way) {
    return !(way & YO_GUIDED_LINK) || yo_joins_meet(&tree->joins, yo_guided_link(tree, way)->entry);
}

static inline struct yo_guided_edge *yo_guided_edges(const struct yo_guided_tree *tree,
                                                     const struct yo_guided_node *node) {
    return node->edges ? yo_cells_at(&tree->cells, node->edges) : NULL;
}

static inline struct yo_guided_bias *yo_guided_bias(const struct yo_guided_tree *tree,
                                                    const struct yo_guided_node *node) {
    struct yo_guided_edge *edges = yo_guided_edges(tree, node);
    bool has = edges && tree->has_bias;
    return has ? (struct yo_guided_bias *)(void *)(edges + node->edge_count) : NULL;
}

static inline unsigned yo_guided_visits(const struct yo_guided_node *node) {
    return atomic_load_explicit(&node->visits, memory_order_relaxed);
}

static inline unsigned yo_guided_pending(const struct yo_guided_node *node) {
    return atomic_load_explicit(&node->pending, memory_order_relaxed);
}

static inline enum yo_guided_state yo_guided_state(const struct yo_guided_node *node) {
    return (enum yo_guided_state)atomic_load_explicit(&node->state, memory_order_acquire);
}

static inline enum yo_guided_solved yo_guided_solved(const struct yo_guided_node *node) {
    return (enum yo_guided_solved)(atomic_load_explicit(&node->solved, memory_order_relaxed) & 3);
}

/* Claims the proof with this number, from 0, for the calling thread. False: another thread has
 * claimed it, or the node is solved. */
static inline bool yo_guided_claim_proof(struct yo_guided_node *node, unsigned number) {
    unsigned char before = (unsigned char)(number << 2 | YO_GUIDED_UNSOLVED);
    return atomic_load_explicit(&node->solved, memory_order_relaxed) == before &&
           atomic_compare_exchange_strong(&node->solved, &before,
                                          (unsigned char)(before + (1 << 2)));
}

static inline unsigned yo_guided_proofs(const struct yo_guided_node *node) {
    return (unsigned)atomic_load_explicit(&node->solved, memory_order_relaxed) >> 2;
}

/* The last of them has solved the node. */
static inline void yo_guided_set_proven(struct yo_guided_node *node, enum yo_guided_solved solved) {
    unsigned all = yo_guided_proofs(node) << 2 | (unsigned)solved;
    atomic_store_explicit(&node->solved, (unsigned char)all, memory_order_relaxed);
}

/* Whether a proof has solved the node, not its children. */
static inline bool yo_guided_is_proven(const struct yo_guided_node *node) {
    unsigned all = atomic_load_explicit(&node->solved, memory_order_relaxed);
    return all >> 2 && (all & 3) != YO_GUIDED_UNSOLVED;
}

static inline yo_cell yo_guided_child(const struct yo_guided_edge *edge) {
    return atomic_load_explicit(&edge->child, memory_order_acquire);
}

/* Visits by an edge. */
static inline unsigned yo_guided_edge_visits(const struct yo_guided_tree *tree,
                                             const struct yo_guided_edge *edge) {
    yo_cell way = yo_guided_child(edge);
    if (way & YO_GUIDED_LINK)
        return atomic_load_explicit(&yo_guided_link(tree, way)->visits, memory_order_relaxed);
    return way ? yo_guided_visits(yo_guided_node(tree, way)) : 0;
}

/* Packs a probability into 16 bits by its square root, which is precise enough for small ones. */
static inline uint16_t yo_guided_prior_pack(float prior) {
    float root = prior <= 0 ? 0 : prior >= 1 ? 1 : __builtin_sqrtf(prior);
    return (uint16_t)(root * 65535 + 0.5f);
}

static inline float yo_guided_prior(const struct yo_guided_edge *edge) {
    float root = (float)edge->prior / 65535;
    return root * root;
}

static inline float yo_guided_get(const _Atomic(float) *x) {
    return atomic_load_explicit(x, memory_order_relaxed);
}

/* The part of its child's weight that belongs to the visits by this edge. */
static inline float yo_guided_edge_weight(const struct yo_guided_tree *tree,
                                          const struct yo_guided_edge *edge) {
    yo_cell way = yo_guided_child(edge);
    if (!way) return 0;
    const struct yo_guided_node *node = yo_guided_node(tree, way);
    float weight = yo_guided_get(&node->weight);
    if (!(way & YO_GUIDED_LINK)) return weight;
    unsigned mine = yo_guided_edge_visits(tree, edge), all = yo_guided_visits(node);
    return mine < all ? weight * ((float)mine / (float)all) : weight;
}

static inline void yo_guided_set(_Atomic(float) *x, float value) {
    atomic_store_explicit(x, value, memory_order_relaxed);
}

/* ---- a node's lock ---- */

enum {
    YO_GUIDED_HELD = 1,
    YO_GUIDED_CHANGED = 2, /* its children changed, and who holds the lock takes them in */
};

/* For a change of the node's own. */
static inline void yo_guided_lock(struct yo_guided_node *node) {
    unsigned char free = 0;
    while (!atomic_compare_exchange_weak_explicit(&node->lock, &free, YO_GUIDED_HELD,
                                                  memory_order_acquire, memory_order_relaxed))
        free = 0;
}

/* After a change of its children. False: another thread holds the lock and takes the change in.
 * Near the root all threads come by, and none waits for another. */
static inline bool yo_guided_lock_or_leave(struct yo_guided_node *node) {
    unsigned char both = YO_GUIDED_HELD | YO_GUIDED_CHANGED;
    return !(atomic_fetch_or_explicit(&node->lock, both, memory_order_acq_rel) & YO_GUIDED_HELD);
}

/* Before the children are read. */
static inline void yo_guided_take_changes(struct yo_guided_node *node) {
    atomic_fetch_and_explicit(&node->lock, (unsigned char)~YO_GUIDED_CHANGED, memory_order_acq_rel);
}

/* False: there are changes, and the lock is still held. */
static inline bool yo_guided_unlock(struct yo_guided_node *node) {
    unsigned char held = YO_GUIDED_HELD;
    return atomic_compare_exchange_strong_explicit(&node->lock, &held, 0, memory_order_release,
                                                   memory_order_relaxed);
}
