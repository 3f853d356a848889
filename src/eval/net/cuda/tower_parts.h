/* Inside the planning of the fused kernel: the parts of a graph that become its steps
 * (tower_match.c, tower_head_match.c), the steps (tower_fill.c) and their weights (tower_pack.c).
 */
#pragma once

#include "eval/net/cuda/tower_plan.h"

enum { YO_TOWER_SUMMED_MAX = 4, YO_TOWER_HEAD_CONVS = 8, YO_TOWER_HEAD_VECTORS = 24 };

/* Convolutions of one input whose results are summed, and what follows them. */
struct yo_tower_part {
    const struct yo_net_op *convs[YO_TOWER_SUMMED_MAX];
    int conv_count;
    const struct yo_net_op *pooled; /* a convolution whose result is pooled */
    const struct yo_net_op *pool, *dense, *affine;
    bool add, store;
};

/* What the heads compute: convolutions of the trunk, convolutions of those, and vectors. */
struct yo_tower_head_conv {
    const struct yo_net_op *op;
    int column; /* its first channel in the step */
    int from;   /* the first channel of its input there */
    /* Where its result, one row a position, is an output: what makes the row, and what adds a bias
     * to each of its numbers; or NULL. */
    const struct yo_net_op *flat, *affine;
};
struct yo_tower_head_vector {
    const struct yo_net_op *op;
    int in, out;      /* places in a board's vectors */
    int phase, level; /* of the step; how many dense layers it is away from what is pooled */
    int plane;        /* POOL */
};
struct yo_tower_head {
    struct yo_tower_head_conv first[YO_TOWER_HEAD_CONVS], second[YO_TOWER_HEAD_CONVS];
    int first_count, second_count;
    struct yo_tower_head_vector vectors[YO_TOWER_HEAD_VECTORS];
    int vector_count, room;                  /* numbers a board */
    int kept[YO_TOWER_KEPT_MAX], kept_count; /* tensors that other kernels read */
};

struct yo_tower_match {
    const struct yo_net_graph *graph;
    bool *done;
    struct yo_tower_part *parts;
    int count;
    int input, skip; /* tensors that the kernel holds now */
    bool has_head;
    struct yo_tower_head head;
};

static inline int yo_tower_round(int value) { return (value + 7) / 8 * 8; }

/* How many operations read a tensor, as input or as what is added; and the last of them. */
int yo_tower_readers(const struct yo_net_graph *graph, int tensor, bool added,
                     const struct yo_net_op **last);
/* The first role that has this tensor as its output, or -1. */
int yo_tower_role(const struct yo_net_graph *graph, int tensor);
bool yo_tower_plain(const struct yo_net_op *op);   /* adds nothing */
bool yo_tower_reaches(const struct yo_net_op *op); /* a convolution whose kernel is small enough */

/* Matches as many parts as possible from the input on, and finds where the kernel may end. */
void yo_tower_match_parts(struct yo_tower_match *m, int *output, bool *done);
/* The heads on a tensor, with so many channels in a step; operations that match are marked done. */
bool yo_tower_match_head(struct yo_tower_match *m, int output, int channels, bool *done);

/* The slots of a step, written to `to` or only counted. Where the step can go by taps, its `taps`
 * and `tap_slots` are set; `whole`: all planes of the buffer hold numbers. */
int yo_tower_pack_part(const struct yo_tower_plan *plan, const struct yo_tower_part *part,
                       bool whole, uint8_t *to, struct yo_tower_step *step);
int yo_tower_pack_convs(const struct yo_tower_plan *plan, const struct yo_tower_head_conv *convs,
                        int count, uint8_t *to, struct yo_tower_step *step);
/* The slots of a dense layer with so many outputs, and its blocks of inputs. */
int yo_tower_pack_dense(const struct yo_tower_plan *plan, const struct yo_net_op *op, bool bias,
                        int outputs, uint8_t *to, int *blocks);

/* What a plan is made of, written one step after the other or, with pointers of NULL, only counted.
 */
struct yo_tower_writer {
    const struct yo_tower_plan *plan;
    const struct yo_net_graph *graph;
    struct yo_tower_step *steps;
    uint8_t *slots;
    float *constants;
    struct yo_tower_op *ops;
    int step_count, slot_count, op_count;
    int head_ops; /* the most of a step of the heads */
    size_t constant_count;
};
void yo_tower_write_part(struct yo_tower_writer *w, const struct yo_tower_part *part);
/* Both steps of the heads. */
void yo_tower_write_head(struct yo_tower_writer *w, const struct yo_tower_head *head);
