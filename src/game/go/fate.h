/* The common-fate graph: each string is one node, each empty point is one node, and edges join
 * neighbours (Graepel, Goutrie, Krueger, Herbrich, "Learning on graphs in the game of Go", 2001).
 * Stones that live and die together are close in this graph, however far apart on the board. */
#pragma once

#include "game/go/board.h"

#define YO_GO_FATE_FAR 255

/* The distance in steps from the nearest of the `count` points (passes and YO_GO_NONE are ignored)
 * to each point, up to `limit`; YO_GO_FATE_FAR beyond. distance has one entry for each point. */
void yo_go_fate_distance(const struct yo_go_board *board, const yo_go_point *from, size_t count,
                         int limit, uint8_t *distance);
