/* The common-fate graph: a string is one node, an empty point is one, and neighbours are joined
 * (Graepel, Goutrie, Krueger, Herbrich, "Learning on graphs in the game of Go", 2001). Stones that
 * live and die together are near each other in it, however far apart on the board. */
#pragma once

#include "game/go/board.h"

#define YO_GO_FATE_FAR 255

/* The steps from the nearest of the `count` points (passes and YO_GO_NONE are left out) to each
 * point, at most `limit`; YO_GO_FATE_FAR for those farther away. distance has an entry a point. */
void yo_go_fate_distance(const struct yo_go_board *board, const yo_go_point *from, size_t count,
                         int limit, uint8_t *distance);
