/* Bit tricks that more than one module needs. */
#pragma once

#include <stdint.h>

/* Transposes a 64x64 bit matrix in place: bit j of row i becomes bit i of row j. */
static inline void yo_bits_transpose64(uint64_t rows[64]) {
    /* One loop for each width, so that compilers vectorise each stage. */
#define YO_TRANSPOSE_STAGE(width, mask)                                                            \
    for (unsigned block = 0; block < 64; block += 2 * (width))                                     \
        for (unsigned k = block; k < block + (width); k++) {                                       \
            uint64_t swap = (rows[k] >> (width) ^ rows[k + (width)]) & (mask);                     \
            rows[k] ^= swap << (width);                                                            \
            rows[k + (width)] ^= swap;                                                             \
        }
    YO_TRANSPOSE_STAGE(32, 0x00000000ffffffffu)
    YO_TRANSPOSE_STAGE(16, 0x0000ffff0000ffffu)
    YO_TRANSPOSE_STAGE(8, 0x00ff00ff00ff00ffu)
    YO_TRANSPOSE_STAGE(4, 0x0f0f0f0f0f0f0f0fu)
    YO_TRANSPOSE_STAGE(2, 0x3333333333333333u)
    YO_TRANSPOSE_STAGE(1, 0x5555555555555555u)
#undef YO_TRANSPOSE_STAGE
}

/* The index of the k-th set bit of a word, counting k from 0; the bit must exist. Branch-free:
 * prefix sums over the bytes find the byte (the number of bytes whose sum is at most k), then the
 * same step finds the bit in the byte. */
static inline unsigned yo_bits_select64(uint64_t word, unsigned k) {
    const uint64_t ones = 0x0101010101010101u, tops = 0x8080808080808080u;
    uint64_t sums = word - (word >> 1 & 0x5555555555555555u);
    sums = (sums & 0x3333333333333333u) + (sums >> 2 & 0x3333333333333333u);
    sums = ((sums + (sums >> 4)) & 0x0f0f0f0f0f0f0f0fu) * ones; /* byte i: bits in bytes 0..i */
    uint64_t below = ((k * ones | tops) - sums) & tops;         /* bytes whose sum is at most k */
    unsigned place = (unsigned)((below >> 7) * ones >> 56) * 8;
    unsigned rest = k - (unsigned)(sums << 8 >> place & 0xff);
    /* Spread the bits of the byte over eight bytes and repeat. */
    uint64_t byte = (word >> place & 0xff) * ones & 0x8040201008040201u;
    uint64_t bits = ((byte + 0x7f7f7f7f7f7f7f7fu) | byte) >> 7 & ones;
    sums = bits * ones;
    below = ((rest * ones | tops) - sums) & tops;
    return place + (unsigned)((below >> 7) * ones >> 56);
}
