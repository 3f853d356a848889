/* The backend that plays on the simulated hardware unit, and the unit's counters. */
#pragma once

#include "eval/playout/backend.h"

extern const struct yo_playout_backend yo_playout_hw;

/* The unit's counters, for measurements. */
struct yo_hw_counts {
    uint64_t games, moves, cycles, attempts, repeats;
};

/* Plays a batch on a fresh unit and reads its counters; false where there is no model for the
 * size. */
bool yo_hw_measure(const struct yo_playout_position *position, uint64_t seed, uint32_t games,
                   struct yo_hw_counts *counts);
