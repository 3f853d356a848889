/* Playouts of Go at once, on the scalar reference, from a position of game/go/game_ops.h. They
 * start from the position's own board: nothing is set up stone by stone. */
#pragma once

#include "eval/rollout.h"
#include "yomi/playout.h"

struct yo_rollouts yo_playout_rollouts(enum yo_playout_policy policy);
