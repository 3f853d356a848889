#include "eval/combine/check.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "eval/playout/backend.h"

#define BATCH 16

struct work;

struct check {
    struct yo_eval pair[2];
    pthread_mutex_t lock;
    pthread_cond_t finished;
    struct work *idle; /* storage of finished batches, for later ones; under the lock */
};

/* The capabilities that both evaluators have. */
static void describe(void *ctx, int playout_policy, struct yo_eval_about *about) {
    const struct check *check = ctx;
    struct yo_eval_about second;
    check->pair[0].ops->describe(check->pair[0].ctx, playout_policy, about);
    check->pair[1].ops->describe(check->pair[1].ctx, playout_policy, &second);
    char name[sizeof about->name];
    snprintf(name, sizeof name, "check:%.40s,%.40s", about->name, second.name);
    memcpy(about->name, name, sizeof name);
    about->wants &= second.wants & YO_EVAL_PLAYOUTS;
    about->exact = about->exact && second.exact;
    /* A batch above 1 makes a search submit its leaves here, so they are compared too. */
    if (about->batch == 1) about->batch = BATCH;
}

/* A batch in flight: a copy of it for each evaluator, with result storage of its own. It is kept
 * for later batches, so memory is allocated only for a batch larger than those before. */
struct work {
    struct check *check;
    struct work *next; /* idle */
    struct yo_eval_batch *outer;
    struct yo_eval_batch inner[2];
    struct yo_eval_item *items[2];
    struct yo_eval_result *results[2];
    uint32_t *arrays[2];
    size_t item_room, result_room, array_room; /* of each copy */
    int running;                               /* under the lock */
};

static int size_of(const struct yo_eval_item *item) {
    return ((const struct yo_go_position *)item->position)->board.geometry->size;
}

static size_t histogram_length(int size) { return (size_t)(2 * size * size + 1); }
static size_t ownership_length(int size) { return (size_t)(size * size); }

/* ---- storage ---- */

static void free_arrays(struct work *work) {
    for (int i = 0; i < 2; i++) {
        yo_free(work->items[i]);
        yo_free(work->results[i]);
        yo_free(work->arrays[i]);
        work->items[i] = NULL;
        work->results[i] = NULL;
        work->arrays[i] = NULL;
    }
    work->item_room = work->result_room = work->array_room = 0;
}

static bool make_room(struct work *work, size_t items, size_t results, size_t entries) {
    if (items <= work->item_room && results <= work->result_room && entries <= work->array_room)
        return true;
    free_arrays(work);
    for (int i = 0; i < 2; i++) {
        work->items[i] = yo_alloc(items, sizeof *work->items[i]);
        work->results[i] = yo_alloc(results, sizeof *work->results[i]);
        work->arrays[i] = yo_alloc(entries, sizeof *work->arrays[i]);
        if (!work->items[i] || !work->results[i] || !work->arrays[i]) {
            free_arrays(work);
            return false;
        }
    }
    work->item_room = items;
    work->result_room = results;
    work->array_room = entries;
    return true;
}

static struct work *take_work(struct check *check) {
    pthread_mutex_lock(&check->lock);
    struct work *work = check->idle;
    if (work) check->idle = work->next;
    pthread_mutex_unlock(&check->lock);
    return work ? work : yo_alloc(1, sizeof *work);
}

/* The lock is held. */
static void keep_work(struct check *check, struct work *work) {
    work->next = check->idle;
    check->idle = work;
}

/* ---- comparing ---- */

static enum yo_err mismatch(struct work *work, size_t item, size_t result, const char *what) {
    struct yo_diag *diag = &work->outer->diag;
    yo_diag_set(diag, YO_ERR_MISMATCH, "item %zu, result %zu: %s differs", item, result, what);
    struct yo_eval_about about;
    describe(work->check, work->outer->items[item].playout_policy, &about);
    yo_diag_where(diag, about.name, 0, 0);
    yo_diag_hint(diag, "one of the two backends is wrong; please report it with the position");
    return YO_ERR_MISMATCH;
}

