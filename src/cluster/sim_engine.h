/* The engine of a simulated worker: a search that goes on when it is told to, node by node. */
#pragma once

#include "cluster/plan.h"
#include "engine/session.h"
#include "eval/shogi/eval.h"
#include "search/search.h"

struct yo_sim_engine_ops {
    /* Begins a job at `game`, which does not change meanwhile; ends the one before. */
    enum yo_err (*start)(void *ctx, const void *game, const struct yo_plan_job *job,
                         struct yo_diag *diag);
    /* Searches for so many nodes more, about; *done: the search has ended by itself. */
    enum yo_err (*advance)(void *ctx, uint64_t nodes, bool *done, struct yo_diag *diag);
    /* The best of the job so far; false: nothing yet. Valid until the next call. */
    bool (*latest)(void *ctx, struct yo_search_result *result);
    /* Or NULL: exchange of what was learned, as in search/search.h. */
    size_t (*take)(void *ctx, struct yo_search_entry *entries, size_t most);
    void (*give)(void *ctx, const struct yo_search_entry *entries, size_t count);
    /* Ends the job; clears what was learned if `all`. */
    void (*stop)(void *ctx, bool all);
    void (*destroy)(void *ctx);
};

struct yo_sim_engine {
    const struct yo_sim_engine_ops *ops;
    void *ctx;
};

struct yo_sim_maker {
    /* The engine of the index-th worker, from 0. */
    enum yo_err (*make)(void *user, size_t index, struct yo_sim_engine *engine,
                        struct yo_diag *diag);
    void *user;
};

/* Alpha-beta for shogi with a table of so many megabytes; `number` as in struct yo_search_limits,
 * where it searches what others search, too. It runs in a thread of its own, which
 * waits whenever its nodes are used up: a search that was broken off and begun again would need
 * many times the nodes. */
enum yo_err yo_sim_shogi(const struct yo_shogi_eval *eval, size_t table_mb, unsigned number,
                         struct yo_sim_engine *engine, struct yo_diag *diag);
/* A session of Go with a tree search and a thread, in slices of playouts: its tree is kept between
 * them. A node is a playout. `number` is that of the worker. The engine owns the session. */
enum yo_err yo_sim_go(struct yo_session *session, unsigned number, struct yo_sim_engine *engine,
                      struct yo_diag *diag);
