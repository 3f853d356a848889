/* A search: a game and limits in; progress reports and a result out. UCT, flat Monte Carlo,
 * alpha-beta and the mate solver implement it. The input is the whole game (struct yo_go_game,
 * struct yo_shogi_game), since superko, repetition and the reuse of a tree need the history; the
 * caller must not change it while the search runs. Another thread can stop a search at any time; a
 * stopped search still returns a move. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "eval/eval.h"
#include "game/game.h"
#include "search/clock.h"
#include "yomi/error.h"

/* ---- Limits ---- */

/* Limits that end a search, whichever is reached first, and restrictions on what it searches. Zero:
 * no such limit. With no limit at all (an infinite search, or pondering with a clock that is not
 * set yet) the search runs until it is stopped or has nothing left to search. */
struct yo_search_limits {
    uint64_t playouts; /* simulations of a tree, in this search */
    uint64_t visits;   /* of the root, those of earlier searches included */
    uint64_t nodes;
    int depth;
    int64_t time_ms;               /* from the call on */
    int64_t extra_ms;              /* beyond time_ms, if the best move is unclear by then */
    struct yo_search_clock *clock; /* live, in place of time_ms and extra_ms; or NULL */
    bool mate;                     /* search only for a mate of the opponent */
    bool whole;           /* use the limits up, even when the best move cannot change any more */
    bool reads;           /* Go: with `whole`, too, read first which moves decide a fight */
    bool prompt;          /* report a better move at once, not only at the end of an iteration */
    bool clean_up;        /* Go: do not pass while dead stones of the opponent are on the board */
    bool details;         /* fill in `score_stdev` and `ownership` of each move */
    bool ownership;       /* fill in the result's `ownership`, where it costs more than nothing */
    bool moves_ownership; /* and that of each move */
    size_t lines;         /* how many best moves get a PV; 0 means 1. A tree gives all of them */
    const yo_move *only;  /* root moves to search; NULL for all */
    size_t only_count;
    const yo_move *avoid; /* root moves to leave out */
    size_t avoid_count;
    /* Among searches of the same position in several processes, from 0: they vary with it what they
     * search, so that they do not all find the same. */
    unsigned number;
};

/* The limits that a search understands, one bit each, and their names in messages. `whole` has no
 * bit: a search that never ends early satisfies it. */
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

/* Do the limits allow this root move? */
bool yo_search_allows(const struct yo_search_limits *limits, yo_move move);
/* The clock of the limits, if they have one; else *own, started now with time_ms and extra_ms. */
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

/* A root move and its results. Tree searches fill visits, playouts fill scores, alpha-beta fills
 * centipawns; a field that a search does not compute is 0. The winrate is always set. */
struct yo_search_move {
    yo_move move;
    double winrate_to_move; /* 0..1, for the side to move at the root */
    bool proven;            /* that winrate is 0 or 1 for certain */

    uint64_t visits;
    double score_to_move; /* mean points after komi, same side */
    double lcb_to_move;   /* lower bound of the winrate, with 95% confidence */
    double prior;         /* share among the root moves before the search, 0..1; 0: not known */
    double rave_to_move;  /* winrate of the playouts that contain the move (RAVE) */
    uint64_t rave_visits; /* number of those playouts; 0: not counted */
    double score_stdev;   /* of the playouts' results, in points; 0: not known */
    /* Searches with weighted visits and a utility of value and points fill these. Weight 0: the
     * weight is the visits, and the utility is that of the winrate, 1 for a win and -1 for a loss.
     */
    double weight, utility_to_move, utility_lcb_to_move;
    const float *ownership; /* after this move, in the format of the result; NULL: not known */
    const float *ownership_stdev; /* the same */

    int centipawns; /* for the side to move; 0 where there is a mate */
    int mate;       /* plies to it: above 0 the side to move mates, below 0 it is mated; 0: none */
    int depth, seldepth;
    enum yo_search_bound bound; /* the value is exact, or at least or at most that */

    /* The PV, this move first, and the visits of each of its moves (or NULL). */
    const yo_move *pv;
    const uint64_t *pv_visits;
    size_t pv_count;
};

/* The lower confidence bound of a winrate measured in this many visits. */
double yo_search_lower_bound(double winrate, uint64_t visits);
/* Converts centipawns to a winrate by the curve that shogi programs use: 600 is 73%. */
double yo_search_winrate_of(double centipawns);

