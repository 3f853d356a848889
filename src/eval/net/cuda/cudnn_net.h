/* The convolutions of a network by cuDNN, where the fused kernel does not run them: what the
 * workers of a program share, weights and plans. If a call fails, the network goes on with Yomi's
 * own kernels, which is reported once. */
#pragma once

#include <pthread.h>
#include <stdatomic.h>

#include "base/notice.h"
#include "eval/net/cuda/cudnn_plan.h"
#include "eval/net/cuda/program.h"

struct yo_cudnn_kept_plan {
    struct yo_cudnn_plan plan;
    struct yo_cudnn_kept_plan *next;
};

struct yo_cudnn_net {
    struct yo_net_cuda_program *program;
    const struct yo_cudnn *cudnn;
    void *handle;                     /* plans are made with it */
    yo_cuda_address memory;           /* weights and biases */
    struct yo_layer_weights *at;      /* where they lie in it, by operation */
    struct yo_cudnn_kept_plan *plans; /* also those that cuDNN has no kernel for */
    pthread_mutex_t lock;             /* for plans, which one thread at a time may run */
    atomic_bool failed;               /* cuDNN is not used any more */
    char why[160];                    /* once it failed */
    bool told;
};

/* The program's, made at the first call; NULL: there is no cuDNN, or it failed. */
struct yo_cudnn_net *yo_cudnn_net_of(struct yo_net_cuda_program *program);
void yo_cudnn_net_delete(struct yo_cudnn_net *net);
void yo_cudnn_net_notify(struct yo_cudnn_net *net, const struct yo_notices *notices);

/* The lock is held. NULL, or a plan without a kernel: there is none. */
const struct yo_cudnn_plan *yo_cudnn_net_plan(struct yo_cudnn_net *net,
                                              const struct yo_cudnn_shape *shape);
void yo_cudnn_net_fail(struct yo_cudnn_net *net, const char *why, const char *doing);
void yo_cudnn_net_fail_by(struct yo_cudnn_net *net, const struct yo_cudnn_failure *failure);

/* What a convolution reads: from a multiple of 8 on, a multiple of 8. Weights of channels that are
 * not its own are zero. */
static inline int yo_cudnn_first(const struct yo_net_op *op) { return op->first_channel / 8 * 8; }
static inline int yo_cudnn_channels(const struct yo_net_op *op) {
    return (op->first_channel + op->in_channels + 7) / 8 * 8 - yo_cudnn_first(op);
}
