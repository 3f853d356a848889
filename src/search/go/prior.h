/* Priors of moves of Go: hand-written ones for captures, atari, patterns, the distance to the last
 * move and to the edge; and the probability that a player chooses the move, learned from game
 * records (model.h). Positions are those of game/go/game_ops.h. */
#pragma once

#include "game/go/patterns.h"
#include "search/uct/uct.h"

/* Always prunes own eyes. The probabilities cost about a fifth of a playout, and are computed only
 * if the options use them. patterns NULL: built in. Needs no freeing. */
struct yo_priors yo_go_priors(const struct yo_uct_options *options,
                              const struct yo_go_patterns *patterns);
