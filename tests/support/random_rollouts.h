/* Random games of any game's table, for trees: uniform moves, a draw where they are too long. */
#pragma once

#include "eval/rollout.h"
#include "game/game.h"

/* Moves of a game before it counts as a draw. */
#define RANDOM_MOVES_MAX 80

struct yo_rollouts random_rollouts(const struct yo_game_ops *game);
