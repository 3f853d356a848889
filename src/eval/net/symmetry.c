#include "eval/net/symmetry.h"

#include <pthread.h>
#include <string.h>

enum { LARGEST = 19 };

static uint16_t places[LARGEST + 1][YO_NET_SYMMETRIES][LARGEST * LARGEST];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void make_places(void) {
    for (int size = 1; size <= LARGEST; size++)
        for (int symmetry = 0; symmetry < YO_NET_SYMMETRIES; symmetry++)
            for (int p = 0; p < size * size; p++)
                places[size][symmetry][p] = (uint16_t)yo_net_symmetry_point(size, symmetry, p);
}

const uint16_t *yo_net_symmetry_points(int size, int symmetry) {
    pthread_once(&once, make_places);
    return places[size][symmetry];
}

void yo_net_symmetry_plane(int size, int symmetry, const uint64_t *from, uint64_t *to) {
    int words = (size * size + 63) / 64;
    if (symmetry == 0) {
        memcpy(to, from, (size_t)words * sizeof *to);
        return;
    }
    const uint16_t *place = yo_net_symmetry_points(size, symmetry);
    for (int w = 0; w < words; w++) {
        for (uint64_t left = from[w]; left; left &= left - 1) {
            unsigned p = place[64 * w + __builtin_ctzll(left)];
            to[p / 64] |= UINT64_C(1) << (p % 64);
        }
    }
}
