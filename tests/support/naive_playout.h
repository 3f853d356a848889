/* The judge of playouts: docs/playout.md followed word by word on the naive board, with a
 * generator that moves one bit at a time. Shares nothing with the engine. */
#pragma once

#include <stdint.h>

#include "support/naive_go.h"

struct naive_game {
    int move_count;
    int moves[3 * 361]; /* row * size + column, or -1 for a pass */
    int score;
    int owner[19][19];
};

/* The light policy. Plays on `board`, which is changed. to_move: 1 black, 2 white. */
void naive_playout(struct naive_board *board, int to_move, uint64_t seed, uint64_t number,
                   struct naive_game *game);

/* Section 3: a number below n from 32 random bits, or -1. */
int naive_draw(uint32_t random, int n, int size);
/* Section 6: who owns each point, and the score. */
void naive_find_owners(const struct naive_board *board, struct naive_game *game);

/* The generator, for tests of it: the next 32 bits, bit 0 first. */
void naive_rng_seed(uint64_t seed, uint64_t number, int state[64]);
uint32_t naive_rng_next(int state[64]);
