/* Plans of the cluster: which worker searches what, and what follows from their values. Pure: no
 * I/O, no clock and no random numbers; the time is an argument, and the same calls give the same
 * plan. The simulator and the master run the same code. Knows no game: moves and positions come
 * through game/game.h.
 *
 * The master keeps a small tree (struct yo_plan) that grows where the best play is expected. Every
 * worker has one job: a position of that tree and the moves to consider there. Reports fill the
 * tree with values, which go up by minimax. The caller gives the jobs their ids and leases. The
 * game must not change until yo_plan_advance has the new state: positions of the tree point into
 * it.
 *
 *     yo_plan_new(&config, ops, game, &plan, diag)
 *     yo_plan_report(plan, worker, job, result, now_ms, diag)  whenever a worker reports
 *     yo_plan_make(plan, workers, count, now_ms, jobs, ...)    whenever something changed
 *     yo_plan_result(plan, result)                             the best of what is known
 *     yo_plan_advance(plan, game, limits, ...)                 when the game goes on */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "game/game.h"
#include "search/search.h"
#include "yomi/error.h"

/* ---- Strategies ---- */

/* predict: a tree grown where the best play is expected, a worker for each leaf (T. Kaneko, GPW
 *   2010).
 * split: the root moves are dealt to the workers.
 * exchange: all workers search the root, each other depths than the next, and exchange entries of
 *   their tables; the deepest answer counts.
 * share: all workers search the root, and the statistics of their trees are added up; those that
 *   exchange have them all in their own trees.
 * majority, optimistic: all search the root and vote; the move with the most votes wins, or the one
 *   with the highest value that any worker reports. */
#define YO_PLAN_STRATEGY_LIST(X)                                                                   \
    X(PREDICT, "predict")                                                                          \
    X(SPLIT, "split")                                                                              \
    X(SHARE, "share")                                                                              \
    X(MAJORITY, "majority")                                                                        \
    X(OPTIMISTIC, "optimistic")                                                                    \
    X(EXCHANGE, "exchange")

enum yo_plan_strategy {
#define X(name, text) YO_PLAN_##name,
    YO_PLAN_STRATEGY_LIST(X)
#undef X
        YO_PLAN_STRATEGY_COUNT
};

/* The names in that order, then NULL: the choices of an option. */
extern const char *const yo_plan_strategies[];

/* The quick order: fills in how likely each move is, in any unit, higher is likelier. Realization
 * probability, a shallow search, a policy network. Must give the same answer for the same
 * position. */
typedef void (*yo_plan_order_fn)(void *user, const void *position, const yo_move *moves,
                                 size_t count, double *likely);

/* A zero stands for the default. The defaults are the document's. */
struct yo_plan_config {
    enum yo_plan_strategy strategy;
    int64_t recommend_ms; /* workers search the candidates of a node so long; default 1000 */
    size_t width;         /* moves of an inner node that get workers of their own; 2 */
    size_t leaf_width;    /* the same where each of them gets one worker; 3 */
    int margin;           /* centipawns by which another move must be better to replace one; 30 */
    int roots; /* predict: percent of the workers that exchange entries, if there are two, which
                * search the whole root: the answer is theirs, and what the others find reaches them
                * by the exchange; 0: the answer is minimax */
    int lean; /* a move so many centipawns behind the best gets half its workers; 0: all get as many
               */
    int discount; /* centipawns that a value loses for each ply it lacks to the deepest one; 0 */
    size_t node_limit;      /* nodes of the tree; default 4096 */
    yo_plan_order_fn order; /* NULL: the order of the move generator */
    void *user;
    const yo_move *only; /* root moves to search, copied; NULL for all */
    size_t only_count;
    const yo_move *avoid; /* root moves to leave out, copied */
    size_t avoid_count;
    bool whole; /* an analysis, as in struct yo_search_limits: not for a move to play */
};

/* ---- Jobs ---- */

enum { YO_PLAN_PATH_MAX = 64 };

/* Why the worker has it; for display. A job whose purpose alone changes is the same job. */
enum yo_plan_purpose {
    YO_PLAN_LINE,      /* an expected line */
    YO_PLAN_REST,      /* the moves of a node that are not expected */
    YO_PLAN_CANDIDATE, /* recommendation: the candidates of a node are put in order */
    YO_PLAN_WHOLE,     /* the root: vote, share, or nothing better to do */
};

/* Search the position after `path` from the root, and there only the moves `only`, until told
 * otherwise. */
struct yo_plan_job {
    yo_move path[YO_PLAN_PATH_MAX];
    size_t path_count;
    const yo_move *only; /* in ascending order; NULL: all moves */
    size_t only_count;
    enum yo_plan_purpose purpose;
};

