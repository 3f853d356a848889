#include "eval/net/queue.h"

#include <errno.h>
#include <time.h>

#include "base/diag.h"

/* The queue's data in a batch in flight. */
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

static void unlink_batch(struct yo_net_queue *q, struct yo_eval_batch *batch) {
    struct yo_eval_batch **link = &q->first, *previous = NULL;
    while (*link != batch) {
        previous = *link;
        link = &previous->next;
    }
    *link = batch->next;
    if (q->last == batch) q->last = previous;
}

/* Releases the lock while the callback runs. */
static void finish(struct yo_net_queue *q, struct yo_eval_batch *batch) {
    batch->err = work_of(batch)->err;
    if (batch->err == YO_ERR_CANCELLED)
        yo_diag_set(&batch->diag, batch->err, "%s", yo_err_text(batch->err));
    if (!batch->done) {
        /* A caller that polls may free the batch from here on. */
        atomic_store_explicit(&batch->finished, true, memory_order_release);
        pthread_cond_broadcast(&q->finished);
        return;
    }
    pthread_mutex_unlock(&q->lock);
    batch->done(batch);
    pthread_mutex_lock(&q->lock);
}

static struct yo_net_task take_task(struct yo_net_queue *q, struct yo_eval_batch *batch) {
    struct work *work = work_of(batch);
    while (yo_eval_result_count(&batch->items[work->item]) == 0)
        work->item++;
    struct yo_eval_item *item = &batch->items[work->item];
    struct yo_net_task task = {.batch = batch, .item = item, .index = work->child};
    if (++work->child == yo_eval_result_count(item)) {
        work->child = 0;
        work->item++;
    }
    q->queued--;
    if (--work->waiting == 0) unlink_batch(q, batch);
    return task;
}

static int next_size(const struct yo_net_queue *q, struct yo_eval_batch *batch) {
    size_t i = work_of(batch)->item;
    while (yo_eval_result_count(&batch->items[i]) == 0)
        i++;
    return q->size(batch->items[i].position);
}

/* Takes tasks of one board size: an equal share of the queue, so that no idle thread goes without,
 * but at least the backend's best number. */
static int gather(struct yo_net_queue *q, struct yo_net_task *tasks, int count, int *size) {
    size_t share = (q->queued + (size_t)q->idle) / ((size_t)q->idle + 1);
    size_t limit = share < (size_t)q->best ? (size_t)q->best : share;
    if (limit > (size_t)q->most) limit = (size_t)q->most;
    while (q->first && (size_t)count < limit) {
        int here = next_size(q, q->first);
        if (count > 0 && here != *size) break;
        *size = here;
        tasks[count++] = take_task(q, q->first);
    }
    return count;
}

static void wait_for_more(struct yo_net_queue *q) {
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += (long)q->wait_us * 1000;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    while (!q->first && !q->closed)
        if (pthread_cond_timedwait(&q->came, &q->lock, &until) == ETIMEDOUT) break;
}

/* ---- for callers ---- */

void yo_net_queue_init(struct yo_net_queue *q) {
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_mutex_init(&q->lock, NULL);
    pthread_cond_init(&q->came, &monotonic);
    pthread_cond_init(&q->finished, NULL);
    pthread_condattr_destroy(&monotonic);
}

void yo_net_queue_free(struct yo_net_queue *q) {
    pthread_cond_destroy(&q->came);
    pthread_cond_destroy(&q->finished);
    pthread_mutex_destroy(&q->lock);
}

void yo_net_queue_close(struct yo_net_queue *q) {
    pthread_mutex_lock(&q->lock);
    q->closed = true;
    pthread_cond_broadcast(&q->came);
    pthread_mutex_unlock(&q->lock);
}

void yo_net_queue_add(struct yo_net_queue *q, struct yo_eval_batch *batch) {
    size_t tasks = 0;
    for (size_t i = 0; i < batch->item_count; i++)
        tasks += yo_eval_result_count(&batch->items[i]);
    *work_of(batch) = (struct work){.left = tasks, .waiting = tasks};
    batch->err = YO_OK;
    batch->next = NULL;
    atomic_store_explicit(&batch->finished, false, memory_order_relaxed);
    pthread_mutex_lock(&q->lock);
    if (tasks == 0) {
        finish(q, batch);
    } else {
        if (q->last)
            q->last->next = batch;
        else
            q->first = batch;
        q->last = batch;
        q->queued += tasks;
        if (tasks == 1)
            pthread_cond_signal(&q->came);
        else
            pthread_cond_broadcast(&q->came);
    }
    pthread_mutex_unlock(&q->lock);
}

bool yo_net_queue_poll(struct yo_eval_batch *batch) {
    return atomic_load_explicit(&batch->finished, memory_order_acquire);
}

enum yo_err yo_net_queue_wait(struct yo_net_queue *q, struct yo_eval_batch *batch) {
    if (!yo_net_queue_poll(batch)) {
        pthread_mutex_lock(&q->lock);
        while (!yo_net_queue_poll(batch))
            pthread_cond_wait(&q->finished, &q->lock);
        pthread_mutex_unlock(&q->lock);
    }
    return batch->err;
}

static bool is_queued(const struct yo_net_queue *q, const struct yo_eval_batch *batch) {
    for (const struct yo_eval_batch *b = q->first; b; b = b->next)
        if (b == batch) return true;
    return false;
}

void yo_net_queue_cancel(struct yo_net_queue *q, struct yo_eval_batch *batch) {
    pthread_mutex_lock(&q->lock);
    if (is_queued(q, batch)) {
        struct work *work = work_of(batch);
        unlink_batch(q, batch);
        q->queued -= work->waiting;
        work->left -= work->waiting;
        work->waiting = 0;
        if (!work->err) work->err = YO_ERR_CANCELLED;
        if (work->left == 0) finish(q, batch);
    }
    pthread_mutex_unlock(&q->lock);
}

/* ---- for threads ---- */

int yo_net_queue_take(struct yo_net_queue *q, struct yo_net_task *tasks, int *size) {
    int count = 0;
    pthread_mutex_lock(&q->lock);
    q->idle++;
    while (!q->first && !q->closed)
        pthread_cond_wait(&q->came, &q->lock);
    q->idle--;
    if (q->first) count = gather(q, tasks, 0, size);
    if (count > 0 && q->wait_us > 0 && count < q->best && count < q->most) {
        wait_for_more(q);
        count = gather(q, tasks, count, size);
    }
    pthread_mutex_unlock(&q->lock);
    return count;
}

void yo_net_queue_done(struct yo_net_queue *q, const struct yo_net_task *tasks, int count,
                       enum yo_err err, const struct yo_diag *diag) {
    pthread_mutex_lock(&q->lock);
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
        if (work->left == 0) finish(q, batch);
    }
    pthread_mutex_unlock(&q->lock);
}
