/* A session: one game with what plays it. It has the options, the search and what evaluates for it,
 * the clock, the book, and knows when to resign, to declare a win and to ponder. Every front end
 * (GTP, USI, KataGo's analysis, the terminal) uses it, so that protocols only translate. Sessions
 * in one process share nothing but read-only data and devices.
 *
 * One thread at a time may call it, except for yo_session_interrupt. */
#pragma once

#include "base/notice.h"
#include "base/option.h"
#include "engine/clock.h"
#include "engine/kinds.h"
#include "engine/shogi_clock.h"
#include "game/shogi/game.h"
#include "search/go/judge.h"
#include "search/search.h"
#include "yomi/go.h"

struct yo_session;

struct yo_session_config {
    enum yo_session_game game;
    /* Values to begin with, taken over by name from whatever table; or NULL for the defaults. */
    const struct yo_options *options;
    const struct yo_search_kind *kinds; /* NULL: yo_search_kinds */
    /* A file that cannot be read and memory that is missing are errors. If not, the session plays
     * on with what it has, and a notice tells. */
    bool strict;
    /* What a person should know: which backend plays, what could not be read. One line. From the
     * thread that calls the session. May be NULL. */
    void (*notice)(void *user, const char *text);
    void *user;
    /* Who hears of devices that were lost while it plays on; from any thread. */
    struct yo_notices notices;
    const struct yo_go_patterns *patterns; /* Go: NULL for those built in; outlives the session */
};

enum yo_err yo_session_new(const struct yo_session_config *config, struct yo_session **session,
                           struct yo_diag *diag);
/* Stops what runs first; it is answered. */
void yo_session_delete(struct yo_session *session);

/* ---- Options ---- */

/* The table of a game: each name is the same on the command line, in GTP, USI and JSON. */
const struct yo_option *yo_session_rows(enum yo_session_game game);
const struct yo_options *yo_session_options(const struct yo_session *session);
/* From someone at one of `places`; takes effect with the next search. */
enum yo_err yo_session_set(struct yo_session *session, unsigned places, const char *key,
                           const char *text, struct yo_diag *diag);
/* All that have the same name in another table. */
enum yo_err yo_session_copy_options(struct yo_session *session, const struct yo_options *from);
/* Makes what the options ask for, which may be large and take a while: search, evaluation, book.
 * What needs it does so by itself. Not while it thinks. */
enum yo_err yo_session_prepare(struct yo_session *session, struct yo_diag *diag);
/* What searches and what evaluates, for a person; after it was prepared. */
const char *yo_session_search_name(const struct yo_session *session);
const char *yo_session_eval_name(const struct yo_session *session);

/* ---- The game ---- */

/* The session's own; a front end may read and change it while nothing runs. */
struct yo_go_game *yo_session_go(struct yo_session *session);
struct yo_shogi_game *yo_session_shogi(struct yo_session *session);
/* In its place; the session owns it from now on. */
void yo_session_take_go(struct yo_session *session, struct yo_go_game *game);
void yo_session_take_shogi(struct yo_session *session, struct yo_shogi_game *game);
/* A new game begins: clocks full, nothing kept of the one before. */
void yo_session_new_game(struct yo_session *session);
/* Forgets what searches have kept. */
void yo_session_clear(struct yo_session *session);

/* ---- Time ---- */

/* Go: the clocks of both sides, for whoever hears of them. */
struct yo_clock *yo_session_clock(struct yo_session *session);
/* Shogi: what is left to each side, as the referee said with the last request. */
void yo_session_set_clocks(struct yo_session *session, const struct yo_shogi_clock clocks[2]);

/* ---- Thinking ---- */

/* Searches with exactly these limits, in the caller's thread: analysis, hints, reviews. game: NULL
 * for the session's own. stop: NULL for the session's own flag. */
enum yo_err yo_session_analyse(struct yo_session *session, const void *game,
                               const struct yo_search_limits *limits, const atomic_bool *stop,
                               yo_search_report_fn report, void *user,
                               struct yo_search_result *result, struct yo_diag *diag);
