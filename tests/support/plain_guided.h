/* PUCT and MC softmax search written from their formulas, one simulation after another, in doubles,
 * on hash_eval. The judge of search/guided without its refinements. */
#pragma once

#include "search/guided/options.h"
#include "support/hash_eval.h"

struct plain_node {
    void *position;
    int to_move;
    bool over;         /* the game ends here */
    bool open;         /* has moves */
    double own, value; /* for the side that moves first, -1 to 1 */
    unsigned visits;
    size_t count;
    yo_move *moves; /* likely ones first */
    double *priors;
    struct plain_node **children;
};

/* The options that the formulas have: mode, seed, cpuct, whole_root, uniform, fpu, root_fpu, the
 * temperatures, select_cooling and mcss_cpuct. */
struct plain_node *plain_guided(const struct yo_game_ops *game, const void *position,
                                const struct yo_guided_options *options, unsigned visits);
void plain_guided_free(struct plain_node *root);
