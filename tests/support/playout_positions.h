/* Positions for tests of playouts, and what the naive board makes of them. */
#pragma once

#include "support/naive_go.h"
#include "yomi/playout.h"

void empty_position(struct yo_playout_position *position, int size);
/* Random moves from the empty board, by rand(), passes among them; ko point and last move are
 * kept. */
void random_position(struct yo_playout_position *position, int size, int moves);
void position_to_naive(const struct yo_playout_position *position, struct naive_board *board);
