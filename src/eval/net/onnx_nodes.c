/* The nodes of an ONNX file: each makes a layer, or changes the one before. */
#include <math.h>
#include <string.h>

#include "base/diag.h"
#include "eval/net/onnx_build.h"

static const struct yo_onnx_tensor *constant(struct yo_onnx_build *b,
                                             const struct yo_onnx_node *node, int input) {
    return input < node->input_count ? yo_onnx_constant(b, node->inputs[input]) : NULL;
}

static int64_t attr_int(const struct yo_onnx_node *node, const char *name, int64_t missing) {
    const struct yo_onnx_attr *attr = yo_onnx_attr(node, name);
    return attr ? attr->i : missing;
}

static bool attr_ints_are(const struct yo_onnx_node *node, const char *name, int64_t value) {
    const struct yo_onnx_attr *attr = yo_onnx_attr(node, name);
    for (int i = 0; attr && i < attr->int_count; i++)
        if (attr->ints[i] != value) return false;
    return true;
}

/* True if the output has the board's size: stride 1, zero padding. */
static bool keeps_size(const struct yo_onnx_node *node, const struct yo_net_op *op) {
    const struct yo_onnx_attr *pads = yo_onnx_attr(node, "pads");
    const struct yo_onnx_attr *automatic = yo_onnx_attr(node, "auto_pad");
    int64_t y = (op->kernel_y - 1) / 2 * op->dilation_y,
            x = (op->kernel_x - 1) / 2 * op->dilation_x;
    if (!attr_ints_are(node, "strides", 1)) return false;
    if (automatic && automatic->s.len >= 4 && memcmp(automatic->s.at, "SAME", 4) == 0) return true;
    if (!pads) return x == 0 && y == 0;
    return pads->int_count == 4 && pads->ints[0] == y && pads->ints[1] == x && pads->ints[2] == y &&
           pads->ints[3] == x;
}

static enum yo_err conv(struct yo_onnx_build *b, const struct yo_onnx_node *node) {
    const struct yo_onnx_tensor *w = constant(b, node, 1), *bias = constant(b, node, 2);
    if (!w || w->dim_count != 4 || (node->input_count > 2 && !bias))
        return yo_onnx_wrong(b, node, "its weights are not constants of four dimensions");
    for (int i = 0; i < 4; i++)
        if (w->dims[i] < 1 || w->dims[i] > YO_NET_MAX_CHANNELS)
            return yo_onnx_wrong(b, node, "its weights have a strange shape");
    struct yo_onnx_layer layer = {.op = YO_NET_OP};
    const struct yo_onnx_attr *dilations = yo_onnx_attr(node, "dilations");
    layer.op.kind = YO_NET_CONV;
    layer.op.out_channels = (int)w->dims[0];
    layer.op.in_channels = (int)w->dims[1];
    layer.op.kernel_y = (int)w->dims[2];
    layer.op.kernel_x = (int)w->dims[3];
    layer.op.dilation_y = dilations && dilations->int_count == 2 ? (int)dilations->ints[0] : 1;
    layer.op.dilation_x = dilations && dilations->int_count == 2 ? (int)dilations->ints[1] : 1;
    if (attr_int(node, "group", 1) != 1)
        return yo_onnx_wrong(b, node, "convolutions by groups are not supported");
    if (layer.op.dilation_y < 1 || layer.op.dilation_y > 19 || layer.op.dilation_x < 1 ||
        layer.op.dilation_x > 19 || layer.op.kernel_y > 37 || layer.op.kernel_x > 37 ||
        !keeps_size(node, &layer.op))
        return yo_onnx_wrong(b, node, "a convolution that changes the board's size");
    enum yo_err err = yo_onnx_input(b, node, node->inputs[0], &layer.op);
    if (!err) err = yo_onnx_weights(b, node, w, false, &layer);
    if (!err && bias) err = yo_onnx_bias(b, node, bias, &layer);
    return err ? err : yo_onnx_new_layer(b, node, &layer);
}

