#include "support/naive_playout.h"

#include <string.h>

/* Section 2: the seed goes through eight rounds over two 32-bit halves. */
void naive_rng_seed(uint64_t seed, uint64_t number, int state[64]) {
    uint32_t high = (uint32_t)(number >> 32), low = (uint32_t)(number & 0xffffffffu);
    uint32_t keys[2] = {(uint32_t)(seed & 0xffffffffu), (uint32_t)(seed >> 32)};
    for (uint32_t round = 0; round < 8; round++) {
        uint32_t turned = (high >> 8) | (high << 24);
        high = (turned + low) ^ keys[round % 2] ^ round;
        low = ((low << 3) | (low >> 29)) ^ high;
    }
    if (high == 0 && low == 0) low = 1;
    for (int i = 0; i < 32; i++) {
        state[i] = (int)(low >> i & 1);
        state[32 + i] = (int)(high >> i & 1);
    }
}

uint32_t naive_rng_next(int state[64]) {
    uint32_t out = 0;
    for (int i = 0; i < 32; i++)
        out |= (uint32_t)(state[i] ^ (state[i + 13] & state[i + 27])) << i;
    for (int step = 0; step < 32; step++) {
        int new = state[0] ^ state[9] ^ state[19] ^ state[31];
        memmove(state, state + 1, 63 * sizeof state[0]);
        state[63] = new;
    }
    return out;
}

/* Section 3: a number below n from 32 random bits, or -1. */
int naive_draw(uint32_t random, int n, int size) {
    int bits = 0, need = 0;
    while (1 << bits < size * size)
        bits++;
    while (1 << need < n)
        need++;
    int tries = 32 / bits < 4 ? 32 / bits : 4;
    for (int t = 0; t < tries; t++) {
        int k = (int)(random >> t * bits) & ((1 << need) - 1);
        if (k < n) return k;
    }
    return -1;
}

/* Section 6: a point belongs to whose stone is on it, or whose stones are all round it. */
void naive_find_owners(const struct naive_board *board, struct naive_game *game) {
    static const int step[4][2] = {{-1, 0}, {0, 1}, {1, 0}, {0, -1}};
    game->score = 0;
    for (int r = 0; r < board->size; r++)
        for (int c = 0; c < board->size; c++) {
            int black = 0, white = 0, empty = 0;
            for (int d = 0; d < 4; d++) {
                int y = r + step[d][0], x = c + step[d][1];
                if (y < 0 || x < 0 || y >= board->size || x >= board->size) continue;
                black += board->color[y][x] == 1;
                white += board->color[y][x] == 2;
                empty += board->color[y][x] == 0;
            }
            int owner = board->color[r][c];
            if (owner == 0 && empty == 0 && white == 0)
                owner = 1;
            else if (owner == 0 && empty == 0 && black == 0)
                owner = 2;
            game->owner[r][c] = owner;
            game->score += (owner == 1) - (owner == 2);
        }
}

void naive_playout(struct naive_board *board, int to_move, uint64_t seed, uint64_t number,
                   struct naive_game *game) {
    int size = board->size, passes = 0, state[64];
    bool struck[19][19] = {{false}};
    naive_rng_seed(seed, number, state);
    game->move_count = 0;
    while (passes < 2 && game->move_count < 3 * size * size) {
        uint32_t random = naive_rng_next(state);
        int candidates[361], n = 0;
        for (int p = 0; p < size * size; p++) {
            int r = p / size, c = p % size;
            bool ko = r == board->ko_row && c == board->ko_col;
            if (board->color[r][c] == 0 && !ko && !struck[r][c] &&
                !naive_is_eye(board, to_move, r, c))
                candidates[n++] = p;
        }
        int p = -1;
        if (n > 0) {
            int k = naive_draw(random, n, size);
            if (k < 0) continue;
            p = candidates[k];
            if (!naive_legal(board, to_move, p / size, p % size)) {
                struck[p / size][p % size] = true;
                continue;
            }
            naive_play(board, to_move, p / size, p % size);
            passes = 0;
        } else {
            board->ko_row = board->ko_col = -1;
            passes++;
        }
        game->moves[game->move_count++] = p;
        memset(struck, 0, sizeof struck);
        to_move = 3 - to_move;
    }
    naive_find_owners(board, game);
}
