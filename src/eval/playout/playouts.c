#include "eval/playout/playouts.h"

#include <pthread.h>

#include "base/alloc.h"
#include "base/cpu.h"
#include "base/diag.h"
#include "eval/playout/work.h"

#define THREADS_MAX 1024

/* The threads take pieces of a batch by one atomic counter; no lock is held while games are
 * played. */
struct pool {
    const struct yo_playout_backend *backend; /* NULL: the best for each batch */
    pthread_mutex_t lock;
    pthread_cond_t work_came, work_done;
    struct yo_playout_work *first, *last;
    bool quit;
    int cores; /* threads that may play on the CPU at a time; the others only serve a GPU */
    int thread_count;
    pthread_t *threads;
};

struct worker {
    struct pool *pool;
    int index;
    struct yo_playout_work *work;
};

/* ---- the threads ---- */

static bool next_piece(void *ctx, struct yo_playout_piece *out) {
    const struct worker *worker = ctx;
    return yo_playout_work_take(worker->work, worker->index, out);
}

/* The first batch that still has pieces to take, and needs another thread; the lock is held. */
static struct yo_playout_work *find_work(struct pool *pool) {
    for (struct yo_playout_work *work = pool->first; work; work = work->next)
        if (!work->finished && work->running < work->runners && yo_playout_work_has_more(work))
            return work;
    return NULL;
}

static void unlink_work(struct pool *pool, struct yo_playout_work *work) {
    struct yo_playout_work **link = &pool->first, *previous = NULL;
    while (*link != work) {
        previous = *link;
        link = &previous->next;
    }
    *link = work->next;
    if (pool->last == work) pool->last = previous;
}

/* The lock is held, and is let go of while the callback runs. */
static void finish_work(struct pool *pool, struct yo_playout_work *work) {
    struct yo_eval_batch *batch = work->batch;
    yo_playout_work_sum(work);
    unlink_work(pool, work);
    work->finished = true;
    batch->err = work->err;
    if (work->err) yo_diag_set(&batch->diag, work->err, "%s", yo_err_text(work->err));
    if (!batch->done) {
        pthread_cond_broadcast(&pool->work_done);
        return;
    }
    batch->work = NULL;
    pthread_mutex_unlock(&pool->lock);
    yo_playout_work_delete(work);
    batch->done(batch);
    pthread_mutex_lock(&pool->lock);
}

static void *worker_main(void *arg) {
    struct worker worker = *(struct worker *)arg;
    struct pool *pool = worker.pool;
    yo_free(arg);
    void *scratch = NULL;
    size_t scratch_size = 0;
    pthread_mutex_lock(&pool->lock);
    for (;;) {
        struct yo_playout_work *work = find_work(pool);
        if (!work) {
            if (pool->quit) break;
            pthread_cond_wait(&pool->work_came, &pool->lock);
            continue;
        }
        work->running++;
        pthread_mutex_unlock(&pool->lock);
        size_t need = work->backend->scratch_size(work->size);
        if (need > scratch_size) {
            yo_free_aligned(scratch);
            scratch = yo_alloc_aligned(need);
            scratch_size = scratch ? need : 0;
        }
        worker.work = work;
        struct yo_playout_source source = {next_piece, &worker};
        if (scratch)
            work->backend->run(work->policy, work->size, &source, scratch);
        else
            yo_playout_work_drop_rest(work);
        pthread_mutex_lock(&pool->lock);
        if (!scratch) work->err = YO_ERR_NOMEM;
        if (--work->running == 0 && !work->finished) finish_work(pool, work);
    }
    pthread_mutex_unlock(&pool->lock);
    yo_free_aligned(scratch);
    return NULL;
}

/* ---- the evaluator ---- */

static enum yo_err eval_submit(void *ctx, struct yo_eval_batch *batch, struct yo_diag *diag) {
    struct pool *pool = ctx;
    struct yo_playout_work *work = NULL;
    enum yo_err err =
        yo_playout_work_new(batch, pool->backend, pool->thread_count, pool->cores, &work, diag);
    if (err) return err;
    batch->err = YO_OK;
    batch->work = work;
    pthread_mutex_lock(&pool->lock);
    if (pool->last)
        pool->last->next = work;
    else
        pool->first = work;
    pool->last = work;
    if (work->share_count == 0)
        finish_work(pool, work);
    else if (work->runners == 1)
        pthread_cond_signal(&pool->work_came);
    else
        pthread_cond_broadcast(&pool->work_came);
    pthread_mutex_unlock(&pool->lock);
    return YO_OK;
}

