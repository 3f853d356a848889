/* What the files of `yomi match` share: the match, and what a game of one kind or the other needs.
 */
#pragma once

#include <pthread.h>
#include <stdatomic.h>

#include "base/option.h"
#include "base/stats.h"
#include "cmd/match/file.h"
#include "match/go.h"
#include "match/pairs.h"
#include "match/shogi.h"

struct match;

/* What an engine says of itself. */
struct match_greeting {
    char name[64];
    char build[YO_MATCH_PART]; /* name, version, and a number that is its program's alone */
};

/* A game that can be played: how engines are greeted, how one game goes. */
struct match_kind {
    const char *name;
    const char *record;        /* what its records' names end in */
    const char *speaks;        /* for messages: what a command line has to be */
    const char *const *unused; /* options that mean nothing here, ending with NULL */
    enum yo_err (*read_options)(struct match *m, const struct yo_options *o, struct yo_diag *diag);
    /* Lines that begin with '#': all that makes a match another one. */
    void (*put_header)(const struct match *m, const struct yo_options *o, struct yo_buf *out);
    /* The engine runs; says hello. Who it is, is asked once, before the first game: later
     * `greeting` is NULL. */
    enum yo_err (*greet)(struct match *m, int which, struct yo_peer *peer,
                         struct match_greeting *greeting, struct yo_diag *diag);
    /* seats[0] is Black; *record gets the text of the game. */
    enum yo_err (*play)(struct match *m, struct yo_peer *const seats[2], size_t game,
                        const struct yo_match_watcher *watcher, struct yo_match_result *result,
                        struct yo_buf *record, struct yo_diag *diag);
    void (*free)(struct match *m);
};

extern const struct match_kind yo_match_go, yo_match_shogi;

/* A game that is being played. */
struct match_table {
    struct match *match; /* NULL: none */
    size_t game, moves;
};

#define YO_MATCH_JOBS_MAX 64

struct match {
    const struct match_kind *kind;
    const char *commands[2];
    struct match_greeting engines[2];
    const atomic_bool *stopped; /* by a signal */
    uint64_t seed;
    size_t games;
    int jobs;
    bool has_sprt;
    double elo0, elo1;

    struct { /* Go */
        struct yo_match_rules rules;
        struct yo_go_game **openings; /* where games begin, by the match's rules */
        size_t opening_count;
        struct yo_eval eval;
    } go;
    struct { /* shogi */
        struct yo_usi_match_rules rules;
        const char *options[2]; /* as the command line has them */
        struct yo_usi_opening *openings;
        size_t opening_count;
        int random_plies;
    } shogi;

    pthread_mutex_t lock; /* for all below */
    struct yo_match_file file;
    size_t next;
    struct yo_tally tally; /* of the first engine */
    struct yo_pairs pairs; /* the same, where both games of an opening are over */
    int faults[2];
    enum yo_err err;
    struct yo_diag diag;
    bool stop;
    struct match_table tables[YO_MATCH_JOBS_MAX];
    bool shown; /* a line of progress */
};

/* engine.c. Starts one and greets it; what is wrong with it is told by its command. */
enum yo_err yo_match_engine_start(struct match *m, int which, struct yo_peer *peer,
                                  struct match_greeting *greeting, struct yo_diag *diag);
/* The two that play: those that do not run, or have failed, are started. */
enum yo_err yo_match_engines_ready(struct match *m, struct yo_peer peers[2], struct yo_diag *diag);

/* play.c. One game of the file into the score, which may end the match; all that are left.
 * ends_pair: the other game with the same opening was counted before. */
void yo_match_count(struct match *m, size_t game, bool ends_pair);
void yo_match_play_all(struct match *m);

/* tell.c. The score so far; one game, with the lock held. */
void yo_match_print_tally(const struct match *m);
void yo_match_print_game(struct match *m, size_t game, bool first_is_black,
                         const struct yo_match_result *r);
/* A line on the terminal, if there is one. The watcher is for the game's rules;
 * end takes the line away, and so does hide, which wants the lock held. */
struct yo_match_watcher yo_match_progress_begin(struct match *m, size_t game);
void yo_match_progress_end(struct match *m, const struct yo_match_watcher *watcher);
void yo_match_progress_hide(struct match *m);
