/* Shared by the files of a session; nothing else includes it.
 *   session.c       making it, options, the game
 *   go_book.c       the opening book of Go
 *   go_player.c     what Go adds: playouts, time, resigning, judging
 *   shogi_player.c  what shogi adds: evaluation, book, rules, the time for a move
 *   thinking.c      a move found in a thread of its own: pondering, stopping, the answer */
#pragma once

#include <pthread.h>

#include "engine/go.h"
#include "engine/options.h"
#include "engine/resign.h"
#include "engine/session.h"
#include "eval/shogi/net.h"

/* Go: the state made from the options of a session. */
struct go_player {
    struct yo_engine engine; /* started by the first call that needs it */
    struct yo_clock clock;
    struct yo_resign resign;
    size_t moved_at; /* number of moves in the game after its own last one; 0: none */
    bool narrowed;   /* the last search excluded moves: its tree is not reused */
    bool noticed;    /* the notice about the search was sent */
    uint64_t level_random;
    bool draws; /* level_random was started from the seed */
    struct yo_go_book *book;
    char *book_asked; /* the book that was last tried */
    uint64_t book_random;
    bool book_draws;                 /* book_random was started */
    struct yo_search_move book_move; /* the answer, if the book had one */
    yo_move book_line[1];
};

/* Shogi: the state made from the options of a session. */
struct shogi_player {
    struct yo_shogi_net *net; /* NULL: material */
    struct yo_shogi_eval eval;
    char *eval_asked; /* the network that was last tried */
    struct yo_shogi_book *book;
    char *book_asked; /* the book that was last tried */
    uint64_t random;
    struct yo_eval guide;  /* the network of PUCT and MCSS; ops NULL: none */
    char *guide_asked;     /* the options that it was opened with */
    char plays[128];       /* for display: the network of the search; "": p->eval */
    struct yo_search mate; /* the solver, for requests with `mate` */
    struct yo_shogi_clock clocks[2];
    /* Options for the thinking thread, copied at the start. */
    int64_t resign_value;
    struct yo_level level;
    uint64_t level_random;        /* of the thinking thread */
    struct yo_shogi_game *before; /* the game without the last move, for Stochastic_Ponder */
};

/* A request in progress. */
struct thinking {
    pthread_t thread;
    bool running; /* there is a thread to join */
    struct yo_session_request request;
    struct yo_session_listener listener;
    struct yo_search_clock clock;
    int64_t started_ms;
    yo_move *only, *avoid; /* copies of the request's */

    pthread_mutex_t mutex;
    pthread_cond_t changed;
    /* Under the mutex while a thread runs: */
    bool answered;                       /* the answer is being given and the thread ends */
    bool held;                           /* infinite or pondering: the answer waits */
    bool silent;                         /* no answer: another search replaces this one */
    struct yo_shogi_book_move book_move; /* the answer, if the book has one */
};

struct yo_session {
    struct yo_session_config config;
    struct yo_options options;
    bool changed;          /* since shogi's search was made */
    bool deep;             /* shogi: the table has values of a search at full strength */
    struct yo_go_game *go; /* one of go and shogi is set, the other is NULL */
    struct yo_shogi_game *shogi;
    struct yo_search search; /* shogi's */
    atomic_bool stop;
    struct go_player go_player;
    struct shogi_player player;
    struct thinking thinking;
};

void yo_session_notice(const struct yo_session *session, const char *fmt, ...) YO_PRINTF(2, 3);

/* Two notices: what failed, and what happens in its place. */
void yo_session_tell_failure(const struct yo_session *session, const char *about,
                             const struct yo_diag *diag, const char *instead);
/* Remembers the requested name, so that it is tried only once. */
enum yo_err yo_session_remember(char **asked, const char *name);
bool yo_session_is_new(const char *asked, const char *name);

/* ---- go_book.c ---- */
/* Opens the book that the options name. */
enum yo_err yo_go_player_prepare_book(struct yo_session *session, struct yo_diag *diag);
/* Is this the result that yo_session_book gave last? */
bool yo_go_player_is_book(const struct yo_session *session, const struct yo_search_result *result);
void yo_go_player_free_book(struct yo_session *session);

/* ---- go_player.c ---- */
enum yo_err yo_go_player_prepare(struct yo_session *session, struct yo_diag *diag);
/* For another game than the session's own: the network depends on the size of the board. */
enum yo_err yo_go_player_prepare_for(struct yo_session *session, const struct yo_go_game *game,
                                     struct yo_diag *diag);
/* Called when an option changes: the parts that depend on it are made again when needed. */
void yo_go_player_option_changed(struct yo_session *session, const char *key);
void yo_go_player_new_game(struct yo_session *session);
/* Runs the search; does not reuse a tree from a search that excluded moves. */
enum yo_err yo_go_player_run(struct yo_session *session, const void *game,
                             const struct yo_search_limits *limits, const atomic_bool *stop,
                             yo_search_report_fn report, void *user,
                             struct yo_search_result *result, struct yo_diag *diag);

/* ---- shogi_player.c ---- */
enum yo_err yo_shogi_player_prepare(struct yo_session *session, struct yo_diag *diag);
void yo_shogi_player_free(struct yo_session *session);
/* Rules, resigning and Stochastic_Ponder as the options have them now. */
void yo_shogi_player_take_options(struct yo_session *session, bool ponders);
/* Sets the clock of the current request from the request, the session's clocks and the options.
 * Time spent pondering counts towards the move. */
void yo_shogi_player_set_clock(struct yo_session *session, int64_t pondered_ms);
/* A book move, drawn from those about as good as the best; none if the book is off or has no
 * move. */
struct yo_shogi_book_move yo_shogi_player_book_move(struct yo_session *session);
