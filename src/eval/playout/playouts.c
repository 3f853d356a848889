#include "eval/playout/playouts.h"

#include <pthread.h>
#include <stdio.h>

#include "base/alloc.h"
#include "base/cpu.h"
#include "base/diag.h"
#include "base/pool.h"
#include "eval/playout/work.h"

struct pool;

struct worker {
    struct pool *pool;
    struct yo_playout_taker taker;
    void *scratch;
    size_t scratch_size;
};

/* The threads take pieces of a batch by one atomic counter; no lock is held while games are
 * played. */
struct pool {
    const struct yo_playout_backend *backend; /* NULL: the best for each batch */
    bool owned;                               /* the pool closes it */
    struct yo_playout_env env;
    unsigned told; /* of env */
    pthread_mutex_t lock;
    pthread_cond_t work_came, work_done;
    struct yo_eval_batch *first, *last;
    bool quit;
    int cores; /* threads that may play on the CPU at a time; the others only serve a GPU */
    int thread_count;
    struct worker *workers; /* one for each thread */
    struct yo_pool *threads;
    struct yo_job serving; /* runs on all threads for the life of the pool */
};

/* ---- the threads ---- */

static bool next_piece(void *ctx, struct yo_playout_piece *out) {
    return yo_playout_taker_next(ctx, out);
}

/* The first batch with pieces left that can use another thread. The lock is held. */
static struct yo_eval_batch *find_work(struct pool *pool) {
    for (struct yo_eval_batch *batch = pool->first; batch; batch = batch->next) {
        struct yo_playout_work *work = yo_playout_work_of(batch);
        if (work->running < work->runners && yo_playout_work_has_more(work)) return batch;
    }
    return NULL;
}

static void unlink_batch(struct pool *pool, struct yo_eval_batch *batch) {
    struct yo_eval_batch **link = &pool->first, *previous = NULL;
    while (*link != batch) {
        previous = *link;
        link = &previous->next;
    }
    *link = batch->next;
    if (pool->last == batch) pool->last = previous;
}

/* The lock is held, and released while the callback runs. */
static void finish(struct pool *pool, struct yo_eval_batch *batch) {
    unlink_batch(pool, batch);
    batch->err = yo_playout_work_of(batch)->err;
    if (batch->err) yo_diag_set(&batch->diag, batch->err, "%s", yo_err_text(batch->err));
    if (!batch->done) {
        /* A caller that polls may free the batch from here on. */
        atomic_store_explicit(&batch->finished, true, memory_order_release);
        pthread_cond_broadcast(&pool->work_done);
        return;
    }
    pthread_mutex_unlock(&pool->lock);
    batch->done(batch);
    pthread_mutex_lock(&pool->lock);
}

static bool make_scratch(struct worker *worker, size_t need) {
    if (need <= worker->scratch_size) return true;
    yo_free_aligned(worker->scratch);
    worker->scratch = yo_alloc_aligned(need);
    worker->scratch_size = worker->scratch ? need : 0;
    return worker->scratch;
}

/* Plays pieces of the batch until none is left; the lock is held before and after. */
static void play(struct worker *worker, struct yo_eval_batch *batch) {
    struct pool *pool = worker->pool;
    struct yo_playout_work *work = yo_playout_work_of(batch);
    struct yo_playout_source source = {next_piece, &worker->taker};
    yo_playout_taker_begin(&worker->taker, batch);
    do {
        pthread_mutex_unlock(&pool->lock);
        bool good = make_scratch(worker, yo_playout_scratch_size(work->backend, work->size));
        if (good)
            yo_playout_run(work->backend, work->env, work->policy, work->size, &source,
                           worker->scratch);
        if (!pool->backend) yo_playout_notify_losses(&pool->env); /* auto may have left a GPU */
        pthread_mutex_lock(&pool->lock);
        if (!good) {
            yo_playout_work_drop_rest(work);
            work->err = YO_ERR_NOMEM;
        }
    } while (yo_playout_taker_give(&worker->taker));
}

