/* The judge of the rich policy: section 8 of docs/playout.md followed word by word on the naive
 * board, point by point. Shares nothing with the engine but the learned weights. */
#pragma once

#include "support/naive_playout.h"

/* Plays on `board`, which is changed. last: the opponent's last move, or -1. */
void naive_playout_rich(struct naive_board *board, int to_move, int last, uint64_t seed,
                        uint64_t number, struct naive_game *game);
