/* What the kernel and its judge (plain.c) must agree on: the constants of the thesis' playout, the
 * record of a game, and what the thesis leaves open and we had to choose: the generator, the draw
 * of a cell from it, and a cap on the length of a game. C and CUDA C++. */
#pragma once

#include <stdint.h>

#ifdef __CUDACC__
#define TANO_SHARED static inline __host__ __device__
#else
#define TANO_SHARED static inline
#endif

enum {
    TANO_SIDE = 9,
    TANO_ROWS = TANO_SIDE + 2,          /* section 4.3: two sentinel rows, and as many columns */
    TANO_CELLS = TANO_ROWS * TANO_ROWS, /* section 5.3: sentinels are drawn too */
    TANO_TRIES = 10,                    /* section 4.5: then a pass */
    TANO_MOVES_MAX = 1000,              /* ours; the longest of a million games has 208 */
    TANO_PASS = 0,                      /* cell 0 is a corner of the frame: no move can have it */
};

/* A move: where, after how many draws, and how often (4.7) was applied until nothing changed, the
 * last time counted. */
struct tano_move {
    uint8_t cell, tries, steps;
};

/* How a game ended. The score is Black's stones and empty points that touch only Black, less
 * White's (ours: the thesis does not say how it counts). */
struct tano_result {
    int16_t score;
    uint16_t moves;
};

/* A different stream for each game: a bijection of its number, never zero below 2^32 - 1. */
TANO_SHARED uint32_t tano_seed(uint32_t game) {
    uint32_t x = (game + 1) * 0x9e3779b9u;
    x = (x ^ x >> 16) * 0x85ebca6bu;
    x = (x ^ x >> 13) * 0xc2b2ae35u;
    return x ^ x >> 16;
}

/* Xorshift with Marsaglia's shifts 13, 17, 5; the cell from its upper bits. */
TANO_SHARED uint32_t tano_draw(uint32_t *state) {
    uint32_t x = *state;
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    *state = x;
    return (x >> 8) * TANO_CELLS >> 24;
}
