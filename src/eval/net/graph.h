/* What every network file becomes, and what every backend compiles: a list of operations over
 * numbered tensors, in an order in which they can be computed. Batch normalisation is folded into
 * the weights, shapes are known and checked. A reader makes a graph, a backend reads it; the graph
 * owns its weights.
 *
 * Shapes. A tensor of one position is `spatial`, channels x size x size, or a vector of channels.
 * The size is that of the board and is the same for a whole batch; point p is y * size + x, y
 * counted from the top row of a diagram. Tensors are exactly as large as the board: a convolution
 * reads zero beyond its edge, a pooling sees only points of the board. (A backend that keeps boards
 * in larger arrays has to clear what lies beyond the edge wherever a convolution or a pooling reads
 * it.)
 *
 * Epilogue. Every operation but FLATTEN computes, for channel c and point p,
 *     out[c][p] = activation(r[c][p] + bias[c] + add_vector[c] + add[c][p])
 * where r is the operation proper, and terms whose pointer is NULL or whose tensor is YO_NET_NONE
 * are left out. For a vector the point is dropped. Where the original has a batch normalisation
 * after the sum, its scale is folded into the weights of all that is summed.
 *
 * The shapes that occur, for backends that fuse:
 *   KataGo's block   a = AFFINE(x) act; b = CONV(a) act; x' = CONV(b) add x
 *   with pooling     a = AFFINE(x) act; g = CONV(a) act; v = DENSE(POOL(g));
 *                    b = CONV(a) add_vector v, act; x' = CONV(b) add x
 *   nested           a = AFFINE(x) act; y = CONV 1x1(a); blocks on y;
 *                    b = AFFINE(y) act; x' = CONV 1x1(b) add x
 *   dlshogi's block  b = CONV(x) act; x' = act(CONV(b) add x)
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "yomi/error.h"

enum {
    YO_NET_NONE = -1,
    YO_NET_MIN_SIZE = 2,
    YO_NET_MAX_SIZE = 19,
    YO_NET_MAX_POINTS = YO_NET_MAX_SIZE * YO_NET_MAX_SIZE,
    YO_NET_MAX_PLANES = 128,
    YO_NET_MAX_CHANNELS = 1 << 16,
    YO_NET_MAX_OPS = 4096,
};

enum yo_net_activation {
    YO_NET_IDENTITY,
    YO_NET_RELU,    /* max(x, 0) */
    YO_NET_MISH,    /* x tanh(ln(1 + e^x)) */
    YO_NET_SWISH,   /* x / (1 + e^-x) */
    YO_NET_SIGMOID, /* 1 / (1 + e^-x) */
    YO_NET_TANH,
};

enum yo_net_op_kind {
    /* spatial -> spatial. Cross-correlation with zeros beyond the edge, stride 1:
     *   r[o][y][x] = sum over i, ky, kx of weights[o][i][ky][kx]
     *       * in[first_channel + i][y + (ky - kernel_y / 2) * dilation_y]
     *                              [x + (kx - kernel_x / 2) * dilation_x]
     * Kernel sides are odd. */
    YO_NET_CONV,
    /* Any shape to the same shape: r[c][p] = scale[c] * in[c][p] (scale NULL: 1). */
    YO_NET_AFFINE,
    /* spatial, C channels -> vector of 3 C. With mean[c] the mean and max[c] the largest value of
     * the channel over the points of the board, and w = size - 14:
     *   YO_NET_POOL_TRUNK: mean[0..C), mean[0..C) * w / 10, max[0..C)
     *   YO_NET_POOL_VALUE: mean[0..C), mean[0..C) * w / 10, mean[0..C) * (w * w / 100 - 0.1)
     */
    YO_NET_POOL,
    /* vector -> vector: r[o] = sum over i of weights[o][i] * in[first_channel + i]. */
    YO_NET_DENSE,
    /* spatial -> vector: out[c * size * size + p] = in[c][p]. Only in graphs of a fixed size. No
     * epilogue. */
    YO_NET_FLATTEN,
};

