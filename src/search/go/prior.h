/* What is known of a move of Go before it is tried: by hand, captures, atari, patterns, how near
 * the last move and the edge are; and from game records, how likely a player is to choose it
 * (model.h). Positions are those of game/go/game_ops.h. */
#pragma once

#include "game/go/patterns.h"
#include "search/uct/uct.h"

/* Leaves own eyes out of the tree, whatever else is known of moves. The chances cost about a fifth
 * of a playout, and are left out where the options do not ask for them. patterns NULL: built in.
 * Nothing to be freed. */
struct yo_priors yo_go_priors(const struct yo_uct_options *options,
                              const struct yo_go_patterns *patterns);
