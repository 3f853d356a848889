#include "eval/net/evaluator.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/alloc.h"
#include "base/cpu.h"
#include "base/diag.h"
#include "base/pool.h"
#include "eval/net/answer.h"
#include "eval/net/cache.h"
#include "eval/net/choice.h"
#include "eval/net/runner.h"

enum { THREADS_MAX = 256, BATCH_MAX = 65536 };

struct evaluator;

struct thread {
    struct evaluator *owner;
    struct yo_net_answerer *answerer;
    struct yo_net_task *tasks;
};

struct evaluator {
    struct yo_net *net;
    struct yo_net_program program;
    struct yo_net_cache *cache;
    int batch; /* most tasks a thread takes */
    int wait_us;
    struct yo_notices notices;
    pthread_mutex_t lock;
    pthread_cond_t came, finished;
    struct yo_eval_batch *first, *last; /* batches with tasks not handed out */
    size_t queued;                      /* the number of these tasks */
    int idle;                           /* threads waiting for tasks */
    bool quit;
    int thread_count;
    struct thread *threads;
    struct yo_pool *pool;
    struct yo_job serving;            /* runs on all threads for the life of the evaluator */
    struct yo_net_eval_counts counts; /* under the lock */
};

/* The evaluator's data in a batch in flight. */
struct work {
    size_t item, child; /* the next task */
    size_t left;        /* tasks not done */
    size_t waiting;     /* tasks not handed out */
    enum yo_err err;
};
_Static_assert(sizeof(struct work) <= YO_EVAL_WORK_BYTES, "a batch has no room for our work");

static struct work *work_of(struct yo_eval_batch *batch) {
    return (struct work *)(void *)batch->work;
}

/* ---- the queue; the lock is held ---- */

static void unlink_batch(struct evaluator *e, struct yo_eval_batch *batch) {
    struct yo_eval_batch **link = &e->first, *previous = NULL;
    while (*link != batch) {
        previous = *link;
        link = &previous->next;
    }
    *link = batch->next;
    if (e->last == batch) e->last = previous;
}

/* Releases the lock while the callback runs. */
static void finish(struct evaluator *e, struct yo_eval_batch *batch) {
    batch->err = work_of(batch)->err;
    if (batch->err == YO_ERR_CANCELLED)
        yo_diag_set(&batch->diag, batch->err, "%s", yo_err_text(batch->err));
    if (!batch->done) {
        /* A caller that polls may free the batch from here on. */
        atomic_store_explicit(&batch->finished, true, memory_order_release);
        pthread_cond_broadcast(&e->finished);
        return;
    }
    pthread_mutex_unlock(&e->lock);
    batch->done(batch);
    pthread_mutex_lock(&e->lock);
}

static struct yo_net_task take_task(struct evaluator *e, struct yo_eval_batch *batch) {
    struct work *work = work_of(batch);
    while (yo_eval_result_count(&batch->items[work->item]) == 0)
        work->item++;
    struct yo_eval_item *item = &batch->items[work->item];
    struct yo_net_task task = {.batch = batch, .item = item, .index = work->child};
    if (++work->child == yo_eval_result_count(item)) {
        work->child = 0;
        work->item++;
    }
    e->queued--;
    if (--work->waiting == 0) unlink_batch(e, batch);
    return task;
}

static int next_size(const struct evaluator *e, struct yo_eval_batch *batch) {
    size_t i = work_of(batch)->item;
    while (yo_eval_result_count(&batch->items[i]) == 0)
        i++;
    return e->program.game->size(batch->items[i].position);
}

/* Takes tasks of one board size: an equal share of the queue, so that no idle thread goes without,
 * but at least the backend's best batch size. */
static int gather(struct evaluator *e, struct yo_net_task *tasks, int count, int *size) {
    int best = e->program.backend->batch > 0 ? e->program.backend->batch : 1;
    size_t share = (e->queued + (size_t)e->idle) / ((size_t)e->idle + 1);
    size_t limit = share < (size_t)best ? (size_t)best : share;
    if (limit > (size_t)e->batch) limit = (size_t)e->batch;
    while (e->first && (size_t)count < limit) {
        int here = next_size(e, e->first);
        if (count > 0 && here != *size) break;
        *size = here;
        tasks[count++] = take_task(e, e->first);
    }
    return count;
}

static void wait_for_more(struct evaluator *e) {
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += (long)e->wait_us * 1000;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    while (!e->first && !e->quit)
        if (pthread_cond_timedwait(&e->came, &e->lock, &until) == ETIMEDOUT) break;
}

static void count_done(struct evaluator *e, const struct yo_net_task *tasks, int count,
                       enum yo_err err, const struct yo_diag *diag) {
    for (int i = 0; i < count;) {
        struct yo_eval_batch *batch = tasks[i].batch;
        struct work *work = work_of(batch);
        if (err && !work->err) {
            work->err = err;
            batch->diag = *diag;
        }
        size_t done = 0;
        for (; i < count && tasks[i].batch == batch; i++)
            done++;
        work->left -= done;
        if (work->left == 0) finish(e, batch);
    }
}

