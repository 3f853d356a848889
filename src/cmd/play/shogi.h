/* A game of shogi in the terminal: what the files of `yomi play --game shogi` share.
 *   shogi.c          how it is set up, and the turns
 *   shogi_command.c  the commands, including save
 *   shogi_show.c     the board and all messages */
#pragma once

#include "base/buf.h"
#include "base/option.h"
#include "cmd/play/keep.h"
#include "cmd/play/timer.h"
#include "cmd/term.h"
#include "engine/level.h"
#include "engine/shogi.h"
#include "game/shogi/game.h"
#include "game/shogi/kifu/record.h"

struct yo_play_shogi {
    const struct yo_options *options;
    struct yo_term term;
    char *start_sfen; /* the initial position; NULL: the standard one */
    struct yo_shogi_game *game;
    struct yo_shogi_engine *engine;
    struct yo_shogi_limits limits;
    bool human[2];         /* by side: played by a person */
    enum yo_shogi_end end; /* YO_SHOGI_GOES_ON, or how the game ended */
    int late;              /* the side that lost on time, if that ended it */
    struct yo_timer timer;
    bool told;  /* the result has been shown */
    bool shown; /* the current board has been drawn */
    bool quit;
    char *saved_as; /* a file we wrote or read, which may be overwritten; or NULL */
    struct yo_keep keep;
};

/* ---- shogi.c ---- */
enum yo_err yo_play_shogi(const struct yo_options *options, struct yo_diag *diag);
enum yo_err yo_play_shogi_new_game(struct yo_play_shogi *play, struct yo_diag *diag);
/* After a move: checks whether the rules end the game. */
void yo_play_shogi_settle(struct yo_play_shogi *play);
/* A side has moved: checks whether that ends the game, also on time. */
void yo_play_shogi_moved(struct yo_play_shogi *play, int side);
/* Searches for the side to move, at full strength; Ctrl-C stops the search. */
enum yo_err yo_play_shogi_think(struct yo_play_shogi *play, struct yo_shogi_found *found,
                                struct yo_diag *diag);

/* ---- shogi_command.c ---- */
void yo_play_shogi_obey(struct yo_play_shogi *play, char *line);
/* Keeps the game if it has changed since, or since it was read. */
void yo_play_shogi_keep(struct yo_play_shogi *play);
void yo_play_shogi_keep_from_here(struct yo_play_shogi *play);

/* ---- shogi_show.c ---- */
const char *yo_play_shogi_side(int side); /* "Black" */
/* A legal move: in Japanese followed by USI, or USI alone on an ASCII terminal. */
void yo_play_shogi_put_move(const struct yo_play_shogi *play, yo_shogi_move move,
                            struct yo_buf *out);
/* The PV, from the current position. */
void yo_play_shogi_put_line(const struct yo_play_shogi *play, const struct yo_shogi_found *found,
                            struct yo_buf *out);
/* "ahead by 350 (64%)", "mates in 5", for the side to move. */
void yo_play_shogi_put_score(const struct yo_shogi_found *found, struct yo_buf *out);
void yo_play_shogi_show(struct yo_play_shogi *play);
void yo_play_shogi_greet(const struct yo_play_shogi *play);
void yo_play_shogi_prompt(struct yo_play_shogi *play);
void yo_play_shogi_tell_end(struct yo_play_shogi *play);
