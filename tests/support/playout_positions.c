#include "support/playout_positions.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

void empty_position(struct yo_playout_position *position, int size) {
    memset(position, 0, sizeof *position);
    position->size = (uint8_t)size;
    position->to_move = YO_GO_BLACK;
    position->ko = position->last = YO_GO_NONE;
}

void random_position(struct yo_playout_position *position, int size, int moves) {
    struct naive_board board;
    naive_init(&board, size);
    int color = 1;
    empty_position(position, size);
    for (int i = 0; i < moves; i++) {
        int p = rand() % (size * size);
        bool pass = rand() % 16 == 0;
        if (!pass && !naive_legal(&board, color, p / size, p % size)) continue;
        if (pass)
            board.ko_row = board.ko_col = -1;
        else
            naive_play(&board, color, p / size, p % size);
        position->last = pass ? YO_GO_PASS : (yo_go_point)p;
        color = 3 - color;
    }
    for (int p = 0; p < size * size; p++)
        position->stones[p] = (uint8_t)board.color[p / size][p % size];
    position->to_move = (uint8_t)color;
    if (board.ko_row >= 0) position->ko = (yo_go_point)(board.ko_row * size + board.ko_col);
}

void position_to_naive(const struct yo_playout_position *position, struct naive_board *board) {
    int size = position->size;
    naive_init(board, size);
    for (int p = 0; p < size * size; p++)
        board->color[p / size][p % size] = position->stones[p];
    if (position->ko == YO_GO_NONE) return;
    board->ko_row = position->ko / size;
    board->ko_col = position->ko % size;
}
