/* Bit tricks that more than one module needs. */
#pragma once

#include <stdint.h>

/* Transposes a 64x64 bit matrix in place: bit j of row i becomes bit i of row j. */
static inline void yo_bits_transpose64(uint64_t rows[64]) {
    uint64_t mask = 0x00000000ffffffffu;
    for (unsigned width = 32; width > 0; width >>= 1, mask ^= mask << width)
        for (unsigned block = 0; block < 64; block += 2 * width)
            for (unsigned k = block; k < block + width; k++) {
                uint64_t swap = (rows[k] >> width ^ rows[k + width]) & mask;
                rows[k] ^= swap << width;
                rows[k + width] ^= swap;
            }
}