/* Ends what runs in another thread. */
void yo_session_interrupt(struct yo_session *session);

/* A move to be found. The time for it comes from `limits`, else from the clock, else from the
 * options; with no limit at all it is a second or two. */
struct yo_session_request {
    struct yo_search_limits limits;
    bool infinite;    /* the answer waits until it is stopped */
    bool ponder;      /* the same, or until the opponent plays the move that was expected */
    int64_t heard_ms; /* by yo_time_ms: time is counted from here; 0: now */
};

enum yo_answer_kind { YO_ANSWER_MOVE, YO_ANSWER_RESIGN, YO_ANSWER_WIN };

struct yo_session_answer {
    enum yo_answer_kind kind;
    yo_move move, ponder; /* ponder: the reply that is expected, or YO_MOVE_NONE */
    bool from_book;
    struct yo_search_result result; /* what the search found; empty for a move of the book */
    enum yo_err err;                /* the search failed */
    const struct yo_diag *diag;
};

/* Told from the thinking thread. The answer comes once for each start, at the end. */
struct yo_session_listener {
    yo_search_report_fn report; /* may be NULL */
    void (*answer)(void *user, const struct yo_session_answer *answer);
    void *user;
};

/* ---- Shogi: a move in a thread of its own ---- */

/* Thinks about the session's game, which is not to be touched meanwhile.
 * Fails if there is no memory for what is needed or no thread. */
enum yo_err yo_session_start(struct yo_session *session, const struct yo_session_request *request,
                             const struct yo_session_listener *listener, struct yo_diag *diag);
/* The move that was pondered on was played: the same search goes on, now by the clock. */
void yo_session_ponderhit(struct yo_session *session, int64_t heard_ms);
/* Is there a start that was not answered yet? */
bool yo_session_is_thinking(struct yo_session *session);
bool yo_session_is_pondering(const struct yo_session *session);
/* Ends what runs; it is answered first. */
void yo_session_stop(struct yo_session *session);
/* Waits for the answer, unless what runs has no end of its own. */
void yo_session_wait(struct yo_session *session);

/* ---- Go: a move in the caller's thread ---- */

/* Searches for a move of `color`, leaving the game as it is. Time and playouts come from options
 * and clock, the rest from `limits`. */
enum yo_err yo_session_think(struct yo_session *session, enum yo_go_color color,
                             const struct yo_search_limits *limits, const atomic_bool *stop,
                             yo_search_report_fn report, void *user,
                             struct yo_search_result *result, struct yo_diag *diag);
/* Plays the best move of that search, its time taken off the clock, or resigns if it may; *move
 * tells which. */
enum yo_err yo_session_play_best(struct yo_session *session, enum yo_go_color color,
                                 bool may_resign, const struct yo_search_result *result,
                                 yo_go_point *move, struct yo_diag *diag);
/* The same with exactly these limits, whoever is to move in the game. */
enum yo_err yo_session_analyse_for(struct yo_session *session, enum yo_go_color color,
                                   const struct yo_search_limits *limits, const atomic_bool *stop,
                                   yo_search_report_fn report, void *user,
                                   struct yo_search_result *result, struct yo_diag *diag);
/* Is pondering on, and the session's own move the last one? */
bool yo_session_may_ponder(struct yo_session *session);
/* Thinks on in the opponent's time until *stop. What is found stays in the tree. */
void yo_session_ponder(struct yo_session *session, const atomic_bool *stop);
/* Which stones are dead, and the score: by playouts, as many as the option `judge` says. */
enum yo_err yo_session_judge(struct yo_session *session, const atomic_bool *stop,
                             struct yo_judgement *judgement, struct yo_diag *diag);
/* The network of --net; an error if there is none. */
enum yo_err yo_session_net(struct yo_session *session, struct yo_eval *eval, struct yo_diag *diag);
/* The evaluator of playouts, for statistics of its own; prepares it. */
enum yo_err yo_session_playouts(struct yo_session *session, struct yo_eval *eval,
                                struct yo_diag *diag);
