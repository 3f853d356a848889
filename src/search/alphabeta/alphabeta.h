/* Alpha-beta for shogi: iterative deepening, principal-variation search, a transposition table that
 * threads share, ordering by what cut before, and pruning that can be turned off for comparison
 * with the plain search. How deep a move is read is up to a depth rule (rule.h), what a position
 * is worth to an evaluation (eval/shogi/eval.h). */
#pragma once

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "eval/shogi/eval.h"
#include "game/shogi/rules.h"
#include "search/alphabeta/margins.h"
#include "search/alphabeta/rule.h"

enum {
    YO_AB_PLY_MAX = 120,
    YO_AB_MATE = 32000, /* less the plies to it */
    YO_AB_MATE_FROM = YO_AB_MATE - 1000,
    YO_AB_QUIET_PLIES = 8, /* how far captures are followed beyond the depth */
    YO_AB_THREADS_MAX = 512
};

/* Limits of time that another thread may set while the search runs, as when a guessed move was
 * played: moments by yo_time_ms, 0 for none. */
struct yo_ab_clock {
    _Atomic int64_t from;  /* thinking is counted from here */
    _Atomic int64_t least; /* a move that seems clear is not played before */
    _Atomic int64_t soft;  /* no new depth is begun after about this */
    _Atomic int64_t hard;  /* stops by then */
    /* The referee drops what is less than a second: an end is put off until so long before the next
     * whole one. -1: it counts everything. */
    _Atomic int64_t ahead_ms;
};

/* Durations from a moment on, 0 for no limit. Any thread, at any time. */
void yo_ab_clock_set(struct yo_ab_clock *clock, int64_t from, int64_t least_ms, int64_t soft_ms,
                     int64_t hard_ms);

/* Zero means no such limit; with none it runs until stopped. */
struct yo_ab_limits {
    int depth;
    uint64_t nodes;
    int64_t soft_ms;           /* no new depth is begun after this */
    int64_t hard_ms;           /* stops within this */
    struct yo_ab_clock *clock; /* the caller's, in place of both; or NULL */
    const yo_shogi_move *only; /* root moves to look at; NULL for all */
    size_t only_count;
};

/* What kinds of shortcuts a search may take. */
enum yo_ab_pruning {
    YO_AB_PLAIN, /* none that could change the value: what minimax would give */
    YO_AB_SAFE,  /* without late-move reductions and forward pruning of single moves */
    YO_AB_FULL
};

struct yo_ab_options {
    int threads;
    int multi_pv; /* so many best moves are reported, each with its line */
    enum yo_ab_pruning pruning;
    struct yo_ab_margins margins;
    bool mate_search;   /* look for a long mate by checks before thinking */
    int64_t details_ms; /* after so long, report bounds and moves at work too; 0: never */
    const struct yo_ab_rule *rule;    /* the caller keeps it */
    const struct yo_shogi_eval *eval; /* the same */
};

/* One thread, one line, everything on, plain plies, material. */
extern const struct yo_ab_options yo_ab_options_default;

struct yo_ab_report {
    int depth, seldepth;
    int score; /* for the side to move, in hundredths of a pawn, or YO_AB_MATE less plies */
    uint64_t nodes;
    int64_t elapsed_ms;
    int hashfull; /* per mille */
    int multi_pv; /* which of the best moves this is, from 1 */
    const yo_shogi_move *line;
    size_t length; /* 0 if there is no legal move */
    /* With `details_ms` only. */
    int bound;            /* the value is at least (1) or at most (-1) the score */
    yo_shogi_move trying; /* if not none, this and the numbers are all there is to report */
};

typedef void (*yo_ab_report_fn)(void *user, const struct yo_ab_report *report);

struct yo_ab;

enum yo_err yo_ab_new(size_t table_mb, struct yo_ab **search);
void yo_ab_delete(struct yo_ab *search);
/* Forgets the game before. */
void yo_ab_clear(struct yo_ab *search);
/* Not while it runs. If there is no memory for so many threads, the options stay as they were. */
enum yo_err yo_ab_set_options(struct yo_ab *search, const struct yo_ab_options *options);
/* Plain: the value that minimax would give, for tests. Set before a run. */
void yo_ab_set_plain(struct yo_ab *search, bool plain);

/* past: the game up to and with the position, oldest first; at least one entry. Blocks until a
 * limit or *stop (may be NULL). The last report's line lives until the next call. With one thread
 * and no limit of time the same calls give the same results. */
enum yo_err yo_ab_run(struct yo_ab *search, const struct yo_shogi_position *pos,
                      const struct yo_shogi_rules *rules, const struct yo_shogi_past *past,
                      size_t past_count, const struct yo_ab_limits *limits, const atomic_bool *stop,
                      yo_ab_report_fn report, void *user, struct yo_ab_report *result);
