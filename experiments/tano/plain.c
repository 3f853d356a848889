#include "plain.h"

#include <stdbool.h>
#include <string.h>

enum point { EMPTY, BLACK, WHITE, SENTINEL };

static const int neighbour[4] = {-TANO_ROWS, -1, 1, TANO_ROWS};

static void clear_board(enum point *board) {
    for (int cell = 0; cell < TANO_CELLS; cell++) {
        int y = cell / TANO_ROWS, x = cell % TANO_ROWS;
        bool inside = y >= 1 && y <= TANO_SIDE && x >= 1 && x <= TANO_SIDE;
        board[cell] = inside ? EMPTY : SENTINEL;
    }
}

static bool beside_point(const enum point *board, int cell, enum point what) {
    for (int i = 0; i < 4; i++)
        if (board[cell + neighbour[i]] == what) return true;
    return false;
}

static bool beside_flag(const bool *flag, int cell) {
    for (int i = 0; i < 4; i++)
        if (flag[cell + neighbour[i]]) return true;
    return false;
}

/* One update of all flags at once, as the figures 4.3 to 4.11 show it; says if one changed. */
static bool spread(const enum point *board, enum point colour, bool *alive) {
    bool before[TANO_CELLS], changed = false;
    memcpy(before, alive, sizeof before);
    for (int cell = 0; cell < TANO_CELLS; cell++) {
        if (board[cell] != colour || before[cell] || !beside_flag(before, cell)) continue;
        alive[cell] = true;
        changed = true;
    }
    return changed;
}

/* Section 4.5: which stones of a colour live, and the others off the board. Returns how often the
 * flags were spread. */
static int remove_dead(enum point *board, enum point colour) {
    bool alive[TANO_CELLS] = {false};
    for (int cell = 0; cell < TANO_CELLS; cell++)
        alive[cell] = board[cell] == colour && beside_point(board, cell, EMPTY);
    int steps = 1;
    while (spread(board, colour, alive))
        steps++;
    for (int cell = 0; cell < TANO_CELLS; cell++)
        if (board[cell] == colour && !alive[cell]) board[cell] = EMPTY;
    return steps;
}

static int score(const enum point *board) {
    int sum = 0;
    for (int cell = 0; cell < TANO_CELLS; cell++) {
        bool black = board[cell] == BLACK, white = board[cell] == WHITE;
        if (board[cell] == EMPTY) {
            black = beside_point(board, cell, BLACK);
            white = beside_point(board, cell, WHITE);
        }
        sum += black - white;
    }
    return sum;
}

/* An empty point is legal: the thesis tests neither suicide nor ko nor eyes. */
static struct tano_move choose(const enum point *board, uint32_t *random, int tries) {
    struct tano_move move = {TANO_PASS, 0, 0};
    while (move.tries < tries) {
        uint32_t cell = tano_draw(random);
        move.tries++;
        if (board[cell] != EMPTY) continue;
        move.cell = (uint8_t)cell;
        break;
    }
    return move;
}

struct tano_result tano_plain_play(uint32_t game, int tries, struct tano_move *moves) {
    enum point board[TANO_CELLS], mine = BLACK, other = WHITE;
    uint32_t random = tano_seed(game);
    int count = 0, passes = 0;
    clear_board(board);
    while (passes < 2 && count < TANO_MOVES_MAX) {
        struct tano_move *move = &moves[count++];
        *move = choose(board, &random, tries);
        passes = move->cell == TANO_PASS ? passes + 1 : 0;
        if (move->cell != TANO_PASS) {
            board[move->cell] = mine;
            move->steps = (uint8_t)remove_dead(board, other);
        }
        enum point swap = mine;
        mine = other;
        other = swap;
    }
    return (struct tano_result){(int16_t)score(board), (uint16_t)count};
}
