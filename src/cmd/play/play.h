/* A game of Go in the terminal: what the files of `yomi play` share.
 *   play.c           options, and whose turn it is
 *   command.c   what one can type
 *   engine.c    thinking and judging
 *   show.c      the board, the count and everything that is said
 *   count.c     the count at the end
 *   picture.c   drawing */
#pragma once

#include "base/option.h"
#include "cmd/play/picture.h"
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
    bool human[3];             /* by colour: does a person play it? */
    enum yo_go_color resigned; /* who gave up, or YO_GO_EMPTY */
    bool counted;              /* the end of the game has been told */
    bool shown;                /* the board as it stands has been drawn */
    bool quit;
    char *saved_as; /* the file that may be written over, since we wrote it; or NULL */

    struct yo_search_limits limits;
    struct yo_go_patterns *patterns; /* NULL: built in */
};

/* ---- play.c ---- */
/* An empty board, or one with handicap stones. On failure the old game stays. */
enum yo_err yo_play_new_game(struct yo_play *play, int size, struct yo_diag *diag);
bool yo_play_is_over(const struct yo_play *play);
/* Who is a person, by the option --color. */
void yo_play_persons(const struct yo_options *options, bool *first, bool *second);

/* ---- command.c ---- */
/* Does what a line says; what it cannot do is said to the person. */
void yo_play_obey(struct yo_play *play, char *line);

/* ---- engine.c ---- */
/* Makes the session that the options ask for, with a game. */
enum yo_err yo_play_session(struct yo_play *play, uint64_t seed, struct yo_diag *diag);
/* About the side to move; cut short by Ctrl-C. */
enum yo_err yo_play_think(struct yo_play *play, struct yo_search_result *result,
                          struct yo_diag *diag);
enum yo_err yo_play_judge(struct yo_play *play, struct yo_judgement *judgement,
                          struct yo_diag *diag);
/* How the game ended: "B+3.5", "W+R". Only when it is over. */
enum yo_err yo_play_result(struct yo_play *play, char out[16], struct yo_diag *diag);

/* ---- show.c ---- */
/* A paragraph, broken into lines that fit the terminal. */
void yo_play_say(const struct yo_play *play, const char *fmt, ...) YO_PRINTF(2, 3);
const char *yo_play_color(enum yo_go_color color); /* "Black" */
void yo_play_greet(const struct yo_play *play);
void yo_play_prompt(const struct yo_play *play);
void yo_play_show(struct yo_play *play);
/* The moves that a search favours, numbered on the board. */
void yo_play_show_hint(struct yo_play *play, const struct yo_search_result *result);
/* Who owns what, were the game to go on from here. */
enum yo_err yo_play_show_estimate(struct yo_play *play, struct yo_diag *diag);
/* How the game ended and why; counts the board if nobody resigned. */
enum yo_err yo_play_show_end(struct yo_play *play, struct yo_diag *diag);

/* ---- count.c ---- */
/* The colour of each stone that is not dead, and of each other point that only one colour
 * reaches: what area scoring counts. */
void yo_play_owners(const struct yo_go_game *game, const uint8_t *dead, uint8_t *owner);
/* How the score comes about, as a table. */
void yo_play_count(struct yo_buf *out, const struct yo_go_game *game, const uint8_t *dead);
