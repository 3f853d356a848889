#include "eval/net/katago_layers.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "eval/net/katago.h"

static enum yo_err no_memory(struct yo_katago_reader *r) {
    return yo_diag_set(r->diag, YO_ERR_NOMEM, "not enough memory for the network");
}

static enum yo_err wrong(struct yo_katago_reader *r, const char *what) {
    return yo_net_stream_error(r->stream, YO_ERR_PARSE, r->diag, what);
}

static enum yo_err read_name(struct yo_katago_reader *r, char *name, size_t size) {
    char word[128];
    enum yo_err err =
        yo_net_stream_word(r->stream, "the name of a layer", word, sizeof word, r->diag);
    if (err) return err;
    yo_net_stream_part(r->stream, word);
    snprintf(name, size, "%.*s", (int)size - 1, word);
    return YO_OK;
}

static enum yo_err read_int(struct yo_katago_reader *r, const char *what, int max, int *out) {
    return yo_net_stream_int(r->stream, what, 1, max, out, r->diag);
}

/* Floats that the graph owns from now on. */
static enum yo_err read_floats(struct yo_katago_reader *r, const char *what, size_t count,
                               float **out) {
    enum yo_err err = yo_net_stream_floats(r->stream, what, count, out, r->diag);
    if (err) return err;
    return yo_net_graph_adopt(r->graph, *out) ? no_memory(r) : YO_OK;
}

static enum yo_err read_conv_shape(struct yo_katago_reader *r, struct yo_net_op *op) {
    enum yo_err err = read_name(r, op->name, sizeof op->name);
    int side = 2 * YO_NET_MAX_SIZE;
    if (!err) err = read_int(r, "the height of the kernel", side, &op->kernel_y);
    if (!err) err = read_int(r, "the width of the kernel", side, &op->kernel_x);
    if (!err) err = read_int(r, "the input channels", YO_NET_MAX_CHANNELS, &op->in_channels);
    if (!err) err = read_int(r, "the output channels", YO_NET_MAX_CHANNELS, &op->out_channels);
    if (!err) err = read_int(r, "the dilation", YO_NET_MAX_SIZE, &op->dilation_y);
    if (!err) err = read_int(r, "the dilation", YO_NET_MAX_SIZE, &op->dilation_x);
    return err;
}

/* From the file's order (taps, input, output) to the graph's (output, input, taps). */
static enum yo_err read_weights(struct yo_katago_reader *r, struct yo_katago_layer *layer,
                                size_t taps) {
    size_t inputs = (size_t)layer->op.in_channels, outputs = (size_t)layer->op.out_channels;
    float *file;
    enum yo_err err =
        yo_net_stream_floats(r->stream, "its weights", taps * inputs * outputs, &file, r->diag);
    if (err) return err;
    float *weights = yo_net_graph_floats(r->graph, taps * inputs * outputs);
    if (weights) {
        const float *from = file;
        for (size_t k = 0; k < taps; k++)
            for (size_t i = 0; i < inputs; i++)
                for (size_t o = 0; o < outputs; o++)
                    weights[(o * inputs + i) * taps + k] = *from++;
    }
    yo_free(file);
    layer->weights = weights;
    layer->op.weights = weights;
    return weights ? YO_OK : no_memory(r);
}

enum yo_err yo_katago_conv(struct yo_katago_reader *r, struct yo_katago_layer *conv) {
    *conv = (struct yo_katago_layer){.op = YO_NET_OP};
    conv->op.kind = YO_NET_CONV;
    enum yo_err err = read_conv_shape(r, &conv->op);
    if (err) return err;
    if (conv->op.kernel_y % 2 == 0 || conv->op.kernel_x % 2 == 0)
        return wrong(r, "the sides of a kernel are odd");
    return read_weights(r, conv, (size_t)conv->op.kernel_y * (size_t)conv->op.kernel_x);
}

