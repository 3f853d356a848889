/* The fused kernel for one number of channels, YOMI_CHANNELS, with YOMI_TILES tiles of 64 rows a
 * block, computed by YOMI_WARPGROUPS warpgroups, and YOMI_SLICES slices of weights a slot. For
 * Hopper alone. */
#include "eval/net/cuda/device.cuh"
#include "eval/net/cuda/tower_ops.cuh"
#include "eval/net/cuda/wgmma.cuh"

extern "C" __global__ void __launch_bounds__((YOMI_WARPGROUPS + 1) * YO_TOWER_WARPGROUP, 1)
    yo_tower(const __grid_constant__ yo_tower_job job) {
    extern __shared__ __align__(128) uint8_t memory[];
    tower<tower_kind<YOMI_CHANNELS, YOMI_TILES, YOMI_WARPGROUPS, YOMI_SLICES>> here(job, memory);
    here.run();
}
