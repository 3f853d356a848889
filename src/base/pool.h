/* The thread pool: a fixed number of threads that run jobs in the order of submission. A job lives
 * in its owner's memory, so that submitting allocates nothing; it must stay in place until it has
 * ended. */
#pragma once

#include <stdbool.h>

#include "yomi/error.h"

#define YO_POOL_THREADS_MAX 1024

struct yo_job {
    /* Called once on each of up to `threads` threads at a time; thread is from 0 to the pool's
     * number of threads, exclusive. Returns whether one more thread would still find work. */
    bool (*run)(void *ctx, int thread);
    /* May be NULL. Called once, when the last thread has returned from run; the pool does not touch
     * the job afterwards. A job with `done` cannot be waited for. */
    void (*done)(void *ctx);
    void *ctx;
    int threads;
    /* Private to the pool: */
    struct yo_job *next;
    int wanted; /* threads that may still join */
    int running;
    bool ended;
};

struct yo_pool;

enum yo_err yo_pool_new(int threads, struct yo_pool **out, struct yo_diag *diag);
/* Finishes all submitted jobs first. NULL is allowed. */
void yo_pool_delete(struct yo_pool *pool);
int yo_pool_threads(const struct yo_pool *pool);

void yo_pool_submit(struct yo_pool *pool, struct yo_job *job);
bool yo_pool_ended(struct yo_pool *pool, const struct yo_job *job);
void yo_pool_wait(struct yo_pool *pool, const struct yo_job *job);
/* Stops further threads from joining, and waits for those that run. */
void yo_pool_recall(struct yo_pool *pool, struct yo_job *job);