static bool serve(void *ctx, int thread) {
    struct pool *pool = ctx;
    struct worker *worker = &pool->workers[thread];
    pthread_mutex_lock(&pool->lock);
    for (;;) {
        struct yo_eval_batch *batch = find_work(pool);
        if (!batch) {
            if (pool->quit) break;
            pthread_cond_wait(&pool->work_came, &pool->lock);
            continue;
        }
        struct yo_playout_work *work = yo_playout_work_of(batch);
        work->running++;
        play(worker, batch);
        if (--work->running == 0 && !yo_playout_work_has_more(work)) finish(pool, batch);
    }
    pthread_mutex_unlock(&pool->lock);
    return false;
}

/* ---- the evaluator ---- */

static enum yo_err eval_submit(void *ctx, struct yo_eval_batch *batch, struct yo_diag *diag) {
    struct pool *pool = ctx;
    enum yo_err err = yo_playout_work_init(batch, pool->backend, &pool->env, pool->thread_count,
                                           pool->cores, diag);
    if (err) return err;
    const struct yo_playout_work *work = yo_playout_work_of(batch);
    batch->err = YO_OK;
    batch->next = NULL;
    atomic_store_explicit(&batch->finished, false, memory_order_relaxed);
    pthread_mutex_lock(&pool->lock);
    if (pool->last)
        pool->last->next = batch;
    else
        pool->first = batch;
    pool->last = batch;
    if (work->share_count == 0)
        finish(pool, batch);
    else if (work->runners == 1)
        pthread_cond_signal(&pool->work_came);
    else
        pthread_cond_broadcast(&pool->work_came);
    pthread_mutex_unlock(&pool->lock);
    return YO_OK;
}

static bool eval_poll(void *ctx, struct yo_eval_batch *batch) {
    (void)ctx;
    return atomic_load_explicit(&batch->finished, memory_order_acquire);
}

static enum yo_err eval_wait(void *ctx, struct yo_eval_batch *batch) {
    struct pool *pool = ctx;
    if (eval_poll(ctx, batch)) return batch->err;
    pthread_mutex_lock(&pool->lock);
    while (!eval_poll(ctx, batch))
        pthread_cond_wait(&pool->work_done, &pool->lock);
    pthread_mutex_unlock(&pool->lock);
    return batch->err;
}

static bool is_queued(const struct pool *pool, const struct yo_eval_batch *batch) {
    const struct yo_eval_batch *queued = pool->first;
    while (queued && queued != batch)
        queued = queued->next;
    return queued;
}

/* Threads finish the pieces they have taken. */
static void eval_cancel(void *ctx, struct yo_eval_batch *batch) {
    struct pool *pool = ctx;
    pthread_mutex_lock(&pool->lock);
    if (is_queued(pool, batch)) {
        struct yo_playout_work *work = yo_playout_work_of(batch);
        if (yo_playout_work_drop_rest(work) && !work->err) work->err = YO_ERR_CANCELLED;
        if (work->running == 0) finish(pool, batch);
    }
    pthread_mutex_unlock(&pool->lock);
}

static void eval_destroy(void *ctx) {
    struct pool *pool = ctx;
    pthread_mutex_lock(&pool->lock);
    pool->quit = true;
    pthread_cond_broadcast(&pool->work_came);
    pthread_mutex_unlock(&pool->lock);
    yo_pool_delete(pool->threads);
    for (int i = 0; pool->workers && i < pool->thread_count; i++) {
        yo_free(pool->workers[i].taker.own);
        yo_free_aligned(pool->workers[i].scratch);
    }
    pthread_cond_destroy(&pool->work_came);
    pthread_cond_destroy(&pool->work_done);
    pthread_mutex_destroy(&pool->lock);
    yo_free(pool->workers);
    if (pool->owned) yo_playout_backend_close(pool->backend);
    yo_free(pool);
}

/* ---- what it can do ---- */

