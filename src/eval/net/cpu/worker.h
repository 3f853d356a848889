/* One thread's memory for running a program on boards of one size, and the operations on it.
 * Positions run in small groups through the whole network: enough to use each cached weight several
 * times, few enough to stay in the second-level cache. */
#pragma once

#include "eval/net/cpu/program.h"

struct yo_net_cpu_worker {
    struct yo_net_cpu_program *program;
    int size, points;
    int group; /* positions at most */
    int tile_outs, tiles;
    float **slots;  /* [slot]: [position][point][channel] */
    float *vectors; /* [position][vector_floats] */
    /* A board with zeros around it, for convolutions: floats or int16_t. */
    void *board;
    int border, pitch; /* points beyond the edge; points of a row with its border */
    int board_channels;
    void *inputs;    /* of products: transformed tiles, or quantised points */
    int inputs_hold; /* the tensor whose points of the only position these are, or NONE */
    struct yo_net_byte_board *byte_boards; /* of convolutions in bytes, one for each shape */
    int byte_board_count;
    float *pooled;         /* sums and largest values of channels */
    void *products;        /* floats or int32_t */
    float *base, *scale;   /* of one operation and position */
    float *position_scale; /* [position]: of quantised inputs */
    float *most;           /* [tensor][position][YO_NET_PAD]: see struct yo_net_epilogue */
    ptrdiff_t *taps;
    struct yo_net_planes *planes; /* for convolutions of bit planes */
    struct yo_net_times *times;   /* or NULL */
    double lap_began;             /* in seconds */
};

enum yo_err yo_net_cpu_worker_new(void *program, int size, int max_batch, void **worker,
                                  struct yo_diag *diag);
void yo_net_cpu_worker_delete(void *worker);
enum yo_err yo_net_cpu_worker_run(void *worker, const struct yo_net_batch *batch,
                                  struct yo_diag *diag);

void yo_net_cpu_worker_set_times(void *worker, struct yo_net_times *times);

/* ---- shared by the files that run operations ---- */

/* The time since the last lap went into `part`. */
void yo_net_cpu_worker_clock(struct yo_net_cpu_worker *w, enum yo_net_part part);
static inline void yo_net_cpu_worker_lap(struct yo_net_cpu_worker *w, enum yo_net_part part) {
    if (w->times) yo_net_cpu_worker_clock(w, part);
}

static inline float *yo_net_cpu_worker_tensor(const struct yo_net_cpu_worker *w, int tensor,
                                              int position) {
    const struct yo_net_cpu_program *p = w->program;
    if (!p->graph->tensors[tensor].spatial)
        return w->vectors + position * p->vector_floats + p->vector_at[tensor];
    int slot = p->slot[tensor];
    return w->slots[slot] + (size_t)position * w->points * p->slot_channels[slot];
}

/* Padded channels of a tensor: from point to point. */
static inline int yo_net_cpu_worker_step(const struct yo_net_cpu_worker *w, int tensor) {
    return yo_net_padded(w->program->graph->tensors[tensor].channels);
}

/* Bias and vector of an operation's epilogue, in w->base. */
void yo_net_cpu_worker_base(struct yo_net_cpu_worker *w, int op, int position);
/* The epilogue of an operation, from number `at` of its result on. Uses w->base. */
struct yo_net_epilogue yo_net_cpu_worker_after(const struct yo_net_cpu_worker *w, int op,
                                               int position, ptrdiff_t at);
/* Begins a result: resets its largest value. */
void yo_net_cpu_worker_begin(struct yo_net_cpu_worker *w, int op, int position);
/* The largest absolute value of a tensor that an epilogue wrote. */
float yo_net_cpu_worker_largest(const struct yo_net_cpu_worker *w, int tensor, int position);
/* Scale (NULL: 1), bias, vector, sum and activation of an operation whose result is at `in`. */
void yo_net_cpu_worker_finish(struct yo_net_cpu_worker *w, int op, int position, const void *in,
                              bool integers, const float *scale);
void yo_net_run_winograd(struct yo_net_cpu_worker *w, int op, int positions);
void yo_net_run_direct(struct yo_net_cpu_worker *w, int op, int positions);

/* How to quantise the input of an operation, from its first channel on; without places. Inlined
 * operations are applied on the way. */
struct yo_net_quantise yo_net_cpu_worker_quantise(const struct yo_net_cpu_worker *w, int op,
                                                  int position, float limit);

/* Convolutions in bytes. `planes` are the bit planes of the position. */
enum yo_err yo_net_byte_boards_new(struct yo_net_cpu_worker *w);
void yo_net_byte_boards_delete(struct yo_net_cpu_worker *w);
/* Before each position: the boards hold nothing. */
void yo_net_byte_boards_reset(struct yo_net_cpu_worker *w);
void yo_net_run_bytes(struct yo_net_cpu_worker *w, int op, int position, const uint64_t *planes);

/* Convolutions of bit planes. A full plane adds the same at all points with the same distances to
 * the edges; those sums are precomputed. */
enum yo_err yo_net_planes_new(const struct yo_net_cpu_program *program, int size,
                              struct yo_net_planes **planes);
void yo_net_planes_delete(struct yo_net_planes *planes, const struct yo_net_cpu_program *program);
void yo_net_run_planes(struct yo_net_cpu_worker *w, int op, int position, const uint64_t *bits);
