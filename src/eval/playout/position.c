#include "eval/playout/position.h"

#include <string.h>

#include "base/diag.h"
#include "game/go/board.h"

static enum yo_err load(const struct yo_playout_position *position, struct yo_go_board *board,
                        struct yo_diag *diag) {
    if (position->size < YO_GO_SIZE_MIN || position->size > YO_GO_SIZE_MAX)
        return yo_diag_set(diag, YO_ERR_RANGE, "board size %d is not between %d and %d",
                           position->size, YO_GO_SIZE_MIN, YO_GO_SIZE_MAX);
    if (position->to_move != YO_GO_BLACK && position->to_move != YO_GO_WHITE)
        return yo_diag_set(diag, YO_ERR_ARGUMENT, "side to move is neither Black nor White");
    yo_go_board_init(board, position->size);
    int points = board->geometry->points;
    for (int p = 0; p < points; p++) {
        if (position->stones[p] > YO_GO_WHITE)
            return yo_diag_set(diag, YO_ERR_ARGUMENT, "point %d holds no colour", p);
        if (position->stones[p])
            yo_go_board_play(board, (enum yo_go_color)position->stones[p], (yo_go_point)p);
    }
    /* Stones without liberties vanish while they are put down. */
    if (memcmp(board->color, position->stones, (size_t)points) != 0)
        return yo_diag_set(diag, YO_ERR_ARGUMENT, "a string on the board has no liberty");
    if (position->ko != YO_GO_NONE &&
        (position->ko >= points || board->color[position->ko] != YO_GO_EMPTY))
        return yo_diag_set(diag, YO_ERR_ARGUMENT, "the ko point is not an empty point");
    board->ko = position->ko;
    return YO_OK;
}

enum yo_err yo_playout_position_check(const struct yo_playout_position *position,
                                      struct yo_diag *diag) {
    struct yo_go_board board;
    return load(position, &board, diag);
}

enum yo_err yo_playout_position_play(const struct yo_playout_position *position, yo_move move,
                                     struct yo_playout_position *after, struct yo_diag *diag) {
    struct yo_go_board board;
    enum yo_err err = load(position, &board, diag);
    if (err) return err;
    enum yo_go_color color = (enum yo_go_color)position->to_move;
    if (move != YO_GO_PASS && (move >= (yo_move)board.geometry->points ||
                               !yo_go_board_is_legal(&board, color, (yo_go_point)move)))
        return yo_diag_set(diag, YO_ERR_ILLEGAL, "move %u is illegal", (unsigned)move);
    yo_go_board_play(&board, color, (yo_go_point)move);
    memset(after, 0, sizeof *after);
    memcpy(after->stones, board.color, (size_t)board.geometry->points);
    after->size = position->size;
    after->to_move = (uint8_t)yo_go_other(color);
    after->ko = board.ko;
    after->last = (yo_go_point)move;
    return YO_OK;
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
