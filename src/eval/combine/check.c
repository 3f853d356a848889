#include "eval/combine/check.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "eval/playout/backend.h"

struct check {
    struct yo_eval pair[2];
    char name[64];
    pthread_mutex_t lock;
    pthread_cond_t finished;
};

/* A batch on its way: a copy of it for each evaluator, with result storage of its own. */
struct work {
    struct check *check;
    struct yo_eval_batch *outer;
    struct yo_eval_batch inner[2];
    struct yo_eval_result *results[2];
    uint32_t *arrays[2];
    size_t result_count;
    int running; /* under the lock */
    bool finished;
};

static size_t results_of(const struct yo_eval_item *item) {
    return item->children ? item->child_count : 1;
}

static int size_of(const struct yo_eval_item *item) {
    return ((const struct yo_playout_position *)item->position)->size;
}

static size_t histogram_length(int size) { return (size_t)(2 * size * size + 1); }
static size_t ownership_length(int size) { return (size_t)(size * size); }

static void free_work(struct work *work) {
    for (int i = 0; i < 2; i++) {
        yo_free(work->inner[i].items);
        yo_free(work->results[i]);
        yo_free(work->arrays[i]);
    }
    yo_free(work);
}

/* ---- comparing ---- */

static enum yo_err mismatch(struct work *work, size_t item, size_t result, const char *what) {
    struct yo_diag *diag = &work->outer->diag;
    yo_diag_set(diag, YO_ERR_MISMATCH, "item %zu, result %zu: %s differs", item, result, what);
    yo_diag_where(diag, work->check->name, 0, 0);
    yo_diag_hint(diag, "one of the two backends is wrong; please report it with the position");
    return YO_ERR_MISMATCH;
}

static enum yo_err compare(struct work *work, size_t i, size_t j, const struct yo_playout_result *a,
                           const struct yo_playout_result *b, int size) {
    if (a->games != b->games) return mismatch(work, i, j, "the number of games");
    if (a->moves != b->moves) return mismatch(work, i, j, "the number of moves");
    if (a->score_sum != b->score_sum) return mismatch(work, i, j, "the score");
    if (a->histogram && memcmp(a->histogram, b->histogram, 4 * histogram_length(size)) != 0)
        return mismatch(work, i, j, "the histogram of scores");
    if (a->ownership && memcmp(a->ownership, b->ownership, 4 * ownership_length(size)) != 0)
        return mismatch(work, i, j, "ownership");
    return YO_OK;
}

static enum yo_err judge(struct work *work) {
    struct yo_eval_batch *outer = work->outer;
    for (int i = 0; i < 2; i++)
        if (work->inner[i].err) {
            outer->diag = work->inner[i].diag;
            return work->inner[i].err;
        }
    enum yo_err err = YO_OK;
    for (size_t i = 0, k = 0; i < outer->item_count; i++)
        for (size_t j = 0; j < results_of(&outer->items[i]); j++, k++) {
            int size = size_of(&outer->items[i]);
            const struct yo_playout_result *a = &work->results[0][k].playouts;
            if (!err) err = compare(work, i, j, a, &work->results[1][k].playouts, size);
            yo_playout_result_merge(&outer->items[i].results[j].playouts, a, size);
        }
    return err;
}

/* ---- running ---- */

static void inner_done(struct yo_eval_batch *inner) {
    struct work *work = inner->user;
    struct check *check = work->check;
    pthread_mutex_lock(&check->lock);
    if (--work->running > 0) {
        pthread_mutex_unlock(&check->lock);
        return;
    }
    struct yo_eval_batch *outer = work->outer;
    void (*done)(struct yo_eval_batch *) = outer->done;
    outer->err = judge(work);
    work->finished = true;
    if (!done) pthread_cond_broadcast(&check->finished);
    pthread_mutex_unlock(&check->lock);
    if (!done) return; /* whoever waited for it may have freed the batch by now */
    outer->work = NULL;
    free_work(work);
    done(outer);
}

