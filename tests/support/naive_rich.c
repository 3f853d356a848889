#include "support/naive_rich.h"

#include <string.h>

#include "eval/playout/rich_weights.h"
#include "support/naive_ladder.h"
#include "support/naive_mogo.h"

enum { EMPTY, BLACK, WHITE, OFF };

static const int step[8][2] = {{-1, 0}, {0, 1}, {1, 0},  {0, -1},
                               {-1, 1}, {1, 1}, {1, -1}, {-1, -1}};

static int at(const struct naive_board *b, int row, int col) {
    bool on = row >= 0 && row < b->size && col >= 0 && col < b->size;
    return on ? b->color[row][col] : OFF;
}

static int color_at(const struct naive_board *b, int p) {
    return b->color[p / b->size][p % b->size];
}

/* The point in direction d, or -1. */
static int beside(const struct naive_board *b, int p, int d) {
    int row = p / b->size + step[d][0], col = p % b->size + step[d][1];
    return at(b, row, col) == OFF ? -1 : row * b->size + col;
}

static bool is_near(const struct naive_board *b, int p, int last) {
    for (int d = 0; d < 8; d++)
        if (beside(b, last, d) == p) return true;
    return false;
}

static bool is_self_atari(const struct naive_board *b, int color, int p) {
    struct naive_board copy = *b;
    if (naive_play(&copy, color, p / b->size, p % b->size) > 0) return false;
    return color_at(&copy, p) != color || naive_liberties(&copy, p) == 1;
}

/* Stones that touch another of the string, and the most that one of them touches. */
static int string_shape(const struct naive_board *b, const bool *string, int *count, int *most) {
    int contacts = 0;
    *count = *most = 0;
    for (int p = 0; p < b->size * b->size; p++) {
        int touched = 0;
        for (int d = 0; d < 4; d++)
            touched += string[p] && beside(b, p, d) >= 0 && string[beside(b, p, d)];
        *count += string[p];
        if (touched > *most) *most = touched;
        contacts += touched;
    }
    return contacts / 2;
}

static void mark_string(const struct naive_board *b, int p, bool *string) {
    string[p] = true;
    for (int d = 0; d < 4; d++) {
        int q = beside(b, p, d);
        if (q >= 0 && color_at(b, q) == color_at(b, p) && !string[q]) mark_string(b, q, string);
    }
}

/* Puts itself in atari, in no shape that would leave a single eye when it is taken. */
static bool is_blunder(const struct naive_board *b, int color, int p) {
    struct naive_board copy = *b;
    bool string[361] = {false};
    int count, most;
    if (!is_self_atari(b, color, p)) return false;
    copy.color[p / b->size][p % b->size] = color;
    mark_string(&copy, p, string);
    int contacts = string_shape(&copy, string, &count, &most);
    bool pyramid_or_square = count == 4 && (most == 3 || contacts == 4);
    bool bulky_or_crossed = count == 5 && (most == 4 || contacts == 5);
    bool flowery = count == 6 && most == 4 && contacts == 6;
    return count > 3 && !pyramid_or_square && !bulky_or_crossed && !flowery;
}

/* ---- the rules ---- */

static bool takes_last(const struct naive_board *b, int color, int last, int p) {
    return color_at(b, last) == 3 - color && naive_liberties(b, last) == 1 &&
           naive_is_liberty(b, p, last);
}

static bool saves(const struct naive_board *b, int color, int last, int p) {
    for (int d = 0; d < 4; d++) {
        int q = beside(b, last, d);
        if (q < 0 || color_at(b, q) != color || naive_liberties(b, q) != 1) continue;
        if (naive_takes_chaser(b, p, q)) return true;
        naive_ladder_nodes = 0;
        if (naive_is_liberty(b, p, q) && naive_frees(b, q, p)) return true;
    }
    return false;
}

/* Marks the empty points connected to p; returns how many, and the colours they border on. */
static int flood(const struct naive_board *b, int p, bool *space, bool *borders) {
    int count = 1;
    space[p] = true;
    for (int d = 0; d < 4; d++) {
        int q = beside(b, p, d);
        if (q < 0) continue;
        borders[color_at(b, q)] = true;
        if (color_at(b, q) == EMPTY && !space[q]) count += flood(b, q, space, borders);
    }
    return count;
}

/* Does the space fall apart without p? */
static bool divides(const struct naive_board *b, const bool *space, int count, int p) {
    struct naive_board copy;
    naive_init(&copy, b->size);
    for (int q = 0; q < b->size * b->size; q++)
        copy.color[q / b->size][q % b->size] = space[q] && q != p ? EMPTY : BLACK;
    for (int q = 0; q < b->size * b->size; q++) {
        bool part[361] = {false}, borders[4];
        if (color_at(&copy, q) == EMPTY) return flood(&copy, q, part, borders) < count - 1;
    }
    return false;
}