static enum yo_err dense(struct yo_onnx_build *b, const struct yo_onnx_node *node) {
    bool gemm = yo_onnx_is(node->op, "Gemm"), turned = false, row_turned;
    const struct yo_onnx_tensor *bias = gemm ? constant(b, node, 2) : NULL, *w = NULL;
    if (node->input_count > 1) w = yo_onnx_constant_turned(b, node->inputs[1], &turned);
    const struct yo_onnx_attr *alpha = yo_onnx_attr(node, "alpha"),
                              *beta = yo_onnx_attr(node, "beta");
    if (!w || w->dim_count != 2 || w->dims[0] < 1 || w->dims[1] < 1 ||
        w->dims[0] > YO_NET_MAX_CHANNELS || w->dims[1] > YO_NET_MAX_CHANNELS ||
        (gemm && node->input_count > 2 && !bias))
        return yo_onnx_wrong(b, node, "its weights are not a constant matrix");
    if (gemm && (attr_int(node, "transA", 0) || (alpha && alpha->f != 1) || (beta && beta->f != 1)))
        return yo_onnx_wrong(b, node, "scaled or transposed matrices are not supported");
    bool output_first = (gemm && attr_int(node, "transB", 0)) != turned;
    struct yo_onnx_layer layer = {.op = YO_NET_OP};
    layer.op.kind = YO_NET_DENSE;
    layer.op.out_channels = (int)w->dims[output_first ? 0 : 1];
    layer.op.in_channels = (int)w->dims[output_first ? 1 : 0];
    enum yo_err err = yo_onnx_input(b, node, node->inputs[0], &layer.op);
    if (!err) err = yo_onnx_weights(b, node, w, !output_first, &layer);
    yo_onnx_layer_turned(b, node->inputs[0], &row_turned);
    if (!err && row_turned) err = yo_onnx_turn_weights(b, node, &layer);
    if (!err && bias) err = yo_onnx_bias(b, node, bias, &layer);
    return err ? err : yo_onnx_new_layer(b, node, &layer);
}

static enum yo_err normalise(struct yo_onnx_build *b, const struct yo_onnx_node *node) {
    const struct yo_onnx_tensor *t[4];
    struct yo_onnx_layer *x = yo_onnx_layer(b, node->inputs[0]);
    if (!x) return yo_onnx_wrong(b, node, "its input is not a layer");
    size_t channels = (size_t)yo_onnx_channels(b, x);
    for (int i = 0; i < 4; i++) {
        t[i] = constant(b, node, i + 1);
        if (!t[i] || t[i]->count != channels || !yo_onnx_is_real(t[i]))
            return yo_onnx_wrong(b, node, "its constants do not fit its input");
    }
    const struct yo_onnx_attr *attr = yo_onnx_attr(node, "epsilon");
    double epsilon = attr ? (double)attr->f : 1e-5;
    float *scale, *bias;
    enum yo_err err = yo_onnx_new_floats(b, node, channels, &scale);
    if (!err) err = yo_onnx_new_floats(b, node, channels, &bias);
    if (err) return err;
    for (size_t c = 0; c < channels; c++) {
        double factor = yo_onnx_number(t[0], c) / sqrt(yo_onnx_number(t[3], c) + epsilon);
        scale[c] = (float)factor;
        bias[c] = (float)(yo_onnx_number(t[1], c) - factor * yo_onnx_number(t[2], c));
        if (!isfinite(scale[c]) || !isfinite(bias[c]))
            return yo_onnx_wrong(b, node, "a number is not finite");
    }
    return yo_onnx_scale(b, node, x, scale, bias);
}

static enum yo_err activation(struct yo_onnx_build *b, const struct yo_onnx_node *node,
                              enum yo_net_activation kind) {
    struct yo_onnx_layer *x = yo_onnx_layer(b, node->inputs[0]);
    if (!x) return yo_onnx_wrong(b, node, "its input is not a layer");
    return yo_onnx_activate(b, node, x, node->inputs[0], kind, 1);
}

/* x * sigmoid(x) is swish; the sigmoid node itself was skipped. */
static enum yo_err multiply(struct yo_onnx_build *b, const struct yo_onnx_node *node) {
    for (int i = 0; i < 2 && node->input_count == 2; i++) {
        const struct yo_onnx_node *gate = yo_onnx_maker(b, node->inputs[i]);
        struct yo_onnx_name x = node->inputs[1 - i];
        if (!gate || !yo_onnx_is(gate->op, "Sigmoid") || gate->input_count != 1 ||
            !yo_onnx_same(gate->inputs[0], x))
            continue;
        struct yo_onnx_layer *layer = yo_onnx_layer(b, x);
        if (layer) return yo_onnx_activate(b, node, layer, x, YO_NET_SWISH, 2);
    }
    return yo_onnx_wrong(b, node, "products other than x * sigmoid(x) are not supported");
}