static bool copy_batch(struct work *work, int which) {
    const struct yo_eval_batch *outer = work->outer;
    struct yo_eval_batch *inner = &work->inner[which];
    size_t entries = 0;
    for (size_t i = 0; i < outer->item_count; i++)
        entries += results_of(&outer->items[i]) * (histogram_length(size_of(&outer->items[i])) +
                                                   ownership_length(size_of(&outer->items[i])));
    inner->items = yo_alloc(outer->item_count, sizeof *inner->items);
    work->results[which] = yo_alloc(work->result_count, sizeof *work->results[which]);
    uint32_t *arrays = work->arrays[which] = yo_alloc(entries, sizeof *arrays);
    if (!inner->items || !work->results[which] || !arrays) return false;
    inner->item_count = outer->item_count;
    inner->done = inner_done;
    inner->user = work;
    struct yo_eval_result *result = work->results[which];
    for (size_t i = 0; i < outer->item_count; i++) {
        inner->items[i] = outer->items[i];
        inner->items[i].results = result;
        if (which == 1) inner->items[i].sink = NULL;
        int size = size_of(&outer->items[i]);
        for (size_t j = 0; j < results_of(&outer->items[i]); j++, result++) {
            const struct yo_playout_result *wanted = &outer->items[i].results[j].playouts;
            result->playouts.histogram = wanted->histogram ? arrays : NULL;
            arrays += histogram_length(size);
            result->playouts.ownership = wanted->ownership ? (int32_t *)arrays : NULL;
            arrays += ownership_length(size);
        }
    }
    return true;
}

static enum yo_err check_submit(void *ctx, struct yo_eval_batch *batch, struct yo_diag *diag) {
    struct check *check = ctx;
    struct work *work = yo_alloc(1, sizeof *work);
    if (!work) return yo_diag_set(diag, YO_ERR_NOMEM, "out of memory");
    work->check = check;
    work->outer = batch;
    work->running = 2;
    for (size_t i = 0; i < batch->item_count; i++)
        work->result_count += results_of(&batch->items[i]);
    if (!copy_batch(work, 0) || !copy_batch(work, 1)) {
        free_work(work);
        return yo_diag_set(diag, YO_ERR_NOMEM, "out of memory");
    }
    batch->work = work;
    enum yo_err err = check->pair[0].ops->submit(check->pair[0].ctx, &work->inner[0], diag);
    if (err) {
        batch->work = NULL;
        free_work(work);
        return err;
    }
    err = check->pair[1].ops->submit(check->pair[1].ctx, &work->inner[1], &work->inner[1].diag);
    if (err) { /* the first half is on its way: the batch will finish, with this error */
        work->inner[1].err = err;
        inner_done(&work->inner[1]);
    }
    return YO_OK;
}

static bool check_poll(void *ctx, struct yo_eval_batch *batch) {
    struct check *check = ctx;
    pthread_mutex_lock(&check->lock);
    const struct work *work = batch->work;
    bool finished = !work || work->finished;
    pthread_mutex_unlock(&check->lock);
    return finished;
}

static enum yo_err check_wait(void *ctx, struct yo_eval_batch *batch) {
    struct check *check = ctx;
    struct work *work = batch->work;
    if (!work) return batch->err;
    pthread_mutex_lock(&check->lock);
    while (!work->finished)
        pthread_cond_wait(&check->finished, &check->lock);
    pthread_mutex_unlock(&check->lock);
    batch->work = NULL;
    free_work(work);
    return batch->err;
}

static void check_destroy(void *ctx) {
    struct check *check = ctx;
    for (int i = 0; i < 2; i++)
        check->pair[i].ops->destroy(check->pair[i].ctx);
    pthread_cond_destroy(&check->finished);
    pthread_mutex_destroy(&check->lock);
    yo_free(check);
}

static const char *check_name(void *ctx) { return ((struct check *)ctx)->name; }

static const struct yo_eval_ops check_ops = {
    .submit = check_submit,
    .poll = check_poll,
    .wait = check_wait,
    .destroy = check_destroy,
    .name = check_name,
};

enum yo_err yo_eval_check_new(struct yo_eval first, struct yo_eval second, struct yo_eval *eval,
                              struct yo_diag *diag) {
    struct check *check = yo_alloc(1, sizeof *check);
    if (!check) return yo_diag_set(diag, YO_ERR_NOMEM, "out of memory");
    check->pair[0] = first;
    check->pair[1] = second;
    snprintf(check->name, sizeof check->name, "check:%s,%s", first.ops->name(first.ctx),
             second.ops->name(second.ctx));
    pthread_mutex_init(&check->lock, NULL);
    pthread_cond_init(&check->finished, NULL);
    *eval = (struct yo_eval){&check_ops, check};
    return YO_OK;
}