static enum yo_err compare(struct work *work, size_t i, size_t j, const struct yo_eval_playouts *a,
                           const struct yo_eval_playouts *b, int size) {
    if (a->games != b->games) return mismatch(work, i, j, "the number of games");
    if (a->moves != b->moves) return mismatch(work, i, j, "the number of moves");
    if (a->half_wins_first != b->half_wins_first) return mismatch(work, i, j, "the number of wins");
    if (a->score2_first != b->score2_first || a->score2_squared != b->score2_squared)
        return mismatch(work, i, j, "the score");
    if (a->histogram && memcmp(a->histogram, b->histogram, 4 * histogram_length(size)) != 0)
        return mismatch(work, i, j, "the histogram of scores");
    if (a->owner && memcmp(a->owner, b->owner, 4 * ownership_length(size)) != 0)
        return mismatch(work, i, j, "ownership");
    return YO_OK;
}

static enum yo_err compare_all(struct work *work) {
    struct yo_eval_batch *outer = work->outer;
    for (int i = 0; i < 2; i++)
        if (work->inner[i].err) {
            outer->diag = work->inner[i].diag;
            return work->inner[i].err;
        }
    enum yo_err err = YO_OK;
    for (size_t i = 0, k = 0; i < outer->item_count; i++)
        for (size_t j = 0; j < yo_eval_result_count(&outer->items[i]); j++, k++) {
            int size = size_of(&outer->items[i]);
            const struct yo_eval_playouts *a = &work->results[0][k].playouts;
            if (!err) err = compare(work, i, j, a, &work->results[1][k].playouts, size);
            yo_playout_merge(&outer->items[i].results[j].playouts, a, size * size);
        }
    return err;
}

/* ---- running ---- */

/* batch->work holds a pointer to the struct work; NULL once the batch has finished. */
static struct work *get_work(const struct yo_eval_batch *batch) {
    struct work *work;
    memcpy(&work, batch->work, sizeof work);
    return work;
}

static void set_work(struct yo_eval_batch *batch, struct work *work) {
    memcpy(batch->work, &work, sizeof work);
}

/* Drops one reference to the work; the last one finishes the batch. */
static void release(struct work *work) {
    struct check *check = work->check;
    pthread_mutex_lock(&check->lock);
    if (--work->running > 0) {
        pthread_mutex_unlock(&check->lock);
        return;
    }
    struct yo_eval_batch *outer = work->outer;
    outer->err = compare_all(work);
    set_work(outer, NULL);
    keep_work(check, work);
    if (outer->done) {
        pthread_mutex_unlock(&check->lock);
        outer->done(outer);
        return;
    }
    /* A caller that polls may free the batch from here on. */
    atomic_store_explicit(&outer->finished, true, memory_order_release);
    pthread_cond_broadcast(&check->finished);
    pthread_mutex_unlock(&check->lock);
}

static void inner_done(struct yo_eval_batch *inner) { release(inner->user); }

static void copy_batch(struct work *work, int which) {
    const struct yo_eval_batch *outer = work->outer;
    struct yo_eval_batch *inner = &work->inner[which];
    struct yo_eval_result *result = work->results[which];
    uint32_t *arrays = work->arrays[which];
    *inner = (struct yo_eval_batch){.items = work->items[which],
                                    .item_count = outer->item_count,
                                    .done = inner_done,
                                    .user = work};
    for (size_t i = 0; i < outer->item_count; i++) {
        inner->items[i] = outer->items[i];
        inner->items[i].results = result;
        size_t histogram = histogram_length(size_of(&outer->items[i]));
        size_t ownership = ownership_length(size_of(&outer->items[i]));
        for (size_t j = 0; j < yo_eval_result_count(&outer->items[i]); j++, result++) {
            const struct yo_eval_playouts *wanted = &outer->items[i].results[j].playouts;
            memset(result, 0, sizeof *result);
            memset(arrays, 0, (histogram + ownership) * sizeof *arrays);
            result->playouts.histogram = wanted->histogram ? arrays : NULL;
            arrays += histogram;
            result->playouts.owner = wanted->owner ? (int32_t *)arrays : NULL;
            arrays += ownership;
        }
    }
}

