/* A network on a GPU: its kernels and weights, shared by all workers. Used by cuda.c and worker.c.
 */
#pragma once

#include <pthread.h>

#include "eval/net/backend.h"
#include "eval/net/cuda/layer_plan.h"
#include "eval/net/cuda/tower_plan.h"
#include "eval/playout/cuda/gpu.h"

struct yo_cudnn_net;

struct yo_net_cuda_program {
    const struct yo_net_graph *original;
    struct yo_net_graph own;          /* yo_layer_graph's */
    const struct yo_net_graph *graph; /* own */
    struct yo_cuda_gpu *gpu;
    yo_cuda_handle layer_module, tower_modules[YO_TOWER_KERNEL_COUNT];
    /* Of the fused kernels those with the plan's channels. */
    yo_cuda_handle layers[YO_LAYER_KERNEL_COUNT], towers[YO_TOWER_KERNEL_COUNT];
    struct yo_layer_weights *weights; /* of each operation */
    bool has_tower;
    struct yo_tower_plan plan;
    yo_cuda_address memory; /* all constants */
    /* where they lie in it */
    size_t tower_steps, tower_constants, tower_ops;
    /* cuDNN, where the fused kernel does not run; `cudnn` is made at its first use, under `lock` */
    bool cudnn_wanted, cudnn_compiles;
    struct yo_cudnn_net *cudnn;
    /* When the GPU fails. */
    unsigned told; /* of yo_cuda_notify_losses */
    pthread_mutex_t lock;
    const struct yo_net_backend *spare;
    void *spare_program;
};

/* The fallback backend, compiled at its first use. */
enum yo_err yo_net_cuda_spare(struct yo_net_cuda_program *program, struct yo_diag *diag);

enum yo_err yo_net_cuda_worker_new(void *program, int size, int max_batch, void **worker,
                                   struct yo_diag *diag);
void yo_net_cuda_worker_delete(void *worker);
enum yo_err yo_net_cuda_run(void *worker, const struct yo_net_batch *batch, struct yo_diag *diag);
void yo_net_cuda_describe(void *worker, struct yo_buf *out);
