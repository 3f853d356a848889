/* A search: a game and limits in; progress reports and a result out. UCT, flat Monte Carlo,
 * alpha-beta and the mate solver stand behind it. What it gets is the whole game (struct
 * yo_go_game, struct yo_shogi_game), since superko, repetition and the reuse of a tree need the
 * history; the caller keeps it unchanged while the search runs. A search can be stopped from
 * another thread at any time and has a move to give once it ran. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "game/game.h"
#include "search/clock.h"
#include "yomi/error.h"

/* ---- Limits ---- */

/* What ends a search, whichever comes first, and what it is to look at. Zero means no such limit;
 * with none at all (an infinite search, or pondering with a clock that is not set yet) it runs
 * until it is stopped or has nothing left to search. */
struct yo_search_limits {
    uint64_t playouts; /* simulations of a tree, in this search */
    uint64_t visits;   /* of the root, those of earlier searches included */
    uint64_t nodes;
    int depth;
    int64_t time_ms;  /* from the call on */
    int64_t extra_ms; /* beyond time_ms, if by then it is not clear which move is best */
    struct yo_search_clock *clock; /* live, in place of time_ms and extra_ms; or NULL */
    bool mate;                     /* look for a mate of the opponent alone */
    bool whole;    /* all of the limits, also when the best move cannot change any more */
    bool clean_up; /* Go: do not pass while dead stones of the opponent are on the board */
    bool details;  /* fill in what each move has of `score_stdev` and `ownership` */
    size_t lines;  /* how many best moves get a line of play; 0 is 1. A tree gives all of them */
    const yo_move *only; /* moves of the root to look at; NULL for all */
    size_t only_count;
    const yo_move *avoid; /* moves of the root that are not to be looked at */
    size_t avoid_count;
};

/* The limits that a search understands, one bit each, and their names in messages. `whole` is
 * for all, since who never ends early honours it. */
#define YO_SEARCH_LIMIT_LIST(X)                                                                    \
    X(TIME, "time", l->time_ms || l->extra_ms || l->clock)                                         \
    X(PLAYOUTS, "playouts", l->playouts)                                                           \
    X(VISITS, "visits", l->visits)                                                                 \
    X(NODES, "nodes", l->nodes)                                                                    \
    X(DEPTH, "depth", l->depth)                                                                    \
    X(MATE, "mate", l->mate)                                                                       \
    X(MOVES, "only or avoid", l->only || l->avoid_count)                                           \
    X(CLEAN_UP, "clean-up", l->clean_up)                                                           \
    X(DETAILS, "details", l->details)                                                              \
    X(LINES, "several lines", l->lines > 1)

enum yo_search_limit {
#define X(name, text, is_set) YO_LIMIT_BIT_##name,
    YO_SEARCH_LIMIT_LIST(X)
#undef X
        YO_LIMIT_COUNT,
#define X(name, text, is_set) YO_LIMIT_##name = 1 << YO_LIMIT_BIT_##name,
    YO_SEARCH_LIMIT_LIST(X)
#undef X
};

/* Is the search to look at this move of the root? */
bool yo_search_allows(const struct yo_search_limits *limits, yo_move move);
/* The clock that the limits have, or *own, started now by time_ms and extra_ms. */
struct yo_search_clock *yo_search_clock_begin(const struct yo_search_limits *limits,
                                              struct yo_search_clock *own);
/* The time for a search with these limits, 0 for no limit. */
int64_t yo_search_time_ms(const struct yo_search_limits *limits);

/* ---- Results ---- */

/* UNKNOWN: the search was stopped before it had a value for any move. */
enum yo_search_bound {
    YO_BOUND_UPPER = -1,
    YO_BOUND_EXACT = 0,
    YO_BOUND_LOWER = 1,
    YO_BOUND_UNKNOWN = 2
};

/* A move of the root with what was found of it. Trees fill visits, playouts fill scores, alpha-beta
 * fills centipawns; what a search does not know is 0. The win rate is always there. */
