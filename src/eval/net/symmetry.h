/* The eight symmetries of a board, numbered as KataGo does: bit 0 turns it upside down, bit 1 left
 * to right, then bit 2 exchanges rows and columns. */
#pragma once

#include <stdint.h>

enum { YO_NET_SYMMETRIES = 8 };

/* The point's place after the symmetry. */
static inline int yo_net_symmetry_point(int size, int symmetry, int point) {
    int y = point / size, x = point % size;
    if (symmetry & 1) y = size - 1 - y;
    if (symmetry & 2) x = size - 1 - x;
    return symmetry & 4 ? x * size + y : y * size + x;
}

/* The places of all points after the symmetry; sizes from 1 to 19. */
const uint16_t *yo_net_symmetry_points(int size, int symmetry);

/* Applies a symmetry to a set of points; `to` comes zeroed. */
void yo_net_symmetry_plane(int size, int symmetry, const uint64_t *from, uint64_t *to);