static bool divides_eyes(const struct naive_board *b, int last, int p) {
    bool space[361] = {false}, borders[4] = {false}, near = false;
    if (color_at(b, p) != EMPTY) return false;
    int count = flood(b, p, space, borders), dividing = 0;
    if (count > 6 || (borders[BLACK] && borders[WHITE])) return false;
    for (int q = 0; q < b->size * b->size; q++) {
        if (!space[q]) continue;
        near |= is_near(b, q, last);
        dividing += divides(b, space, count, q);
    }
    return near && dividing == 1 && divides(b, space, count, p);
}

static bool fits(const struct naive_board *b, int color, int last, int p) {
    int around[3][3];
    for (int i = 0; i < 9; i++)
        around[i / 3][i % 3] = at(b, p / b->size + i / 3 - 1, p % b->size + i % 3 - 1);
    return is_near(b, p, last) && naive_pattern(around, color) && !is_self_atari(b, color, p);
}

static bool captures(const struct naive_board *b, int color, int p) {
    for (int d = 0; d < 4; d++) {
        int q = beside(b, p, d);
        if (q >= 0 && color_at(b, q) == 3 - color && naive_liberties(b, q) == 1) return true;
    }
    return false;
}

static bool applies(const struct naive_board *b, int rule, int color, int last, int p) {
    if (rule <= 4 && last < 0) return false;
    switch (rule) {
    case 1:
        return takes_last(b, color, last, p);
    case 2:
        return saves(b, color, last, p);
    case 3:
        return divides_eyes(b, last, p);
    case 4:
        return fits(b, color, last, p);
    case 5:
        return captures(b, color, p);
    default:
        return true;
    }
}

/* ---- the attempt ---- */

struct turn {
    int rule, count, points[361];
};

static void begin(const struct naive_board *b, int color, int last, struct turn *turn) {
    turn->count = 0;
    for (turn->rule = 1; turn->rule <= 6; turn->rule++) {
        for (int p = 0; p < b->size * b->size; p++) {
            int row = p / b->size, col = p % b->size;
            if (b->color[row][col] != EMPTY || naive_is_eye(b, color, row, col)) continue;
            if (row == b->ko_row && col == b->ko_col) continue;
            if (applies(b, turn->rule, color, last, p)) turn->points[turn->count++] = p;
        }
        if (turn->count > 0) return;
    }
}

static void strike(struct turn *turn, int k) {
    turn->count--;
    memmove(&turn->points[k], &turn->points[k + 1], sizeof(int) * (size_t)(turn->count - k));
}

static unsigned weight_of(const struct naive_board *b, int color, int p) {
    unsigned code = 0;
    for (int d = 0; d < 8; d++)
        code |= (unsigned)at(b, p / b->size + step[d][0], p % b->size + step[d][1]) << 2 * d;
    return yo_rich_weights()->of[color][code];
}

/* One attempt: the move, -1 for a pass, or -2 when it came to nothing. */
static int attempt(const struct naive_board *b, struct turn *turn, int color, int *state) {
    uint32_t random = naive_rng_next(state);
    if (turn->count == 0) return -1;
    int k = naive_draw(random, turn->count, b->size);
    if (k < 0) return -2;
    int p = turn->points[k];
    if (turn->rule <= 5) return p;
    uint32_t chance = naive_rng_next(state);
    if ((chance & 255) >= weight_of(b, color, p)) return -2;
    bool careful = (chance >> 8 & 255) < 230;
    bool legal = naive_legal(b, color, p / b->size, p % b->size);
    if (legal && !(careful && is_blunder(b, color, p))) return p;
    strike(turn, k);
    return -2;
}

void naive_playout_rich(struct naive_board *board, int to_move, int last, uint64_t seed,
                        uint64_t number, struct naive_game *game) {
    int size = board->size, passes = 0, state[64];
    naive_rng_seed(seed, number, state);
    game->move_count = 0;
    while (passes < 2 && game->move_count < 3 * size * size) {
        struct turn turn;
        int p = -2;
        begin(board, to_move, last, &turn);
        while (p == -2)
            p = attempt(board, &turn, to_move, state);
        if (p >= 0)
            naive_play(board, to_move, p / size, p % size);
        else
            board->ko_row = board->ko_col = -1;
        passes = p >= 0 ? 0 : passes + 1;
        game->moves[game->move_count++] = last = p;
        to_move = 3 - to_move;
    }
    naive_find_owners(board, game);
}
