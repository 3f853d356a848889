/* The judge of whole games: the naive board with every earlier position kept and compared stone by
 * stone. */
#pragma once

#include <stdint.h>

#include "support/naive_go.h"

#define NAIVE_HISTORY_MAX 4096

enum naive_ko { NAIVE_SIMPLE, NAIVE_POSITIONAL, NAIVE_SITUATIONAL };

struct naive_game {
    struct naive_board board;
    enum naive_ko ko;
    bool suicide;
    int to_move, last_mover; /* 1 black, 2 white; last_mover 0 at the start */
    int passes;
    int count; /* positions, the start's included */
    struct {
        signed char color[19][19];
        int to_move;
    } past[NAIVE_HISTORY_MAX];
};

void naive_game_init(struct naive_game *game, int size, enum naive_ko ko, bool suicide);
/* Either colour may move. */
bool naive_game_legal(const struct naive_game *game, int color, int row, int col);
/* row -1 is a pass. */
void naive_game_play(struct naive_game *game, int color, int row, int col);
/* Sequences of legal moves, as src/game/go/perft.h defines them. */
uint64_t naive_perft(struct naive_game *game, int depth, bool passes);
