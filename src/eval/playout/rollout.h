/* Playouts of Go at once, on the scalar reference, from a position of game/go/game_ops.h. They
 * start from the position's own board: nothing is set up stone by stone. */
#pragma once

#include "eval/rollout.h"
#include "yomi/playout.h"

struct yo_go_position;

struct yo_rollouts yo_playout_rollouts(enum yo_playout_policy policy);
/* Komi and handicap bonus, in half points: what White is ahead by on a board without stones. */
int yo_playout_white_bonus2(const struct yo_go_position *position);
