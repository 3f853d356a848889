/* The kernels of the light policy for one board size, YOMI_SIZE; each size is compiled to a file of
 * its own, which the driver loads when that size is first played. */
#include "eval/playout/cuda/warp_slice.cuh"

extern "C" __global__ void __launch_bounds__(32 * YO_CUDA_WARPS_MAX)
    yo_cuda_light_one(const __grid_constant__ yo_cuda_job job) {
    warp_slice_block_one<YOMI_SIZE>(job);
}

extern "C" __global__ void __launch_bounds__(32 * YO_CUDA_WARPS_MAX)
    yo_cuda_light_many(const __grid_constant__ yo_cuda_job job) {
    warp_slice_block_many<YOMI_SIZE>(job);
}
