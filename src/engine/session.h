/* A session: one game and its player. It has the options, the search and its evaluator, the clock
 * and the book, and decides when to resign, to declare a win and to ponder. Every front end (GTP,
 * USI, KataGo's analysis, the terminal) uses it, so that protocols only translate. Sessions in one
 * process share nothing but read-only data, devices and, if their owner wants it, networks.
 *
 * One thread at a time may call it, except for yo_session_interrupt. */
#pragma once

#include "base/notice.h"
#include "base/option.h"
#include "engine/book.h"
#include "engine/clock.h"
#include "engine/kinds.h"
#include "engine/shogi_clock.h"
#include "game/shogi/game.h"
#include "search/go/judge.h"
#include "search/search.h"
#include "yomi/go.h"

struct yo_session;
struct yo_nets;

struct yo_session_config {
    enum yo_session_game game;
    /* Initial values, copied by name from any table; NULL for the defaults. */
    const struct yo_options *options;
    const struct yo_search_kind *kinds; /* NULL: yo_search_kinds */
    /* An unreadable file or missing memory is an error. If false, a notice reports it and the
     * session plays on with what it has. */
    bool strict;
    /* Messages for the user, one line each: the backend in use, unreadable files. Called from the
     * thread that calls the session. May be NULL. */
    void (*notice)(void *user, const char *text);
    void *user;
    bool quiet;   /* notices only of what went wrong */
    bool at_once; /* a search begins before the workers of a cluster are there */
    /* Receives a notice when a device is lost during play; called from any thread. */
    struct yo_notices notices;
    /* Networks that it shares with other sessions (engine/nets.h); NULL: it has its own. Outlives
     * the session. */
    struct yo_nets *nets;
    const struct yo_go_patterns *patterns; /* Go: NULL: built in; outlives the session */
};

enum yo_err yo_session_new(const struct yo_session_config *config, struct yo_session **session,
                           struct yo_diag *diag);
/* First stops a running request, which gives its answer. */
void yo_session_delete(struct yo_session *session);

/* ---- Options ---- */

/* The table of a game: each name is the same on the command line, in GTP, USI and JSON. */
const struct yo_option *yo_session_rows(enum yo_session_game game);
const struct yo_options *yo_session_options(const struct yo_session *session);
/* `places`: where the request comes from (YO_ON_...). Takes effect with the next search. */
enum yo_err yo_session_set(struct yo_session *session, unsigned places, const char *key,
                           const char *text, struct yo_diag *diag);
/* Copies all options with the same name from another table. */
enum yo_err yo_session_copy_options(struct yo_session *session, const struct yo_options *from);
/* Makes search, evaluation and book from the options, which may take time and memory. Functions
 * that need them call this themselves. Not while it thinks. */
enum yo_err yo_session_prepare(struct yo_session *session, struct yo_diag *diag);
/* The same for the analysis of another game, of the session's kind; NULL: its own. */
enum yo_err yo_session_prepare_for(struct yo_session *session, const void *game,
                                   struct yo_diag *diag);
/* The first, as if the session were strict: for options of a command line. */
enum yo_err yo_session_prepare_strictly(struct yo_session *session, struct yo_diag *diag);
/* Names of the search and the evaluation, for display; valid after yo_session_prepare. */
const char *yo_session_search_name(const struct yo_session *session);
const char *yo_session_eval_name(const struct yo_session *session);
/* The limits that its search understands (YO_LIMIT_ bits); likewise. */
unsigned yo_session_limits(const struct yo_session *session);

/* ---- The game ---- */

/* The session's own; a front end may read and change it while nothing runs. */
struct yo_go_game *yo_session_go(struct yo_session *session);
struct yo_shogi_game *yo_session_shogi(struct yo_session *session);
/* Replaces the session's game; the session takes ownership. */
void yo_session_take_go(struct yo_session *session, struct yo_go_game *game);
void yo_session_take_shogi(struct yo_session *session, struct yo_shogi_game *game);
/* Starts a new game: full clocks, nothing kept from the previous game. */
void yo_session_new_game(struct yo_session *session);
/* Clears what searches have kept. */
void yo_session_clear(struct yo_session *session);

/* ---- Time ---- */

/* Go: the clocks of both sides, for the front end to set. */
struct yo_clock *yo_session_clock(struct yo_session *session);
/* Shogi: the time left to each side, as sent with the last request. */
void yo_session_set_clocks(struct yo_session *session, const struct yo_shogi_clock clocks[2]);

/* ---- Thinking ---- */

/* Searches with exactly these limits, in the caller's thread: analysis, hints, reviews. game: NULL
 * for the session's own. stop: NULL for the session's own flag. */
enum yo_err yo_session_analyse(struct yo_session *session, const void *game,
                               const struct yo_search_limits *limits, const atomic_bool *stop,
                               yo_search_report_fn report, void *user,
                               struct yo_search_result *result, struct yo_diag *diag);
/* What its search has learned, for searches of other processes, as in search/search.h; 0 and
 * nothing where its search has no entries. While the search runs in another thread, the options
 * must not change. */
uint64_t yo_session_entry_kind(struct yo_session *session);
size_t yo_session_take_entries(struct yo_session *session, struct yo_search_entry *entries,
                               size_t most);
void yo_session_give_entries(struct yo_session *session, const struct yo_search_entry *entries,
                             size_t count);
/* Stops a search that runs in another thread. */
void yo_session_interrupt(struct yo_session *session);

/* A request for a move. Its time comes from `limits`, else from the clock, else from the options;
 * without any limit it is one or two seconds. */