static bool is_gate(struct yo_onnx_build *b, const struct yo_onnx_node *node) {
    if (node->input_count != 1 || node->output_count != 1 || yo_onnx_uses(b, node->outputs[0]) != 1)
        return false;
    for (int i = 0; i < b->model->node_count; i++) {
        const struct yo_onnx_node *other = &b->model->nodes[i];
        if (!yo_onnx_is(other->op, "Mul") || other->input_count != 2) continue;
        for (int k = 0; k < 2; k++)
            if (yo_onnx_same(other->inputs[k], node->outputs[0]) &&
                yo_onnx_same(other->inputs[1 - k], node->inputs[0]))
                return true;
    }
    return false;
}

static enum yo_err add(struct yo_onnx_build *b, const struct yo_onnx_node *node) {
    if (node->input_count != 2) return yo_onnx_wrong(b, node, "it has not two inputs");
    struct yo_onnx_layer *x = yo_onnx_layer(b, node->inputs[0]);
    struct yo_onnx_layer *y = yo_onnx_layer(b, node->inputs[1]);
    if (x && y) return yo_onnx_sum(b, node, x, y);
    const struct yo_onnx_tensor *t = constant(b, node, x ? 1 : 0);
    if (!x) x = y;
    if (!x || !t) return yo_onnx_wrong(b, node, "its inputs are neither layers nor constants");
    return yo_onnx_add_constant(b, node, x, t);
}

/* A layer that other nodes use under its old name must not change under the new one. */
static enum yo_err same_layer(struct yo_onnx_build *b, const struct yo_onnx_node *node,
                              struct yo_onnx_layer *x) {
    int ignored;
    enum yo_err err =
        yo_onnx_uses(b, node->inputs[0]) > 1 ? yo_onnx_tensor_of(b, x, &ignored) : YO_OK;
    return err ? err : yo_onnx_alias(b, node, x);
}

/* To one row a position: [N, all]. */
static enum yo_err flatten(struct yo_onnx_build *b, const struct yo_onnx_node *node) {
    bool turned;
    struct yo_onnx_layer *x = yo_onnx_layer_turned(b, node->inputs[0], &turned);
    if (!x) return yo_onnx_wrong(b, node, "its input is not a layer");
    bool spatial = yo_onnx_is_spatial(b, x);
    int64_t all = (int64_t)yo_onnx_channels(b, x) * (spatial ? 81 : 1);
    if (yo_onnx_is(node->op, "Flatten")) {
        if (attr_int(node, "axis", 1) != 1)
            return yo_onnx_wrong(b, node, "only positions can be flattened one by one");
    } else {
        const struct yo_onnx_tensor *shape = constant(b, node, 1);
        if (!shape || shape->count != 2 || shape->type != 7)
            return yo_onnx_wrong(b, node, "a shape other than one row a position");
        double row = yo_onnx_number(shape, 1), rows = yo_onnx_number(shape, 0);
        if ((row != (double)all && row != -1) || (rows > 1 && row != (double)all))
            return yo_onnx_wrong(b, node, "a shape other than one row a position");
    }
    struct yo_onnx_layer layer = {.op = YO_NET_OP};
    layer.op.kind = YO_NET_FLATTEN;
    enum yo_err err = spatial ? yo_onnx_input(b, node, node->inputs[0], &layer.op) : YO_OK;
    if (!err) err = spatial ? yo_onnx_new_layer(b, node, &layer) : same_layer(b, node, x);
    if (!err) yo_onnx_turn(b, node, turned);
    return err;
}

static enum yo_err pass_on(struct yo_onnx_build *b, const struct yo_onnx_node *node) {
    bool turned;
    struct yo_onnx_layer *x = yo_onnx_layer_turned(b, node->inputs[0], &turned);
    enum yo_err err = x ? same_layer(b, node, x) : yo_onnx_rename_constant(b, node);
    if (!err) yo_onnx_turn(b, node, turned);
    return err;
}

