/* A batch on its way: its positions, cut into pieces of so many games that threads take one by one,
 * and the sums of what they found. Who queues it and who plays it is not its business. */
#pragma once

#include <stdatomic.h>

#include "eval/eval.h"
#include "eval/playout/backend.h"

struct yo_playout_target;
struct yo_playout_share;

struct yo_playout_work {
    struct yo_playout_work *next; /* in the queue */
    struct yo_eval_batch *batch;
    const struct yo_playout_backend *backend;
    enum yo_playout_policy policy;
    int size;
    int threads;                       /* that there are */
    int runners;                       /* of them that may work on it at a time */
    struct yo_playout_target *targets; /* positions: items, or the children of items */
    size_t target_count;
    struct yo_playout_position *children; /* those that are asked for */
    struct yo_playout_share *shares;
    size_t share_count;
    atomic_size_t next_share;
    struct yo_playout_result *partials; /* of all targets that threads share */
    uint32_t *arrays;                   /* theirs */
    /* Under the lock of whoever queues it: */
    int running; /* threads inside it */
    bool finished;
    enum yo_err err;
};

/* Checks the batch and cuts it for so many threads, of which `cores` may play on the CPU at a time.
 * backend NULL: the fastest here that can play it. */
enum yo_err yo_playout_work_new(struct yo_eval_batch *batch,
                                const struct yo_playout_backend *backend, int threads, int cores,
                                struct yo_playout_work **work, struct yo_diag *diag);
void yo_playout_work_delete(struct yo_playout_work *work);

/* The next piece for the thread with this index; false when none is left. No lock is needed. */
bool yo_playout_work_take(struct yo_playout_work *work, int thread, struct yo_playout_piece *piece);
bool yo_playout_work_has_more(struct yo_playout_work *work);
/* Leaves what was not taken yet unplayed. */
void yo_playout_work_drop_rest(struct yo_playout_work *work);
/* Adds the threads' sums up into the batch's results, once all pieces are played. */
void yo_playout_work_sum(struct yo_playout_work *work);
