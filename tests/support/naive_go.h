/* The judge: a Go board by flood fill, slow and obvious, that shares nothing with the engine's. */
#pragma once

#include <stdbool.h>

struct naive_board {
    int size;
    int color[19][19];  /* 0 empty, 1 black, 2 white */
    int ko_row, ko_col; /* -1 when there is none */
};

void naive_init(struct naive_board *board, int size);
/* Stones and liberties of the string at (row, col). */
void naive_string(const struct naive_board *board, int row, int col, int *stones, int *liberties);
/* Empty, not the ko point, not suicide. */
bool naive_legal(const struct naive_board *board, int color, int row, int col);
/* Plays a legal move (or suicide), removes what dies, sets ko. Returns stones taken from the
 * opponent. */
int naive_play(struct naive_board *board, int color, int row, int col);
/* An eye of `color` as docs/playout.md defines it. */
bool naive_is_eye(const struct naive_board *board, int color, int row, int col);
