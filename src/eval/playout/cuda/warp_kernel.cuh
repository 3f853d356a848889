/* The kernels of a policy: what a block does whose warps are of type W. For nvcc alone. */
#pragma once

#include "eval/playout/cuda/job.h"

/* All that a block does whose warps are of type W: for one item, and for many. */
template <int N, class W> __device__ __forceinline__ void warp_block_one(const yo_cuda_job &job) {
    extern __shared__ uint32_t shared[];
    uint32_t *memory = shared + YO_CUDA_SUM_WORDS(N);
    for (int i = threadIdx.x; i < YO_CUDA_SUM_WORDS(N); i += blockDim.x)
        shared[i] = 0;
    __syncthreads();
    W warp;
    warp.run(job, shared, memory + threadIdx.x / 32 * W::MEMORY);
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd((unsigned long long *)job.sums, *(unsigned long long *)shared);
    for (int i = YO_CUDA_HISTOGRAM + threadIdx.x; i < YO_CUDA_SUM_WORDS(N); i += blockDim.x)
        if (shared[i]) atomicAdd(&job.sums[i], shared[i]);
}

template <class W> __device__ __forceinline__ void warp_block_many(const yo_cuda_job &job) {
    extern __shared__ uint32_t shared[];
    W warp;
    warp.run(job, nullptr, shared + threadIdx.x / 32 * W::MEMORY);
}

/* The kernels of a policy for the board size YOMI_SIZE; WARP is one of its warps. */
#define YO_CUDA_KERNELS(policy, WARP)                                                              \
    extern "C" __global__ void __launch_bounds__(32 * YO_CUDA_WARPS_MAX)                           \
        yo_cuda_one(const __grid_constant__ yo_cuda_job job) {                                     \
        using warp = WARP<YOMI_SIZE, false>;                                                       \
        static_assert(warp::MEMORY == YO_CUDA_WARP_WORDS(policy, YOMI_SIZE, false), "the host's"); \
        warp_block_one<YOMI_SIZE, warp>(job);                                                      \
    }                                                                                              \
    extern "C" __global__ void __launch_bounds__(32 * YO_CUDA_WARPS_MAX)                           \
        yo_cuda_many(const __grid_constant__ yo_cuda_job job) {                                    \
        using warp = WARP<YOMI_SIZE, true>;                                                        \
        static_assert(warp::MEMORY == YO_CUDA_WARP_WORDS(policy, YOMI_SIZE, true), "the host's");  \
        warp_block_many<warp>(job);                                                                \
    }
