/* PUCT and MC softmax search written from their formulas, one simulation after another, in doubles,
 * on hash_eval. The judge of search/guided without its refinements. */
#pragma once

#include "search/guided/options.h"
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
};

/* A key of a move: see yo_guided_hooks. */
typedef uint64_t plain_key_fn(void *ctx, const void *position, yo_move move);

/* The options that the formulas have: mode, seed, cpuct, whole_root, uniform, fpu, root_fpu, the
 * temperatures, select_cooling, mcss_cpuct and, if there are keys, value_bias. */
struct plain_node *plain_guided(const struct yo_game_ops *game, const void *position,
                                const struct yo_guided_options *options, plain_key_fn *key,
                                unsigned visits);
void plain_guided_free(struct plain_node *root);
