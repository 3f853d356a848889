/* What follows a layer and can become part of it: scales, sums, activations, constants. */
#include "eval/net/onnx_build.h"

/* True if an operation can be folded into the layer: nothing else uses its output, it has no
 * activation, and it is not in the graph yet. */
static bool is_open(struct yo_onnx_build *b, const struct yo_onnx_layer *x,
                    struct yo_onnx_name name, int uses) {
    return !x->tensor && x->op.kind != YO_NET_FLATTEN && x->op.activation == YO_NET_IDENTITY &&
           yo_onnx_uses(b, name) == uses;
}

static enum yo_err affine(struct yo_onnx_build *b, const struct yo_onnx_node *node,
                          struct yo_onnx_layer *x, struct yo_onnx_layer layer) {
    layer.op.kind = YO_NET_AFFINE;
    enum yo_err err = yo_onnx_tensor_of(b, x, &layer.op.in);
    return err ? err : yo_onnx_new_layer(b, node, &layer);
}

static void scale_layer(struct yo_onnx_layer *x, const float *scale, float *bias) {
    size_t each = (size_t)x->op.in_channels;
    if (x->op.kind == YO_NET_CONV) each *= (size_t)x->op.kernel_y * (size_t)x->op.kernel_x;
    for (size_t o = 0; o < (size_t)x->op.out_channels; o++) {
        for (size_t i = 0; i < each; i++)
            x->weights[o * each + i] *= scale[o];
        if (x->bias) bias[o] += scale[o] * x->bias[o];
    }
    x->bias = bias;
}

enum yo_err yo_onnx_scale(struct yo_onnx_build *b, const struct yo_onnx_node *node,
                          struct yo_onnx_layer *x, float *scale, float *bias) {
    bool plain = (x->op.kind == YO_NET_CONV || x->op.kind == YO_NET_DENSE) &&
                 x->op.add == YO_NET_NONE && is_open(b, x, node->inputs[0], 1);
    if (plain) {
        scale_layer(x, scale, bias);
        return yo_onnx_alias(b, node, x);
    }
    struct yo_onnx_layer layer = {.op = YO_NET_OP, .bias = bias};
    layer.op.scale = scale;
    return affine(b, node, x, layer);
}

enum yo_err yo_onnx_activate(struct yo_onnx_build *b, const struct yo_onnx_node *node,
                             struct yo_onnx_layer *x, struct yo_onnx_name name,
                             enum yo_net_activation kind, int uses) {
    if (is_open(b, x, name, uses)) {
        x->op.activation = kind;
        return yo_onnx_alias(b, node, x);
    }
    struct yo_onnx_layer layer = {.op = YO_NET_OP};
    layer.op.activation = kind;
    return affine(b, node, x, layer);
}

/* Two convolutions of the input planes are one, over all their planes. */
static bool can_merge(const struct yo_onnx_layer *x, const struct yo_onnx_layer *y) {
    const struct yo_net_op *p = &x->op, *q = &y->op;
    return x != y && p->kind == YO_NET_CONV && q->kind == YO_NET_CONV && p->in == 0 && q->in == 0 &&
           p->out_channels == q->out_channels && p->add == YO_NET_NONE && q->add == YO_NET_NONE &&
           p->dilation_y == 1 && p->dilation_x == 1 && q->dilation_y == 1 && q->dilation_x == 1;
}

static int least(int a, int b) { return a < b ? a : b; }
static int most(int a, int b) { return a > b ? a : b; }

static void add_weights(const struct yo_onnx_layer *from, const struct yo_net_op *to, float *out) {
    const struct yo_net_op *p = &from->op;
    for (int o = 0; o < p->out_channels; o++)
        for (int i = 0; i < p->in_channels; i++)
            for (int ky = 0; ky < p->kernel_y; ky++)
                for (int kx = 0; kx < p->kernel_x; kx++) {
                    int y = ky + (to->kernel_y - p->kernel_y) / 2;
                    int x = kx + (to->kernel_x - p->kernel_x) / 2;
                    int channel = i + p->first_channel - to->first_channel;
                    size_t at = ((size_t)(o * to->in_channels + channel) * (size_t)to->kernel_y +
                                 (size_t)y) *
                                    (size_t)to->kernel_x +
                                (size_t)x;
                    size_t of =
                        ((size_t)(o * p->in_channels + i) * (size_t)p->kernel_y + (size_t)ky) *
                            (size_t)p->kernel_x +
                        (size_t)kx;
                    out[at] += from->weights[of];
                }
}