bool yo_plan_job_equal(const struct yo_plan_job *a, const struct yo_plan_job *b);
/* A copy with its own `only`; the caller frees it. */
enum yo_err yo_plan_job_copy(const struct yo_plan_job *job, struct yo_plan_job *copy,
                             struct yo_diag *diag);
void yo_plan_job_free(struct yo_plan_job *job);
/* The same job seen from the root after these moves; false, and unchanged, if it is not there. */
bool yo_plan_job_advance(struct yo_plan_job *job, const yo_move *played, size_t count);

/* ---- Workers ---- */

/* The worker of a report that the master made itself: its values count, it has no vote; where the
 * deepest answer counts, its own does too. */
#define YO_PLAN_MASTER UINT32_MAX

/* What is known of a worker. `current` is the caller's. */
struct yo_plan_worker {
    uint32_t id;        /* the same as long as the worker lives; unique; below YO_PLAN_MASTER */
    bool gives_values;  /* false: it names a move only, and serves a vote */
    bool takes_moves;   /* it can search some moves of a position (USI's searchmoves) in one go */
    bool several_lines; /* it reports more than its best move */
    bool exchanges;     /* what it learns with others of its kind (search/search.h) */
    double speed;       /* nodes or playouts a second; 0: not known */
    const struct yo_plan_job *current; /* what it searches now; NULL: nothing */
    bool done; /* its search has ended by itself: solved, or at its depth limit */
};

/* Whether anything it reports can count. */
bool yo_plan_serves(enum yo_plan_strategy strategy, const struct yo_plan_worker *worker);

/* ---- The tree ---- */

struct yo_plan;

enum yo_err yo_plan_new(const struct yo_plan_config *config, const struct yo_game_ops *ops,
                        const void *game, struct yo_plan **plan, struct yo_diag *diag);
void yo_plan_delete(struct yo_plan *plan);
/* Replaces the config's recommend_ms: usually 1/15 of the time for the move. */
void yo_plan_set_recommend(struct yo_plan *plan, int64_t recommend_ms);

/* The moves from the old root to the new one, for yo_plan_job_advance; valid until the next call.
 * kept false: it is another game, and no job fits. */
struct yo_plan_advanced {
    bool kept;
    const yo_move *played;
    size_t count;
};
/* The game has gone on, or is another one. What is known of the new root is kept. Of `limits`,
 * which may be NULL, only `only`, `avoid` and `whole` are read: they replace those of the config.
 * On failure the plan is empty: only another advance, or delete, may follow. */
enum yo_err yo_plan_advance(struct yo_plan *plan, const void *game,
                            const struct yo_search_limits *limits,
                            struct yo_plan_advanced *advanced, struct yo_diag *diag);

/* A worker's result for a job, whoever has that job now. Only moves, values (centipawns, mate,
 * bound), depth, visits, PVs and `nodes` are read; values are for the side to move after the job's
 * path. YO_ERR_ILLEGAL for a move that the job does not have: nothing is changed then. PVs are cut
 * at the first illegal move. A position that the tree has dropped is no error. */
enum yo_err yo_plan_report(struct yo_plan *plan, uint32_t worker, const struct yo_plan_job *job,
                           const struct yo_search_result *result, int64_t now_ms,
                           struct yo_diag *diag);
/* The worker is gone: its votes and shared statistics are dropped, its values stay. */
void yo_plan_forget(struct yo_plan *plan, uint32_t worker);

/* jobs[i] becomes what workers[i] should search from now on. Equal to its current job: it goes on.
 * The jobs belong to the plan and live until the next call of yo_plan_make or _advance. `now_ms`
 * must not decrease between calls. *again_ms (or NULL): call again at that time at the latest, even
 * if nothing happens; -1 if there is none. */
enum yo_err yo_plan_make(struct yo_plan *plan, const struct yo_plan_worker *workers, size_t count,
                         int64_t now_ms, const struct yo_plan_job **jobs, int64_t *again_ms,
                         struct yo_diag *diag);

/* ---- Results ---- */

/* What is known of a move. The values are those of the side to move at its node. */
struct yo_plan_value {
    int centipawns;
    int mate; /* plies, as in struct yo_search_move */
    int depth;
    uint64_t nodes;
    int64_t at_ms;   /* when it was reported */
    uint32_t worker; /* by whom */
};

/* Root moves, best first, as a search reports them, also with partial knowledge: there is a move as
 * long as the root has one. `visits` has the nodes behind the value. Valid until the next call that
 * changes the plan. */
void yo_plan_result(struct yo_plan *plan, struct yo_search_result *result);
/* The minimax value of a root move and its origin; false if nothing is known of it. */
bool yo_plan_root_value(const struct yo_plan *plan, yo_move move, struct yo_plan_value *value);

struct yo_plan_count {
    size_t nodes, depth; /* of the tree */
};
struct yo_plan_count yo_plan_count(const struct yo_plan *plan);
