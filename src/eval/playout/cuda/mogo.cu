/* The kernel of MoGo's policy for one board size, YOMI_SIZE, as light.cu is for the light one. */
#include "eval/playout/cuda/warp_mogo.cuh"

extern "C" __global__ void __launch_bounds__(32 * YO_CUDA_MOGO_WARPS)
    yo_cuda_mogo(const __grid_constant__ yo_cuda_job job) {
    static_assert(mogo_warp<YOMI_SIZE>::MEMORY == YO_CUDA_MOGO_WORDS(YOMI_SIZE),
                  "the host must know what a warp needs");
    warp_block<YOMI_SIZE, mogo_warp<YOMI_SIZE>>(job);
}
