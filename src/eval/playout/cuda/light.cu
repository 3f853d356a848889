/* The kernels of the light policy for one board size, YOMI_SIZE; each size is compiled to a file of
 * its own, which the driver loads when that size is first played. */
#include "eval/playout/cuda/warp_kernel.cuh"
#include "eval/playout/cuda/warp_light.cuh"

YO_CUDA_KERNELS(YO_PLAYOUT_LIGHT, light_warp)
