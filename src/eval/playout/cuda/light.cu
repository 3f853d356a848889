/* The kernel of the light policy for one board size, YOMI_SIZE; each size is compiled to a file of
 * its own, which the driver loads when that size is first played. */
#include "eval/playout/cuda/warp_slice.cuh"

constexpr int N = YOMI_SIZE;

extern "C" __global__ void __launch_bounds__(32 * YO_CUDA_WARPS)
    yo_cuda_light(const __grid_constant__ yo_cuda_job job) {
    extern __shared__ uint32_t shared[];
    uint32_t *memory = shared + YO_CUDA_SUM_WORDS(N);
    for (int i = threadIdx.x; i < YO_CUDA_SUM_WORDS(N); i += blockDim.x)
        shared[i] = 0;
    __syncthreads();
    warp_slice<N, YO_CUDA_ROWS(N)> warp;
    static_assert(warp.MEMORY == YO_CUDA_WARP_WORDS(N), "the host must know what a warp needs");
    warp.run(job, shared, memory + threadIdx.x / 32 * warp.MEMORY);
    if (job.item_of) return;
    /* Each block adds up in shared memory and hands its sums over at the end. */
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd((unsigned long long *)job.sums, *(unsigned long long *)shared);
    for (int i = YO_CUDA_HISTOGRAM + threadIdx.x; i < YO_CUDA_SUM_WORDS(N); i += blockDim.x)
        if (shared[i]) atomicAdd(&job.sums[i], shared[i]);
}