static void eval_describe(void *ctx, int policy, struct yo_eval_about *about) {
    const struct pool *pool = ctx;
    const struct yo_playout_backend *backend = pool->backend;
    const int size = YO_GO_SIZE_MAX;
    *about = (struct yo_eval_about){.game = &yo_go_ops, .batch = 1, .exact = true};
    bool known = policy >= 0 && policy < YO_PLAYOUT_POLICIES;
    if (known && !backend)
        backend =
            yo_playout_backend_best(&pool->env, (enum yo_playout_policy)policy, size, UINT64_MAX);
    if (!known || !yo_playout_supports(backend, &pool->env, (enum yo_playout_policy)policy, size)) {
        snprintf(about->name, sizeof about->name, "%s", backend ? backend->name : "auto");
        return;
    }
    struct yo_playout_cut cut = yo_playout_backend_cut(backend, size);
    if (!pool->backend && cut.items * cut.games < cut.worth) {
        backend = yo_playout_backend_here(&pool->env, (enum yo_playout_policy)policy, size);
        cut.items = 0;
    }
    snprintf(about->name, sizeof about->name, "%s", backend->name);
    about->wants = YO_EVAL_PLAYOUTS;
    about->playouts = cut.items ? cut.games : 1;
    if (cut.items) about->batch = cut.items;
}

static const struct yo_eval_ops eval_ops = {
    .describe = eval_describe,
    .submit = eval_submit,
    .poll = eval_poll,
    .wait = eval_wait,
    .cancel = eval_cancel,
    .destroy = eval_destroy,
};

/* ---- making one ---- */

static enum yo_err start_threads(struct pool *pool, struct yo_diag *diag) {
    pool->workers = yo_alloc((size_t)pool->thread_count, sizeof *pool->workers);
    bool good = pool->workers;
    for (int i = 0; good && i < pool->thread_count; i++) {
        struct worker *worker = &pool->workers[i];
        worker->pool = pool;
        worker->taker.own = yo_alloc(YO_PLAYOUT_SUMS, sizeof *worker->taker.own);
        good = worker->taker.own;
    }
    if (!good) return yo_diag_set(diag, YO_ERR_NOMEM, "out of memory");
    enum yo_err err = yo_pool_new(pool->thread_count, &pool->threads, diag);
    if (err) return err;
    pool->serving = (struct yo_job){.run = serve, .ctx = pool, .threads = pool->thread_count};
    yo_pool_submit(pool->threads, &pool->serving);
    return YO_OK;
}

/* How many threads a GPU keeps busy, whatever the number of cores. */
static int serving_threads(const struct yo_playout_backend *backend) {
    if (!backend)
        backend = yo_playout_backend_best(&yo_playout_env_default, YO_PLAYOUT_LIGHT, YO_GO_SIZE_MAX,
                                          UINT64_MAX);
    return yo_playout_backend_cut(backend, YO_GO_SIZE_MAX).serving;
}

static enum yo_err make_pool(const struct yo_playout_backend *backend,
                             const struct yo_playout_env *env, int threads, struct pool **out,
                             struct yo_diag *diag) {
    if (threads < 0 || threads > YO_POOL_THREADS_MAX)
        return yo_diag_set(diag, YO_ERR_RANGE, "%d threads: must be between 0 and %d", threads,
                           YO_POOL_THREADS_MAX);
    if (backend && !yo_playout_available(backend))
        return yo_diag_set(diag, YO_ERR_UNSUPPORTED, "backend %s needs %s, which is not here",
                           backend->name, backend->ops->needs);
    if (threads == 0) threads = yo_cpu_count();
    int cores = threads, serving = serving_threads(backend);
    if (threads < serving) threads = serving;
    struct pool *pool = yo_alloc(1, sizeof *pool);
    if (!pool) return yo_diag_set(diag, YO_ERR_NOMEM, "out of memory");
    pool->backend = backend;
    pool->env = env ? *env : yo_playout_env_default;
    pool->told = yo_playout_losses();
    pool->env.told = &pool->told;
    pool->cores = cores;
    pool->thread_count = threads;
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->work_came, NULL);
    pthread_cond_init(&pool->work_done, NULL);
    enum yo_err err = start_threads(pool, diag);
    if (err)
        eval_destroy(pool);
    else
        *out = pool;
    return err;
}

enum yo_err yo_playouts_eval_new(const struct yo_playout_backend *backend, bool owned,
                                 const struct yo_playout_env *env, int threads,
                                 struct yo_eval *eval, struct yo_diag *diag) {
    struct pool *pool;
    enum yo_err err = make_pool(backend, env, threads, &pool, diag);
    if (err) {
        if (owned) yo_playout_backend_close(backend);
        return err;
    }
    pool->owned = owned;
    *eval = (struct yo_eval){&eval_ops, pool};
    return YO_OK;
}
