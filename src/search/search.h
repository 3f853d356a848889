/* A search: position, limits and options in; progress reports and a result out. It can be stopped
 * from another thread at any time and always has a move to give once it ran. The position is a
 * struct yo_go_game for Go; the caller keeps it unchanged while the search runs. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "game/game.h"
#include "yomi/error.h"

/* What ends a search, whichever comes first. Zero means no such limit; with none at all the search
 * runs until it is stopped. */
struct yo_search_limits {
    uint64_t playouts;
    int64_t time_ms;
    int64_t extra_ms; /* beyond time_ms, if by then it is not clear which move is best */
    bool clean_up;    /* Go: do not pass while dead stones of the opponent are on the board */

    /* For analyses. */
    bool whole;           /* all of the limits, also when the best move cannot change any more */
    bool details;         /* fill in what each move has of `score_stdev` and `ownership` */
    const yo_move *avoid; /* moves of the root that are not to be looked at */
    size_t avoid_count;
};

static inline bool yo_search_avoids(const struct yo_search_limits *limits, yo_move move) {
    for (size_t i = 0; i < limits->avoid_count; i++)
        if (limits->avoid[i] == move) return true;
    return false;
}

struct yo_search_move {
    yo_move move;
    uint64_t visits;
    double winrate_to_move; /* 0..1, for the side to move at the root */
    double score_to_move;   /* mean points after komi, same side */
    bool proven;            /* that winrate is 0 or 1 for certain */
    double lcb_to_move;     /* what the winrate is at least, with 95% confidence */
    double prior;           /* share of attention it had before the search, 0..1; 0: not known */
    double rave_to_move;    /* winrate of playouts in which it was played at some time */
    uint64_t rave_visits;   /* and how many those were; 0: not counted */
    double score_stdev;     /* of the playouts' results, in points; 0: not known */
    const float *ownership; /* after this move, as the result's; NULL: not known */
    /* What is expected to follow, this move first, and how often each was visited. */
    const yo_move *pv;
    const uint64_t *pv_visits;
    size_t pv_count;
};

/* The lower end of the interval for a winrate seen in so many visits. */
double yo_search_lower_bound(double winrate, uint64_t visits);

struct yo_search_prior {
    yo_move move;
    double share; /* of all moves; they add up to 1 */
};

/* Best first. `moves`, all they point to, `priors` and `ownership` belong to the search and live
 * until the next call. */
struct yo_search_result {
    const struct yo_search_move *moves;
    size_t move_count;
    uint64_t playouts;
    int64_t elapsed_ms;
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

struct yo_search_ops {
    const char *name;
    /* Blocks until a limit or *stop; report may be NULL, is called from the searching thread. */
    enum yo_err (*run)(void *ctx, const void *position, const struct yo_search_limits *limits,
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
