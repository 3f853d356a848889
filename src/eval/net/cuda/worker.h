/* A worker's stream and memory, and the launches of a batch. Used by worker.c, launch.c and pick.c.
 */
#pragma once

#include "eval/net/cuda/cudnn_worker.h"
#include "eval/net/cuda/program.h"
#include "eval/net/cuda/sample.h"

struct yo_net_cuda_worker {
    struct yo_net_cuda_program *program;
    int size, room; /* positions of a launch */
    bool hung;      /* a launch did not end: its memory must stay */
    int last_count; /* of the last launch, and how long it took */
    int64_t last_ns;
    yo_cuda_handle stream;
    bool fused;
    struct yo_cudnn_worker *cudnn;        /* NULL: not used */
    struct yo_tower_job tower, tower_few; /* as many boards as fit at a time, or one */
    bool direct;                          /* tower_few uses the host's memory */
    struct yo_layer_places places;
    size_t plane_bytes, global_bytes; /* of a position */
    size_t out_at[YO_NET_ROLES], out_bytes;
    size_t pick_room;            /* for so many entries of policies; 0: whole policies are given */
    bool picks;                  /* the current batch's policies are not */
    uint8_t *host_in, *host_out; /* page-locked */
    yo_cuda_address in, out, tensors, slots; /* slots: of tower, then of tower_few */
    struct yo_net_sample *sample;            /* compares some results with the CPU's */
    unsigned sampled;                        /* varies which of a batch */
    void *spare;                             /* worker of the fallback backend, if the GPU fails */
};

/* The first role that has this tensor: the others are copied from it. */
static inline int yo_net_cuda_first_role(const struct yo_net_graph *graph, int tensor) {
    for (int role = 0; role < YO_NET_ROLES; role++)
        if (graph->outputs[role] == tensor) return role;
    return -1;
}

/* Where a tensor lies on the device; NULL: nowhere. */
static inline void *yo_net_cuda_place(const struct yo_net_cuda_worker *w, int tensor) {
    size_t at = w->places.offset[tensor];
    return at == YO_LAYER_NOWHERE ? NULL : (void *)(w->tensors + (size_t)w->room * at);
}

/* Global inputs lie behind the planes of all positions. */
static inline size_t yo_net_cuda_globals_at(const struct yo_net_cuda_worker *w) {
    return (size_t)w->room * w->plane_bytes;
}

/* Behind all inputs: where the entries of each position begin, and the entries. */
static inline size_t yo_net_cuda_wanted_at(const struct yo_net_cuda_worker *w) {
    return (size_t)w->room * (w->plane_bytes + w->global_bytes);
}

/* The numbers that were picked lie behind all outputs. */
static inline size_t yo_net_cuda_picked_at(const struct yo_net_cuda_worker *w) {
    return (size_t)w->room * w->out_bytes;
}

/* Whether each multiprocessor has at most one of them. */
static inline bool yo_net_cuda_few(const struct yo_net_cuda_worker *w, int count) {
    return count <= w->program->gpu->processors;
}

/* Starts all that a batch needs whose inputs are there; false if the GPU failed. */
bool yo_net_cuda_launch_all(struct yo_net_cuda_worker *worker, int count);
/* Starts the picking, from the policies of `count` positions, of what is wanted of them: entries
 * that lie at entries_at of the inputs. */
bool yo_net_cuda_launch_pick(struct yo_net_cuda_worker *worker, int count, size_t entries_at);
