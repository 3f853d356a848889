/* Sets of squares: 81 bits in two words. Files 1 to 7 fill 63 bits of the low word and files 8 and
 * 9 the bottom of the high one, so that no file is cut in two. The bit between them is never set.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

__extension__ typedef unsigned __int128 yo_bb;

static inline yo_bb bb_make(uint64_t high, uint64_t low) { return (yo_bb)high << 64 | low; }
static inline uint64_t bb_low(yo_bb b) { return (uint64_t)b; }
static inline uint64_t bb_high(yo_bb b) { return (uint64_t)(b >> 64); }

#define BB_ALL     bb_make(0x3ffff, 0x7fffffffffffffff)
#define BB_RANK(r) bb_make((uint64_t)0x201 << (r), (uint64_t)0x0040201008040201 << (r))

/* Not for YO_SHOGI_NO_SQUARE. */
static inline yo_bb bb_square(int square) {
    return square < 63 ? bb_make(0, UINT64_C(1) << square)
                       : bb_make(UINT64_C(1) << (square - 63), 0);
}

static inline bool bb_has(yo_bb b, int square) {
    return (square < 63 ? bb_low(b) >> square : bb_high(b) >> (square - 63)) & 1;
}

/* The first square of a set that is not empty. */
static inline int bb_first(yo_bb b) {
    return bb_low(b) ? __builtin_ctzll(bb_low(b)) : 63 + __builtin_ctzll(bb_high(b));
}

/* Removes and returns the first square. */
static inline int bb_pop(yo_bb *b) {
    int square = bb_first(*b);
    *b &= *b - 1;
    return square;
}

static inline bool bb_many(yo_bb b) { return (b & (b - 1)) != 0; }

static inline int bb_count(yo_bb b) {
    return __builtin_popcountll(bb_low(b)) + __builtin_popcountll(bb_high(b));
}

/* Reverses the bytes of each word. A ray that is not along a file has at most one square in each
 * byte, so this reverses its direction. */
static inline yo_bb bb_turn(yo_bb b) {
    return bb_make(__builtin_bswap64(bb_low(b)), __builtin_bswap64(bb_high(b)));
}
