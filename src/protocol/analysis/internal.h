/* Shared by the files of the analysis engine; nothing else includes it.
 *   analysis.c  lines in: queries and actions
 *   query.c     parses a query; query.h lists its other files
 *   queue.c     the queue and the workers
 *   report.c    answers
 *   serve.c     over file descriptors */
#pragma once

#include <pthread.h>
#include <stdatomic.h>

#include "base/json.h"
#include "base/pool.h"
#include "engine/nets.h"
#include "engine/session.h"
#include "protocol/analysis/analysis.h"
#include "search/search.h"
#include "yomi/go.h"

#define ANALYSIS_PV_MAX 1000

/* What a query asks for, the same for all its turns. */
struct analysis_wants {
    bool ownership, moves_ownership, ownership_stdev, moves_ownership_stdev;
    bool policy, pv_visits, no_result;
    int64_t report_every_ms, first_report_ms; /* 0 for none */
    size_t pv_len;
    enum yo_analysis_view view;
    uint64_t playouts;      /* maxVisits */
    uint64_t most_playouts; /* maxPlayouts, which holds beside it; 0 for none */
    int64_t time_ms;
};

/* A position to search. */
struct analysis_task {
    struct analysis_task *next; /* in the queue, or in the list of running tasks */
    char *id;
    size_t id_len;
    int turn;
    int64_t priority;
    struct analysis_wants wants;
    struct yo_go_game *game;
    yo_move *avoid, *only;
    size_t avoid_count, only_count;
    bool allows;               /* only the moves in `only` */
    struct yo_options options; /* of a session */
    atomic_bool stop;
    /* Of the running search. */
    int64_t started_ms, next_report_ms;
    struct yo_analysis *analysis;
};

struct analysis_worker {
    struct yo_analysis *analysis;
    struct yo_session *session;
};

/* What query_models tells: the network, or the playouts. */
struct analysis_model {
    char name[256], internal_name[128];
    int version; /* -1: playouts */
    size_t batch;
};

struct yo_analysis {
    struct yo_analysis_config config;
    struct yo_options options; /* of a session: the defaults for queries */
    int worker_count, threads_each;
    struct analysis_worker *workers; /* one for each thread of the pool */
    struct yo_nets *nets;            /* the network of all of them */
    struct yo_pool *pool;
    struct analysis_model model; /* with the options of the start */
    struct yo_job searching;     /* until the end, on all threads */

    pthread_mutex_t lock;
    pthread_cond_t task_came, task_done;
    /* Under the lock: */
    struct analysis_task *waiting; /* by priority, then by age */
    struct analysis_task *running;
    bool leaving;

    pthread_mutex_t out_lock;
    atomic_bool unheard; /* the client is gone */
};

/* ---- analysis.c ---- */
void yo_analysis_task_delete(struct analysis_task *task);

/* ---- query.c ---- */
/* The tasks of a query, first turn first, or NULL. Sends errors and warnings to the client. */
struct analysis_task *yo_analysis_read_query(struct yo_analysis *a, json_t *query);
/* Reads an array of integers that fit an int. False for anything else. */
bool yo_analysis_read_ints(json_t *value, int **out, size_t *count);

/* ---- queue.c ---- */
enum yo_err yo_analysis_start_workers(struct yo_analysis *a, struct yo_diag *diag);
void yo_analysis_stop_workers(struct yo_analysis *a);
/* Takes ownership of the list. */
void yo_analysis_enqueue(struct yo_analysis *a, struct analysis_task *tasks);
/* Ends the tasks with this id (NULL: all) and one of these turns (NULL: all). */
void yo_analysis_terminate(struct yo_analysis *a, json_t *id, const int *turns, size_t turn_count);

/* ---- report.c ---- */
/* Takes ownership of the object. failed: a part of it could not be built. */
void yo_analysis_send(struct yo_analysis *a, json_t *object, bool failed);
void yo_analysis_send_error(struct yo_analysis *a, const char *message);
/* kind is "error" or "warning". */
void yo_analysis_send_field(struct yo_analysis *a, const char *kind, json_t *id, const char *field,
                            const char *message);
void yo_analysis_report(const struct analysis_task *task, const struct yo_search_result *result,
                        bool during);
void yo_analysis_report_nothing(const struct analysis_task *task);
