/* Shared by the files of the worker; nothing else includes it. A worker has two threads: worker.c
 * talks, worker_search.c searches. What both use is under the mutex; the talking thread never waits
 * for the searching one. */
#pragma once

#include <pthread.h>

#include "cluster/worker.h"

enum { WORKER_PATH = 400 }; /* longer than any path of a plan */

/* The job in hand, and what is known of it. */
struct worker_task {
    int64_t job; /* 0: none */
    char master[YO_MESSAGE_NAME];
    int64_t started_ms, nodes, share;
    char path[WORKER_PATH]; /* of its position, for beats */
    int64_t moves;          /* to consider there; 0: all */
    bool running;
    /* The next report; `fresh`: not sent yet. */
    bool fresh, done, failed;
    char note[400];
    struct yo_message_line found[YO_MESSAGE_LINES_MAX];
    size_t found_count;
    int64_t found_ms; /* when the search said so */
};

struct worker {
    const struct yo_worker_config *config;
    struct yo_message about;
    int64_t born_ms, beat_ms, report_ms, share_ms, lease_ms, lease_until_ms;
    int64_t every_ms; /* between two reports of its job */
    double speed;
    /* The last job of the last master, also after it was stopped: what is not newer is a repeat. */
    char seen_master[YO_MESSAGE_NAME];
    int64_t seen_job;
    /* The last entries that were sent, and that a master passed on. */
    int64_t sent_serial, given_serial;
    char given_by[YO_MESSAGE_NAME];
    pthread_t searcher;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    int wake_fd;
    bool over; /* only the talking thread uses it */
    /* Under the mutex: */
    bool ending;
    struct yo_message next; /* the job that the searcher takes next; kind JOB if there is one */
    bool has_next;
    struct worker_task task;
    atomic_bool stop; /* of the running search */
};

/* Forgets the lines of the next report. */
void yo_worker_drop_found(struct worker_task *task);
/* The searching thread: takes jobs until the worker ends. Its argument is the worker. */
void *yo_worker_search_all(void *worker);
