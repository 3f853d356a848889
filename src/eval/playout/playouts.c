#include "eval/playout/playouts.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cpu.h"
#include "base/diag.h"
#include "eval/playout/position.h"

#define THREADS_MAX 1024
/* Items of more games than this are shared among threads; large enough to keep a bit-slice full,
 * small enough that threads finish together. */
#define PIECE_MAX 1024
#define PIECE_MIN 64

/* One position of a batch: an item, or a child of one. */
struct target {
    struct yo_playout_position position;
    struct yo_eval_item *item;
    struct yo_playout_result *result;
    struct yo_playout_result *partial; /* one for each thread, when threads share it; else NULL */
};

struct piece {
    struct target *target;
    uint64_t first_game;
    uint32_t games;
};

/* A batch on its way. The threads take pieces by one atomic counter; no lock is held while games
 * are played. */
struct work {
    struct work *next; /* in the queue */
    struct yo_eval_batch *batch;
    enum yo_playout_policy policy;
    int size;
    struct target *targets;
    size_t target_count;
    struct piece *pieces;
    size_t piece_count;
    atomic_size_t next_piece;
    uint32_t *arrays; /* of all partial results */
    /* Under the lock: */
    int running; /* threads inside it */
    bool finished;
    enum yo_err err;
};

struct pool {
    const struct yo_playout_backend *backend;
    pthread_mutex_t lock;
    pthread_cond_t work_came, work_done;
    struct work *first, *last;
    bool quit;
    int thread_count;
    pthread_t *threads;
};

struct worker {
    struct pool *pool;
    int index;
    struct work *work;
};

/* ---- splitting a batch ---- */

static void free_work(struct work *work) {
    if (!work) return;
    for (size_t i = 0; work->targets && i < work->target_count; i++)
        yo_free(work->targets[i].partial);
    yo_free(work->arrays);
    yo_free(work->targets);
    yo_free(work->pieces);
    yo_free(work);
}

static size_t targets_of(const struct yo_eval_item *item) {
    return item->children ? item->child_count : 1;
}

static enum yo_err check_item(const struct pool *pool, const struct work *work,
                              const struct yo_eval_item *item, struct yo_diag *diag) {
    const struct yo_playout_position *position = item->position;
    if (item->want != YO_EVAL_PLAYOUTS)
        return yo_diag_set(diag, YO_ERR_UNSUPPORTED, "playouts give no network value or policy");
    enum yo_err err = yo_playout_position_check(position, diag);
    if (err) return err;
    if (position->size != work->size || item->policy != work->policy)
        return yo_diag_set(diag, YO_ERR_ARGUMENT, "a batch has one board size and one policy");
    if (!pool->backend->supports(item->policy, position->size)) {
        yo_diag_set(diag, YO_ERR_UNSUPPORTED, "backend %s has no %s policy on %dx%d",
                    pool->backend->name, yo_playout_policy_name(item->policy), position->size,
                    position->size);
        yo_diag_hint(diag, "choose backend auto or scalar");
        return YO_ERR_UNSUPPORTED;
    }
    return YO_OK;
}

static enum yo_err make_targets(const struct pool *pool, struct work *work, struct yo_diag *diag) {
    struct target *target = work->targets;
    for (size_t i = 0; i < work->batch->item_count; i++) {
        struct yo_eval_item *item = &work->batch->items[i];
        enum yo_err err = check_item(pool, work, item, diag);
        for (size_t j = 0; !err && j < targets_of(item); j++, target++) {
            target->item = item;
            target->result = &item->results[j].playouts;
            target->position = *(const struct yo_playout_position *)item->position;
            if (item->children)
                err = yo_playout_position_play(item->position, item->children[j], &target->position,
                                               diag);
        }
        if (err) return err;
    }
    return YO_OK;
}

static size_t result_entries(int size) { return (size_t)(3 * size * size + 1); }