struct yo_search_move {
    yo_move move;
    double winrate_to_move; /* 0..1, for the side to move at the root */
    bool proven;            /* that winrate is 0 or 1 for certain */

    uint64_t visits;
    double score_to_move;   /* mean points after komi, same side */
    double lcb_to_move;     /* what the winrate is at least, with 95% confidence */
    double prior;           /* share of attention it had before the search, 0..1; 0: not known */
    double rave_to_move;    /* winrate of playouts in which it was played at some time */
    uint64_t rave_visits;   /* and how many those were; 0: not counted */
    double score_stdev;     /* of the playouts' results, in points; 0: not known */
    const float *ownership; /* after this move, as the result's; NULL: not known */

    int centipawns; /* for the side to move; 0 where there is a mate */
    int mate;       /* plies to it: above 0 the side to move mates, below 0 it is mated; 0: none */
    int depth, seldepth;
    enum yo_search_bound bound; /* the value is exact, or at least or at most that */

    /* What is expected to follow, this move first, and how often each was visited (or NULL). */
    const yo_move *pv;
    const uint64_t *pv_visits;
    size_t pv_count;
};

/* The lower end of the interval for a winrate seen in so many visits. */
double yo_search_lower_bound(double winrate, uint64_t visits);
/* A value in centipawns as a chance to win, by the curve that shogi programs draw: 600 are 73%. */
double yo_search_winrate_of(double centipawns);

/* The value of a move in centipawns: its own, or where the search has none, by that curve. */
int yo_search_centipawns(const struct yo_search_move *move);

struct yo_search_prior {
    yo_move move;
    double share; /* of all moves; they add up to 1 */
};

/* Best first. `moves`, all they point to, `priors` and `ownership` belong to the search and live
 * until the next call. */
struct yo_search_result {
    const struct yo_search_move *moves;
    size_t move_count;
    size_t first; /* rank of moves[0], from 0: a report may be about one line of several */
    uint64_t playouts, nodes;
    int depth;    /* that was finished */
    int hashfull; /* of the transposition table, per mille */
    int64_t elapsed_ms;
    const yo_move *trying; /* NULL, or: a report that this move is looked at now, and no more */
    bool no_mate;          /* of a search with `mate`: there is none, for certain */
    /* What was known of each move of the root before the search, visited or not; or none. */
    const struct yo_search_prior *priors;
    size_t prior_count;
    const float *ownership; /* Go: one entry a point, +1 Black's .. -1 White's; or NULL */
};

/* The position's own winrate and score for the side to move: the mean over all that was looked at.
 * The best move's are biased upwards, as the best of many uncertain values is. */
double yo_search_root_winrate(const struct yo_search_result *result);
double yo_search_root_score(const struct yo_search_result *result);

typedef void (*yo_search_report_fn)(void *user, const struct yo_search_result *so_far);

/* ---- Searches ---- */

struct yo_search_ops {
    const char *name;
    unsigned limits; /* those that it understands: YO_LIMIT_ bits */
    /* Blocks until a limit or *stop; stop and report may be NULL. Reports come from the searching
     * thread. Callers use yo_search_run. */
    enum yo_err (*run)(void *ctx, const void *game, const struct yo_search_limits *limits,
                       const atomic_bool *stop, yo_search_report_fn report, void *user,
                       struct yo_search_result *result, struct yo_diag *diag);
    /* Forgets what is kept between moves. */
    void (*clear)(void *ctx);
    void (*destroy)(void *ctx);
};

struct yo_search {
    const struct yo_search_ops *ops;
    void *ctx;
};

/* Runs it. YO_ERR_ARGUMENT, with a message that names the limit, for one that the search does not
 * understand: none is passed over in silence. */
enum yo_err yo_search_run(struct yo_search search, const void *game,
                          const struct yo_search_limits *limits, const atomic_bool *stop,
                          yo_search_report_fn report, void *user, struct yo_search_result *result,
                          struct yo_diag *diag);
