/* PUCT and MC softmax search written from their formulas, one simulation after another, in doubles,
 * on hash_eval. The judge of search/guided without its refinements. */
#pragma once

#include "search/guided/guided.h"
#include "support/hash_eval.h"

struct plain_node {
    void *position;
    int to_move;
    bool over;            /* the game ends here */
    bool open;            /* has moves */
    double own, value;    /* for the side that moves first, -1 to 1 */
    double utility;       /* the value with corrections, by which moves are selected */
    uint64_t key;         /* of its last move; 0: no correction */
    double error, weight; /* what it has added to the errors of its key */
    unsigned visits;
    size_t count;
    yo_move *moves; /* likely ones first */
    double *priors;
    struct plain_node **children;
    unsigned *tried;          /* visits by each edge */
    uint64_t same;            /* key of the position; 0: no other node leads here */
    size_t depth;             /* moves from the root */
    struct plain_node *older; /* a list of all nodes; that of the root begins with the last */
};

/* The options that the formulas have: mode, seed, cpuct, whole_root, uniform, fpu, root_fpu, the
 * temperatures, select_cooling, mcss_cpuct and, if the hooks have surroundings, value_bias. If they
 * have keys of positions, those with the same key as far from the root share a node. */
struct plain_node *plain_guided(const struct yo_game_ops *game, const void *position,
                                const struct yo_guided_options *options,
                                const struct yo_guided_hooks *hooks, unsigned visits);
void plain_guided_free(struct plain_node *root);
