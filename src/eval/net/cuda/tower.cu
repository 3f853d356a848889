/* The fused kernel for one number of channels, YOMI_CHANNELS, and YOMI_TILES tiles of 64 rows a
 * block. For Hopper alone. */
#include "eval/net/cuda/device.cuh"
#include "eval/net/cuda/tower_ops.cuh"
#include "eval/net/cuda/wgmma.cuh"

extern "C" __global__ void __launch_bounds__(YO_TOWER_BLOCK, 1)
    yo_tower(const __grid_constant__ yo_tower_job job) {
    extern __shared__ __align__(128) uint8_t memory[];
    tower<YOMI_CHANNELS, YOMI_TILES> here(job, memory);
    here.run();
}