static enum yo_err merge(struct yo_onnx_build *b, const struct yo_onnx_node *node,
                         struct yo_onnx_layer *x, const struct yo_onnx_layer *y) {
    const struct yo_net_op *p = &x->op, *q = &y->op;
    struct yo_net_op op = *p;
    op.kernel_y = most(p->kernel_y, q->kernel_y);
    op.kernel_x = most(p->kernel_x, q->kernel_x);
    op.first_channel = least(p->first_channel, q->first_channel);
    op.in_channels = most(p->first_channel + p->in_channels, q->first_channel + q->in_channels) -
                     op.first_channel;
    size_t taps = (size_t)op.kernel_y * (size_t)op.kernel_x;
    float *weights, *bias;
    enum yo_err err = yo_onnx_new_floats(
        b, node, (size_t)op.out_channels * (size_t)op.in_channels * taps, &weights);
    if (!err) err = yo_onnx_new_floats(b, node, (size_t)op.out_channels, &bias);
    if (err) return err;
    add_weights(x, &op, weights);
    add_weights(y, &op, weights);
    for (int o = 0; o < op.out_channels; o++)
        bias[o] = (x->bias ? x->bias[o] : 0) + (y->bias ? y->bias[o] : 0);
    *x = (struct yo_onnx_layer){.op = op, .weights = weights, .bias = bias};
    return YO_OK;
}

enum yo_err yo_onnx_sum(struct yo_onnx_build *b, const struct yo_onnx_node *node,
                        struct yo_onnx_layer *x, struct yo_onnx_layer *y) {
    bool x_open = is_open(b, x, node->inputs[0], 1) && x->op.add == YO_NET_NONE;
    bool y_open = is_open(b, y, node->inputs[1], 1) && y->op.add == YO_NET_NONE;
    if (yo_onnx_channels(b, x) != yo_onnx_channels(b, y) ||
        yo_onnx_is_spatial(b, x) != yo_onnx_is_spatial(b, y))
        return yo_onnx_wrong(b, node, "its inputs have different shapes");
    if (x_open && y_open && can_merge(x, y)) {
        enum yo_err err = merge(b, node, x, y);
        return err ? err : yo_onnx_alias(b, node, x);
    }
    /* Adds into the later layer, since the graph must compute the other one first. */
    if (x_open && (!y_open || x > y)) {
        struct yo_onnx_layer *other = x;
        x = y;
        y = other;
        y_open = true;
    }
    int tensor;
    enum yo_err err = yo_onnx_tensor_of(b, x, &tensor);
    if (err) return err;
    if (y_open && x != y) {
        y->op.add = tensor;
        return yo_onnx_alias(b, node, y);
    }
    struct yo_onnx_layer layer = {.op = YO_NET_OP};
    layer.op.add = tensor;
    return affine(b, node, y, layer);
}

/* One number each channel: [C] for a vector, [C, 1, 1] for a board; or one for all. */
static bool fits(struct yo_onnx_build *b, const struct yo_onnx_layer *x,
                 const struct yo_onnx_tensor *t) {
    int d = t->dim_count;
    if (t->count == 1) return true;
    if (t->count != (size_t)yo_onnx_channels(b, x)) return false;
    if (yo_onnx_is_spatial(b, x)) return d >= 3 && t->dims[d - 1] == 1 && t->dims[d - 2] == 1;
    return d >= 1 && t->dims[d - 1] == (int64_t)t->count;
}

enum yo_err yo_onnx_add_constant(struct yo_onnx_build *b, const struct yo_onnx_node *node,
                                 struct yo_onnx_layer *x, const struct yo_onnx_tensor *t) {
    if (!fits(b, x, t)) return yo_onnx_wrong(b, node, "its constant has another shape");
    size_t channels = (size_t)yo_onnx_channels(b, x);
    float *numbers, *bias;
    enum yo_err err = yo_onnx_new_floats(b, node, channels, &bias);
    if (!err) err = yo_onnx_copy_floats(b, node, t, &numbers);
    if (err) return err;
    for (size_t c = 0; c < channels; c++)
        bias[c] = numbers[t->count == 1 ? 0 : c];
    struct yo_onnx_name name =
        yo_onnx_layer(b, node->inputs[0]) == x ? node->inputs[0] : node->inputs[1];
    if (is_open(b, x, name, 1)) {
        for (size_t c = 0; c < channels && x->bias; c++)
            bias[c] += x->bias[c];
        x->bias = bias;
        return yo_onnx_alias(b, node, x);
    }
    return affine(b, node, x, (struct yo_onnx_layer){.op = YO_NET_OP, .bias = bias});
}
