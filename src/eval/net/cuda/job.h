/* The parameters of the fused kernel (tower.cuh), and the layout of its shared memory. Plain C,
 * read by both sides. docs/net-cuda.md describes the method. */
#pragma once

#include <stdint.h>

/* Weights travel in slices of 16 input channels: two halves of 8, each with a plane of the input
 * (8 channels) and a tap of its own. A slice is [half][N outputs][8 inputs] of fp16. Slots of the
 * ring hold YO_TOWER_SLICES(N) slices and, behind them, entries [half][slice]: in a plan which
 * plane and tap, on the device (yo_tower_resolve) how many rows from the point's own, and the tap.
 */
#ifndef YO_TOWER_SLICES
#define YO_TOWER_SLICES(n) ((n) == 64 ? 4 : (n) == 128 ? 1 : 2)
#endif
#define YO_TOWER_SLICE_BYTES(n) ((n)*32)
#define YO_TOWER_ENTRY_BYTES(n) ((YO_TOWER_SLICES(n) * 8 + 15) / 16 * 16)
#define YO_TOWER_SLOT_BYTES(n)                                                                     \
    (YO_TOWER_SLICES(n) * YO_TOWER_SLICE_BYTES(n) + YO_TOWER_ENTRY_BYTES(n))
#define YO_TOWER_SLOTS_MIN   3 /* one is multiplied, one is next, one is filled */
#define YO_TOWER_SLOTS_OWN   4 /* at least so many for each group, or both share a ring */
#define YO_TOWER_SLOTS_MAX   16
#define YO_TOWER_LAG         8000 /* cycles that the second group begins late */
#define YO_TOWER_THREADS     256  /* that compute: two warpgroups */
#define YO_TOWER_BLOCK       384  /* and a warpgroup of which one thread fills the ring */
#define YO_TOWER_RADIUS      2    /* of the largest kernel: 5x5 */
#define YO_TOWER_TAP(dy, dx) (((dy) + 2) * 5 + (dx) + 2)
#define YO_TOWER_ENTRY(plane, dy, dx)                                                              \
    ((uint32_t)(plane) | (uint32_t)YO_TOWER_TAP(dy, dx) << 8 | (uint32_t)((dy) + 128) << 16 |      \
     (uint32_t)((dx) + 128) << 24)
#define YO_TOWER_RESOLVED(rows, tap) ((uint32_t)(rows) << 5 | (uint32_t)(tap))

/* The boards of a group stand side by side, a column of zeros between them: point (y, x) of board b
 * is row y * strip + b * (size + 1) + x, strip = boards * (size + 1). A tap of 3x3 is another first
 * row then. Before the rows of a group lie at least strip + 1 rows of zeros, and so behind them:
 * those of the next group, of the next plane, or of the buffer's end. A plane has room for the rows
 * of all tiles and for these, an odd number in all, so that the same row of adjacent planes lies in
 * other banks. */
#define YO_TOWER_ROWS(tiles)        (64 * (tiles))
#define YO_TOWER_GUARDS             43
#define YO_TOWER_PLANE_ROWS(tiles)  (YO_TOWER_ROWS(tiles) + YO_TOWER_GUARDS)
#define YO_TOWER_PLANE_BYTES(tiles) (YO_TOWER_PLANE_ROWS(tiles) * 16)
#define YO_TOWER_BOARDS_MAX         16 /* of a group */

enum {
    YO_TOWER_ADD = 1,     /* the skip tensor is added */
    YO_TOWER_STORE = 2,   /* the sum becomes the skip tensor */
    YO_TOWER_VECTOR = 4,  /* a vector of the position is added: globals, or pooled channels */
    YO_TOWER_POOL = 8,    /* the vector comes from pooling channels of this step */
    YO_TOWER_AFFINE = 16, /* what goes to the next step is scaled */
    YO_TOWER_HEAD = 32    /* a step of the heads: columns and vectors define its outputs */
};

/* Two channels of a step, as its epilogue reads them; scale and offset are pairs of fp16. */
struct yo_tower_pair {
    float bias[2];
    uint32_t scale, offset;
};

/* One convolution and what follows it. Channel c of a point becomes
 *   v = sum + bias[c] (+ vector[c]) (+ skip[c]),  u = first(v),  skip[c] = u if stored,
 *   out[c] = second(u * scale[c] + offset[c]) with AFFINE, else u
 * With POOL, channels from pool_first on are not output but activated by `pooled` and pooled as
 * YO_NET_POOL_TRUNK. Activations are numbers of enum yo_net_activation. Offsets count floats in the
 * job's constants. */
struct yo_tower_step {
    int32_t slots;
    /* Taps of 3x3 or 1x1 in order, each with `tap_slots` slots that go through planes 0, 1 and on.
     * 0: the slots' entries define plane and tap. */
    int16_t taps, tap_slots;
    int32_t flags;
    int32_t first, second, pooled;
    int32_t bias;            /* N / 2 pairs */
    int32_t dense, dense_in; /* [dense_in][N] floats, then N floats of bias */
    int32_t pool_first, pool_count;
    /* HEAD: the first of N / 8 columns; then, for each of two phases, vector operations that run
     * when the columns of the phase are written. */
    int32_t columns;
    int32_t vectors[2], vector_counts[2];
};

