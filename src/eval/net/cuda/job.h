/* What the host hands to the fused kernel (tower.cuh), and how its shared memory is laid out. Plain
 * C, read by both sides. docs/net-cuda.md describes the method. */
#pragma once

#include <stdint.h>

/* Weights travel in slices of 16 input channels: two halves of 8, each with a plane of the input
 * (8 channels) and a tap of its own. A slice is [half][N outputs][8 inputs] of fp16. Slots of
 * the ring hold YO_TOWER_SLICES(N) slices and, behind them, an entry for each half. */
#define YO_TOWER_SLICES(n)      ((n) <= 128 ? 2 : 1)
#define YO_TOWER_SLICE_BYTES(n) ((n)*32)
#define YO_TOWER_SLOT_BYTES(n)  (YO_TOWER_SLICES(n) * YO_TOWER_SLICE_BYTES(n) + 16)
#define YO_TOWER_LAG            2 /* slots: how far warpgroups may drift apart */
#define YO_TOWER_SLOTS_MAX      16
#define YO_TOWER_THREADS        256
#define YO_TOWER_RADIUS         2 /* of the largest kernel: 5x5 */
#define YO_TOWER_TAP(dy, dx)    (((dy) + 2) * 5 + (dx) + 2)
#define YO_TOWER_ENTRY(plane, dy, dx)                                                              \
    ((uint32_t)(plane) | (uint32_t)YO_TOWER_TAP(dy, dx) << 8 | (uint32_t)((dy) + 128) << 16 |      \
     (uint32_t)((dx) + 128) << 24)

enum {
    YO_TOWER_ADD = 1,    /* the skip tensor is added */
    YO_TOWER_STORE = 2,  /* the sum becomes the skip tensor */
    YO_TOWER_VECTOR = 4, /* a vector of the position is added: globals, or pooled channels */
    YO_TOWER_POOL = 8,   /* the vector comes from pooling channels of this step */
    YO_TOWER_AFFINE = 16 /* what goes to the next step is scaled */
};

/* One convolution and what follows it. Channel c of a point becomes
 *   v = sum + bias[c] (+ vector[c]) (+ skip[c]),  u = first(v),  skip[c] = u if stored,
 *   out[c] = second(u * scale[c] + offset[c]) with AFFINE, else u
 * With POOL, channels from pool_first on are not output but activated by `pooled` and pooled as
 * YO_NET_POOL_TRUNK. Activations are numbers of enum yo_net_activation. Offsets count floats in the
 * job's constants. */
struct yo_tower_step {
    int32_t slots;
    int32_t flags;
    int32_t first, second, pooled;
    int32_t bias;            /* N floats */
    int32_t affine;          /* N scales, N offsets */
    int32_t dense, dense_in; /* [dense_in][N] floats, then N floats of bias */
    int32_t pool_first, pool_count;
};

struct yo_tower_job {
    const uint64_t *planes; /* [count][input_planes][plane_words] */
    const float *globals;   /* [count][global_count] */
    uint16_t *out;          /* fp16 [count][points][N] */
    const uint8_t *slots;   /* the weights of a pass */
    const struct yo_tower_step *steps;
    const float *constants;
    int32_t count, size;
    int32_t input_planes, plane_words, global_count;
    int32_t step_count, slot_count; /* of a pass */
    int32_t groups;                 /* of warpgroups, each with boards of its own */
    int32_t boards;                 /* that a group has room for */
    int32_t ring;                   /* slots */
    int32_t buffer_planes;          /* of 8 channels */
    int32_t vector_room;            /* floats a board */
    /* What follows from these: yo_tower_lay_out. Kernels find them in constant memory, where they
     * take no registers. */
    int32_t points, group_threads, group_rows;
    int32_t tile_stride; /* rows between two tiles of a warpgroup */
    int32_t zero_row;    /* 8 rows of zeros in each plane */
    int32_t plane_bytes;
    int32_t at_buffer, at_skip, at_ring, at_vectors,
        at_added; /* in shared memory; barriers first */
    int32_t shared_bytes;
};

static inline void yo_tower_lay_out(struct yo_tower_job *job, int n, int threads, int tiles) {
    job->points = job->size * job->size;
    job->group_threads = threads / job->groups;
    job->group_rows = job->boards * job->points;
    job->tile_stride = job->group_threads / 2;
    job->zero_row = (job->groups * job->group_rows + 7) / 8 * 8;
    /* One more row, so that the same row of adjacent planes lies in other banks. */
    job->plane_bytes = (job->zero_row + 9) * 16;
    job->at_buffer = 2 * YO_TOWER_SLOTS_MAX * 8;
    job->at_skip = job->at_buffer + job->buffer_planes * job->plane_bytes;
    job->at_vectors = job->at_skip + threads * tiles * n;
    job->at_added = job->at_vectors + job->groups * job->boards * job->vector_room * 4;
    job->at_ring = (job->at_added + job->groups * job->boards * n * 4 + 15) / 16 * 16;
    job->shared_bytes = job->at_ring + job->ring * YO_TOWER_SLOT_BYTES(n);
}
