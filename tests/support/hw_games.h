/* Games of the hardware unit against the scalar reference's, move for move. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "yomi/playout.h"

/* Plays the games on both and fails at the first move that differs. */
void hw_compare_games(const struct yo_playout_position *position, uint64_t seed, uint64_t first,
                      uint32_t games);
/* The same from so many positions of each size, from empty to crowded. */
struct hw_round {
    int size;
    uint32_t games;
};
void hw_compare_sizes(unsigned seed, int fills, const struct hw_round *rounds, size_t count);
/* Skips the test where the unit was not built in. */
void hw_skip_if_absent(void);
