/* Shared by the files of the master; nothing else includes it. A thread moves messages between the
 * transport and the crew (master.c); the thread of the search watches clock, limits and stop flag,
 * and copies results out (master_search.c). The mutex guards the crew. */
#pragma once

#include <pthread.h>

#include "base/pool.h"
#include "cluster/copy.h"
#include "cluster/crew.h"
#include "cluster/master.h"

enum {
    MASTER_LOOK_MS = 10, /* how often the stop flag is read */
    MASTER_NOTICES_MAX = 16,
    MASTER_NOTICE_LEN = 320
};

struct master {
    struct yo_search_ops ops;
    struct yo_search inner;
    struct yo_transport transport;
    char name[YO_MESSAGE_NAME];
    void (*notice)(void *user, const char *text);
    void *user;
    struct yo_notices others;
    void (*delete_order)(void *order);
    void *order;
    struct yo_copy copy; /* of the last result */
    bool shares;         /* by the plan workers add to each other's trees */
    bool alone;          /* the last notice said that there are no workers */

    struct yo_pool *pool; /* a thread for its own search */
    pthread_t thread;
    bool has_thread;
    int wake_fd;
    atomic_bool wanted; /* the searching thread waits for the mutex */
    pthread_mutex_t mutex;
    /* Under the mutex: */
    struct yo_crew *crew;
    enum yo_session_game game;
    bool ending;
    char notices[MASTER_NOTICES_MAX][MASTER_NOTICE_LEN];
    size_t notice_count;
};

/* ---- master.c ---- */

/* The searching thread's way to the mutex: the talking thread, which takes it again and again, lets
 * it in. */
void yo_master_lock(struct master *master);
/* Has the talking thread look at the crew at once. */
void yo_master_wake(struct master *master);
/* Tells people; what the talking thread has gathered, too. By the searching thread alone. */
void yo_master_tell(const struct master *master, const char *text);
void yo_master_tell_notices(struct master *master);

/* ---- master_search.c: the function `run` of a search ---- */

enum yo_err yo_master_run(void *ctx, const void *game, const struct yo_search_limits *limits,
                          const atomic_bool *stop, yo_search_report_fn report, void *user,
                          struct yo_search_result *result, struct yo_diag *diag);
