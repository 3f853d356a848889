/* The parts of docs/playout.md that every backend shares: the generator, the draw, the limits.
 * Section numbers refer to that document. */
#pragma once

#include <stdint.h>

#include "yomi/playout.h"

/* 2. A 64-bit linear feedback shift register, 32 steps at a time:
 *    x[n+64] = x[n] ^ x[n+9] ^ x[n+19] ^ x[n+31], period 2^64 - 1,
 *    read through the filter x[n] ^ (x[n+13] & x[n+27]). Bit 0 is the oldest. */
#define YO_PLAYOUT_TAP1    9
#define YO_PLAYOUT_TAP2    19
#define YO_PLAYOUT_TAP3    31
#define YO_PLAYOUT_FILTER1 13
#define YO_PLAYOUT_FILTER2 27

static inline uint32_t yo_playout_next(uint64_t *state) {
    uint64_t s = *state;
    uint32_t out = (uint32_t)(s ^ (s >> YO_PLAYOUT_FILTER1 & s >> YO_PLAYOUT_FILTER2));
    uint64_t fresh = s ^ s >> YO_PLAYOUT_TAP1 ^ s >> YO_PLAYOUT_TAP2 ^ s >> YO_PLAYOUT_TAP3;
    *state = s >> 32 | fresh << 32;
    return out;
}

/* The start state of a game: eight rounds of add, rotate and XOR over the game number, keyed by
 * the seed. For one seed it is a bijection, so that no two games share a stream's beginning. */
static inline uint64_t yo_playout_seed(uint64_t seed, uint64_t game) {
    uint32_t x = (uint32_t)(game >> 32), y = (uint32_t)game;
    for (uint32_t round = 0; round < 8; round++) {
        uint32_t key = (uint32_t)(round & 1 ? seed >> 32 : seed) ^ round;
        x = ((x >> 8 | x << 24) + y) ^ key;
        y = (y << 3 | y >> 29) ^ x;
    }
    uint64_t state = (uint64_t)x << 32 | y;
    return state ? state : 1; /* the register must not be zero */
}

/* 3. Bits a try takes, and tries an attempt has: as many as 32 random bits hold, at most four. */
static inline int yo_playout_draw_bits(int size) {
    int bits = 1;
    while ((size * size - 1) >> bits)
        bits++;
    return bits;
}

static inline int yo_playout_draw_tries(int size) {
    int tries = 32 / yo_playout_draw_bits(size);
    return tries < 4 ? tries : 4;
}

/* Uniform below n (n >= 1) by masking and rejection; -1 when every try was rejected. */
static inline int yo_playout_draw(uint32_t random, unsigned n, int bits, int tries) {
    unsigned last = n - 1, mask = last;
    mask |= mask >> 1;
    mask |= mask >> 2;
    mask |= mask >> 4;
    mask |= mask >> 8;
    int k = -1; /* from the last try to the first, so that the first valid one wins */
    for (int t = tries - 1; t >= 0; t--) {
        unsigned tried = random >> t * bits & mask;
        k = tried <= last ? (int)tried : k;
    }
    return k;
}

/* 5. A game is cut off after this many moves, passes counted. */
static inline uint32_t yo_playout_move_limit(int size) { return 3u * (unsigned)(size * size); }
#define YO_PLAYOUT_MOVES_MAX (3 * YO_GO_POINTS_MAX)
