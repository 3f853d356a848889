/* What is known of a move of Go before it is tried: captures, atari, patterns, how near the last
 * move and the edge are. Positions are those of game/go/game_ops.h. */
#pragma once

#include "search/uct.h"

/* Leaves own eyes out of the tree, whatever else is known of moves. Nothing to be freed. */
struct yo_priors yo_go_priors(void);
