/* Shogi positions by chance: from games of random moves, and pieces strewn over the board. */
#pragma once

#include <stdint.h>

#include "game/shogi/position.h"

uint32_t shogi_random(uint64_t *state, uint32_t below);
/* Plays random legal moves from the start; ends early where there are none. */
void shogi_random_game(uint64_t *state, int moves, struct yo_shogi_position *pos);
/* Any set-up that yo_shogi_position_settle accepts, kings or none. */
void shogi_random_setup(uint64_t *state, struct yo_shogi_position *pos);