/* ---- the threads ---- */

static bool serve(void *ctx, int number) {
    struct evaluator *e = ctx;
    struct thread *thread = &e->threads[number];
    pthread_mutex_lock(&e->lock);
    for (;;) {
        e->idle++;
        while (!e->first && !e->quit)
            pthread_cond_wait(&e->came, &e->lock);
        e->idle--;
        if (!e->first) break; /* all submitted batches are done */
        int size, count = gather(e, thread->tasks, 0, &size);
        if (e->wait_us > 0 && count < e->program.backend->batch && count < e->batch) {
            wait_for_more(e);
            count = gather(e, thread->tasks, count, &size);
        }
        pthread_mutex_unlock(&e->lock);
        struct yo_diag diag;
        struct yo_net_eval_counts counts = {0};
        enum yo_err err =
            yo_net_answer(thread->answerer, size, thread->tasks, count, &counts, &diag);
        const struct yo_net_backend *backend = e->program.backend;
        if (backend->notify) backend->notify(e->program.program, &e->notices);
        pthread_mutex_lock(&e->lock);
        e->counts.evaluations += counts.evaluations;
        e->counts.batches += counts.batches;
        e->counts.cache_hits += counts.cache_hits;
        count_done(e, thread->tasks, count, err, &diag);
    }
    pthread_mutex_unlock(&e->lock);
    return false;
}

/* ---- the operations ---- */

static void describe(void *ctx, int playout_policy, struct yo_eval_about *about) {
    (void)playout_policy;
    const struct evaluator *e = ctx;
    *about = (struct yo_eval_about){.game = e->program.game->game, .wants = e->program.game->wants};
    if (yo_net_graph_is_zero(&e->net->graph, YO_NET_OUT_OWNERSHIP))
        about->wants &= ~(unsigned)YO_EVAL_OWNERSHIP;
    int best = e->program.backend->batch > 0 ? e->program.backend->batch : 1;
    about->batch = (size_t)best * (size_t)e->thread_count;
    snprintf(about->name, sizeof about->name, "%.60s on %.30s", e->net->name,
             e->program.backend->name);
}

static enum yo_err check_item(const struct evaluator *e, const struct yo_eval_item *item,
                              struct yo_diag *diag) {
    const struct yo_net_game *game = e->program.game;
    if (item->want & ~game->wants)
        return yo_diag_set(diag, YO_ERR_UNSUPPORTED, "a network does not give what is wanted");
    if ((item->want & YO_EVAL_POLICY) && (item->children || !item->moves))
        return yo_diag_set(diag, YO_ERR_ARGUMENT, "a policy is asked for moves of a position");
    int size = game->size(item->position), fixed = e->net->graph.fixed_size;
    if (size < game->smallest || size > game->largest || (fixed && size != fixed))
        return yo_diag_set(diag, YO_ERR_UNSUPPORTED, "the network is not for boards of size %d",
                           size);
    return YO_OK;
}

static enum yo_err submit(void *ctx, struct yo_eval_batch *batch, struct yo_diag *diag) {
    struct evaluator *e = ctx;
    size_t tasks = 0;
    for (size_t i = 0; i < batch->item_count; i++) {
        enum yo_err err = check_item(e, &batch->items[i], diag);
        if (err) return err;
        tasks += yo_eval_result_count(&batch->items[i]);
    }
    *work_of(batch) = (struct work){.left = tasks, .waiting = tasks};
    batch->err = YO_OK;
    batch->next = NULL;
    atomic_store_explicit(&batch->finished, false, memory_order_relaxed);
    pthread_mutex_lock(&e->lock);
    if (tasks == 0) {
        finish(e, batch);
    } else {
        if (e->last)
            e->last->next = batch;
        else
            e->first = batch;
        e->last = batch;
        e->queued += tasks;
        if (tasks == 1)
            pthread_cond_signal(&e->came);
        else
            pthread_cond_broadcast(&e->came);
    }
    pthread_mutex_unlock(&e->lock);
    return YO_OK;
}

static bool poll(void *ctx, struct yo_eval_batch *batch) {
    (void)ctx;
    return atomic_load_explicit(&batch->finished, memory_order_acquire);
}

static enum yo_err wait(void *ctx, struct yo_eval_batch *batch) {
    struct evaluator *e = ctx;
    if (!poll(ctx, batch)) {
        pthread_mutex_lock(&e->lock);
        while (!poll(ctx, batch))
            pthread_cond_wait(&e->finished, &e->lock);
        pthread_mutex_unlock(&e->lock);
    }
    return batch->err;
}

static bool is_queued(const struct evaluator *e, const struct yo_eval_batch *batch) {
    for (const struct yo_eval_batch *b = e->first; b; b = b->next)
        if (b == batch) return true;
    return false;
}

