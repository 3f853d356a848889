/* Games of the hardware unit against the scalar reference's, move for move. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "yomi/playout.h"

/* Some random moves from the empty board, with the ko they leave. */
void hw_random_position(struct yo_playout_position *position, int size, int moves);
/* Plays the games on both and fails at the first move that differs. */
void hw_compare_games(const struct yo_playout_position *position, uint64_t seed, uint64_t first,
                      uint32_t games);
/* Skips the test where the unit was not built in. */
void hw_skip_if_absent(void);
