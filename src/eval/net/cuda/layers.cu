/* The kernels that run a network one operation at a time: for every GPU from compute capability 7.5
 * on. */
#include "eval/net/cuda/device.cuh"
#include "eval/net/cuda/layers.cuh"

#define KERNEL(name)                                                                               \
    extern "C" __global__ void __launch_bounds__(YO_LAYER_THREADS)                                 \
        name(const __grid_constant__ yo_layer_job job)

KERNEL(yo_layer_expand) { layers::expand(job); }
KERNEL(yo_layer_affine) { layers::affine(job); }
KERNEL(yo_layer_flatten) { layers::flatten(job); }
KERNEL(yo_layer_planar) { layers::planar(job); }
KERNEL(yo_layer_pick) { layers::pick(job); }
KERNEL(yo_layer_pool) { layers::pool(job); }
KERNEL(yo_layer_conv) {
    __shared__ __align__(16) uint16_t memory[2 * layers::conv::STAGE];
    layers::conv here(job, memory);
    here.run();
}
KERNEL(yo_layer_dense) {
    __shared__ float
        memory[layers::dense::INPUTS * (layers::dense::BOARDS + layers::dense::OUTPUTS)];
    layers::dense::run(job, memory);
}
