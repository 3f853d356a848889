#include "eval/net/evaluator.h"

#include <stdio.h>

#include "base/alloc.h"
#include "base/cpu.h"
#include "base/diag.h"
#include "base/pool.h"
#include "eval/net/answer.h"
#include "eval/net/cache.h"
#include "eval/net/choice.h"
#include "eval/net/queue.h"
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
    struct yo_notices notices;
    struct yo_net_queue queue;
    int thread_count, sharers;
    atomic_int users;
    struct thread *threads;
    struct yo_pool *pool;
    struct yo_job serving; /* runs on all threads for the life of the evaluator */
    _Atomic uint64_t evaluations, batches, cache_hits;
};

/* ---- the threads ---- */

static bool serve(void *ctx, int number) {
    struct evaluator *e = ctx;
    struct thread *thread = &e->threads[number];
    const struct yo_net_backend *backend = e->program.backend;
    for (int size, count; (count = yo_net_queue_take(&e->queue, thread->tasks, &size)) > 0;) {
        struct yo_diag diag;
        struct yo_net_eval_counts counts = {0};
        enum yo_err err =
            yo_net_answer(thread->answerer, size, thread->tasks, count, &counts, &diag);
        if (backend->notify) backend->notify(e->program.program, &e->notices);
        e->evaluations += counts.evaluations;
        e->batches += counts.batches;
        e->cache_hits += counts.cache_hits;
        yo_net_queue_done(&e->queue, thread->tasks, count, err, &diag);
    }
    return false;
}

/* ---- the operations ---- */

static void describe(void *ctx, int playout_policy, struct yo_eval_about *about) {
    (void)playout_policy;
    const struct evaluator *e = ctx;
    *about = (struct yo_eval_about){.game = e->program.game->game, .wants = e->program.game->wants};
    if (yo_net_graph_is_zero(&e->net->graph, YO_NET_OUT_OWNERSHIP))
        about->wants &= ~(unsigned)YO_EVAL_OWNERSHIP;
    /* What one search should have in flight: its share of what keeps all threads busy. */
    about->batch = (size_t)e->queue.best * (size_t)e->thread_count / (size_t)e->sharers;
    if (about->batch == 0) about->batch = 1;
    enum yo_net_family family = e->program.backend->family;
    about->on_gpu = family == YO_NET_FAMILY_GPU || family == YO_NET_FAMILY_CUDNN;
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
    for (size_t i = 0; i < batch->item_count; i++) {
        enum yo_err err = check_item(e, &batch->items[i], diag);
        if (err) return err;
    }
    yo_net_queue_add(&e->queue, batch);
    return YO_OK;
}

static bool poll(void *ctx, struct yo_eval_batch *batch) {
    (void)ctx;
    return yo_net_queue_poll(batch);
}

static enum yo_err wait(void *ctx, struct yo_eval_batch *batch) {
    return yo_net_queue_wait(&((struct evaluator *)ctx)->queue, batch);
}

static void cancel(void *ctx, struct yo_eval_batch *batch) {
    yo_net_queue_cancel(&((struct evaluator *)ctx)->queue, batch);
}

static void destroy(void *ctx) {
    struct evaluator *e = ctx;
    if (atomic_fetch_sub(&e->users, 1) > 1) return;
    yo_net_queue_close(&e->queue);
    yo_pool_delete(e->pool);
    for (int i = 0; e->threads && i < THREADS_MAX && e->threads[i].owner; i++) {
        yo_net_answerer_delete(e->threads[i].answerer);
        yo_free(e->threads[i].tasks);
    }
    yo_free(e->threads);
    yo_net_cache_delete(e->cache);
    yo_net_program_free(&e->program);
    yo_net_delete(e->net);
    yo_net_queue_free(&e->queue);
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
    thread->tasks = yo_alloc((size_t)e->queue.most, sizeof *thread->tasks);
    if (!thread->tasks) return yo_diag_set(diag, YO_ERR_NOMEM, "not enough memory");
    return yo_net_answerer_new(&e->program, e->cache, e->queue.most, symmetry, &thread->answerer,
                               diag);
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
    int most = options->batch > 0 ? options->batch : best < 16 ? 16 : best;
    e->queue.size = e->program.game->size;
    e->queue.best = best;
    e->queue.most = most < BATCH_MAX ? most : BATCH_MAX;
    e->queue.wait_us = options->wait_us;
    e->notices = options->notices;
    e->sharers = options->sharers > 0 ? options->sharers : 1;
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
    atomic_init(&e->users, 1);
    yo_net_queue_init(&e->queue);
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

void yo_net_eval_share(const struct yo_eval *eval) {
    atomic_fetch_add(&((struct evaluator *)eval->ctx)->users, 1);
}

int yo_net_eval_users(const struct yo_eval *eval) {
    return atomic_load(&((struct evaluator *)eval->ctx)->users);
}

const struct yo_net_program *yo_net_eval_program(const struct yo_eval *eval) {
    return eval->ops == &ops ? &((const struct evaluator *)eval->ctx)->program : NULL;
}

void yo_net_eval_counts(const struct yo_eval *eval, struct yo_net_eval_counts *counts) {
    const struct evaluator *e = eval->ctx;
    *counts = (struct yo_net_eval_counts){
        .evaluations = e->evaluations, .batches = e->batches, .cache_hits = e->cache_hits};
}
