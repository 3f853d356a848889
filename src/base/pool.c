#include "base/pool.h"

#include <pthread.h>

#include "base/alloc.h"
#include "base/diag.h"

struct member {
    struct yo_pool *pool;
    pthread_t thread;
    int index;
};

struct yo_pool {
    pthread_mutex_t lock;
    pthread_cond_t job_came, job_ended;
    struct yo_job *first, **last; /* jobs that more threads may join */
    bool quit;
    int count; /* threads that were started */
    struct member members[];
};

/* ---- The queue; the lock is held ---- */

static void append(struct yo_pool *pool, struct yo_job *job) {
    job->next = NULL;
    *pool->last = job;
    pool->last = &job->next;
}

/* No thread may join from now on. */
static void close_job(struct yo_pool *pool, struct yo_job *job) {
    struct yo_job **link = &pool->first;
    if (job->wanted == 0) return;
    job->wanted = 0;
    while (*link != job)
        link = &(*link)->next;
    *link = job->next;
    if (pool->last == &job->next) pool->last = link;
}

static struct yo_job *join_first(struct yo_pool *pool) {
    struct yo_job *job = pool->first;
    if (!job) return NULL;
    job->running++;
    if (job->wanted == 1)
        close_job(pool, job);
    else
        job->wanted--;
    return job;
}

/* Releases the lock during the callback: the owner may submit a job, or free this one. */
static void end_job(struct yo_pool *pool, struct yo_job *job) {
    if (job->done) {
        pthread_mutex_unlock(&pool->lock);
        job->done(job->ctx);
        pthread_mutex_lock(&pool->lock);
    } else {
        job->ended = true;
        pthread_cond_broadcast(&pool->job_ended);
    }
}

/* ---- The threads ---- */

static void *serve(void *arg) {
    const struct member *member = arg;
    struct yo_pool *pool = member->pool;
    pthread_mutex_lock(&pool->lock);
    for (;;) {
        struct yo_job *job = join_first(pool);
        if (!job) {
            if (pool->quit) break;
            pthread_cond_wait(&pool->job_came, &pool->lock);
            continue;
        }
        pthread_mutex_unlock(&pool->lock);
        bool more = job->run(job->ctx, member->index);
        pthread_mutex_lock(&pool->lock);
        if (!more) close_job(pool, job);
        if (--job->running == 0 && job->wanted == 0) end_job(pool, job);
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

enum yo_err yo_pool_new(int threads, struct yo_pool **out, struct yo_diag *diag) {
    if (threads < 1 || threads > YO_POOL_THREADS_MAX)
        return yo_diag_set(diag, YO_ERR_RANGE, "%d threads: must be between 1 and %d", threads,
                           YO_POOL_THREADS_MAX);
    struct yo_pool *pool = yo_alloc(1, sizeof *pool + (size_t)threads * sizeof pool->members[0]);
    if (!pool) return yo_diag_set(diag, YO_ERR_NOMEM, "no memory for %d threads", threads);
    pool->last = &pool->first;
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->job_came, NULL);
    pthread_cond_init(&pool->job_ended, NULL);
    for (; pool->count < threads; pool->count++) {
        struct member *member = &pool->members[pool->count];
        *member = (struct member){.pool = pool, .index = pool->count};
        if (pthread_create(&member->thread, NULL, serve, member) != 0) break;
    }
    if (pool->count == threads) {
        *out = pool;
        return YO_OK;
    }
    yo_diag_set(diag, YO_ERR_NOMEM, "the system allows %d of %d threads", pool->count, threads);
    yo_diag_hint(diag, "ask for fewer threads");
    yo_pool_delete(pool);
    return YO_ERR_NOMEM;
}

void yo_pool_delete(struct yo_pool *pool) {
    if (!pool) return;
    pthread_mutex_lock(&pool->lock);
    pool->quit = true;
    pthread_cond_broadcast(&pool->job_came);
    pthread_mutex_unlock(&pool->lock);
    for (int i = 0; i < pool->count; i++)
        pthread_join(pool->members[i].thread, NULL);
    pthread_cond_destroy(&pool->job_ended);
    pthread_cond_destroy(&pool->job_came);
    pthread_mutex_destroy(&pool->lock);
    yo_free(pool);
}

int yo_pool_threads(const struct yo_pool *pool) { return pool->count; }

/* ---- Jobs ---- */

void yo_pool_submit(struct yo_pool *pool, struct yo_job *job) {
    int threads = job->threads < pool->count ? job->threads : pool->count;
    pthread_mutex_lock(&pool->lock);
    job->running = 0;
    job->ended = false;
    job->wanted = threads > 1 ? threads : 1;
    append(pool, job);
    if (job->wanted == 1)
        pthread_cond_signal(&pool->job_came);
    else
        pthread_cond_broadcast(&pool->job_came);
    pthread_mutex_unlock(&pool->lock);
}

bool yo_pool_ended(struct yo_pool *pool, const struct yo_job *job) {
    pthread_mutex_lock(&pool->lock);
    bool ended = job->ended;
    pthread_mutex_unlock(&pool->lock);
    return ended;
}

void yo_pool_wait(struct yo_pool *pool, const struct yo_job *job) {
    pthread_mutex_lock(&pool->lock);
    while (!job->ended)
        pthread_cond_wait(&pool->job_ended, &pool->lock);
    pthread_mutex_unlock(&pool->lock);
}

void yo_pool_recall(struct yo_pool *pool, struct yo_job *job) {
    pthread_mutex_lock(&pool->lock);
    close_job(pool, job);
    while (job->running > 0)
        pthread_cond_wait(&pool->job_ended, &pool->lock);
    job->ended = true;
    pthread_mutex_unlock(&pool->lock);
}
