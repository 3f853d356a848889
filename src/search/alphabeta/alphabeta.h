/* Alpha-beta for shogi: iterative deepening, principal-variation search, a transposition table that
 * threads share, move ordering by history, and pruning that can be turned off for comparison with
 * the plain search. A depth rule (rule.h) decides how deep a move is searched; an evaluation
 * (eval/shogi/eval.h) gives the static value of a position. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "eval/shogi/eval.h"
#include "search/alphabeta/margins.h"
#include "search/alphabeta/rule.h"
#include "search/search.h"

enum {
    YO_AB_PLY_MAX = 120,
    YO_AB_MATE = 32000, /* minus the plies to mate */
    YO_AB_MATE_FROM = YO_AB_MATE - 1000,
    YO_AB_QUIET_PLIES = 8, /* maximum plies of quiescence */
    YO_AB_THREADS_MAX = 512
};

/* Which pruning a search may use. */
enum yo_ab_pruning {
    YO_AB_PLAIN, /* none that could change the value: the same value as minimax */
    YO_AB_SAFE,  /* without late-move reductions and forward pruning of single moves */
    YO_AB_FULL
};

struct yo_ab_options {
    int threads;
    enum yo_ab_pruning pruning;
    struct yo_ab_margins margins;
    bool mate_search;                 /* run the mate solver before the search */
    int64_t details_ms;               /* when to report bounds and the root move too; 0: never */
    const struct yo_ab_rule *rule;    /* the caller keeps it */
    const struct yo_shogi_eval *eval; /* the same */
    /* Called by the first thread every few hundred nodes with the nodes so far; it may wait: the
     * clock of a simulation. NULL: none. */
    void (*pace)(void *user, uint64_t nodes);
    void *pace_user;
    /* Called with every position out of check whose static value quiescence could not raise, and
     * with that value for its side to move, by the thread that searches it. NULL: none. */
    void (*leaf)(void *user, const struct yo_shogi_position *pos, int score);
    void *leaf_user;
};

/* One thread, everything on, plain plies, material. */
extern const struct yo_ab_options yo_ab_options_default;

struct yo_ab;

enum yo_err yo_ab_new(size_t table_mb, struct yo_ab **search);
void yo_ab_delete(struct yo_ab *search);
/* Clears what was kept from the previous game. */
void yo_ab_clear(struct yo_ab *search);
/* Must not be called during a run. If memory for the threads is missing, the options stay
 * unchanged. */
enum yo_err yo_ab_set_options(struct yo_ab *search, const struct yo_ab_options *options);

/* The supported limits. */
#define YO_AB_LIMITS                                                                               \
    (YO_LIMIT_TIME | YO_LIMIT_NODES | YO_LIMIT_DEPTH | YO_LIMIT_MOVES | YO_LIMIT_LINES)

/* As a yo_search of a struct yo_shogi_game, under the rules of that game. With one thread and no
 * time limit the same calls give the same results. `destroy` is yo_ab_delete. */
struct yo_search yo_ab_as_search(struct yo_ab *search);

/* The score in centipawns, or YO_AB_MATE minus the plies to mate. -YO_AB_MATE for a result without
 * moves, which is mate. */
int yo_ab_score(const struct yo_search_result *result);
