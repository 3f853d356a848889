/* A batch in flight: split into shares of games that threads take one by one, and the sums of their
 * results. It is stored inside the batch, so it needs no allocation. Queueing and threads are in
 * playouts.c. */
#pragma once

#include <stdatomic.h>

#include "eval/eval.h"
#include "eval/playout/backend.h"

struct yo_playout_work {
    const struct yo_playout_backend *backend;
    const struct yo_playout_env *env;
    enum yo_playout_policy policy;
    int size;
    int runners;         /* threads that may work on it at a time */
    uint64_t share_size; /* games of a share, except the remainder */
    size_t share_count;
    atomic_size_t next_share;
    /* Under the lock of the queue's owner: */
    int running; /* threads working on it */
    enum yo_err err;
};

static inline struct yo_playout_work *yo_playout_work_of(struct yo_eval_batch *batch) {
    _Static_assert(sizeof(struct yo_playout_work) <= YO_EVAL_WORK_BYTES, "make more room");
    return (struct yo_playout_work *)(void *)batch->work;
}

/* Checks the batch and splits it for `threads` threads, of which `cores` may play on the CPU at a
 * time. backend NULL: the fastest available that supports it. On failure the batch is unchanged. */
enum yo_err yo_playout_work_init(struct yo_eval_batch *batch,
                                 const struct yo_playout_backend *backend,
                                 const struct yo_playout_env *env, int threads, int cores,
                                 struct yo_diag *diag);
bool yo_playout_work_has_more(struct yo_playout_work *work);
/* Drops the shares that no thread has taken; false if there are none. */
bool yo_playout_work_drop_rest(struct yo_playout_work *work);

/* ---- what a thread takes of it ---- */

#define YO_PLAYOUT_SUMS 16

/* A thread's own sums for a result that other threads add to as well. */
struct yo_playout_own_sums {
    struct yo_eval_playouts *to, sums;
    uint32_t histogram[2 * YO_GO_POINTS_MAX + 1];
    int32_t owner[YO_GO_POINTS_MAX];
};

/* One for each thread, kept from batch to batch. */
struct yo_playout_taker {
    struct yo_eval_batch *batch;
    size_t item, first_share;        /* the current item, and its first share */
    size_t held;                     /* a share taken but not yet returned; or SIZE_MAX */
    struct yo_playout_own_sums *own; /* YO_PLAYOUT_SUMS of them */
    size_t own_count;
};

/* Call before the first piece of a batch. */
void yo_playout_taker_begin(struct yo_playout_taker *taker, struct yo_eval_batch *batch);
/* The next piece; false when none is left, or when the thread must call yo_playout_taker_give
 * first. Needs no lock. */
bool yo_playout_taker_next(struct yo_playout_taker *taker, struct yo_playout_piece *piece);
/* After all pieces taken are played: adds the thread's own sums to the results, under a lock. True
 * if there are more pieces for this thread. */
bool yo_playout_taker_give(struct yo_playout_taker *taker);
