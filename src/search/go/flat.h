/* Flat Monte-Carlo for Go: no tree, only the root's moves, each evaluated by playouts from the
 * position after it; each round of sequential halving keeps the better half. With a playout limit
 * and no time limit the result depends only on the position, the options and the limits, not on the
 * backend or the number of threads. */
#pragma once

#include <stdint.h>

#include "eval/eval.h"
#include "search/search.h"
#include "yomi/playout.h"

struct yo_flat_options {
    enum yo_playout_policy policy;
    uint64_t seed;
};

/* eval provides the playouts; the caller owns it, and it must outlive the search.
 * search->ops->destroy frees the rest. Moves in results are yo_go_point values, YO_GO_PASS
 * included. The search passes when the opponent has passed and it is ahead with the dead stones
 * taken off, when nothing is left to play for, or when no move but filling its own eyes is left. */
enum yo_err yo_flat_new(struct yo_eval eval, const struct yo_flat_options *options,
                        struct yo_search *search);
