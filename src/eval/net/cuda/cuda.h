/* The backend `cuda`: networks on an NVIDIA GPU, in fp16 with sums in float. The fused kernel runs
 * the part of a network that it supports (tower_plan.h); the rest runs one operation at a time.
 * `cuda-cudnn` is the same with convolutions by cuDNN (cudnn_net.h), for networks too large for
 * the fused kernel; which of the two is faster is measured (choice.h). If the GPU fails, it is
 * reported once and the CPU continues the same batch. */
#pragma once

#include "eval/net/backend.h"

extern const struct yo_net_backend yo_net_cuda;
extern const struct yo_net_backend yo_net_cuda_cudnn;
/* For comparisons: the same with only the trunk in the fused kernel; by cuDNN also with kernels
 * that it compiles; and by our own kernels alone. */
extern const struct yo_net_backend yo_net_cuda_trunk;
extern const struct yo_net_backend yo_net_cuda_cudnn_compiled;
extern const struct yo_net_backend yo_net_cuda_layers;

/* For measurements: runs what is in the worker's device memory `rounds` times, without copies, and
 * waits. False if the GPU failed. */
bool yo_net_cuda_repeat(void *worker, int count, int rounds);
