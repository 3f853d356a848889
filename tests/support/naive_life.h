/* The judge of game/go/benson.h and eval/net/go_area.h: the same by flood fill, point by point. */
#pragma once

#include "game/go/board.h"

void naive_benson(const struct yo_go_board *board, bool suicide, uint8_t *alive);
void naive_area(const struct yo_go_board *board, bool suicide, bool taxed,
                uint8_t area[YO_GO_POINTS_MAX]);

/* A board of many stones and few liberties, by random moves that do not fill eyes, or mostly so. */
void naive_life_board(struct yo_go_board *board, int size, unsigned *seed);
