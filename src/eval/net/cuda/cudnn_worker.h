/* The convolutions of a network by cuDNN, for one worker: all plans are made when it is, for a few
 * batch sizes. What cuDNN has no kernel for is left to Yomi's own. */
#pragma once

#include <stdbool.h>

#include "base/buf.h"

struct yo_net_cuda_worker;
struct yo_cudnn_worker;

/* NULL: there is no cuDNN, or it was given up. The worker's memory and places are there. */
struct yo_cudnn_worker *yo_cudnn_worker_new(struct yo_net_cuda_worker *worker);
/* reachable: whether the GPU can still be told; it is left alone otherwise. */
void yo_cudnn_worker_delete(struct yo_cudnn_worker *worker, bool reachable);
/* Gives cuDNN up for this network. */
void yo_cudnn_worker_give_up(struct yo_cudnn_worker *worker, const char *why);
/* Whether batches are run by cuDNN now. */
bool yo_cudnn_in_use(const struct yo_cudnn_worker *worker);
/* "cuDNN 9.14.0: 12 of 14 convolutions, ...". */
void yo_cudnn_describe(const struct yo_cudnn_worker *worker, struct yo_buf *out);

enum yo_cudnn_done {
    YO_CUDNN_NOTHING,
    YO_CUDNN_PRODUCTS, /* the convolution is in the operation's output, its epilogue is not */
    YO_CUDNN_ALL,
};
/* Starts an operation of the graph for so many boards. */
enum yo_cudnn_done yo_cudnn_run(const struct yo_cudnn_worker *worker, int op, int count);