static void cancel(void *ctx, struct yo_eval_batch *batch) {
    struct evaluator *e = ctx;
    pthread_mutex_lock(&e->lock);
    if (is_queued(e, batch)) {
        struct work *work = work_of(batch);
        unlink_batch(e, batch);
        e->queued -= work->waiting;
        work->left -= work->waiting;
        work->waiting = 0;
        if (!work->err) work->err = YO_ERR_CANCELLED;
        if (work->left == 0) finish(e, batch);
    }
    pthread_mutex_unlock(&e->lock);
}

static void destroy(void *ctx) {
    struct evaluator *e = ctx;
    pthread_mutex_lock(&e->lock);
    e->quit = true;
    pthread_cond_broadcast(&e->came);
    pthread_mutex_unlock(&e->lock);
    yo_pool_delete(e->pool);
    for (int i = 0; e->threads && i < THREADS_MAX && e->threads[i].owner; i++) {
        yo_net_answerer_delete(e->threads[i].answerer);
        yo_free(e->threads[i].tasks);
    }
    yo_free(e->threads);
    yo_net_cache_delete(e->cache);
    yo_net_program_free(&e->program);
    yo_net_delete(e->net);
    pthread_cond_destroy(&e->came);
    pthread_cond_destroy(&e->finished);
    pthread_mutex_destroy(&e->lock);
    yo_free(e);
}

static const struct yo_eval_ops ops = {
    .describe = describe,
    .submit = submit,
    .poll = poll,
    .wait = wait,
    .cancel = cancel,
    .destroy = destroy,
};

/* ---- making one ---- */

static enum yo_err init_thread(struct evaluator *e, struct thread *thread, int symmetry,
                               struct yo_diag *diag) {
    thread->owner = e;
    thread->tasks = yo_alloc((size_t)e->batch, sizeof *thread->tasks);
    if (!thread->tasks) return yo_diag_set(diag, YO_ERR_NOMEM, "not enough memory");
    return yo_net_answerer_new(&e->program, e->cache, e->batch, symmetry, &thread->answerer, diag);
}

static void init_locks(struct evaluator *e) {
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_mutex_init(&e->lock, NULL);
    pthread_cond_init(&e->came, &monotonic);
    pthread_cond_init(&e->finished, NULL);
    pthread_condattr_destroy(&monotonic);
}

static enum yo_err start(struct evaluator *e, const struct yo_net_eval_options *options,
                         struct yo_diag *diag) {
    const struct yo_net_backend *backend = options->backend;
    if (!backend) backend = yo_net_choose_named(&e->net->graph, "auto", diag);
    if (!backend) return YO_ERR_UNSUPPORTED;
    enum yo_err err = yo_net_program_init(&e->program, e->net, backend, diag);
    if (err) return err;
    int best = backend->batch > 0 ? backend->batch : 1;
    int threads = options->threads > 0 ? options->threads : yo_cpu_count();
    if (threads > THREADS_MAX) threads = THREADS_MAX;
    e->batch = options->batch > 0 ? options->batch : best < 16 ? 16 : best;
    if (e->batch > BATCH_MAX) e->batch = BATCH_MAX;
    e->notices = options->notices;
    e->wait_us = options->wait_us;
    e->threads = yo_alloc((size_t)THREADS_MAX, sizeof *e->threads);
    if (!e->threads || yo_net_cache_new(options->cache_bytes, &e->cache))
        return yo_diag_set(diag, YO_ERR_NOMEM, "not enough memory for the network's cache");
    for (int i = 0; !err && i < threads; i++)
        err = init_thread(e, &e->threads[i], options->symmetry, diag);
    if (!err) err = yo_pool_new(threads, &e->pool, diag);
    if (err) return err;
    e->thread_count = threads;
    e->serving = (struct yo_job){.run = serve, .ctx = e, .threads = threads};
    yo_pool_submit(e->pool, &e->serving);
    return YO_OK;
}

enum yo_err yo_net_eval_new(struct yo_net *net, const struct yo_net_eval_options *options,
                            struct yo_eval *eval, struct yo_diag *diag) {
    struct evaluator *e = yo_alloc(1, sizeof *e);
    if (!e) {
        yo_net_delete(net);
        return yo_diag_set(diag, YO_ERR_NOMEM, "not enough memory");
    }
    e->net = net;
    init_locks(e);
    enum yo_err err = start(e, options, diag);
    if (err) {
        destroy(e);
        return err;
    }
    *eval = (struct yo_eval){&ops, e};
    return YO_OK;
}

enum yo_err yo_net_eval_open(const char *path, const struct yo_net_eval_options *options,
                             struct yo_eval *eval, struct yo_diag *diag) {
    struct yo_net *net;
    enum yo_err err = yo_net_open(path, &net, diag);
    return err ? err : yo_net_eval_new(net, options, eval, diag);
}

const struct yo_net_program *yo_net_eval_program(const struct yo_eval *eval) {
    return eval->ops == &ops ? &((const struct evaluator *)eval->ctx)->program : NULL;
}

void yo_net_eval_counts(const struct yo_eval *eval, struct yo_net_eval_counts *counts) {
    struct evaluator *e = eval->ctx;
    pthread_mutex_lock(&e->lock);
    *counts = e->counts;
    pthread_mutex_unlock(&e->lock);
}