enum yo_err yo_katago_dense(struct yo_katago_reader *r, struct yo_katago_layer *dense) {
    *dense = (struct yo_katago_layer){.op = YO_NET_OP};
    struct yo_net_op *op = &dense->op;
    op->kind = YO_NET_DENSE;
    enum yo_err err = read_name(r, op->name, sizeof op->name);
    if (!err) err = read_int(r, "the input channels", YO_NET_MAX_CHANNELS, &op->in_channels);
    if (!err) err = read_int(r, "the output channels", YO_NET_MAX_CHANNELS, &op->out_channels);
    return err ? err : read_weights(r, dense, 1);
}

enum yo_err yo_katago_bias(struct yo_katago_reader *r, struct yo_katago_layer *dense) {
    char name[64];
    int channels;
    float *bias;
    enum yo_err err = read_name(r, name, sizeof name);
    if (!err) err = read_int(r, "the channels", YO_NET_MAX_CHANNELS, &channels);
    if (!err && channels != dense->op.out_channels)
        err = wrong(r, "it has another number of channels than its layer");
    if (!err) err = read_floats(r, "its values", (size_t)channels, &bias);
    if (!err) dense->op.bias = bias;
    return err;
}

enum yo_err yo_katago_activation(struct yo_katago_reader *r, enum yo_net_activation *out) {
    static const struct {
        const char *name;
        enum yo_net_activation activation;
    } kinds[] = {
        {"ACTIVATION_IDENTITY", YO_NET_IDENTITY},
        {"ACTIVATION_RELU", YO_NET_RELU},
        {"ACTIVATION_MISH", YO_NET_MISH},
        {"ACTIVATION_SILU", YO_NET_SWISH},
    };
    char name[64], kind[32];
    *out = YO_NET_RELU;
    enum yo_err err = read_name(r, name, sizeof name);
    if (err || r->version < 11) return err;
    err = yo_net_stream_word(r->stream, "an activation", kind, sizeof kind, r->diag);
    if (err) return err;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (strcmp(kind, kinds[i].name) == 0) {
            *out = kinds[i].activation;
            return YO_OK;
        }
    }
    char text[80];
    snprintf(text, sizeof text, "the activation %s is not supported", kind);
    return yo_net_stream_error(r->stream, YO_ERR_UNSUPPORTED, r->diag, text);
}

/* The file has mean, variance and, by its flags, scale and bias. */
static enum yo_err merge_norm(struct yo_katago_reader *r, struct yo_katago_norm *norm,
                              double epsilon, bool scaled, bool biased) {
    size_t count = (size_t)norm->channels;
    float *mean, *variance, *scale = NULL, *bias = NULL;
    enum yo_err err = read_floats(r, "the means", count, &mean);
    if (!err) err = read_floats(r, "the variances", count, &variance);
    if (!err && scaled) err = read_floats(r, "the scales", count, &scale);
    if (!err && biased) err = read_floats(r, "the biases", count, &bias);
    if (err) return err;
    for (size_t c = 0; c < count; c++) {
        double deviation = sqrt((double)variance[c] + epsilon);
        if (!(deviation > 0)) return wrong(r, "a variance is not positive");
        double factor = (scale ? (double)scale[c] : 1.0) / deviation;
        double added = (bias ? (double)bias[c] : 0.0) - factor * (double)mean[c];
        variance[c] = (float)factor;
        mean[c] = (float)added;
        if (!isfinite(variance[c]) || !isfinite(mean[c]))
            return wrong(r, "a normalisation is not finite");
    }
    norm->scale = variance;
    norm->bias = mean;
    return YO_OK;
}

enum yo_err yo_katago_norm(struct yo_katago_reader *r, struct yo_katago_norm *norm) {
    *norm = (struct yo_katago_norm){0};
    char name[64];
    double epsilon;
    int scaled, biased;
    enum yo_err err = read_name(r, name, sizeof name);
    if (!err) err = read_int(r, "the channels", YO_NET_MAX_CHANNELS, &norm->channels);
    if (!err) err = yo_net_stream_double(r->stream, "epsilon", &epsilon, r->diag);
    if (!err && epsilon <= 0) err = wrong(r, "epsilon is not positive");
    if (!err) err = yo_net_stream_int(r->stream, "whether it has scales", 0, 1, &scaled, r->diag);
    if (!err) err = yo_net_stream_int(r->stream, "whether it has biases", 0, 1, &biased, r->diag);
    if (!err) err = merge_norm(r, norm, epsilon, scaled, biased);
    if (!err) err = yo_katago_activation(r, &norm->activation);
    return err;
}