/* Gives each thread a result of its own for a target that several will work on. */
static void split_result(struct work *work, struct target *target, int threads, uint32_t *arrays) {
    size_t points = (size_t)(work->size * work->size);
    for (int t = 0; t < threads; t++) {
        uint32_t *entries = arrays + result_entries(work->size) * (size_t)t;
        target->partial[t].histogram = target->result->histogram ? entries : NULL;
        target->partial[t].ownership =
            target->result->ownership ? (int32_t *)entries + 2 * points + 1 : NULL;
    }
}

static uint64_t piece_size(uint64_t games, int threads) {
    uint64_t size = games / (uint64_t)(4 * threads);
    return size > PIECE_MAX ? PIECE_MAX : size < PIECE_MIN ? PIECE_MIN : size;
}

static enum yo_err make_pieces(struct work *work, int threads) {
    uint64_t games = 0, pieces = 0, shared = 0;
    for (size_t i = 0; i < work->target_count; i++)
        games += work->targets[i].item->playouts;
    uint64_t most = piece_size(games, threads);
    for (size_t i = 0; i < work->target_count; i++) {
        uint64_t n = (work->targets[i].item->playouts + most - 1) / most;
        pieces += n;
        shared += n > 1 && threads > 1;
    }
    size_t entries = result_entries(work->size) * (size_t)threads;
    work->pieces = yo_alloc(pieces, sizeof *work->pieces);
    work->arrays = yo_alloc(shared * entries, sizeof *work->arrays);
    if (!work->pieces || !work->arrays) return YO_ERR_NOMEM;
    uint32_t *arrays = work->arrays;
    for (size_t i = 0; i < work->target_count; i++) {
        struct target *target = &work->targets[i];
        uint64_t left = target->item->playouts, first = target->item->first_game;
        if (left > most && threads > 1) {
            target->partial = yo_alloc((size_t)threads, sizeof *target->partial);
            if (!target->partial) return YO_ERR_NOMEM;
            split_result(work, target, threads, arrays);
            arrays += entries;
        }
        while (left > 0) {
            uint32_t n = (uint32_t)(left < most ? left : most);
            work->pieces[work->piece_count++] = (struct piece){target, first, n};
            first += n;
            left -= n;
        }
    }
    return YO_OK;
}

static enum yo_err make_work(struct pool *pool, struct yo_eval_batch *batch, struct work **out,
                             struct yo_diag *diag) {
    struct work *work = yo_alloc(1, sizeof *work);
    if (!work) return yo_diag_set(diag, YO_ERR_NOMEM, "out of memory");
    work->batch = batch;
    for (size_t i = 0; i < batch->item_count; i++)
        work->target_count += targets_of(&batch->items[i]);
    if (batch->item_count > 0) {
        work->policy = batch->items[0].policy;
        work->size = ((const struct yo_playout_position *)batch->items[0].position)->size;
    }
    work->targets = yo_alloc(work->target_count, sizeof *work->targets);
    enum yo_err err = work->targets ? make_targets(pool, work, diag)
                                    : yo_diag_set(diag, YO_ERR_NOMEM, "out of memory");
    if (!err && (err = make_pieces(work, pool->thread_count)))
        yo_diag_set(diag, err, "out of memory");
    if (err) {
        free_work(work);
        return err;
    }
    *out = work;
    return YO_OK;
}

/* ---- the threads ---- */

static bool next_piece(void *ctx, struct yo_playout_piece *out) {
    const struct worker *worker = ctx;
    struct work *work = worker->work;
    size_t i = atomic_fetch_add_explicit(&work->next_piece, 1, memory_order_relaxed);
    if (i >= work->piece_count) return false;
    const struct piece *piece = &work->pieces[i];
    struct target *target = piece->target;
    *out = (struct yo_playout_piece){
        .position = &target->position,
        .seed = target->item->seed,
        .first_game = piece->first_game,
        .games = piece->games,
        .result = target->partial ? &target->partial[worker->index] : target->result,
        .sink = target->item->sink,
    };
    return true;
}

