/* PUCT and MC softmax search for shogi. To search/guided it adds the ends of a game inside the tree
 * (repetition, perpetual check, declaration), mate search in leaves and at the root, and the
 * lengths of the mates that the tree has proven. */
#pragma once

#include "game/shogi/game_ops.h"
#include "search/guided/guided.h"

struct yo_shogi_guided_options {
    struct yo_guided_options tree;
    /* Nodes of the mate solver in each leaf; 0: none; -1: as suits what evaluates the network. */
    int64_t leaf_mate;
    unsigned node_mate; /* as a node's visits grow, so many for each of them; 0: none */
    uint64_t root_mate; /* nodes of the mate solver before a search; 0: none */
};

/* And those of the tree. Policies that self-play has made are too sharp for a long search: their
 * likeliest moves would get nearly all visits (experiments/networks/results/puct-shogi.md). */
#define YO_SHOGI_GUIDED_ROWS                                                                       \
    YO_INT("leaf-mate", YO_EVERYWHERE, "-1", -1, 1e6, "N",                                         \
           "with a network: positions that the mate solver looks at in each leaf; 0: none; -1: "   \
           "50, or 10 if a GPU evaluates the network"),                                            \
        YO_INT(                                                                                    \
            "node-mate", YO_EVERYWHERE, "2", 0, 1000, "N",                                         \
            "with a network: as the visits of a position grow, the mate solver looks again, at "   \
            "N positions for each of them; 0: never"),                                             \
        YO_INT("root-mate", YO_EVERYWHERE, "20000", 0, 1e12, "N",                                  \
               "with a network: positions that the mate solver looks at before a search, within "  \
               "an eighth of its time; 0: none"),                                                  \
        YO_GUIDED_TREE_ROWS("1.6", "1.4", "0.3")

void yo_shogi_guided_options_default(struct yo_shogi_guided_options *options);
/* From a table that has the rows above and UCT's; mode, seed and threads do not change. */
void yo_shogi_guided_options_read(const struct yo_options *from,
                                  struct yo_shogi_guided_options *options);

/* position_key of yo_guided_hooks, for shogi. */
uint64_t yo_shogi_guided_key(const struct yo_shogi_state *state, yo_shogi_move last);

/* A search for games (struct yo_shogi_game). The evaluator must outlive it. */
enum yo_err yo_shogi_guided_new(struct yo_eval eval, const struct yo_shogi_guided_options *options,
                                struct yo_search *search, struct yo_diag *diag);