enum yo_err yo_katago_fold_scale(struct yo_katago_reader *r, struct yo_katago_layer *layer,
                                 const struct yo_katago_norm *norm) {
    struct yo_net_op *op = &layer->op;
    if (op->out_channels != norm->channels)
        return wrong(r, "the normalisation has another number of channels than its layer");
    size_t each = (size_t)op->in_channels;
    if (op->kind == YO_NET_CONV) each *= (size_t)op->kernel_y * (size_t)op->kernel_x;
    for (size_t o = 0; o < (size_t)op->out_channels; o++)
        for (size_t i = 0; i < each; i++)
            layer->weights[o * each + i] *= norm->scale[o];
    return YO_OK;
}

enum yo_err yo_katago_fold(struct yo_katago_reader *r, struct yo_katago_layer *layer,
                           const struct yo_katago_norm *norm) {
    enum yo_err err = yo_katago_fold_scale(r, layer, norm);
    if (err) return err;
    layer->op.bias = norm->bias;
    layer->op.activation = norm->activation;
    return YO_OK;
}

enum yo_err yo_katago_add(struct yo_katago_reader *r, struct yo_katago_layer *layer, int in,
                          int *out) {
    layer->op.in = in;
    if (layer->op.in_channels != r->graph->tensors[in].channels) {
        yo_net_stream_part(r->stream, layer->op.name);
        return wrong(r, "its input has another number of channels");
    }
    return yo_net_graph_add(r->graph, &layer->op, out, r->diag);
}

enum yo_err yo_katago_add_norm(struct yo_katago_reader *r, const struct yo_katago_norm *norm,
                               int in, int *out) {
    if (norm->channels != r->graph->tensors[in].channels)
        return wrong(r, "a normalisation has another number of channels than its input");
    struct yo_net_op op = YO_NET_OP;
    op.kind = YO_NET_AFFINE;
    op.in = in;
    op.scale = norm->scale;
    op.bias = norm->bias;
    op.activation = norm->activation;
    return yo_net_graph_add(r->graph, &op, out, r->diag);
}

enum yo_err yo_katago_refuse(struct yo_katago_reader *r, const char *what) {
    yo_net_stream_error(r->stream, YO_ERR_UNSUPPORTED, r->diag, what);
    yo_diag_hint(r->diag, "model versions %d to %d without such parts are supported",
                 YO_KATAGO_MIN_VERSION, YO_KATAGO_MAX_VERSION);
    return YO_ERR_UNSUPPORTED;
}

enum yo_err yo_katago_part(struct yo_katago_reader *r, const char *what) {
    char name[128];
    enum yo_err err = yo_net_stream_word(r->stream, what, name, sizeof name, r->diag);
    if (!err) yo_net_stream_part(r->stream, name);
    return err;
}

enum yo_err yo_katago_add_pool(struct yo_katago_reader *r, int in, enum yo_net_pool kind,
                               int *out) {
    struct yo_net_op op = YO_NET_OP;
    op.kind = YO_NET_POOL;
    op.in = in;
    op.pool = kind;
    return yo_net_graph_add(r->graph, &op, out, r->diag);
}

enum yo_err yo_katago_add_pooled(struct yo_katago_reader *r, struct yo_katago_layer *conv,
                                 const struct yo_katago_norm *norm, struct yo_katago_layer *dense,
                                 const struct yo_katago_norm *sum, int in, int *pooled, int *out) {
    int g;
    enum yo_err err = yo_katago_fold(r, conv, norm);
    if (!err) err = yo_katago_fold_scale(r, dense, sum);
    if (!err) err = yo_katago_add(r, conv, in, &g);
    if (!err) err = yo_katago_add_pool(r, g, YO_NET_POOL_TRUNK, pooled);
    if (!err) err = yo_katago_add(r, dense, *pooled, out);
    return err;
}
