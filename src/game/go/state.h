/* A game of Go: the board, its start, and every move and situation since. The engine's own code may
 * read the struct; only state.c and handicap.c change it. */
#pragma once

#include "game/go/board.h"
#include "yomi/go.h"

struct yo_go_game {
    struct yo_go_board board;
    struct yo_go_rules rules;
    enum yo_go_color to_move;
    int handicap;

    struct yo_go_board start; /* where history and undo begin */
    enum yo_go_color start_to_move;

    size_t count, capacity;
    struct yo_go_played *moves; /* `count` of them */
    uint64_t *situations;       /* count + 1: the start's, then one after each move; legal.h */
};

/* Plays a move of a record: ignores the ko rules, and allows suicide of several stones. Occupied
 * points and suicide of one stone remain errors. */
enum yo_err yo_go_game_play_recorded(struct yo_go_game *game, enum yo_go_color color,
                                     yo_go_point move, struct yo_diag *diag);

/* Number of stones on the board. */
int yo_go_game_stones(const struct yo_go_game *game);

/* Takes back all moves except the first `count`, at the cost of a single undo. */
void yo_go_game_rewind(struct yo_go_game *game, size_t count);
