/* Options of UCT. The rows are part of the tables of all commands that search, so that an option
 * has one name, one default and one help text. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/notice.h"
#include "base/option.h"
#include "yomi/error.h"

enum yo_uct_formula { YO_UCT_UCB1, YO_UCT_TUNED };

struct yo_uct_options {
    uint64_t seed;
    int threads;               /* at least 1 */
    struct yo_notices notices; /* where to report that an evaluator failed */
    size_t memory_mb;
    enum yo_uct_formula formula;
    float explore;      /* p of section 4.2 */
    float fpu;          /* first-play urgency, section 3.4 */
    bool order;         /* unvisited moves in the order of the grandparent's values, section 3.4 */
    unsigned expand;    /* visits after which a leaf gets children */
    float rave;         /* visits at which AMAF and the own value weigh about alike; 0: no AMAF */
    float bias;         /* factor on the prior probability of a move; 0: none */
    float widen;        /* progressive widening: moves for each e-fold of visits; 0: all moves */
    float prior;        /* factor on the visits of prior knowledge; 0: none */
    float virtual_loss; /* for each playout in flight */
    unsigned leaves;    /* leaves evaluated together, in each thread; 0 is 1 */
    unsigned leaf_playouts; /* playouts each */
    float leaf_weight;      /* visits that they count for at most; 0: see yo_uct_leaf_weight */
    bool leaf_wait;         /* wait for the evaluator at a leaf; else play a playout at once too */
    bool lcb;               /* choose by the lower confidence bound, not by visits alone */
    bool solve;             /* proven wins and losses */
    bool reuse;             /* keep the tree between moves */
    bool early; /* end before the playout limit, once no other move can become the most visited */
};

extern const char *const yo_uct_formulas[];

/* YO_UCT_TREE_ROWS are for a table that has a row `memory` of its own. */
#define YO_UCT_OPTION_ROWS                                                                         \
    YO_INT("memory", YO_EVERYWHERE, "512", 1, 1e6, "MB",                                           \
           "memory for the tree; when it is full, what was visited least is dropped"),             \
        YO_UCT_TREE_ROWS

#define YO_UCT_TREE_ROWS                                                                           \
    YO_CHOICE("ucb", YO_EVERYWHERE, "tuned", yo_uct_formulas, "FORMULA",                           \
              "the confidence bound that selects moves in the tree"),                              \
        YO_REAL("explore", YO_EVERYWHERE, "0", 0, 10, "P",                                         \
                "how much the bound counts against the value: more searches wider"),               \
        YO_REAL("fpu", YO_EVERYWHERE, "1.1", 0, 1000, "U",                                         \
                "first-play urgency: the value of a move with neither visits nor prior"),          \
        YO_BOOL("order", YO_EVERYWHERE, "true",                                                    \
                "try unvisited moves in the order of their values two moves earlier"),             \
        YO_INT("expand", YO_EVERYWHERE, "2", 1, 1000, "N",                                         \
               "visits after which a leaf of the tree gets children"),                             \
        YO_REAL("rave", YO_EVERYWHERE, "1500", 0, 1e6, "N",                                        \
                "all-moves-as-first: visits up to which it counts; 0 for none"),                   \
        YO_REAL("bias", YO_EVERYWHERE, "1", 0, 100, "C",                                           \
                "weight of the chance that a good player makes a move; 0 for none"),               \
        YO_REAL("widen", YO_EVERYWHERE, "2", 0, 1000, "N",                                         \
                "look at N more moves with each e-fold of visits, likely ones first; 0 for all"),  \
        YO_REAL("prior", YO_EVERYWHERE, "0.5", 0, 100, "F",                                        \
                "weight of the prior knowledge of a move; 0 for none"),                            \
        YO_REAL("virtual-loss", YO_EVERYWHERE, "1", 0.001, 100, "N",                               \
                "losses that a move counts for while a thread is below it, or while a leaf "       \
                "below it waits for its playouts, for each of them"),                              \
        YO_INT("leaves", YO_EVERYWHERE, "0", 0, 65536, "N",                                        \
               "leaves of the tree that are evaluated together by the playout backend; 0: as "     \
               "suits it"),                                                                        \
        YO_INT("leaf-playouts", YO_EVERYWHERE, "0", 0, 65536, "N",                                 \
               "playouts for each leaf; 0: as suits the backend"),                                 \
        YO_REAL("leaf-weight", YO_EVERYWHERE, "0", 0, 65536, "W",                                  \
                "visits that the playouts of a leaf count for at most; 0: 2 if it waits for "      \
                "them, else 12"),                                                                  \
        YO_BOOL("leaf-wait", YO_EVERYWHERE, "false",                                               \
                "leaves wait for their playouts; if not, threads go on with playouts of their "    \
                "own, and the backend's are added as they come"),                                  \
        YO_BOOL("lcb", YO_EVERYWHERE, "true",                                                      \
                "choose the final move by its lower confidence bound"),                            \
        YO_BOOL("solve", YO_EVERYWHERE, "true", "remember proven wins and losses"),                \
        YO_BOOL("reuse", YO_EVERYWHERE, "true", "keep the tree between moves"),                    \
        YO_BOOL("early", YO_EVERYWHERE, "false",                                                   \
                "with --playouts: end before all are made, once no other move can be visited "     \
                "most; with a time limit that is always so")

/* YO_ERR_ARGUMENT if options contradict each other. */
enum yo_err yo_uct_options_check(const struct yo_uct_options *options, struct yo_diag *diag);
/* What the playouts of a leaf count for; experiments/tano/ has the matches. */
float yo_uct_leaf_weight(const struct yo_uct_options *options);
void yo_uct_options_default(struct yo_uct_options *options);
/* From a table that has the rows above; seed and threads, which every command sets in its own way,
 * do not change. */
void yo_uct_options_read(const struct yo_options *from, struct yo_uct_options *options);
