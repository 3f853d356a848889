/* What the files of the USI engine share. */
#pragma once

#include <pthread.h>
#include <stdatomic.h>

#include "base/buf.h"
#include "base/option.h"
#include "engine/shogi_clock.h"
#include "eval/shogi/eval.h"
#include "game/shogi/book.h"
#include "game/shogi/game.h"
#include "game/shogi/text.h"
#include "protocol/usi/usi.h"
#include "search/alphabeta/alphabeta.h"
#include "search/alphabeta/probability.h"
#include "search/mate/solver.h"

struct yo_shogi_net;

enum { USI_SEARCHMOVES = 600 };

/* What BookFile says for none. */
#define USI_NO_BOOK "no_book"

/* What a go asked for. Numbers are -1 where nothing was said. */
struct usi_go {
    struct yo_shogi_clock clocks[2];          /* their byoyomi is not used */
    int64_t byoyomi_ms, movetime_ms, mate_ms; /* mate_ms -1: without end */
    int64_t depth, nodes;
    bool infinite, ponder, mate;
    int64_t heard_ms; /* when, or when ponderhit was heard */
    yo_move only[USI_SEARCHMOVES];
    size_t only_count;
};

struct yo_usi {
    yo_usi_write_fn write;
    void *user;
    pthread_mutex_t mutex; /* guards writing, and waiting below */
    pthread_cond_t changed;
    struct yo_options options;
    unsigned places; /* of the options that the client sees */

    /* The game as position gave it. */
    struct yo_shogi_game *game;
    struct yo_shogi_game *before; /* without the last move; NULL where there was none */

    struct yo_shogi_net *net; /* NULL: material */
    struct yo_shogi_eval eval;
    char *eval_asked; /* the EvalFile that was last tried */
    struct yo_shogi_book *book;
    char *book_asked; /* the BookFile that was last tried */
    uint64_t random;

    struct yo_ab *search;
    struct yo_search mate; /* the solver */
    size_t table_mb;       /* that was asked for `search` */
    struct yo_probability_table probabilities;
    struct yo_ab_rule rule;     /* made of them */
    char probability_path[512]; /* where they come from; "": nowhere yet */

    pthread_t thread;
    bool running; /* there is a thread to join */
    atomic_bool stop;
    struct usi_go go;
    struct yo_search_clock clock; /* of the search that runs */
    int64_t started_ms;

    /* Guarded by mutex while a thread runs. */
    bool answered; /* the last word was said: the thread is at its end */
    bool held;     /* infinite or pondering: the answer has to wait */
    bool silent;   /* the answer is not wanted: the search begins anew as another */
    struct yo_shogi_book_move book_move; /* the answer, if the book has one */

    /* What the thread needs of the options, taken over at go: they may change meanwhile. */
    struct yo_search_limits limits;
    int64_t resign_value, multi_pv;
    bool steps_back; /* thinks about the opponent's move in place of the answer to it */
};

extern const struct yo_option yo_usi_options[];

static inline const struct yo_shogi_position *usi_now(const struct yo_usi *usi) {
    return shogi_game_now(usi->game);
}

void yo_usi_say(struct yo_usi *usi, const char *fmt, ...) YO_PRINTF(2, 3);
/* The last word on a go. */
void yo_usi_answer(struct yo_usi *usi, const char *fmt, ...) YO_PRINTF(2, 3);
/* info string: what went wrong and what to do; `about` is the command or option. */
void yo_usi_complain(struct yo_usi *usi, const char *about, const struct yo_diag *diag);
/* Copies the next word; false at the end. Words longer than the room are cut. */
bool yo_usi_word(const char **rest, char *word, size_t size);

/* ---- usi.c ---- */

/* What is large is made at isready, or at the first go of a client that never asks. Not while it
 * thinks. */
enum yo_err yo_usi_prepare(struct yo_usi *usi);

/* ---- options.c ---- */

void yo_usi_say_options(struct yo_usi *usi);
void yo_usi_setoption(struct yo_usi *usi, const char *rest);
struct yo_ab_margins yo_usi_margins(const struct yo_usi *usi);
/* A text, or NULL if it is unset, empty, or "<empty>" as some clients write that. */
const char *yo_usi_text_option(const struct yo_usi *usi, const char *name);

/* ---- eval.c, book.c ---- */

/* Reads what the options name, unless it is there. Not while it thinks. */
enum yo_err yo_usi_prepare_eval(struct yo_usi *usi);
void yo_usi_free_eval(struct yo_usi *usi);
enum yo_err yo_usi_prepare_book(struct yo_usi *usi);
/* A move for the position, drawn from those that are about as good as the best; none if the book is
 * off or has none. */
struct yo_shogi_book_move yo_usi_book_move(struct yo_usi *usi);

/* ---- position.c, go.c: the rest of the line; each complains and changes nothing if it is
 * no good. ---- */

void yo_usi_position(struct yo_usi *usi, const char *rest);
void yo_usi_go(struct yo_usi *usi, const char *rest);
/* The move that was pondered on was played: the same position, now on the clock. */
void yo_usi_ponderhit(struct yo_usi *usi, const char *rest);

/* ---- think.c ---- */

/* Begins to think about what usi->go says. */
void yo_usi_start(struct yo_usi *usi);
/* Goes on thinking, no longer pondering but on the clock. */
void yo_usi_play_on(struct yo_usi *usi);
/* Is there a go that was not answered yet? */
bool yo_usi_is_thinking(struct yo_usi *usi);
/* Ends what runs; `silent`: without its answer. */
void yo_usi_stop(struct yo_usi *usi, bool silent);
