/* The master's side of a cluster without its input and output: who is there, who has which job, and
 * what follows from each message. Time is an argument and messages leave through a callback, so
 * that the master's thread, the tests and the simulator run the same code. Not for use from several
 * threads at once. */
#pragma once

#include "base/notice.h"
#include "cluster/message.h"
#include "cluster/plan.h"
#include "cluster/root.h"

enum {
    YO_CREW_SILENT_MS = 1500, /* a worker that is not heard of for so long has lost its job */
    YO_CREW_KEEP_MS = 500,
    YO_CREW_LEASE_MS = 3000, /* a worker that does not hear of its master for so long stops */
};

struct yo_crew;

struct yo_crew_config {
    const char *master; /* its name */
    enum yo_session_game game;
    struct yo_plan_config plan;
    /* Sends one message; to: a worker, or NULL for all. */
    void (*send)(void *user, const char *to, const char *bytes, size_t len);
    /* During a search that is helped: what all workers have found since the last call. */
    void (*learn)(void *user, const char *table, const char *data, size_t count);
    void *user;
    struct yo_notices notices;
};

enum yo_err yo_crew_new(const struct yo_crew_config *config, struct yo_crew **crew,
                        struct yo_diag *diag);
void yo_crew_delete(struct yo_crew *crew);

/* A message has arrived. Whatever it holds, the crew stays sound. */
void yo_crew_take(struct yo_crew *crew, const char *bytes, size_t len, int64_t now_ms);
/* Does what is due at this time; returns when to call again at the latest. */
int64_t yo_crew_tick(struct yo_crew *crew, int64_t now_ms);

/* A search begins: the game must not change until its end. time_ms: about how long it will be; 0 if
 * unknown. */
enum yo_err yo_crew_begin(struct yo_crew *crew, const void *game,
                          const struct yo_search_limits *limits, int64_t time_ms, int64_t now_ms,
                          struct yo_diag *diag);
/* From now on, until its end: a search of the master's own, with the number 0 among those of the
 * position, learns what the workers find. */
void yo_crew_help(struct yo_crew *crew);
/* All workers stop. */
void yo_crew_end(struct yo_crew *crew);
/* What the master's own search has found of the root; as a report of a worker. over: no more of
 * that search follow. */
void yo_crew_add_own(struct yo_crew *crew, const struct yo_search_result *result, bool over,
                     int64_t now_ms);
/* The best of what is known, during a search; valid until the next call. */
void yo_crew_result(struct yo_crew *crew, struct yo_search_result *result);

/* Drops what is known of the game. */
void yo_crew_clear(struct yo_crew *crew);

/* ---- For display and tests ---- */

struct yo_crew_count {
    size_t workers;                        /* heard of, and free for this master */
    size_t serving;                        /* of these, who can do what the strategy wants */
    size_t busy;                           /* with a job */
    uint64_t nodes;                        /* searched in this search */
    uint64_t reports, refused, lost, jobs; /* since the crew was made */
    int64_t changed;                       /* counts up when something new is known */
};
struct yo_crew_count yo_crew_count(const struct yo_crew *crew);

struct yo_crew_worker {
    const char *name, *engine;
    bool busy;
    uint64_t nodes; /* of its job */
};
/* The i-th worker that is there; false past the last. Valid until the next call of the crew. */
bool yo_crew_worker(const struct yo_crew *crew, size_t i, struct yo_crew_worker *worker);
