/* The layers that KataGo's model files are made of, read one by one. The graph owns their weights.
 */
#pragma once

#include "eval/net/graph.h"
#include "eval/net/stream.h"

struct yo_katago_reader {
    struct yo_net_stream *stream;
    struct yo_net_graph *graph;
    struct yo_diag *diag;
    int version;
};

/* A convolution or a matrix, as an operation without input; `weights` is op.weights, to be scaled.
 */
struct yo_katago_layer {
    struct yo_net_op op;
    float *weights;
};

/* A batch normalisation: scale * x + bias. */
struct yo_katago_norm {
    int channels;
    float *scale, *bias;
    enum yo_net_activation activation; /* that follows it */
};

enum yo_err yo_katago_conv(struct yo_katago_reader *reader, struct yo_katago_layer *conv);
enum yo_err yo_katago_dense(struct yo_katago_reader *reader, struct yo_katago_layer *dense);
/* The bias of the dense layer before it. */
enum yo_err yo_katago_bias(struct yo_katago_reader *reader, struct yo_katago_layer *dense);
enum yo_err yo_katago_activation(struct yo_katago_reader *reader, enum yo_net_activation *out);
/* A normalisation and the activation after it. */
enum yo_err yo_katago_norm(struct yo_katago_reader *reader, struct yo_katago_norm *norm);

/* Applies the normalisation to what the layer computes: its scale to the weights, its bias and
 * activation to the epilogue. */
enum yo_err yo_katago_fold(struct yo_katago_reader *reader, struct yo_katago_layer *layer,
                           const struct yo_katago_norm *norm);
/* Only the scale, for a layer whose output is added to what is normalised. */
enum yo_err yo_katago_fold_scale(struct yo_katago_reader *reader, struct yo_katago_layer *layer,
                                 const struct yo_katago_norm *norm);
/* Adds the layer to the graph; all channels of the tensor `in` are its input. */
enum yo_err yo_katago_add(struct yo_katago_reader *reader, struct yo_katago_layer *layer, int in,
                          int *out);
enum yo_err yo_katago_add_norm(struct yo_katago_reader *reader, const struct yo_katago_norm *norm,
                               int in, int *out);
enum yo_err yo_katago_add_pool(struct yo_katago_reader *reader, int in, enum yo_net_pool kind,
                               int *out);
/* The global pooling branch of trunk blocks and policy head: a convolution, pooled, then a matrix
 * whose result is added to every point of the other branch, before the normalisation `sum`. */
enum yo_err yo_katago_add_pooled(struct yo_katago_reader *reader, struct yo_katago_layer *conv,
                                 const struct yo_katago_norm *norm, struct yo_katago_layer *dense,
                                 const struct yo_katago_norm *sum, int in, int *pooled, int *out);

/* Reads the name of a part of the file, for error messages that follow. */
enum yo_err yo_katago_part(struct yo_katago_reader *reader, const char *what);
/* The error of a file that has something unsupported. */
enum yo_err yo_katago_refuse(struct yo_katago_reader *reader, const char *what);
