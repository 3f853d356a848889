#include "support/naive_go.h"

#include <string.h>

static const int step[4][2] = {{-1, 0}, {0, 1}, {1, 0}, {0, -1}};
static const int diagonal[4][2] = {{-1, 1}, {1, 1}, {1, -1}, {-1, -1}};

static bool on_board(const struct naive_board *b, int row, int col) {
    return row >= 0 && row < b->size && col >= 0 && col < b->size;
}

void naive_init(struct naive_board *board, int size) {
    memset(board, 0, sizeof *board);
    board->size = size;
    board->ko_row = board->ko_col = -1;
}

static void fill(const struct naive_board *b, int row, int col, bool seen[19][19], int *stones,
                 int *liberties) {
    int color = b->color[row][col];
    seen[row][col] = true;
    ++*stones;
    for (int d = 0; d < 4; d++) {
        int r = row + step[d][0], c = col + step[d][1];
        if (!on_board(b, r, c) || seen[r][c]) continue;
        if (b->color[r][c] == 0) {
            seen[r][c] = true;
            ++*liberties;
        } else if (b->color[r][c] == color) {
            fill(b, r, c, seen, stones, liberties);
        }
    }
}

void naive_string(const struct naive_board *board, int row, int col, int *stones, int *liberties) {
    bool seen[19][19] = {{false}};
    *stones = *liberties = 0;
    fill(board, row, col, seen, stones, liberties);
}

static int remove_string(struct naive_board *b, int row, int col) {
    int color = b->color[row][col], count = 1;
    b->color[row][col] = 0;
    for (int d = 0; d < 4; d++) {
        int r = row + step[d][0], c = col + step[d][1];
        if (on_board(b, r, c) && b->color[r][c] == color) count += remove_string(b, r, c);
    }
    return count;
}

int naive_play(struct naive_board *board, int color, int row, int col) {
    int taken = 0, taken_row = -1, taken_col = -1, stones, liberties;
    board->color[row][col] = color;
    board->ko_row = board->ko_col = -1;
    for (int d = 0; d < 4; d++) {
        int r = row + step[d][0], c = col + step[d][1];
        if (!on_board(board, r, c) || board->color[r][c] != 3 - color) continue;
        naive_string(board, r, c, &stones, &liberties);
        if (liberties > 0) continue;
        taken += remove_string(board, r, c);
        taken_row = r;
        taken_col = c;
    }
    naive_string(board, row, col, &stones, &liberties);
    if (liberties == 0) remove_string(board, row, col);
    if (taken == 1 && stones == 1 && liberties == 1) {
        board->ko_row = taken_row;
        board->ko_col = taken_col;
    }
    return taken;
}

bool naive_legal(const struct naive_board *board, int color, int row, int col) {
    if (board->color[row][col] != 0) return false;
    if (row == board->ko_row && col == board->ko_col) return false;
    struct naive_board copy = *board;
    naive_play(&copy, color, row, col);
    return copy.color[row][col] == color;
}

bool naive_is_eye(const struct naive_board *board, int color, int row, int col) {
    for (int d = 0; d < 4; d++) {
        int r = row + step[d][0], c = col + step[d][1];
        if (on_board(board, r, c) && board->color[r][c] != color) return false;
    }
    int enemies = 0, outside = 0;
    for (int d = 0; d < 4; d++) {
        int r = row + diagonal[d][0], c = col + diagonal[d][1];
        if (!on_board(board, r, c))
            outside++;
        else if (board->color[r][c] == 3 - color)
            enemies++;
    }
    return outside ? enemies == 0 : enemies < 2;
}
