/* The kernel of the light policy for one board size, YOMI_SIZE; each size is compiled to a file of
 * its own, which the driver loads when that size is first played. */
#include "eval/playout/cuda/warp_slice.cuh"

extern "C" __global__ void __launch_bounds__(32 * YO_CUDA_WARPS)
    yo_cuda_light(const __grid_constant__ yo_cuda_job job) {
    static_assert(light_warp<YOMI_SIZE>::MEMORY == YO_CUDA_WARP_WORDS(YOMI_SIZE),
                  "the host must know what a warp needs");
    warp_block<YOMI_SIZE, light_warp<YOMI_SIZE>>(job);
}
