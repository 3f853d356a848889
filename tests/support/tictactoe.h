/* Noughts and crosses: a game that is not Go, small enough to be solved, for the tree searches. A
 * move is a cell, 0 to 8. */
#pragma once

#include "eval/rollout.h"
#include "game/game.h"

struct ttt {
    uint8_t cells[9]; /* 0 empty, 1 the first side's, 2 the other's */
    uint8_t to_move;  /* 0 or 1 */
};

extern const struct yo_game_ops ttt_ops;
/* Random games. */
struct yo_rollouts ttt_rollouts(void);
/* By minimax, for the side to move: +1 wins, 0 draws, -1 loses. */
int ttt_value(const struct ttt *position);
/* The value of a move for the side that makes it. */
int ttt_move_value(const struct ttt *position, yo_move move);