static bool eval_poll(void *ctx, struct yo_eval_batch *batch) {
    struct pool *pool = ctx;
    pthread_mutex_lock(&pool->lock);
    const struct yo_playout_work *work = batch->work;
    bool finished = !work || work->finished;
    pthread_mutex_unlock(&pool->lock);
    return finished;
}

static enum yo_err eval_wait(void *ctx, struct yo_eval_batch *batch) {
    struct pool *pool = ctx;
    struct yo_playout_work *work = batch->work;
    if (!work) return batch->err;
    pthread_mutex_lock(&pool->lock);
    while (!work->finished)
        pthread_cond_wait(&pool->work_done, &pool->lock);
    pthread_mutex_unlock(&pool->lock);
    batch->work = NULL;
    yo_playout_work_delete(work);
    return batch->err;
}

static void eval_destroy(void *ctx) {
    struct pool *pool = ctx;
    pthread_mutex_lock(&pool->lock);
    pool->quit = true;
    pthread_cond_broadcast(&pool->work_came);
    pthread_mutex_unlock(&pool->lock);
    for (int i = 0; i < pool->thread_count; i++)
        pthread_join(pool->threads[i], NULL);
    pthread_cond_destroy(&pool->work_came);
    pthread_cond_destroy(&pool->work_done);
    pthread_mutex_destroy(&pool->lock);
    yo_free(pool->threads);
    yo_free(pool);
}

static const char *eval_name(void *ctx) {
    const struct yo_playout_backend *backend = ((struct pool *)ctx)->backend;
    return backend ? backend->name : yo_playout_backend_best(YO_PLAYOUT_LIGHT, 9, UINT64_MAX)->name;
}

static const struct yo_eval_ops eval_ops = {
    .submit = eval_submit,
    .poll = eval_poll,
    .wait = eval_wait,
    .destroy = eval_destroy,
    .name = eval_name,
};

static bool start_thread(struct pool *pool, int index) {
    struct worker *worker = yo_alloc(1, sizeof *worker);
    if (!worker) return false;
    *worker = (struct worker){.pool = pool, .index = index};
    if (pthread_create(&pool->threads[index], NULL, worker_main, worker) == 0) return true;
    yo_free(worker);
    return false;
}

/* How many threads a GPU keeps busy, whatever the number of cores. */
static int serving_threads(const struct yo_playout_backend *backend) {
    if (!backend) backend = yo_playout_backend_best(YO_PLAYOUT_LIGHT, YO_GO_SIZE_MAX, UINT64_MAX);
    return yo_playout_backend_cut(backend, YO_GO_SIZE_MAX).serving;
}

enum yo_err yo_playouts_eval_new(const struct yo_playout_backend *backend, int threads,
                                 struct yo_eval *eval, struct yo_diag *diag) {
    if (threads < 0 || threads > THREADS_MAX)
        return yo_diag_set(diag, YO_ERR_RANGE, "%d threads: must be between 0 and %d", threads,
                           THREADS_MAX);
    if (backend && !backend->available())
        return yo_diag_set(diag, YO_ERR_UNSUPPORTED, "backend %s needs %s, which is not here",
                           backend->name, backend->needs);
    if (threads == 0) threads = yo_cpu_count();
    int cores = threads, serving = serving_threads(backend);
    if (threads < serving) threads = serving;
    struct pool *pool = yo_alloc(1, sizeof *pool);
    if (!pool) return yo_diag_set(diag, YO_ERR_NOMEM, "out of memory");
    pool->threads = yo_alloc((size_t)threads, sizeof *pool->threads);
    pool->backend = backend;
    pool->cores = cores;
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->work_came, NULL);
    pthread_cond_init(&pool->work_done, NULL);
    if (pool->threads)
        while (pool->thread_count < threads && start_thread(pool, pool->thread_count))
            pool->thread_count++;
    if (pool->thread_count < threads) {
        eval_destroy(pool);
        return yo_diag_set(diag, YO_ERR_NOMEM, "could not start %d threads", threads);
    }
    *eval = (struct yo_eval){&eval_ops, pool};
    return YO_OK;
}
