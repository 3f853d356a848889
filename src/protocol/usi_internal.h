/* What the files of the USI engine share. */
#pragma once

#include <pthread.h>
#include <stdatomic.h>

#include "base/buf.h"
#include "base/option.h"
#include "eval/shogi/eval.h"
#include "game/shogi/rules.h"
#include "game/shogi/text.h"
#include "protocol/usi.h"
#include "search/alphabeta.h"
#include "search/dfpn.h"
#include "search/probability.h"

struct yo_shogi_net;

enum { USI_SEARCHMOVES = 600 };

/* What a go asked for. */
struct usi_go {
    struct yo_usi_clock clocks[2];
    int64_t byoyomi_ms, movetime_ms, mate_ms; /* mate_ms 0: without end */
    int64_t depth, nodes;
    bool infinite, ponder, mate;
    yo_shogi_move only[USI_SEARCHMOVES];
    size_t only_count;
};

struct yo_usi {
    yo_usi_write_fn write;
    void *user;
    pthread_mutex_t mutex; /* guards writing, and waiting below */
    pthread_cond_t changed;
    struct yo_options options;

    /* The game as position gave it. */
    struct yo_shogi_position pos;
    struct yo_shogi_past *past;
    size_t past_count;

    struct yo_shogi_net *net; /* NULL: material */
    struct yo_shogi_eval eval;
    char *eval_asked; /* the EvalFile that was last tried */

    struct yo_ab *search;
    struct yo_dfpn *mate;
    size_t table_mb; /* of `search` */
    struct yo_probability_table probabilities;
    struct yo_ab_rule rule;     /* made of them */
    char probability_path[512]; /* where they come from; "": nowhere yet */

    pthread_t thread;
    bool running; /* there is a thread to join */
    atomic_bool stop;
    bool released; /* a search without end may answer now; guarded by mutex */
    bool silent;   /* the answer is not wanted: the search goes on as another */
    struct usi_go go;
    /* What the thread needs of the options, taken over at go: they may change meanwhile. */
    struct yo_ab_limits limits;
    struct yo_shogi_rules rules;
    int64_t resign_value, multi_pv;
};

extern const struct yo_option yo_usi_options[];

void yo_usi_say(struct yo_usi *usi, const char *fmt, ...) YO_PRINTF(2, 3);
enum yo_err yo_usi_prepare(struct yo_usi *usi);
/* Reads the evaluation that the options name, unless it is there. Not while it thinks. */
enum yo_err yo_usi_prepare_eval(struct yo_usi *usi);
void yo_usi_free_eval(struct yo_usi *usi);

/* The rest of the line; each complains with info string and changes nothing if it cannot. */
void yo_usi_position(struct yo_usi *usi, const char *rest);
void yo_usi_go(struct yo_usi *usi, const char *rest);
/* Ends what runs; `silent`: without its answer. */
void yo_usi_stop(struct yo_usi *usi, bool silent);
void yo_usi_ponderhit(struct yo_usi *usi, const char *rest);

/* Copies the next word; false at the end. Words longer than the room are cut. */
bool yo_usi_word(const char **rest, char *word, size_t size);
