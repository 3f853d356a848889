#include "support/naive_mogo.h"

#include <string.h>

enum { EMPTY, BLACK, WHITE, OFF };

static const int step[4][2] = {{-1, 0}, {0, 1}, {1, 0}, {0, -1}};

/* ---- patterns ---- */

/* The patterns as they are drawn on the page, neither turned nor swapped. */
static bool matches_as_drawn(int g[3][3], int to_move) {
    int nw = g[0][0], n = g[0][1], ne = g[0][2], w = g[1][0], e = g[1][2];
    int sw = g[2][0], s = g[2][1], se = g[2][2];
    bool hane = nw == BLACK && n == WHITE;
    if (hane && ne == BLACK && w == EMPTY && e == EMPTY) return true;
    if (hane && ne == EMPTY && w == EMPTY && e == EMPTY && s == EMPTY) return true;
    if (hane && w == BLACK && e == EMPTY && s == EMPTY) return true;
    if (hane && ne == WHITE && w == EMPTY && e == EMPTY && s == EMPTY && to_move == BLACK)
        return true;
    bool caught = (e == WHITE && s == EMPTY) || (e == EMPTY && s == WHITE);
    if (nw == BLACK && n == WHITE && w == WHITE && !caught) return true;
    if (n == BLACK && w == WHITE && e == WHITE && sw != WHITE && s != WHITE && se != WHITE)
        return true;
    if (sw != OFF || s != OFF || se != OFF) return false;
    if (nw == BLACK && n == EMPTY && w == WHITE) return true;
    if (nw == WHITE && n == BLACK && w == BLACK && e == WHITE) return true;
    if (n == BLACK && w != BLACK && e == WHITE) return true;
    if (n == BLACK && ne == WHITE && w != BLACK && to_move == BLACK) return true;
    return n == WHITE && ne == BLACK && w == BLACK && e == WHITE && to_move == BLACK;
}

static void swap_colors(int g[3][3]) {
    for (int i = 0; i < 9; i++)
        if (g[i / 3][i % 3] == BLACK || g[i / 3][i % 3] == WHITE)
            g[i / 3][i % 3] = 3 - g[i / 3][i % 3];
}

static void transpose(int g[3][3]) {
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < r; c++) {
            int t = g[r][c];
            g[r][c] = g[c][r];
            g[c][r] = t;
        }
}

static void flip_rows(int g[3][3]) {
    for (int c = 0; c < 3; c++) {
        int t = g[0][c];
        g[0][c] = g[2][c];
        g[2][c] = t;
    }
}

/* A flip and a transposition in turn go through all eight symmetries. */
bool naive_pattern(int around[3][3], int to_move) {
    int g[3][3];
    memcpy(g, around, sizeof g);
    for (int swap = 0; swap < 2; swap++) {
        for (int i = 0; i < 8; i++) {
            if (matches_as_drawn(g, to_move)) return true;
            if (i % 2)
                transpose(g);
            else
                flip_rows(g);
        }
        swap_colors(g);
        to_move = 3 - to_move;
    }
    return false;
}

/* ---- the sets ---- */

static int at(const struct naive_board *b, int row, int col) {
    bool on = row >= 0 && row < b->size && col >= 0 && col < b->size;
    return on ? b->color[row][col] : OFF;
}

static void mark_string(const struct naive_board *b, int row, int col, bool in[19][19]) {
    in[row][col] = true;
    for (int d = 0; d < 4; d++) {
        int r = row + step[d][0], c = col + step[d][1];
        if (at(b, r, c) == b->color[row][col] && !in[r][c]) mark_string(b, r, c, in);
    }
}

static bool in_atari(const struct naive_board *b, int row, int col) {
    int stones, liberties;
    naive_string(b, row, col, &stones, &liberties);
    return liberties == 1;
}

static bool touches(const struct naive_board *b, int row, int col, bool in[19][19]) {
    for (int d = 0; d < 4; d++) {
        int r = row + step[d][0], c = col + step[d][1];
        if (at(b, r, c) != OFF && in[r][c]) return true;
    }
    return false;
}

/* Marks the stones of own strings in atari next to the last move; are there any? */
static bool mark_threatened(const struct naive_board *b, int color, int last, bool in[19][19]) {
    bool any = false;
    for (int d = 0; d < 4; d++) {
        int r = last / b->size + step[d][0], c = last % b->size + step[d][1];
        if (at(b, r, c) != color || !in_atari(b, r, c)) continue;
        mark_string(b, r, c, in);
        any = true;
    }
    return any;
}

