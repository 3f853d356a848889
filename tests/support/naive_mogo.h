/* The judge of the MoGo policy: section 7 of docs/playout.md followed word by word on the naive
 * board, point by point. Shares nothing with the engine. */
#pragma once

#include "support/naive_playout.h"

/* Does a pattern match? around: 0 empty, 1 black, 2 white, 3 off the board; the middle is ignored.
 */
bool naive_pattern(int around[3][3], int to_move);

/* Plays on `board`, which is changed. last: the opponent's last move, or -1. pure: without steps 2
 * and 3. */
void naive_playout_mogo(struct naive_board *board, int to_move, int last, bool pure, uint64_t seed,
                        uint64_t number, struct naive_game *game);