enum yo_net_pool { YO_NET_POOL_TRUNK, YO_NET_POOL_VALUE };

struct yo_net_tensor {
    int channels;
    bool spatial;
};

struct yo_net_op {
    enum yo_net_op_kind kind;
    int in, out; /* tensors */
    /* CONV and DENSE read in_channels channels of `in` from first_channel on; for the others
     * yo_net_graph_add sets them to all. */
    int first_channel, in_channels;
    int out_channels;                               /* those of `out` */
    int kernel_y, kernel_x, dilation_y, dilation_x; /* CONV */
    enum yo_net_pool pool;                          /* POOL */
    const float *weights;                           /* CONV, DENSE; output channel first */
    const float *scale;                             /* AFFINE */
    /* the epilogue */
    const float *bias; /* or NULL */
    int add_vector;    /* a vector of out_channels, or YO_NET_NONE */
    int add;           /* a tensor of the shape of `out`, or YO_NET_NONE */
    enum yo_net_activation activation;
    char name[48]; /* in the file, for messages */
};

/* The roles of outputs. Outputs are raw, before any softmax, tanh or multiplier of the file's
 * format. */
enum yo_net_role {
    YO_NET_OUT_POLICY,    /* spatial, a channel for each kind of move; or a vector */
    YO_NET_OUT_PASS,      /* vector: the same channels for the pass */
    YO_NET_OUT_VALUE,     /* vector */
    YO_NET_OUT_SCORE,     /* vector */
    YO_NET_OUT_OWNERSHIP, /* spatial */
    YO_NET_ROLES,
};

struct yo_net_graph {
    int fixed_size; /* the only board size it can be run on, or 0 for any */
    int planes;     /* tensor 0: the input planes, each a set of points (0 or 1) */
    int globals;    /* tensor 1, a vector; 0 if there are none, and tensor 1 is still there */
    struct yo_net_tensor *tensors;
    int tensor_count;
    struct yo_net_op *ops;
    int op_count;
    int outputs[YO_NET_ROLES]; /* tensors, or YO_NET_NONE */

    /* private to graph.c */
    int tensor_room, op_room;
    float **blocks;
    int block_count, block_room;
};

/* ---- for readers ---- */

/* An empty graph with its two input tensors. */
enum yo_err yo_net_graph_init(struct yo_net_graph *graph, int planes, int globals,
                              struct yo_diag *diag);
void yo_net_graph_free(struct yo_net_graph *graph);
/* Zeroed floats that live as long as the graph; NULL when there is no memory. */
float *yo_net_graph_floats(struct yo_net_graph *graph, size_t count);
/* Transfers a block from yo_alloc to the graph, also on failure. */
enum yo_err yo_net_graph_adopt(struct yo_net_graph *graph, float *block);
/* Checks shapes, adds the operation and its output tensor, whose number goes to *out. Start `op`
 * from YO_NET_OP: unused fields are zero, except add_vector and add. */
enum yo_err yo_net_graph_add(struct yo_net_graph *graph, const struct yo_net_op *op, int *out,
                             struct yo_diag *diag);
#define YO_NET_OP                                                                                  \
    { .add_vector = YO_NET_NONE, .add = YO_NET_NONE }

/* ---- for backends and evaluators ---- */

/* Number of floats in a tensor for one position. */
size_t yo_net_tensor_floats(const struct yo_net_graph *graph, int tensor, int size);
/* Planes with a non-zero weight; the others need not be computed. Bit n of word n / 64 is plane n.
 */
void yo_net_graph_planes_used(const struct yo_net_graph *graph,
                              uint64_t used[YO_NET_MAX_PLANES / 64]);
/* Whether an output is always zero: the network was not trained to give it. */
bool yo_net_graph_is_zero(const struct yo_net_graph *graph, enum yo_net_role role);
/* Weights and other constants; multiply-adds of one evaluation. */
uint64_t yo_net_graph_parameters(const struct yo_net_graph *graph);
uint64_t yo_net_graph_operations(const struct yo_net_graph *graph, int size);
