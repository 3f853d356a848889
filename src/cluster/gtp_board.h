/* The board of a program that speaks GTP: what it has, and how it comes to another position. */
#pragma once

#include "base/buf.h"
#include "game/go/state.h"
#include "peer/gtp.h"

enum {
    YO_PEER_GTP_READY_MS = 60000, /* for an answer; also for a move, since GTP has no stop */
    YO_PEER_GTP_PLAY = 24,        /* "play black T19" */
};

/* All zero, but for the program: nothing is known of its board. */
struct yo_peer_board {
    struct yo_peer *peer;
    bool undoes;          /* it knows the command */
    struct yo_buf set_up; /* the commands before the first move */
    char (*plays)[YO_PEER_GTP_PLAY];
    size_t play_count, play_room;
};

/* The program has begun anew: nothing is known of its board. */
void yo_peer_board_clear(struct yo_peer_board *board);
void yo_peer_board_free(struct yo_peer_board *board);
/* Goes from what the board has to this game, by undo where that is short. */
enum yo_err yo_peer_board_set(struct yo_peer_board *board, const struct yo_go_game *game,
                              struct yo_diag *diag);
/* One move more, as a command. */
enum yo_err yo_peer_board_play(struct yo_peer_board *board, const char *command,
                               struct yo_diag *diag);

const char *yo_peer_color(enum yo_go_color color);
