/* Batches in flight. Callers add them and wait; threads take their tasks, as many of one board size
 * as are worth running at once, and report them as done. */
#pragma once

#include <pthread.h>

#include "eval/net/answer.h"

struct yo_net_queue {
    int (*size)(const void *position); /* the board size */
    int best, most;                    /* tasks of a portion: that suit the backend, that fit */
    int wait_us;                       /* how long a thread waits for `best` of them */
    /* the rest is the queue's, under the lock */
    pthread_mutex_t lock;
    pthread_cond_t came, finished;
    struct yo_eval_batch *first, *last; /* batches with tasks not handed out */
    size_t queued;                      /* the number of these tasks */
    int idle;                           /* threads waiting for tasks */
    bool closed;
};

void yo_net_queue_init(struct yo_net_queue *queue);
void yo_net_queue_free(struct yo_net_queue *queue);
/* Threads get what is queued, and then nothing. */
void yo_net_queue_close(struct yo_net_queue *queue);

void yo_net_queue_add(struct yo_net_queue *queue, struct yo_eval_batch *batch);
bool yo_net_queue_poll(struct yo_eval_batch *batch);
enum yo_err yo_net_queue_wait(struct yo_net_queue *queue, struct yo_eval_batch *batch);
/* Tasks not handed out are dropped; the batch is finished when the others are done. */
void yo_net_queue_cancel(struct yo_net_queue *queue, struct yo_eval_batch *batch);

/* Waits for tasks and returns how many; 0: the queue is closed and empty. `tasks` has room for
 * `most`. */
int yo_net_queue_take(struct yo_net_queue *queue, struct yo_net_task *tasks, int *size);
/* err and diag: of these tasks, for their batches. */
void yo_net_queue_done(struct yo_net_queue *queue, const struct yo_net_task *tasks, int count,
                       enum yo_err err, const struct yo_diag *diag);
