/* Which part of a network the fused kernel can run, and its weights as the kernel reads them. A
 * plan is made from a graph once and holds for all board sizes; a shape is the layout of boards of
 * one size in a multiprocessor. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "eval/net/cuda/job.h"
#include "eval/net/graph.h"

/* The compiled kernels: channels, tiles of 64 rows a block, warpgroups that compute them, slices a
 * slot. */
#define YO_TOWER_KERNELS(X)                                                                        \
    X(64, 6, 2, 4)                                                                                 \
    X(96, 6, 2, 2) X(96, 6, 3, 2) X(128, 6, 2, 1) X(128, 2, 2, 4) X(192, 3, 3, 2)
enum { YO_TOWER_KERNEL_COUNT = 6 };

struct yo_tower_plan {
    int channels; /* of the kernel */
    /* What the kernel leaves: the last tensor of the trunk, with a stride of `channels`; or, when
     * it computes heads too (YO_NET_NONE here), outputs and the tensors that are kept. */
    int output;
    int kept[YO_TOWER_KEPT_MAX], kept_count;
    struct yo_tower_step *steps;
    int step_count;
    uint8_t *slots;
    int slot_count;
    float *constants;
    size_t constant_count;
    struct yo_tower_op *ops;
    int op_count;
    int head_ops,
        head_room; /* the most of a step of the heads; numbers of a board's vectors there */
    bool *done;    /* of the graph's operations: the kernel has computed them */
    int buffer_planes, vector_room;
};

/* *found is false if the kernel supports no part of the graph; then there is nothing to free. */
enum yo_err yo_tower_plan_init(struct yo_tower_plan *plan, const struct yo_net_graph *graph,
                               bool heads, bool *found);
void yo_tower_plan_free(struct yo_tower_plan *plan);

/* The channels of a kernel. */
int yo_tower_kernel_channels(int kernel);

/* Chooses the kernel with the fewest idle rows (then one with two groups, then one with more
 * warpgroups) and fills the part of the job that depends on the
 * board's size, for at most `most` boards at a time in a multiprocessor with that much shared
 * memory; false if not even one fits. */
bool yo_tower_shape(const struct yo_tower_plan *plan, int size, int most, int shared_bytes,
                    struct yo_tower_job *job);

/* The plan's slots for boards of the job's shape, and how many bytes that are. */
size_t yo_tower_slot_bytes(const struct yo_tower_job *job);
void yo_tower_resolve(const struct yo_tower_plan *plan, const struct yo_tower_job *job,
                      uint8_t *to);
