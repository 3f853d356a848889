/* A game of Go as the engine sees it: the board, how it began, and every move and situation since.
 * The struct is open to the engine's own code, which reads it; only state.c and handicap.c
 * change it. */
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

/* Plays what a record says was played: no ko rule is asked, and suicide of several stones goes.
 * Points that are taken and suicide of one stone remain errors. */
enum yo_err yo_go_game_play_recorded(struct yo_go_game *game, enum yo_go_color color,
                                     yo_go_point move, struct yo_diag *diag);

/* Stones on the board. */
int yo_go_game_stones(const struct yo_go_game *game);

/* Takes all moves back but the first `count`, at the cost of taking one back. */
void yo_go_game_rewind(struct yo_go_game *game, size_t count);
