#include "support/naive_game.h"

#include <string.h>

static void remember(struct naive_game *game) {
    int size = game->board.size;
    for (int r = 0; r < size; r++)
        for (int c = 0; c < size; c++)
            game->past[game->count].color[r][c] = (signed char)game->board.color[r][c];
    game->past[game->count++].to_move = game->to_move;
}

void naive_game_init(struct naive_game *game, int size, enum naive_ko ko, bool suicide) {
    naive_init(&game->board, size);
    game->ko = ko;
    game->suicide = suicide;
    game->to_move = 1;
    game->last_mover = game->passes = game->count = 0;
    remember(game);
}

static bool same_stones(const struct naive_game *game, const struct naive_board *board, int i) {
    for (int r = 0; r < board->size; r++)
        for (int c = 0; c < board->size; c++)
            if (board->color[r][c] != game->past[i].color[r][c]) return false;
    return true;
}

static bool repeats(const struct naive_game *game, const struct naive_board *board, int to_move) {
    if (game->ko == NAIVE_SIMPLE) return false;
    for (int i = 0; i < game->count; i++)
        if ((game->ko == NAIVE_POSITIONAL || game->past[i].to_move == to_move) &&
            same_stones(game, board, i))
            return true;
    return false;
}

bool naive_game_legal(const struct naive_game *game, int color, int row, int col) {
    const struct naive_board *board = &game->board;
    if (board->color[row][col] != 0) return false;
    bool is_ko = row == board->ko_row && col == board->ko_col;
    if (is_ko && game->last_mover == 3 - color) return false;
    struct naive_board next = *board, stone = *board;
    naive_play(&next, color, row, col);
    if (next.color[row][col] != color) {
        int stones, liberties;
        stone.color[row][col] = color;
        naive_string(&stone, row, col, &stones, &liberties);
        if (!game->suicide || stones == 1) return false;
    }
    return !repeats(game, &next, 3 - color);
}

void naive_game_play(struct naive_game *game, int color, int row, int col) {
    if (row < 0) {
        game->board.ko_row = game->board.ko_col = -1;
        game->passes++;
    } else {
        naive_play(&game->board, color, row, col);
        game->passes = 0;
    }
    game->last_mover = color;
    game->to_move = 3 - color;
    remember(game);
}

static uint64_t follow(struct naive_game *game, int row, int col, int depth, bool passes) {
    struct naive_board board = game->board;
    int to_move = game->to_move, last_mover = game->last_mover, before = game->passes;
    naive_game_play(game, to_move, row, col);
    uint64_t count = naive_perft(game, depth - 1, passes);
    game->board = board;
    game->to_move = to_move;
    game->last_mover = last_mover;
    game->passes = before;
    game->count--;
    return count;
}

uint64_t naive_perft(struct naive_game *game, int depth, bool passes) {
    if (depth == 0) return 1;
    if (game->passes >= 2) return 0;
    uint64_t total = 0;
    for (int r = 0; r < game->board.size; r++)
        for (int c = 0; c < game->board.size; c++)
            if (naive_game_legal(game, game->to_move, r, c))
                total += follow(game, r, c, depth, passes);
    return passes ? total + follow(game, -1, 0, depth, passes) : total;
}
