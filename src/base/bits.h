/* Bit tricks that more than one module needs. */
#pragma once

#include <stdint.h>

/* Transposes a 64x64 bit matrix in place: bit j of row i becomes bit i of row j. */
static inline void yo_bits_transpose64(uint64_t rows[64]) {
    /* Written out by width, so that each stage is a loop that compilers turn into vectors. */
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
