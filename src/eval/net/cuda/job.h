/* The parameters of the fused kernel (tower.cuh), and the layout of its shared memory. Plain C,
 * read by both sides. docs/net-cuda.md describes the method. */
#pragma once

#include <stdint.h>

/* Weights travel in slices of 16 input channels: two halves of 8, each with a plane of the input
 * (8 channels) and a tap of its own. A slice is [half][N outputs][8 inputs] of fp16. Slots of the
 * ring hold some slices and, behind them, entries [half][slice]: in a plan which plane and tap, on
 * the device (yo_tower_resolve) how many rows from the point's own, and the tap. A plan's slots
 * hold YO_TOWER_PACK(N) slices, those of a kernel as many or a part of them. */
#define YO_TOWER_PACK(n)             ((n) == 64 || (n) == 128 ? 4 : 2)
#define YO_TOWER_SLICE_BYTES(n)      ((n)*32)
#define YO_TOWER_ENTRY_BYTES(slices) (((slices)*8 + 15) / 16 * 16)
#define YO_TOWER_SLOT_BYTES(n, slices)                                                             \
    ((slices)*YO_TOWER_SLICE_BYTES(n) + YO_TOWER_ENTRY_BYTES(slices))
#define YO_TOWER_PLAN_BYTES(n) YO_TOWER_SLOT_BYTES(n, YO_TOWER_PACK(n))
/* Slots of dense layers hold units of 8 outputs and 16 inputs, [half][output][8 inputs] of fp16:
 * all inputs of the first 8 outputs, then those of the next. */
#define YO_TOWER_UNIT_BYTES       256
#define YO_TOWER_UNITS(n, slices) ((slices) * (n) / 8)

#define YO_TOWER_SLOTS_MIN   3 /* one is multiplied, one is next, one is filled */
#define YO_TOWER_SLOTS_OWN   4 /* at least so many for each group, or both share a ring */
#define YO_TOWER_SLOTS_MAX   16
#define YO_TOWER_LAG         8000 /* cycles that the second group begins late */
#define YO_TOWER_WARPGROUP   128  /* threads; one thread of the last warpgroup fills a ring */
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
    YO_TOWER_VECTOR = 4,  /* a vector of the position is added: what dense layers have computed */
    YO_TOWER_AFFINE = 16, /* what goes to the next step is scaled */
    YO_TOWER_HEAD = 32    /* a step of the heads */
};

/* Two channels of a step, as its epilogue reads them; scale and offset are pairs of fp16. In the
 * heads the scale is a lower limit (relu: 0), the offset the number of a smooth activation, or 0.
 */
struct yo_tower_pair {
    float bias[2];
    uint32_t scale, offset;
};

/* One convolution and what follows it, in two phases of which the first may be empty. Channel c of
 * a point becomes in the second v = sum + bias[c] (+ vector[c]) (+ skip[c]),  u = first(v), skip[c]
 * = u if stored, out[c] = second(u * scale[c] + offset[c]) with AFFINE, else u and in the first
 * pooled(sum + bias[c]). Operations follow each phase: those of the first compute the vector that
 * the second adds. Activations are numbers of enum yo_net_activation. */
struct yo_tower_step {
    int32_t slots, after; /* of the convolution, and of dense layers behind it; a plan's */
    /* Taps of 3x3 or 1x1 in order, each with `tap_slots` slots that go through planes 0, 1 and on.
     * 0: the slots' entries define plane and tap. */
    int16_t taps, tap_slots;
    int32_t flags;
    int32_t first, second, pooled;
    int32_t bias;         /* N / 2 pairs; counted in floats of the job's constants */
    uint32_t columns[2];  /* of each phase: bit i is channels 8 i to 8 i + 7 */
    int32_t ops;          /* the first in the job's table */
    int32_t op_counts[2]; /* of each phase, one behind the other */
    int32_t unused[3];    /* 64 bytes */
};

enum yo_tower_op_kind {
    YO_TOWER_POOLS,  /* channels of a board to a vector of three times as many numbers */
    YO_TOWER_DENSE,  /* a dense layer from vector to vector, with weights from the ring */
    YO_TOWER_OUTPUT, /* channels of all points to an output of the network */
    YO_TOWER_KEEP    /* and to a tensor that other kernels read */
};
/* A board's vectors are fp16; `in` and `out` are places in them. */
struct yo_tower_op {
    int16_t kind;
    int16_t sync;  /* 1: reads what the ones before it have written */
    int32_t plane; /* POOLS, OUTPUT, KEEP: of 8 channels, the first */
    int32_t pool;  /* enum yo_net_pool */
    /* out: -1 if nobody reads it. OUTPUT: `in` is the first of its biases in the job's constants,
     * one for each number of a position, or -1. */
    int32_t in, out;
    int32_t in_count, out_count; /* channels */
    int32_t blocks;     /* DENSE: of 16 inputs, with two ones for the bias behind its own */
    int32_t activation; /* DENSE, OUTPUT */
    int16_t role;       /* of the output, or -1; KEEP: number of the tensor */
    int16_t added;      /* DENSE: the first channel that it is added to, or -1 */
    int32_t slots, slots_before; /* DENSE: its own; those behind the convolution that come first */
};

