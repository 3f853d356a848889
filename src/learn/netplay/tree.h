/* A small search tree for one game of self-play, used by one thread at a time. Thousands of them
 * stand side by side, so a visit should touch few cache lines: the moves of a node that were tried
 * ("kids") lie together with their visits and sums, and the rest of its moves are not touched.
 * Values are for the side that moves first in the game. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "game/game.h"

#define YO_NETPLAY_DEPTH_MAX 256

struct yo_netplay_edge {
    uint16_t move, prior; /* prior: yo_guided_prior_pack */
};

struct yo_netplay_kid {
    uint32_t child; /* a node; 0: none yet */
    uint32_t visits;
    float sum; /* of utilities */
    uint16_t move, prior;
};

struct yo_netplay_node {
    uint32_t edges, kids; /* places in the arena */
    uint16_t edge_count;  /* moves not tried; the likeliest is the last */
    uint16_t kid_count, kid_room;
    uint8_t to_move;
    uint8_t over; /* the game ends here */
    uint32_t visits;
    float own;          /* utility of this position itself */
    float sum;          /* of utilities over all visits */
    float value, score; /* sums of wins less losses, and of points */
    float own_value, own_score;
};

struct yo_netplay_tree {
    uint32_t *words; /* the arena */
    uint32_t used, room;
    uint32_t root; /* 0: none */
    uint32_t kept; /* 64-bit words that each node keeps for its successors' inputs */
};

/* A way from the root to a leaf. */
struct yo_netplay_path {
    int length; /* nodes */
    /* The last may be 0: a leaf that found no room. */
    uint32_t node[YO_NETPLAY_DEPTH_MAX + 1];
    uint16_t kid[YO_NETPLAY_DEPTH_MAX + 1]; /* of node[i], that leads to node[i + 1] */
};

/* The value of a position, for the side that moves first in the game. */
struct yo_netplay_value {
    float utility, value, score;
};

/* Room for this many nodes with that many moves and `kept` words each. */
enum yo_err yo_netplay_tree_init(struct yo_netplay_tree *tree, size_t nodes, size_t moves,
                                 int kept);
void yo_netplay_tree_free(struct yo_netplay_tree *tree);
void yo_netplay_tree_clear(struct yo_netplay_tree *tree);

static inline struct yo_netplay_node *yo_netplay_node(const struct yo_netplay_tree *tree,
                                                      uint32_t at) {
    return (struct yo_netplay_node *)(void *)(tree->words + at);
}
static inline struct yo_netplay_kid *yo_netplay_kids(const struct yo_netplay_tree *tree,
                                                     const struct yo_netplay_node *node) {
    return (struct yo_netplay_kid *)(void *)(tree->words + node->kids);
}
static inline struct yo_netplay_edge *yo_netplay_edges(const struct yo_netplay_tree *tree,
                                                       const struct yo_netplay_node *node) {
    return (struct yo_netplay_edge *)(void *)(tree->words + node->edges);
}

/* What the node keeps. */
static inline uint64_t *yo_netplay_kept(const struct yo_netplay_tree *tree, uint32_t node) {
    return (uint64_t *)(void *)(tree->words + node - 2 * tree->kept);
}

/* A node without moves; 0 if the arena is full. */
uint32_t yo_netplay_tree_add(struct yo_netplay_tree *tree, int to_move,
                             const struct yo_netplay_value *value);
/* Turns logits into probabilities, to seven digits: priors are stored in 16 bits. */
void yo_netplay_softmax(float *values, size_t count);
/* Gives a new node its moves. Without room it stays a leaf. */
void yo_netplay_tree_open(struct yo_netplay_tree *tree, uint32_t node, const uint16_t *moves,
                          const float *policy, size_t count);
/* The last of the moves not tried becomes a kid; the caller settles the rest. */
unsigned yo_netplay_tree_take(struct yo_netplay_tree *tree, struct yo_netplay_node *node);
/* The likeliest move that was not tried becomes a kid; its index, or kid_count without room. */
unsigned yo_netplay_tree_try(struct yo_netplay_tree *tree, struct yo_netplay_node *node);

struct yo_netplay_puct {
    float cpuct, cpuct_log, cpuct_base;
    float fpu, root_fpu;
    float policy_temperature; /* above 1: moves that the policy finds unlikely are tried sooner */
    float forced;             /* root moves get at least sqrt(forced * prior * visits); 0: off */
};

/* The kid of a node that a visit takes; kid_count: the likeliest move that was not tried. */
unsigned yo_netplay_tree_select(const struct yo_netplay_tree *tree,
                                const struct yo_netplay_node *node,
                                const struct yo_netplay_puct *puct, bool is_root);
/* Counts one visit of all nodes of the path. */
void yo_netplay_tree_back_up(struct yo_netplay_tree *tree, const struct yo_netplay_path *path,
                             const struct yo_netplay_value *value);

/* The game continued with this move: moves its subtree into the empty tree `spare` and exchanges
 * the two. False, with an empty tree, if there is no subtree. */
bool yo_netplay_tree_advance(struct yo_netplay_tree *tree, yo_move move,
                             struct yo_netplay_tree *spare);
/* Removes the root's moves that are not among these (sorted upwards). */
void yo_netplay_tree_restrict(struct yo_netplay_tree *tree, const yo_move *moves, size_t count);
/* Puts the likeliest move last; for callers that changed priors. */
void yo_netplay_tree_settle(struct yo_netplay_tree *tree, struct yo_netplay_node *node);
