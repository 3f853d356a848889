/* Shared by the files of a session; nothing else includes it.
 *   session.c       making it, options, the game
 *   shogi_player.c  what shogi adds: evaluation, book, rules, the time for a move
 *   thinking.c      a move found in a thread of its own: pondering, stopping, the answer */
#pragma once

#include <pthread.h>

#include "engine/options.h"
#include "engine/session.h"
#include "eval/shogi/net.h"
#include "game/shogi/book.h"

/* Shogi: what stands behind the options of a session. */
struct shogi_player {
    struct yo_shogi_net *net; /* NULL: material */
    struct yo_shogi_eval eval;
    char *eval_asked; /* the network that was last tried */
    struct yo_shogi_book *book;
    char *book_asked; /* the book that was last tried */
    uint64_t random;
    struct yo_search mate; /* the solver, for requests with `mate` */
    struct yo_shogi_clock clocks[2];
    /* What the thinking thread needs of the options, taken over at the start. */
    int64_t resign_value;
    struct yo_shogi_game *before; /* without the last move: thinks about the opponent's move */
};

/* A request while it is worked on. */
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
    bool answered; /* the answer is on its way: the thread is at its end */
    bool held;     /* infinite or pondering: the answer has to wait */
    bool silent;   /* the answer is not wanted: the search begins anew as another */
    struct yo_shogi_book_move book_move; /* the answer, if the book has one */
};

struct yo_session {
    struct yo_session_config config;
    struct yo_options options;
    struct yo_shogi_game *shogi;
    struct yo_search search;
    atomic_bool stop;
    struct shogi_player player;
    struct thinking thinking;
};

void yo_session_notice(const struct yo_session *session, const char *fmt, ...) YO_PRINTF(2, 3);

/* ---- shogi_player.c ---- */
enum yo_err yo_shogi_player_prepare(struct yo_session *session, struct yo_diag *diag);
void yo_shogi_player_free(struct yo_session *session);
/* Rules, resigning and Stochastic_Ponder as the options have them now. */
void yo_shogi_player_take_options(struct yo_session *session, bool ponders);
/* Sets the thinking's clock by its request, the session's clocks and options. What was pondered
 * before counts towards the move. */
void yo_shogi_player_set_clock(struct yo_session *session, int64_t pondered_ms);
/* A move for the position, drawn from those that are about as good as the best; none if the book is
 * off or has none. */
struct yo_shogi_book_move yo_shogi_player_book_move(struct yo_session *session);
