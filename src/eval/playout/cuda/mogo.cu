/* The kernels of MoGo's policy for one board size, as light.cu has those of the light one. */
#include "eval/playout/cuda/warp_kernel.cuh"
#include "eval/playout/cuda/warp_mogo.cuh"

YO_CUDA_KERNELS(YO_PLAYOUT_MOGO, mogo_warp)