/* The value of a move in centipawns: from the search, or else from the winrate by that curve. */
int yo_search_centipawns(const struct yo_search_move *move);

struct yo_search_prior {
    yo_move move;
    double share; /* of the probability of all moves; shares add up to 1 */
};

/* Best first. `moves`, all they point to, `priors` and `ownership` belong to the search and live
 * until the next call. */
struct yo_search_result {
    const struct yo_search_move *moves;
    size_t move_count;
    size_t first; /* rank of moves[0], from 0: a report may be about one line of several */
    uint64_t playouts, nodes;
    uint64_t joined; /* playouts that ended at a position that other moves had led to */
    int depth;       /* the last finished depth */
    int hashfull;    /* of the transposition table, per mille */
    int64_t elapsed_ms;
    const yo_move *trying; /* not NULL: reports only that the search of this move starts */
    bool no_mate;          /* for a search with `mate`: proven that there is no mate */
    const struct yo_eval_value *raw; /* the evaluator's own value of the root, with `details` */
    /* The priors of all root moves, visited or not; may be empty. */
    const struct yo_search_prior *priors;
    size_t prior_count;
    const float *ownership;       /* Go: one entry a point, +1 Black's .. -1 White's; or NULL */
    const float *ownership_stdev; /* of the ownership over the tree; or NULL */
};

/* Winrate and score of the root for the side to move: the mean over all visits. Those of the best
 * move are biased upwards, as a maximum of noisy values is. */
double yo_search_root_winrate(const struct yo_search_result *result);
double yo_search_root_score(const struct yo_search_result *result);

/* The weight and the utilities of a move, also where the search does not fill them. */
double yo_search_weight(const struct yo_search_move *move);
double yo_search_utility(const struct yo_search_move *move);
double yo_search_utility_lcb(const struct yo_search_move *move);
/* Utility of the root, as yo_search_root_winrate; its visits and weight, those of all its moves and
 * of the evaluation of the root itself, which is a visit where `raw` has it. */
double yo_search_root_utility(const struct yo_search_result *result);
uint64_t yo_search_root_visits(const struct yo_search_result *result);
double yo_search_root_weight(const struct yo_search_result *result);
/* A number that is largest for the move that the search would play: the visits, for the first move
 * at least one more than any other has. */
double yo_search_selection(const struct yo_search_result *result, size_t i);

typedef void (*yo_search_report_fn)(void *user, const struct yo_search_result *so_far);

/* ---- Searches ---- */

/* Something that a search has learned, for a search of the same kind in another process: a position
 * and what is known of it, in a form of that kind. */
struct yo_search_entry {
    uint64_t key, data;
};

struct yo_search_ops {
    const char *name;
    unsigned limits; /* the supported limits: YO_LIMIT_ bits */
    /* Blocks until a limit or *stop; stop and report may be NULL. Reports come from the searching
     * thread. Callers use yo_search_run. */
    enum yo_err (*run)(void *ctx, const void *game, const struct yo_search_limits *limits,
                       const atomic_bool *stop, yo_search_report_fn report, void *user,
                       struct yo_search_result *result, struct yo_diag *diag);
    /* Drops all state that is kept between moves. */
    void (*clear)(void *ctx);
    void (*destroy)(void *ctx);
    /* Or all NULL. May be called from another thread while the search runs. Searches whose kinds of
     * entries are equal, and not 0, understand each other's. take: the most valuable since the last
     * call; give: bad ones do no harm beyond bad play. Each entry must be given once, in any order;
     * a search knows its own by the `number` of the limits. */
    uint64_t (*entry_kind)(void *ctx);
    size_t (*take_entries)(void *ctx, struct yo_search_entry *entries, size_t most);
    void (*give_entries)(void *ctx, const struct yo_search_entry *entries, size_t count);
};

struct yo_search {
    const struct yo_search_ops *ops;
    void *ctx;
};

/* Runs a search. Returns YO_ERR_ARGUMENT, with a message that names the limit, if the search does
 * not support one of the limits. */
enum yo_err yo_search_run(struct yo_search search, const void *game,
                          const struct yo_search_limits *limits, const atomic_bool *stop,
                          yo_search_report_fn report, void *user, struct yo_search_result *result,
                          struct yo_diag *diag);
