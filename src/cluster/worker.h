/* A worker of a cluster: takes jobs from one master at a time, searches them with its engine, and
 * reports. It runs only the engine that its operator chose: a message can start or change no
 * program. */
#pragma once

#include <stdatomic.h>

#include "cluster/message.h"
#include "cluster/root.h"
#include "cluster/transport.h"
#include "search/search.h"

/* ---- The engine of a worker ---- */

/* What an engine is to search: a position, some of its moves, and limits; 0: no limit. */
struct yo_worker_task {
    const struct yo_root *root; /* the game up to the position to search */
    const yo_move *only;        /* NULL: all moves */
    size_t only_count;
    size_t lines;
    int64_t most_nodes, most_ms;
    unsigned number; /* as in struct yo_search_limits */
};

/* Whether the task allows this move. */
bool yo_worker_may(const struct yo_worker_task *task, yo_move move);

/* What was found: the lines replace those of earlier calls, and stay the caller's. */
typedef void (*yo_worker_found_fn)(void *user, const struct yo_message_line *lines, size_t count,
                                   int64_t nodes);

struct yo_worker_engine_ops {
    /* Fills game, engine, threads, speed and capabilities of an announcement. */
    void (*describe)(void *ctx, struct yo_message *announce);
    /* Searches until a limit, *stop or the end of what there is to search. Calls `found` from the
     * same thread. An error is one of this job; the engine goes on with the next. */
    enum yo_err (*search)(void *ctx, const struct yo_worker_task *task, const atomic_bool *stop,
                          yo_worker_found_fn found, void *user, struct yo_diag *diag);
    void (*destroy)(void *ctx);
    /* Or NULL: exchange of entries, as in search/search.h, while another thread searches. */
    size_t (*take_entries)(void *ctx, struct yo_search_entry *entries, size_t most);
    void (*give_entries)(void *ctx, const struct yo_search_entry *entries, size_t count);
};

struct yo_worker_engine {
    const struct yo_worker_engine_ops *ops;
    void *ctx;
};

/* Our own engine, in this process. options: "KEY=VALUE;KEY=VALUE" of a session, or NULL. */
enum yo_err yo_worker_own(enum yo_session_game game, const char *options,
                          const struct yo_notices *notices, struct yo_worker_engine *engine,
                          struct yo_diag *diag);
/* Any program that speaks USI (shogi) or GTP (Go). Finds out by trials what it can do. *quit ends
 * waiting for a program that starts, or that thinks and cannot be stopped. */
enum yo_err yo_worker_usi(const char *command, const char *options, const atomic_bool *quit,
                          struct yo_worker_engine *engine, struct yo_diag *diag);
enum yo_err yo_worker_gtp(const char *command, const atomic_bool *quit,
                          struct yo_worker_engine *engine, struct yo_diag *diag);

/* ---- The worker ---- */

struct yo_worker_config {
    const char *name;
    const char *options; /* of the engine, as its operator gave them, to be announced; or NULL */
    struct yo_transport transport;
    struct yo_worker_engine engine;
    struct yo_notices notices;
    const atomic_bool *quit; /* set by a signal: leave */
};

/* Works until the transport ends, an operator says quit, or *quit. */
enum yo_err yo_worker_run(const struct yo_worker_config *config, struct yo_diag *diag);
