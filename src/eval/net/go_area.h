/* Who owns which points, as the inputs of KataGo's networks define it: unconditional life and
 * what it encloses, then every empty region that touches one colour only, then the stones. */
#pragma once

#include "game/go/sets.h"

/* area[p] becomes the owner, or YO_GO_EMPTY. With a tax a connected area that touches a neutral
 * point, or holds a stone of its owner in atari, counts as seki: its stones count, its empty
 * points and prisoners do not. */
void yo_go_area(const struct yo_go_board *board, bool suicide, bool taxed,
                uint8_t area[YO_GO_POINTS_MAX]);
/* The same as sets from the sets of stones: Black's, White's. */
void yo_go_area_sets(const struct yo_go_board *board, const struct yo_go_set stones[2],
                     bool suicide, bool taxed, struct yo_go_set area[2]);