struct yo_session_request {
    struct yo_search_limits limits;
    bool limited;     /* the client limits the move itself: no move of the book `auto` */
    bool infinite;    /* the answer waits until it is stopped */
    bool ponder;      /* the same, or until ponderhit */
    int64_t heard_ms; /* start of the move's time, by yo_time_ms; 0: now */
};

enum yo_answer_kind { YO_ANSWER_MOVE, YO_ANSWER_RESIGN, YO_ANSWER_WIN };

struct yo_session_answer {
    enum yo_answer_kind kind;
    yo_move move, ponder; /* ponder: the expected reply, or YO_MOVE_NONE */
    bool from_book;
    struct yo_search_result result; /* of the search; empty for a book move */
    enum yo_err err;                /* the search failed */
    const struct yo_diag *diag;
};

/* Callbacks, called from the thinking thread. `answer` is called once for each start, at the
 * end. */
struct yo_session_listener {
    yo_search_report_fn report; /* may be NULL */
    void (*answer)(void *user, const struct yo_session_answer *answer);
    void *user;
};

/* ---- Shogi: a move in a thread of its own ---- */

/* Thinks about the session's game, which must not change meanwhile. Fails without memory or a
 * thread. */
enum yo_err yo_session_start(struct yo_session *session, const struct yo_session_request *request,
                             const struct yo_session_listener *listener, struct yo_diag *diag);
/* The opponent played the expected move: the same search continues on the clock. */
void yo_session_ponderhit(struct yo_session *session, int64_t heard_ms);
/* A move of the opening book for any position, as yo_session_start would play it; call
 * yo_session_prepare first. limited: as in yo_book_is_used. False if the book is off or has
 * none. */
bool yo_session_book_shogi(struct yo_session *session, const struct yo_shogi_position *position,
                           bool limited, struct yo_shogi_book_move *move);
/* Is there a start without an answer yet? */
bool yo_session_is_thinking(struct yo_session *session);
bool yo_session_is_pondering(const struct yo_session *session);
/* Stops the running request; its answer is given before this returns. */
void yo_session_stop(struct yo_session *session);
/* Waits for the answer, unless the request ends only by a stop. */
void yo_session_wait(struct yo_session *session);

/* ---- Go: a move in the caller's thread ---- */

/* Searches for a move of `color`, leaving the game as it is. Time and playouts come from options
 * and clock, the rest from `limits`. */
enum yo_err yo_session_think(struct yo_session *session, enum yo_go_color color,
                             const struct yo_search_limits *limits, const atomic_bool *stop,
                             yo_search_report_fn report, void *user,
                             struct yo_search_result *result, struct yo_diag *diag);
/* A move of the opening book as the result of a search without visits, which yo_session_play_best
 * plays as it is. *found: the book is on and has one. */
enum yo_err yo_session_book(struct yo_session *session, enum yo_go_color color,
                            struct yo_search_result *result, bool *found, struct yo_diag *diag);
/* For a move to play: by the book, or else as yo_session_think. */
enum yo_err yo_session_find_move(struct yo_session *session, enum yo_go_color color,
                                 const struct yo_search_limits *limits, const atomic_bool *stop,
                                 yo_search_report_fn report, void *user,
                                 struct yo_search_result *result, struct yo_diag *diag);
/* Did the last move that was looked for come from the book? */
bool yo_session_is_in_book(const struct yo_session *session);
/* Adds the limits of the session's level to those of a search for a move, and at a weak level
 * clears what earlier searches have kept. */
enum yo_err yo_session_limit_by_level(struct yo_session *session, struct yo_search_limits *limits,
                                      struct yo_diag *diag);
/* Plays the best move of that search, or one that the session's level chooses, and takes its
 * time off the clock, or resigns if may_resign. *move is the move or the resignation. */
enum yo_err yo_session_play_best(struct yo_session *session, enum yo_go_color color,
                                 bool may_resign, const struct yo_search_result *result,
                                 yo_go_point *move, struct yo_diag *diag);
/* That move or the resignation, which is not played: game, clock and what counts towards a
 * resignation stay as they are. */
enum yo_err yo_session_choose_best(struct yo_session *session, enum yo_go_color color,
                                   const struct yo_search_result *result, yo_go_point *move,
                                   struct yo_diag *diag);
/* As yo_session_analyse, but for `color`, whoever is to move in the game. */
enum yo_err yo_session_analyse_for(struct yo_session *session, enum yo_go_color color,
                                   const struct yo_search_limits *limits, const atomic_bool *stop,
                                   yo_search_report_fn report, void *user,
                                   struct yo_search_result *result, struct yo_diag *diag);
/* Is pondering on, and the session's own move the last one? */
bool yo_session_may_ponder(struct yo_session *session);
/* Searches in the opponent's time until *stop. The tree is kept. */
void yo_session_ponder(struct yo_session *session, const atomic_bool *stop);
/* Judges which stones are dead, and the score: by reading, then by the network if there is one,
 * else by as many playouts as the option `judge` sets. */
enum yo_err yo_session_judge(struct yo_session *session, const atomic_bool *stop,
                             struct yo_judgement *judgement, struct yo_diag *diag);
/* The network of --net; an error if there is none. */
enum yo_err yo_session_net(struct yo_session *session, struct yo_eval *eval, struct yo_diag *diag);
/* The evaluator of playouts, for the caller's statistics; prepares it. */
enum yo_err yo_session_playouts(struct yo_session *session, struct yo_eval *eval,
                                struct yo_diag *diag);
