#include "eval/playout/position.h"

#include <string.h>

#include "base/diag.h"
#include "game/go/board.h"

/* A row of the board as bits, column 0 lowest. Searches submit thousands of positions, and each is
 * checked for strings without liberties. With rows of bits this takes a fraction of the time that
 * setting up a board with strings takes. */
struct rows {
    uint32_t color[3][YO_GO_SIZE_MAX + 2]; /* by colour; with an empty row above and below */
};

/* A flood fill from the empty points over the stones of one colour: true if it reaches them all. */
static bool color_is_alive(const struct rows *rows, int size, enum yo_go_color color) {
    const uint32_t *stones = rows->color[color], *empty = rows->color[YO_GO_EMPTY];
    uint32_t alive[YO_GO_SIZE_MAX + 2] = {0}, changed = 1;
    while (changed) {
        changed = 0;
        for (int r = 1; r <= size; r++) {
            uint32_t from =
                alive[r] | empty[r] | alive[r - 1] | empty[r - 1] | alive[r + 1] | empty[r + 1];
            uint32_t row =
                stones[r] & (from | (alive[r] | empty[r]) << 1 | (alive[r] | empty[r]) >> 1);
            changed |= row ^ alive[r];
            alive[r] = row;
        }
        for (int r = size; r >= 1; r--) {
            uint32_t row = stones[r] & (alive[r] | alive[r + 1] | alive[r] << 1 | alive[r] >> 1);
            changed |= row ^ alive[r];
            alive[r] = row;
        }
    }
    return memcmp(alive + 1, stones + 1, (size_t)size * sizeof alive[0]) == 0;
}

enum yo_err yo_playout_position_check(const struct yo_playout_position *position,
                                      struct yo_diag *diag) {
    int size = position->size;
    if (size < YO_GO_SIZE_MIN || size > YO_GO_SIZE_MAX)
        return yo_diag_set(diag, YO_ERR_RANGE, "board size %d is not between %d and %d", size,
                           YO_GO_SIZE_MIN, YO_GO_SIZE_MAX);
    if (position->to_move != YO_GO_BLACK && position->to_move != YO_GO_WHITE)
        return yo_diag_set(diag, YO_ERR_ARGUMENT, "side to move is neither Black nor White");
    struct rows rows = {0};
    for (int p = 0; p < size * size; p++) {
        if (position->stones[p] > YO_GO_WHITE)
            return yo_diag_set(diag, YO_ERR_ARGUMENT, "point %d holds no colour", p);
        rows.color[position->stones[p]][p / size + 1] |= (uint32_t)1 << p % size;
    }
    if (!color_is_alive(&rows, size, YO_GO_BLACK) || !color_is_alive(&rows, size, YO_GO_WHITE))
        return yo_diag_set(diag, YO_ERR_ARGUMENT, "a string on the board has no liberty");
    if (position->ko != YO_GO_NONE &&
        (position->ko >= size * size || position->stones[position->ko] != YO_GO_EMPTY))
        return yo_diag_set(diag, YO_ERR_ARGUMENT, "the ko point is not an empty point");
    return YO_OK;
}

void yo_playout_position_to_go(const struct yo_playout_position *position,
                               struct yo_go_position *out) {
    *out = (struct yo_go_position){.rules = yo_go_rules_default,
                                   .last = position->last,
                                   .before = YO_GO_NONE,
                                   .to_move = position->to_move,
                                   .ko_holds = true};
    out->rules.komi2 = 0;
    yo_go_board_init(&out->board, position->size);
    for (int p = 0; p < out->board.geometry->points; p++)
        if (position->stones[p])
            yo_go_board_play(&out->board, (enum yo_go_color)position->stones[p], (yo_go_point)p);
    out->board.ko = position->ko;
}

void yo_playout_position_from_go(const struct yo_go_position *position,
                                 struct yo_playout_position *out) {
    const struct yo_go_board *board = &position->board;
    memcpy(out->stones, board->color, (size_t)board->geometry->points);
    out->size = (uint8_t)board->geometry->size;
    out->to_move = position->to_move;
    out->ko = position->ko_holds ? board->ko : YO_GO_NONE;
    out->last = position->last;
}

void yo_playout_position_from_game(const struct yo_go_game *game,
                                   struct yo_playout_position *position) {
    memset(position, 0, sizeof *position);
    int size = yo_go_game_size(game);
    position->size = (uint8_t)size;
    for (int p = 0; p < size * size; p++)
        position->stones[p] = (uint8_t)yo_go_game_at(game, (yo_go_point)p);
    position->to_move = (uint8_t)yo_go_game_to_move(game);
    position->ko = yo_go_game_ko(game);
    size_t moves = yo_go_game_move_count(game);
    position->last = moves ? yo_go_game_move(game, moves - 1).move : YO_GO_NONE;
}
