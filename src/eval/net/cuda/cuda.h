/* The backend `cuda`: networks on an NVIDIA GPU, in fp16 with sums in float. The fused kernel runs
 * the part of a network that it supports (tower_plan.h); the rest runs one operation at a time.
 * cuDNN runs convolutions only where it is asked for by name (cudnn_net.h). If the GPU fails, it is
 * reported once and the CPU continues the same batch. */
#pragma once

#include "eval/net/backend.h"

extern const struct yo_net_backend yo_net_cuda;
/* For comparisons: the same with only the trunk in the fused kernel; without that kernel, by cuDNN;
 * by cuDNN also with kernels that it compiles; and by our own kernels alone. */
extern const struct yo_net_backend yo_net_cuda_trunk;
extern const struct yo_net_backend yo_net_cuda_cudnn;
extern const struct yo_net_backend yo_net_cuda_cudnn_compiled;
extern const struct yo_net_backend yo_net_cuda_layers;

/* For measurements: runs what is in the worker's device memory `rounds` times, without copies, and
 * waits. False if the GPU failed. */
bool yo_net_cuda_repeat(void *worker, int count, int rounds);
