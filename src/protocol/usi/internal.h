/* What the files of the USI engine share. */
#pragma once

#include <pthread.h>

#include "base/buf.h"
#include "base/option.h"
#include "engine/session.h"
#include "game/shogi/text.h"
#include "protocol/usi/usi.h"

struct yo_usi {
    yo_usi_write_fn write;
    void *user;
    pthread_mutex_t mutex; /* guards writing */
    struct yo_session *session;
    unsigned places;                 /* which options the client sees */
    struct yo_shogi_clock clocks[2]; /* from the last go */

    /* Of the running go, for the thread that answers. */
    bool mate;
    size_t lines;     /* PV lines to report; numbered if more than one */
    yo_move reported; /* first of the last line; YO_MOVE_NONE: there was none */
};

static inline const struct yo_shogi_position *usi_now(const struct yo_usi *usi) {
    return shogi_game_now(yo_session_shogi(usi->session));
}

/* ---- usi.c ---- */

void yo_usi_say(struct yo_usi *usi, const char *fmt, ...) YO_PRINTF(2, 3);
/* Prints the error and its hint as info string; `about` is the command or option. */
void yo_usi_complain(struct yo_usi *usi, const char *about, const struct yo_diag *diag);
/* Copies the next word; false at the end. Words longer than the buffer are cut. */
bool yo_usi_word(const char **rest, char *word, size_t size);

/* ---- options.c ---- */

void yo_usi_say_options(struct yo_usi *usi);
void yo_usi_setoption(struct yo_usi *usi, const char *rest);

/* ---- position.c, go.c: take the rest of the line; on errors report and change nothing ---- */

void yo_usi_position(struct yo_usi *usi, const char *rest);
void yo_usi_go(struct yo_usi *usi, const char *rest);
/* The opponent played the expected move: the search goes on, now on the clock. */
void yo_usi_ponderhit(struct yo_usi *usi, const char *rest);

/* ---- answer.c: from the thinking thread ---- */

void yo_usi_report(void *usi, const struct yo_search_result *so_far);
void yo_usi_answer(void *usi, const struct yo_session_answer *answer);