/* Eight channels that a step of the heads computes: x = activation(sum + bias (+ vector)). */
struct yo_tower_column {
    int32_t used;
    int32_t phase;      /* 0, or 1 if it needs a vector that phase 0 makes */
    int32_t activation; /* any */
    int32_t vector;     /* of the board: offset in floats of the one that is added, or -1 */
    int32_t role;       /* of the output it belongs to, or -1 */
    int32_t keep;       /* number of the tensor it belongs to that other kernels read, or -1 */
    int32_t channel, channels; /* its first in them, and how many those have */
};

/* A vector of each board: pooled from columns, or a dense layer of another vector. Offsets count
 * floats in a board's vectors. */
struct yo_tower_vector {
    int32_t pool; /* enum yo_net_pool, or -1: dense */
    int32_t in, out;
    int32_t plane;               /* POOL: of 8 channels, the first */
    int32_t in_count, out_count; /* POOL: channels, 3 * channels */
    int32_t weights;             /* DENSE: [in_count][out_count] floats, then the bias */
    int32_t activation, role;    /* DENSE: role -1 is no output */
};

enum { YO_TOWER_KEPT_MAX = 2 };

/* In shared memory: what a group computes now. */
struct yo_tower_wave {
    int32_t first_board, boards;
    uint32_t slot, phase; /* of the ring, between convolutions */
};

struct yo_tower_job {
    const uint64_t *planes; /* [count][input_planes][plane_words] */
    const float *globals;   /* [count][global_count] */
    uint16_t *out;          /* fp16 [count][points][N], or NULL: the heads are computed here too */
    const uint8_t *slots;   /* the weights of a pass */
    const struct yo_tower_step *steps;
    const float *constants;
    const struct yo_tower_column *columns;
    const struct yo_tower_vector *vectors;
    float *outputs[5];                 /* by role, float [count][channels][points] or [channels] */
    uint16_t *kept[YO_TOWER_KEPT_MAX]; /* fp16 [count][points][kept_strides] */
    int32_t kept_strides[YO_TOWER_KEPT_MAX];
    int32_t head_room; /* floats of a board's vectors in the heads */
    int32_t vector_count;
    int32_t count, size;
    int32_t kernel, tiles; /* its number, and tiles of a block */
    int32_t input_planes, plane_words, global_count;
    int32_t step_count, slot_count; /* of a pass */
    int32_t groups;                 /* of warpgroups, each with boards of its own */
    int32_t boards;                 /* capacity of a group */
    int32_t rings, ring;            /* one for all groups or one each; slots of one */
    int32_t buffer_planes;          /* of 8 channels */
    int32_t vector_room;            /* floats a board */
    /* Derived from these by yo_tower_lay_out. Kernels read them from constant memory, where they
     * take no registers. */
    int32_t points, group_threads;
    int32_t size_inverse; /* point * size_inverse >> 20 is point / size */
    int32_t strip, guard; /* rows: of the boards' width, of zeros before a group */
    int32_t group_rows;   /* that are computed */
    int32_t group_apart;  /* rows from a group's first to the next group's */
    int32_t tile_stride;  /* rows between two tiles of a warpgroup */
    /* in shared memory; barriers first */
    int32_t at_buffer, at_skip, at_ring, at_vectors, at_added, at_constants, at_steps;
    int32_t at_waves, at_taps;
    int32_t shared_bytes;
    int32_t skip_bytes; /* of a group; the heads keep vectors and tables there */
};

static inline void yo_tower_lay_out(struct yo_tower_job *job, int n, int tiles) {
    const int round = 4; /* floats */
    const int group_tile_rows = YO_TOWER_ROWS(tiles) / job->groups;
    job->points = job->size * job->size;
    job->size_inverse = (1 << 20) / job->size + 1;
    job->group_threads = YO_TOWER_THREADS / job->groups;
    job->strip = job->boards * (job->size + 1);
    job->guard = job->strip < 7 ? 8 : job->strip + 1; /* eight rows serve taps beyond the edge */
    job->group_rows = job->size * job->strip - 1;
    job->group_apart = group_tile_rows + job->guard;
    job->tile_stride = job->group_threads / 2;
    job->skip_bytes = tiles / job->groups * 128 * n;
    job->vector_room = (job->vector_room + round - 1) / round * round;
    job->at_buffer = 2 * YO_TOWER_SLOTS_MAX * 8;
    job->at_skip =
        job->at_buffer + job->buffer_planes * YO_TOWER_PLANE_BYTES(tiles) + job->guard * 16;
    job->at_vectors = job->at_skip + job->groups * job->skip_bytes;
    job->at_added = job->at_vectors + job->groups * job->boards * job->vector_room * 4;
    job->at_constants = job->at_added + job->groups * job->boards * n * 4;
    job->at_steps = job->at_constants + job->groups * n / 2 * (int)sizeof(struct yo_tower_pair);
    job->at_waves = job->at_steps + job->groups * 2 * (int)sizeof(struct yo_tower_step);
    job->at_taps = job->at_waves + 2 * (int)sizeof(struct yo_tower_wave);
    job->at_ring = (job->at_taps + 9 * 4 + 15) / 16 * 16;
    job->shared_bytes = job->at_ring + job->rings * job->ring * YO_TOWER_SLOT_BYTES(n);
}

/* What a group's heads need: vectors of its boards, the columns of a step, the vector operations.
 */
static inline int yo_tower_head_tables(const struct yo_tower_job *job) {
    return (job->boards * job->head_room * 4 + 15) / 16 * 16;
}
static inline int yo_tower_head_bytes(const struct yo_tower_job *job, int n, int vector_count) {
    return yo_tower_head_tables(job) + n / 8 * (int)sizeof(struct yo_tower_column) +
           vector_count * (int)sizeof(struct yo_tower_vector);
}
