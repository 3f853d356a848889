/* From the nodes of an ONNX file to operations of a graph. A layer is an operation that is not in
 * the graph yet, so that a normalisation, a sum or an activation after it can be folded into it. */
#pragma once

#include "eval/net/graph.h"
#include "eval/net/onnx_model.h"

struct yo_onnx_layer {
    struct yo_net_op op;
    float *weights, *bias; /* op.weights and op.bias, writable; owned by the graph */
    int tensor;            /* in the graph; 0: not yet */
};

/* What a name stands for: a layer, a constant, or planes of the input. */
struct yo_onnx_value {
    struct yo_onnx_name name;
    int layer;                             /* or -1 */
    const struct yo_onnx_tensor *constant; /* or NULL */
    int first, planes;                     /* of the input; planes 0: not an input */
    /* After a Transpose, which moves nothing: a matrix whose dimensions are exchanged, a board
     * whose channels come last, or the row of such a board. */
    bool turned;
};

struct yo_onnx_build {
    const struct yo_onnx_model *model;
    struct yo_net_graph *graph;
    struct yo_diag *diag;
    struct yo_onnx_layer *layers;
    int layer_count;
    struct yo_onnx_value *values;
    int value_count, value_room;
    /* How many numbers layers may still have: a small file whose nodes all share one constant must
     * not become a large network. */
    size_t numbers_left;
};

/* Adds the file's constants as values. Call the end function also after a failure. */
enum yo_err yo_onnx_build_start(struct yo_onnx_build *b);
void yo_onnx_build_end(struct yo_onnx_build *b);
enum yo_err yo_onnx_bind_input(struct yo_onnx_build *b, struct yo_onnx_name name, int first,
                               int planes);

/* "Conv 'name': what". */
enum yo_err yo_onnx_wrong(struct yo_onnx_build *b, const struct yo_onnx_node *node,
                          const char *what);
enum yo_err yo_onnx_no_memory(struct yo_onnx_build *b);

/* ---- looking things up; NULL if the name is something else, or turned ---- */
struct yo_onnx_layer *yo_onnx_layer(struct yo_onnx_build *b, struct yo_onnx_name name);
const struct yo_onnx_tensor *yo_onnx_constant(struct yo_onnx_build *b, struct yo_onnx_name name);
/* The same for what may be turned. */
struct yo_onnx_layer *yo_onnx_layer_turned(struct yo_onnx_build *b, struct yo_onnx_name name,
                                           bool *turned);
const struct yo_onnx_tensor *yo_onnx_constant_turned(struct yo_onnx_build *b,
                                                     struct yo_onnx_name name, bool *turned);
const struct yo_onnx_node *yo_onnx_maker(struct yo_onnx_build *b, struct yo_onnx_name name);
int yo_onnx_uses(struct yo_onnx_build *b, struct yo_onnx_name name);
bool yo_onnx_is_output(struct yo_onnx_build *b, struct yo_onnx_name name);
int yo_onnx_channels(const struct yo_onnx_build *b, const struct yo_onnx_layer *layer);
bool yo_onnx_is_spatial(const struct yo_onnx_build *b, const struct yo_onnx_layer *layer);

/* ---- making layers; the node's first output names the result ---- */
/* Puts the layer into the graph if it is not there. */
enum yo_err yo_onnx_tensor_of(struct yo_onnx_build *b, struct yo_onnx_layer *layer, int *tensor);
/* Sets the input of an operation: a layer (for DENSE one that may be turned), or for a convolution
 * planes of the input. */
enum yo_err yo_onnx_input(struct yo_onnx_build *b, const struct yo_onnx_node *node,
                          struct yo_onnx_name name, struct yo_net_op *op);
/* Room for so many numbers, which the graph owns. */
enum yo_err yo_onnx_new_floats(struct yo_onnx_build *b, const struct yo_onnx_node *node,
                               size_t count, float **out);
/* The numbers of a constant, which must be finite; the graph owns them. */
enum yo_err yo_onnx_copy_floats(struct yo_onnx_build *b, const struct yo_onnx_node *node,
                                const struct yo_onnx_tensor *tensor, float **out);
enum yo_err yo_onnx_weights(struct yo_onnx_build *b, const struct yo_onnx_node *node,
                            const struct yo_onnx_tensor *tensor, bool transpose,
                            struct yo_onnx_layer *layer);
/* Reorders the weights of a dense layer for an input that is not turned. */
enum yo_err yo_onnx_turn_weights(struct yo_onnx_build *b, const struct yo_onnx_node *node,
                                 struct yo_onnx_layer *layer);
enum yo_err yo_onnx_bias(struct yo_onnx_build *b, const struct yo_onnx_node *node,
                         const struct yo_onnx_tensor *tensor, struct yo_onnx_layer *layer);
enum yo_err yo_onnx_new_layer(struct yo_onnx_build *b, const struct yo_onnx_node *node,
                              const struct yo_onnx_layer *layer);
/* The result is the layer itself. */
enum yo_err yo_onnx_alias(struct yo_onnx_build *b, const struct yo_onnx_node *node,
                          const struct yo_onnx_layer *layer);
/* Marks the result of the node, which must have one, as turned or not. */
void yo_onnx_turn(struct yo_onnx_build *b, const struct yo_onnx_node *node, bool turned);
enum yo_err yo_onnx_rename_constant(struct yo_onnx_build *b, const struct yo_onnx_node *node);
enum yo_err yo_onnx_add_tensor(struct yo_onnx_build *b, const struct yo_onnx_node *node);
/* ---- folding (onnx_fold.c) ---- */
/* scale * x + bias; the graph owns both arrays. */
enum yo_err yo_onnx_scale(struct yo_onnx_build *b, const struct yo_onnx_node *node,
                          struct yo_onnx_layer *x, float *scale, float *bias);
/* x has the name `name`; the activation replaces `uses` uses of it. */
enum yo_err yo_onnx_activate(struct yo_onnx_build *b, const struct yo_onnx_node *node,
                             struct yo_onnx_layer *x, struct yo_onnx_name name,
                             enum yo_net_activation kind, int uses);
enum yo_err yo_onnx_sum(struct yo_onnx_build *b, const struct yo_onnx_node *node,
                        struct yo_onnx_layer *x, struct yo_onnx_layer *y);
enum yo_err yo_onnx_add_constant(struct yo_onnx_build *b, const struct yo_onnx_node *node,
                                 struct yo_onnx_layer *x, const struct yo_onnx_tensor *tensor);

/* ---- nodes (onnx_nodes.c) ---- */
/* Reads the node, and makes a layer of it or changes the one before. */
enum yo_err yo_onnx_read_node(struct yo_onnx_build *b, const struct yo_onnx_node *node);