static void add_partials(struct work *work, int threads) {
    size_t points = (size_t)(work->size * work->size);
    for (size_t i = 0; i < work->target_count; i++) {
        struct target *target = &work->targets[i];
        struct yo_playout_result *sum = target->result;
        for (int t = 0; target->partial && t < threads; t++) {
            const struct yo_playout_result *part = &target->partial[t];
            sum->games += part->games;
            sum->moves += part->moves;
            sum->score_sum += part->score_sum;
            for (size_t k = 0; sum->histogram && k <= 2 * points; k++)
                sum->histogram[k] += part->histogram[k];
            for (size_t k = 0; sum->ownership && k < points; k++)
                sum->ownership[k] += part->ownership[k];
        }
    }
}

/* The first batch that still has pieces to take; the lock is held. */
static struct work *find_work(struct pool *pool) {
    for (struct work *work = pool->first; work; work = work->next)
        if (!work->finished && atomic_load(&work->next_piece) < work->piece_count) return work;
    return NULL;
}

static void unlink_work(struct pool *pool, struct work *work) {
    struct work **link = &pool->first, *previous = NULL;
    while (*link != work) {
        previous = *link;
        link = &previous->next;
    }
    *link = work->next;
    if (pool->last == work) pool->last = previous;
}

/* The lock is held, and is let go of while the callback runs. */
static void finish_work(struct pool *pool, struct work *work) {
    struct yo_eval_batch *batch = work->batch;
    add_partials(work, pool->thread_count);
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
    free_work(work);
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
        struct work *work = find_work(pool);
        if (!work) {
            if (pool->quit) break;
            pthread_cond_wait(&pool->work_came, &pool->lock);
            continue;
        }
        work->running++;
        pthread_mutex_unlock(&pool->lock);
        size_t need = pool->backend->scratch_size(work->size);
        if (need > scratch_size) {
            yo_free_aligned(scratch);
            scratch = yo_alloc_aligned(need);
            scratch_size = scratch ? need : 0;
        }
        worker.work = work;
        struct yo_playout_source source = {next_piece, &worker};
        if (scratch)
            pool->backend->run(work->policy, work->size, &source, scratch);
        else
            atomic_store(&work->next_piece, work->piece_count);
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
    struct work *work = NULL;
    enum yo_err err = make_work(pool, batch, &work, diag);
    if (err) return err;
    batch->err = YO_OK;
    batch->work = work;
    pthread_mutex_lock(&pool->lock);
    if (pool->last)
        pool->last->next = work;
    else
        pool->first = work;
    pool->last = work;
    if (work->piece_count == 0)
        finish_work(pool, work);
    else
        pthread_cond_broadcast(&pool->work_came);
    pthread_mutex_unlock(&pool->lock);
    return YO_OK;
}

static bool eval_poll(void *ctx, struct yo_eval_batch *batch) {
    struct pool *pool = ctx;
    pthread_mutex_lock(&pool->lock);
    const struct work *work = batch->work;
    bool finished = !work || work->finished;
    pthread_mutex_unlock(&pool->lock);
    return finished;
}

static enum yo_err eval_wait(void *ctx, struct yo_eval_batch *batch) {
    struct pool *pool = ctx;
    struct work *work = batch->work;
    if (!work) return batch->err;
    pthread_mutex_lock(&pool->lock);
    while (!work->finished)
        pthread_cond_wait(&pool->work_done, &pool->lock);
    pthread_mutex_unlock(&pool->lock);
    batch->work = NULL;
    free_work(work);
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

static const char *eval_name(void *ctx) { return ((struct pool *)ctx)->backend->name; }

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

enum yo_err yo_playouts_eval_new(const struct yo_playout_backend *backend, int threads,
                                 struct yo_eval *eval, struct yo_diag *diag) {
    if (threads < 0 || threads > THREADS_MAX)
        return yo_diag_set(diag, YO_ERR_RANGE, "%d threads: must be between 0 and %d", threads,
                           THREADS_MAX);
    if (!backend->available())
        return yo_diag_set(diag, YO_ERR_UNSUPPORTED, "backend %s needs %s, which is not here",
                           backend->name, backend->needs);
    if (threads == 0) threads = yo_cpu_count();
    struct pool *pool = yo_alloc(1, sizeof *pool);
    if (!pool) return yo_diag_set(diag, YO_ERR_NOMEM, "out of memory");
    pool->threads = yo_alloc((size_t)threads, sizeof *pool->threads);
    pool->backend = backend;
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