static bool saves(const struct naive_board *b, int color, int last, int row, int col) {
    bool threatened[19][19] = {{false}};
    if (last < 0 || !mark_threatened(b, color, last, threatened)) return false;
    if (touches(b, row, col, threatened)) return true; /* it is the last liberty of one of them */
    for (int d = 0; d < 4; d++) {
        int r = row + step[d][0], c = col + step[d][1];
        if (at(b, r, c) != 3 - color || !in_atari(b, r, c)) continue;
        bool taken[19][19] = {{false}};
        mark_string(b, r, c, taken);
        for (int p = 0; p < b->size * b->size; p++)
            if (taken[p / b->size][p % b->size] && touches(b, p / b->size, p % b->size, threatened))
                return true;
    }
    return false;
}

static bool fits(const struct naive_board *b, int color, int last, int row, int col) {
    if (last < 0) return false;
    int rows = row - last / b->size, cols = col - last % b->size;
    if (rows < -1 || rows > 1 || cols < -1 || cols > 1) return false;
    int around[3][3];
    for (int i = 0; i < 9; i++)
        around[i / 3][i % 3] = at(b, row + i / 3 - 1, col + i % 3 - 1);
    return naive_pattern(around, color);
}

static bool captures(const struct naive_board *b, int color, int row, int col) {
    for (int d = 0; d < 4; d++) {
        int r = row + step[d][0], c = col + step[d][1];
        if (at(b, r, c) == 3 - color && in_atari(b, r, c)) return true;
    }
    return false;
}

/* ---- the attempt ---- */

struct turn {
    bool struck[19][19], aside[19][19];
};

static bool is_candidate(const struct naive_board *b, const struct turn *turn, int color, int row,
                         int col) {
    bool ko = row == b->ko_row && col == b->ko_col;
    return b->color[row][col] == EMPTY && !ko && !turn->struck[row][col] &&
           !naive_is_eye(b, color, row, col);
}

/* Steps 2 to 5: the points of the first set that has any, and the step that it came from. */
static int find_set(const struct naive_board *b, const struct turn *turn, int color, int last,
                    int *points, int *count) {
    for (int number = 2; number <= 5; number++) {
        *count = 0;
        for (int p = 0; p < b->size * b->size; p++) {
            int r = p / b->size, c = p % b->size;
            if (!is_candidate(b, turn, color, r, c)) continue;
            if (number <= 3 && turn->aside[r][c]) continue;
            if (number == 2 && !saves(b, color, last, r, c)) continue;
            if (number == 3 && !fits(b, color, last, r, c)) continue;
            if (number == 4 && !captures(b, color, r, c)) continue;
            points[(*count)++] = p;
        }
        if (*count > 0) return number;
    }
    return 5;
}

static bool is_self_atari(const struct naive_board *b, int color, int row, int col) {
    struct naive_board copy = *b;
    if (naive_play(&copy, color, row, col) > 0) return false;
    return copy.color[row][col] != color || in_atari(&copy, row, col);
}

/* One attempt: the move, -1 for a pass, or -2 when it came to nothing. */
static int attempt(const struct naive_board *b, struct turn *turn, int color, int last,
                   uint32_t random) {
    int points[361], n, number = find_set(b, turn, color, last, points, &n);
    if (n == 0) return -1;
    int k = naive_draw(random, n, b->size);
    if (k < 0) return -2;
    int p = points[k], r = p / b->size, c = p % b->size;
    if (number <= 4 && is_self_atari(b, color, r, c)) {
        turn->aside[r][c] = true;
        return -2;
    }
    if (number == 5 && !naive_legal(b, color, r, c)) {
        turn->struck[r][c] = true;
        return -2;
    }
    return p;
}

void naive_playout_mogo(struct naive_board *board, int to_move, int last, bool pure, uint64_t seed,
                        uint64_t number, struct naive_game *game) {
    int size = board->size, passes = 0, state[64];
    struct turn turn = {0};
    naive_rng_seed(seed, number, state);
    game->move_count = 0;
    while (passes < 2 && game->move_count < 3 * size * size) {
        int p = attempt(board, &turn, to_move, pure ? -1 : last, naive_rng_next(state));
        if (p == -2) continue;
        if (p >= 0)
            naive_play(board, to_move, p / size, p % size);
        else
            board->ko_row = board->ko_col = -1;
        passes = p >= 0 ? 0 : passes + 1;
        game->moves[game->move_count++] = last = p;
        memset(&turn, 0, sizeof turn);
        to_move = 3 - to_move;
    }
    naive_find_owners(board, game);
}