enum { YO_TOWER_KEPT_MAX = 2, YO_TOWER_TRUNK_OPS = 2 /* of a step of the trunk */ };

/* In shared memory: what a group computes now. */
struct yo_tower_wave {
    int32_t first_board, boards;
    uint32_t
        taken; /* slots of the ring since the kernel began, those of the current step included */
};

struct yo_tower_job {
    const uint64_t *planes; /* [count][input_planes][plane_words] */
    const float *globals;   /* [count][global_count] */
    uint16_t *out;          /* fp16 [count][points][N], or NULL: the heads are computed here too */
    const uint8_t *slots;   /* the weights of a pass */
    const struct yo_tower_step *steps;
    const float *constants;
    const struct yo_tower_op *ops;
    float *outputs[5];                 /* by role, float [count][channels][points] or [channels] */
    uint16_t *kept[YO_TOWER_KEPT_MAX]; /* fp16 [count][points][kept_strides] */
    int32_t kept_strides[YO_TOWER_KEPT_MAX];
    int32_t head_room; /* numbers of a board's vectors in the heads */
    int32_t count, size;
    int32_t kernel; /* its number; then what it is compiled for */
    int32_t channels, tiles, slices;
    int32_t threads; /* that compute */
    int32_t input_planes, plane_words, global_count;
    int32_t step_count, slot_count; /* of a pass; slots of the ring */
    int32_t groups;                 /* of warpgroups, each with boards of its own */
    int32_t boards;                 /* capacity of a group */
    int32_t rings, ring;            /* one for all groups or one each; slots of one */
    int32_t buffer_planes;          /* of 8 channels */
    int32_t vector_room;            /* numbers of a board's vectors in the trunk */
    /* Derived from these by yo_tower_lay_out. Kernels read them from constant memory, where they
     * take no registers. */
    int32_t points, group_threads;
    int32_t thread_mask;  /* thread & thread_mask is the thread in its group */
    int32_t size_inverse; /* point * size_inverse >> 20 is point / size */
    int32_t strip, guard; /* rows: of the boards' width, of zeros before a group */
    int32_t group_rows;   /* that are computed */
    int32_t group_apart;  /* rows from a group's first to the next group's */
    int32_t tile_stride;  /* rows between two tiles of a warpgroup */
    /* in shared memory; barriers first */
    int32_t at_buffer, at_skip, at_ring, at_vectors, at_added, at_constants, at_steps;
    int32_t at_ops, at_waves, at_taps;
    int32_t shared_bytes;
    int32_t skip_bytes; /* of a group; the heads keep their vectors there */
    int32_t head_ops;   /* bytes of those; the operations lie behind them */
};

static inline void yo_tower_lay_out(struct yo_tower_job *job) {
    const int n = job->channels, tiles = job->tiles;
    const int group_tile_rows = YO_TOWER_ROWS(tiles) / job->groups;
    job->points = job->size * job->size;
    job->size_inverse = (1 << 20) / job->size + 1;
    job->group_threads = job->threads / job->groups;
    job->thread_mask = job->groups > 1 ? job->group_threads - 1 : 1023;
    job->strip = job->boards * (job->size + 1);
    job->guard = job->strip < 7 ? 8 : job->strip + 1; /* eight rows serve taps beyond the edge */
    job->group_rows = job->size * job->strip - 1;
    job->group_apart = group_tile_rows + job->guard;
    job->tile_stride = job->group_threads / 2;
    job->skip_bytes = tiles / job->groups * 128 * n;
    job->head_ops = (job->boards * job->head_room * 2 + 15) / 16 * 16;
    job->vector_room = (job->vector_room + 7) / 8 * 8;
    job->at_buffer = 2 * YO_TOWER_SLOTS_MAX * 8;
    job->at_skip =
        job->at_buffer + job->buffer_planes * YO_TOWER_PLANE_BYTES(tiles) + job->guard * 16;
    job->at_vectors = job->at_skip + job->groups * job->skip_bytes;
    job->at_added = job->at_vectors + job->groups * job->boards * job->vector_room * 2;
    job->at_constants = job->at_added + job->groups * job->boards * n * 4;
    job->at_steps = job->at_constants + job->groups * n / 2 * (int)sizeof(struct yo_tower_pair);
    job->at_ops = job->at_steps + job->groups * 2 * (int)sizeof(struct yo_tower_step);
    job->at_waves =
        job->at_ops + job->groups * YO_TOWER_TRUNK_OPS * (int)sizeof(struct yo_tower_op);
    job->at_taps = job->at_waves + 2 * (int)sizeof(struct yo_tower_wave);
    job->at_ring = (job->at_taps + 9 * 4 + 15) / 16 * 16;
    job->shared_bytes = job->at_ring + job->rings * job->ring * YO_TOWER_SLOT_BYTES(n, job->slices);
}
