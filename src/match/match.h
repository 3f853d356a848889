/* A match: two engines or more, games with alternating colours and openings, the score, and the
 * folder with the results. The caller fills in the first part of struct yo_match and receives
 * events; nothing here prints. */
#pragma once

#include <pthread.h>
#include <stdatomic.h>

#include "base/notice.h"
#include "base/stats.h"
#include "match/file.h"
#include "match/go.h"
#include "match/pairs.h"
#include "match/ratings.h"
#include "match/schedule.h"
#include "match/shogi.h"

struct yo_match;

/* Identity of an engine. */
struct yo_match_greeting {
    char name[64];
    char build[YO_MATCH_PART]; /* name, version, and a hash of its program */
};

/* A kind of match: the handshake with engines, and one game. */
struct yo_match_kind {
    const char *name;
    const char *record; /* file extension of its records */
    const char *speaks; /* for messages: the protocol that the command must speak */
    /* Writes the lines with '#' that identify the match. */
    void (*put_header)(const struct yo_match *m, struct yo_buf *out);
    /* Handshake with a started engine. Its identity is requested once, before the first game; later
     * `greeting` is NULL. */
    enum yo_err (*greet)(struct yo_match *m, int which, struct yo_peer *peer,
                         struct yo_match_greeting *greeting, struct yo_diag *diag);
    /* seats[0] is Black; *record gets the text of the game. */
    enum yo_err (*play)(struct yo_match *m, struct yo_peer *const seats[2], size_t game,
                        const struct yo_match_watcher *watcher, struct yo_match_result *result,
                        struct yo_buf *record, struct yo_diag *diag);
    void (*free)(struct yo_match *m);
};

extern const struct yo_match_kind yo_match_go, yo_match_shogi;

/* Each may be NULL; they are called one at a time, from any thread of the match. */
struct yo_match_events {
    void (*began)(void *user, size_t game);
    void (*moved)(void *user, size_t game, const struct yo_match_sight *sight);
    /* Called after the score is updated; result is NULL for an abandoned game. */
    void (*ended)(void *user, size_t game, const struct yo_match_result *result);
    void *user;
};

#define YO_MATCH_JOBS_MAX 64

struct yo_match {
    /* The caller's to fill in; zero the rest. */
    const struct yo_match_kind *kind;
    struct yo_schedule schedule;
    const char *commands[YO_MATCH_ENGINES_MAX];
    const char *openings;       /* the file, or NULL; the functions below read its games */
    const atomic_bool *stopped; /* set by the caller: unfinished games are abandoned */
    uint64_t seed;
    size_t games;
    int jobs;      /* games at the same time */
    bool has_sprt; /* of two engines */
    double elo0, elo1;
    struct yo_match_events events;
    struct yo_notices notices;

    struct { /* Go */
        struct yo_match_rules rules;
        struct yo_go_game **openings; /* where games begin, by the match's rules */
        size_t opening_count;
        int random_plies;            /* of games without openings */
        struct yo_match_judge judge; /* for counting; the match destroys it */
    } go;
    struct { /* shogi */
        struct yo_usi_match_rules rules;
        const char *options[2]; /* NAME=VALUE;... of the first engine, and of all others */
        struct yo_usi_opening *openings;
        size_t opening_count;
        int random_plies;
    } shogi;

    /* Set by the match; read-only for the caller. */
    struct yo_match_greeting engines[YO_MATCH_ENGINES_MAX];
    bool opened;
    pthread_mutex_t lock; /* for all below */
    struct yo_match_file file;
    size_t next;
    size_t played; /* in this run */
    struct yo_scores scores;
    struct yo_pairs pairs; /* of two engines: where both games of an opening are over */
    int faults[YO_MATCH_ENGINES_MAX];
    enum yo_err err;
    struct yo_diag diag;
    bool stop;
};

/* Reads the openings' file under the rules in `m`; does nothing without a file. */
enum yo_err yo_match_go_read_openings(struct yo_match *m, struct yo_diag *diag);
enum yo_err yo_match_shogi_read_openings(struct yo_match *m, struct yo_diag *diag);

/* Starts all engines once, to report a bad command before the first game, and opens the folder
 * (NULL: nothing is stored). *before: finished games of an earlier run. */
enum yo_err yo_match_open(struct yo_match *m, const char *folder, size_t *before,
                          struct yo_diag *diag);
/* Plays the games that are left. */
enum yo_err yo_match_run(struct yo_match *m, struct yo_diag *diag);
void yo_match_close(struct yo_match *m);

/* ---- for the files of this folder: engine.c ---- */
/* Starts an engine and does the handshake; error messages name its command. */
enum yo_err yo_match_engine_start(struct yo_match *m, int which, struct yo_peer *peer,
                                  struct yo_match_greeting *greeting, struct yo_diag *diag);
/* Starts the engine if it does not run or has failed. */
enum yo_err yo_match_engine_ready(struct yo_match *m, int which, struct yo_peer *peer,
                                  struct yo_diag *diag);
