/* A game of Go in the terminal: what the files of `yomi play` share.
 *   play.c      the command and its options
 *   go.c        how it is set up, and the turns
 *   game.c      how a game begins
 *   command.c   the commands
 *   engine.c    search and judge
 *   show.c      the board and all messages
 *   count.c     the score count at the end
 *   picture.c   drawing */
#pragma once

#include "base/option.h"
#include "cmd/play/keep.h"
#include "cmd/play/picture.h"
#include "cmd/play/timer.h"
#include "cmd/term.h"
#include "engine/session.h"
#include "search/go/judge.h"
#include "search/search.h"
#include "yomi/go.h"

struct yo_play {
    const struct yo_options *options;
    struct yo_term term;
    struct yo_session *session;
    struct yo_go_game *game; /* the session's */
    int handicap;
    bool human[3];             /* by colour: played by a person */
    enum yo_go_color resigned; /* the colour that resigned or was too late, or YO_GO_EMPTY */
    bool on_time;              /* it was too late */
    struct yo_timer timer;
    bool counted; /* the result has been shown */
    bool shown;   /* the current board has been drawn */
    bool quit;
    char *saved_as; /* a file we wrote or read, which may be overwritten; or NULL */
    struct yo_keep keep;

    struct yo_search_limits limits;
    struct yo_go_patterns *patterns; /* NULL: built in */
};

/* ---- game.c ---- */
/* Starts a game on an empty board, or with handicap stones. On failure the old game stays. */
enum yo_err yo_play_new_game(struct yo_play *play, int size, struct yo_diag *diag);
/* Goes on with the game of a file. */
enum yo_err yo_play_load(struct yo_play *play, const char *path, struct yo_diag *diag);

/* ---- play.c ---- */
/* Which sides a person plays, by the option --color. */
void yo_play_persons(const struct yo_options *options, bool *first, bool *second);

/* ---- go.c ---- */
enum yo_err yo_play_go(const struct yo_options *options, struct yo_diag *diag);
bool yo_play_is_over(const struct yo_play *play);
/* The side to move has moved or passed by its clock's time, or loses on time. */
void yo_play_moved(struct yo_play *play, enum yo_go_color color);
/* Its time is up. */
void yo_play_lose_on_time(struct yo_play *play, enum yo_go_color color);

/* ---- command.c ---- */
/* Runs a line that the user typed and prints errors. */
void yo_play_obey(struct yo_play *play, char *line);
/* Keeps the game if it has changed since, or since it was read. */
void yo_play_keep(struct yo_play *play);
void yo_play_keep_from_here(struct yo_play *play);

/* ---- engine.c ---- */
/* Creates the session from the options, with a game. */
enum yo_err yo_play_session(struct yo_play *play, uint64_t seed, struct yo_diag *diag);
/* Searches for the side to move; Ctrl-C stops the search. */
enum yo_err yo_play_think(struct yo_play *play, const struct yo_search_limits *limits,
                          struct yo_search_result *result, struct yo_diag *diag);
enum yo_err yo_play_judge(struct yo_play *play, struct yo_judgement *judgement,
                          struct yo_diag *diag);
/* "B+R", "W+T": the result of a game that a side has given up, or lost on time. */
const char *yo_play_given_up(const struct yo_play *play);
/* The result: "B+3.5", "W+R". Only for a finished game. */
enum yo_err yo_play_result(struct yo_play *play, char out[16], struct yo_diag *diag);

/* ---- show.c ---- */
const char *yo_play_color(enum yo_go_color color); /* "Black" */
void yo_play_greet(const struct yo_play *play);
void yo_play_prompt(struct yo_play *play);
void yo_play_show(struct yo_play *play);
/* Numbers the best moves of a search on the board. */
void yo_play_show_hint(struct yo_play *play, const struct yo_search_result *result);
/* Shows the estimated ownership of the current position, and what a search of it found. */
enum yo_err yo_play_show_estimate(struct yo_play *play, const struct yo_search_result *result,
                                  struct yo_diag *diag);
/* Shows the result; counts the score if nobody resigned. */
enum yo_err yo_play_show_end(struct yo_play *play, struct yo_diag *diag);

/* ---- count.c ---- */
/* Writes the score count as a table. */
void yo_play_count(struct yo_buf *out, const struct yo_go_game *game, const uint8_t *dead);
