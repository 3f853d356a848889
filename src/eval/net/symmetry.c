#include "eval/net/symmetry.h"

#include <string.h>

void yo_net_symmetry_plane(int size, int symmetry, const uint64_t *from, uint64_t *to) {
    int words = (size * size + 63) / 64;
    if (symmetry == 0) {
        memcpy(to, from, (size_t)words * sizeof *to);
        return;
    }
    for (int w = 0; w < words; w++) {
        for (uint64_t left = from[w]; left; left &= left - 1) {
            int p = yo_net_symmetry_point(size, symmetry, 64 * w + __builtin_ctzll(left));
            to[p / 64] |= UINT64_C(1) << (p % 64);
        }
    }
}