static bool permutes(const struct yo_onnx_attr *perm, int count, int a, int b, int c) {
    const int64_t order[4] = {0, a, b, c};
    for (int i = 0; i < count; i++)
        if (perm->int_count != count || perm->ints[i] != order[i]) return false;
    return true;
}

/* Matrices of weights, and boards to channels last and back: a dense layer after it reads its
 * weights in another order. */
static enum yo_err transpose(struct yo_onnx_build *b, const struct yo_onnx_node *node) {
    const struct yo_onnx_attr *perm = yo_onnx_attr(node, "perm");
    bool turned, same;
    const struct yo_onnx_tensor *t = yo_onnx_constant_turned(b, node->inputs[0], &turned);
    struct yo_onnx_layer *x = yo_onnx_layer_turned(b, node->inputs[0], &turned);
    if (t && t->dim_count == 2) {
        same = perm && permutes(perm, 2, 1, 0, 0);
        if (!same && perm && (perm->int_count != 2 || perm->ints[0] != 1 || perm->ints[1] != 0))
            return yo_onnx_wrong(b, node, "its order is not one of two dimensions");
    } else if (x && yo_onnx_is_spatial(b, x) && perm) {
        same = permutes(perm, 4, 1, 2, 3);
        if (!same && !(turned ? permutes(perm, 4, 3, 1, 2) : permutes(perm, 4, 2, 3, 1)))
            return yo_onnx_wrong(b, node, "only channels can be moved to the end and back");
    } else {
        return yo_onnx_wrong(b, node, "its input is neither a matrix of weights nor a board");
    }
    int ignored;
    enum yo_err err = x ? yo_onnx_tensor_of(b, x, &ignored) : YO_OK;
    if (!err) err = pass_on(b, node);
    if (!err) yo_onnx_turn(b, node, turned != !same);
    return err;
}

/* The softmax is dropped: the evaluator applies it to the legal moves only. */
static enum yo_err softmax(struct yo_onnx_build *b, const struct yo_onnx_node *node) {
    if (node->output_count < 1 || !yo_onnx_is_output(b, node->outputs[0]))
        return yo_onnx_wrong(b, node, "only the policy may end in it");
    return pass_on(b, node);
}

enum yo_err yo_onnx_read_node(struct yo_onnx_build *b, const struct yo_onnx_node *node) {
    struct yo_onnx_name op = node->op;
    if (node->output_count < 1 || node->input_count < (yo_onnx_is(op, "Constant") ? 0 : 1))
        return yo_onnx_wrong(b, node, "it has no input or no output");
    if (yo_onnx_is(op, "Conv")) return conv(b, node);
    if (yo_onnx_is(op, "Gemm") || yo_onnx_is(op, "MatMul")) return dense(b, node);
    if (yo_onnx_is(op, "BatchNormalization")) return normalise(b, node);
    if (yo_onnx_is(op, "Relu")) return activation(b, node, YO_NET_RELU);
    if (yo_onnx_is(op, "Tanh")) return activation(b, node, YO_NET_TANH);
    if (yo_onnx_is(op, "Mish")) return activation(b, node, YO_NET_MISH);
    if (yo_onnx_is(op, "Sigmoid"))
        return is_gate(b, node) ? YO_OK : activation(b, node, YO_NET_SIGMOID);
    if (yo_onnx_is(op, "Mul")) return multiply(b, node);
    if (yo_onnx_is(op, "Add")) return add(b, node);
    if (yo_onnx_is(op, "Flatten") || yo_onnx_is(op, "Reshape")) return flatten(b, node);
    if (yo_onnx_is(op, "Identity") || yo_onnx_is(op, "Dropout") || yo_onnx_is(op, "Cast"))
        return pass_on(b, node);
    if (yo_onnx_is(op, "Transpose")) return transpose(b, node);
    if (yo_onnx_is(op, "Softmax") || yo_onnx_is(op, "LogSoftmax")) return softmax(b, node);
    if (yo_onnx_is(op, "Constant")) return yo_onnx_add_tensor(b, node);
    enum yo_err err = yo_onnx_wrong(b, node, "this operation is not supported");
    yo_diag_hint(b->diag,
                 "docs/networks.md lists those that are, such as Conv, Relu, Add and Gemm: "
                 "change the network and export it again");
    return err;
}