static struct work *new_work(struct check *check, struct yo_eval_batch *batch) {
    size_t results = 0, entries = 0;
    for (size_t i = 0; i < batch->item_count; i++) {
        int size = size_of(&batch->items[i]);
        size_t count = yo_eval_result_count(&batch->items[i]);
        results += count;
        entries += count * (histogram_length(size) + ownership_length(size));
    }
    struct work *work = take_work(check);
    if (!work) return NULL;
    work->check = check;
    work->outer = batch;
    work->running = 2;
    if (!make_room(work, batch->item_count, results, entries)) {
        yo_free(work);
        return NULL;
    }
    copy_batch(work, 0);
    copy_batch(work, 1);
    return work;
}

static enum yo_err check_submit(void *ctx, struct yo_eval_batch *batch, struct yo_diag *diag) {
    struct check *check = ctx;
    struct work *work = new_work(check, batch);
    if (!work) return yo_diag_set(diag, YO_ERR_NOMEM, "out of memory");
    atomic_store(&batch->finished, false);
    set_work(batch, work);
    enum yo_err err = check->pair[0].ops->submit(check->pair[0].ctx, &work->inner[0], diag);
    if (err) {
        set_work(batch, NULL);
        pthread_mutex_lock(&check->lock);
        keep_work(check, work);
        pthread_mutex_unlock(&check->lock);
        return err;
    }
    err = check->pair[1].ops->submit(check->pair[1].ctx, &work->inner[1], &work->inner[1].diag);
    if (err) { /* the first half is in flight: the batch will finish, with this error */
        work->inner[1].err = err;
        release(work);
    }
    return YO_OK;
}

static bool check_poll(void *ctx, struct yo_eval_batch *batch) {
    (void)ctx;
    return atomic_load_explicit(&batch->finished, memory_order_acquire);
}

static enum yo_err check_wait(void *ctx, struct yo_eval_batch *batch) {
    struct check *check = ctx;
    pthread_mutex_lock(&check->lock);
    while (!check_poll(ctx, batch))
        pthread_cond_wait(&check->finished, &check->lock);
    pthread_mutex_unlock(&check->lock);
    return batch->err;
}

static void check_destroy(void *ctx) {
    struct check *check = ctx;
    for (int i = 0; i < 2; i++)
        check->pair[i].ops->destroy(check->pair[i].ctx);
    while (check->idle) {
        struct work *work = check->idle;
        check->idle = work->next;
        free_arrays(work);
        yo_free(work);
    }
    pthread_cond_destroy(&check->finished);
    pthread_mutex_destroy(&check->lock);
    yo_free(check);
}

/* Holds a reference while it cancels both halves, since they may finish meanwhile. */
static void check_cancel(void *ctx, struct yo_eval_batch *batch) {
    struct check *check = ctx;
    pthread_mutex_lock(&check->lock);
    struct work *work = get_work(batch);
    if (work) work->running++;
    pthread_mutex_unlock(&check->lock);
    if (!work) return;
    for (int i = 0; i < 2; i++)
        check->pair[i].ops->cancel(check->pair[i].ctx, &work->inner[i]);
    release(work);
}

static const struct yo_eval_ops check_ops = {
    .describe = describe,
    .submit = check_submit,
    .poll = check_poll,
    .wait = check_wait,
    .cancel = check_cancel,
    .destroy = check_destroy,
};

enum yo_err yo_eval_check_new(struct yo_eval first, struct yo_eval second, struct yo_eval *eval,
                              struct yo_diag *diag) {
    struct check *check = yo_alloc(1, sizeof *check);
    if (!check) return yo_diag_set(diag, YO_ERR_NOMEM, "out of memory");
    check->pair[0] = first;
    check->pair[1] = second;
    pthread_mutex_init(&check->lock, NULL);
    pthread_cond_init(&check->finished, NULL);
    *eval = (struct yo_eval){&check_ops, check};
    return YO_OK;
}
