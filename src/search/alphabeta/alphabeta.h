/* Alpha-beta for shogi: iterative deepening, principal-variation search, a transposition table that
 * threads share, ordering by what cut before, and pruning that can be turned off for comparison
 * with the plain search. How deep a move is read is up to a depth rule (rule.h), what a position
 * is worth to an evaluation (eval/shogi/eval.h). */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "eval/shogi/eval.h"
#include "search/alphabeta/margins.h"
#include "search/alphabeta/rule.h"
#include "search/search.h"

enum {
    YO_AB_PLY_MAX = 120,
    YO_AB_MATE = 32000, /* less the plies to it */
    YO_AB_MATE_FROM = YO_AB_MATE - 1000,
    YO_AB_QUIET_PLIES = 8, /* how far captures are followed beyond the depth */
    YO_AB_THREADS_MAX = 512
};

/* What kinds of shortcuts a search may take. */
enum yo_ab_pruning {
    YO_AB_PLAIN, /* none that could change the value: what minimax would give */
    YO_AB_SAFE,  /* without late-move reductions and forward pruning of single moves */
    YO_AB_FULL
};

struct yo_ab_options {
    int threads;
    enum yo_ab_pruning pruning;
    struct yo_ab_margins margins;
    bool mate_search;   /* look for a long mate by checks before thinking */
    int64_t details_ms; /* after so long, report bounds and moves at work too; 0: never */
    const struct yo_ab_rule *rule;    /* the caller keeps it */
    const struct yo_shogi_eval *eval; /* the same */
};

/* One thread, everything on, plain plies, material. */
extern const struct yo_ab_options yo_ab_options_default;

struct yo_ab;

enum yo_err yo_ab_new(size_t table_mb, struct yo_ab **search);
void yo_ab_delete(struct yo_ab *search);
/* Forgets the game before. */
void yo_ab_clear(struct yo_ab *search);
/* Not while it runs. If there is no memory for so many threads, the options stay as they were. */
enum yo_err yo_ab_set_options(struct yo_ab *search, const struct yo_ab_options *options);
/* Plain: the value that minimax would give, for tests. Set before a run. */
void yo_ab_set_plain(struct yo_ab *search, bool plain);

/* The limits that it understands. */
#define YO_AB_LIMITS                                                                               \
    (YO_LIMIT_TIME | YO_LIMIT_NODES | YO_LIMIT_DEPTH | YO_LIMIT_MOVES | YO_LIMIT_LINES)

/* As a yo_search of a struct yo_shogi_game, whose rules it minds. With one thread and no limit of
 * time the same calls give the same results. `destroy` is yo_ab_delete. */
struct yo_search yo_ab_as_search(struct yo_ab *search);

/* A value with mates in it: YO_AB_MATE less the plies, or centipawns. -YO_AB_MATE for a result
 * without moves, which is mate. */
int yo_ab_score(const struct yo_search_result *result);
