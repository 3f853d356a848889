#include "eval/net/onnx_build.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/diag.h"

enum { MAX_VALUES = 4 * YO_ONNX_MAX_NODES };

enum yo_err yo_onnx_no_memory(struct yo_onnx_build *b) {
    return yo_diag_set(b->diag, YO_ERR_NOMEM, "not enough memory for the network");
}

/* Names come from the file: unprintable characters become '?'. */
static void copy_name(struct yo_onnx_name name, char *out, size_t size) {
    size_t len = 0;
    for (size_t i = 0; i < name.len && len + 1 < size; i++)
        out[len++] = name.at[i] > ' ' && name.at[i] < 127 ? name.at[i] : '?';
    out[len] = '\0';
}

enum yo_err yo_onnx_wrong(struct yo_onnx_build *b, const struct yo_onnx_node *node,
                          const char *what) {
    char op[32], name[64];
    copy_name(node->op, op, sizeof op);
    copy_name(node->name.len || !node->output_count ? node->name : node->outputs[0], name,
              sizeof name);
    return yo_diag_set(b->diag, YO_ERR_UNSUPPORTED, "%s '%s': %s", op, name, what);
}

/* ---- values ---- */

static enum yo_err add_value(struct yo_onnx_build *b, struct yo_onnx_value value) {
    if (b->value_count == b->value_room) {
        int room = b->value_room ? b->value_room * 2 : 256;
        void *more = room > MAX_VALUES ? NULL : yo_realloc(b->values, (size_t)room, sizeof value);
        if (!more) return yo_onnx_no_memory(b);
        b->values = more;
        b->value_room = room;
    }
    b->values[b->value_count++] = value;
    return YO_OK;
}

static struct yo_onnx_value *find(struct yo_onnx_build *b, struct yo_onnx_name name) {
    for (int i = b->value_count - 1; i >= 0; i--)
        if (yo_onnx_same(b->values[i].name, name)) return &b->values[i];
    return NULL;
}

enum yo_err yo_onnx_build_start(struct yo_onnx_build *b) {
    b->layers = yo_alloc((size_t)b->model->node_count + 1, sizeof *b->layers);
    if (!b->layers) return yo_onnx_no_memory(b);
    enum yo_err err = YO_OK;
    for (int i = 0; i < b->model->tensor_count && !err; i++) {
        const struct yo_onnx_tensor *t = &b->model->tensors[i];
        err = add_value(b, (struct yo_onnx_value){.name = t->name, .layer = -1, .constant = t});
    }
    return err;
}

void yo_onnx_build_end(struct yo_onnx_build *b) {
    yo_free(b->layers);
    yo_free(b->values);
}

enum yo_err yo_onnx_bind_input(struct yo_onnx_build *b, struct yo_onnx_name name, int first,
                               int planes) {
    return add_value(
        b, (struct yo_onnx_value){.name = name, .layer = -1, .first = first, .planes = planes});
}

struct yo_onnx_layer *yo_onnx_layer_turned(struct yo_onnx_build *b, struct yo_onnx_name name,
                                           bool *turned) {
    const struct yo_onnx_value *value = find(b, name);
    *turned = value && value->turned;
    return value && value->layer >= 0 ? &b->layers[value->layer] : NULL;
}

struct yo_onnx_layer *yo_onnx_layer(struct yo_onnx_build *b, struct yo_onnx_name name) {
    bool turned;
    struct yo_onnx_layer *layer = yo_onnx_layer_turned(b, name, &turned);
    return turned ? NULL : layer;
}

const struct yo_onnx_tensor *yo_onnx_constant_turned(struct yo_onnx_build *b,
                                                     struct yo_onnx_name name, bool *turned) {
    const struct yo_onnx_value *value = find(b, name);
    *turned = value && value->turned;
    return value ? value->constant : NULL;
}

const struct yo_onnx_tensor *yo_onnx_constant(struct yo_onnx_build *b, struct yo_onnx_name name) {
    bool turned;
    const struct yo_onnx_tensor *tensor = yo_onnx_constant_turned(b, name, &turned);
    return turned ? NULL : tensor;
}

void yo_onnx_turn(struct yo_onnx_build *b, const struct yo_onnx_node *node, bool turned) {
    find(b, node->outputs[0])->turned = turned;
}

const struct yo_onnx_node *yo_onnx_maker(struct yo_onnx_build *b, struct yo_onnx_name name) {
    for (int i = 0; i < b->model->node_count; i++) {
        const struct yo_onnx_node *node = &b->model->nodes[i];
        if (node->output_count > 0 && yo_onnx_same(node->outputs[0], name)) return node;
    }
    return NULL;
}

bool yo_onnx_is_output(struct yo_onnx_build *b, struct yo_onnx_name name) {
    for (int i = 0; i < b->model->output_count; i++)
        if (yo_onnx_same(b->model->outputs[i].name, name)) return true;
    return false;
}

int yo_onnx_uses(struct yo_onnx_build *b, struct yo_onnx_name name) {
    int uses = yo_onnx_is_output(b, name);
    for (int i = 0; i < b->model->node_count; i++)
        for (int k = 0; k < b->model->nodes[i].input_count; k++)
            uses += yo_onnx_same(b->model->nodes[i].inputs[k], name);
    return uses;
}

/* ---- layers ---- */

static const struct yo_net_tensor *in_of(const struct yo_onnx_build *b,
                                         const struct yo_onnx_layer *layer) {
    return &b->graph->tensors[layer->op.in];
}

int yo_onnx_channels(const struct yo_onnx_build *b, const struct yo_onnx_layer *layer) {
    int in = in_of(b, layer)->channels;
    if (layer->op.kind == YO_NET_FLATTEN) return in * 81;
    return layer->op.kind == YO_NET_AFFINE ? in : layer->op.out_channels;
}

bool yo_onnx_is_spatial(const struct yo_onnx_build *b, const struct yo_onnx_layer *layer) {
    return layer->op.kind == YO_NET_CONV ||
           (layer->op.kind == YO_NET_AFFINE && in_of(b, layer)->spatial);
}

enum yo_err yo_onnx_tensor_of(struct yo_onnx_build *b, struct yo_onnx_layer *layer, int *tensor) {
    if (!layer->tensor) {
        layer->op.weights = layer->weights;
        layer->op.bias = layer->bias;
        enum yo_err err = yo_net_graph_add(b->graph, &layer->op, &layer->tensor, b->diag);
        if (err) return err;
    }
    *tensor = layer->tensor;
    return YO_OK;
}

enum yo_err yo_onnx_input(struct yo_onnx_build *b, const struct yo_onnx_node *node,
                          struct yo_onnx_name name, struct yo_net_op *op) {
    const struct yo_onnx_value *value = find(b, name);
    if (value && value->planes > 0 && op->kind == YO_NET_CONV) {
        if (op->in_channels != value->planes)
            return yo_onnx_wrong(b, node, "the input has another number of planes");
        op->in = 0;
        op->first_channel = value->first;
        return YO_OK;
    }
    if (!value || value->layer < 0) return yo_onnx_wrong(b, node, "its input is not a layer");
    if (value->turned && op->kind != YO_NET_DENSE && op->kind != YO_NET_FLATTEN)
        return yo_onnx_wrong(b, node, "its input is transposed");
    enum yo_err err = yo_onnx_tensor_of(b, &b->layers[value->layer], &op->in);
    if (err) return err;
    const struct yo_net_tensor *in = &b->graph->tensors[op->in];
    bool counted = op->kind == YO_NET_CONV || op->kind == YO_NET_DENSE;
    if (counted && (in->channels != op->in_channels || in->spatial != (op->kind == YO_NET_CONV)))
        return yo_onnx_wrong(b, node, "its input has another shape");
    return YO_OK;
}

static enum yo_err copy_floats(struct yo_onnx_build *b, const struct yo_onnx_node *node,
                               const struct yo_onnx_tensor *t, float **out) {
    if (t->type != 1 && t->type != 10 && t->type != 11)
        return yo_onnx_wrong(b, node, "its constants are not numbers of a known kind");
    *out = yo_net_graph_floats(b->graph, t->count);
    if (!*out) return yo_onnx_no_memory(b);
    yo_onnx_floats(t, *out);
    for (size_t i = 0; i < t->count; i++)
        if (!isfinite((*out)[i])) return yo_onnx_wrong(b, node, "a weight is not a finite number");
    return YO_OK;
}

enum yo_err yo_onnx_weights(struct yo_onnx_build *b, const struct yo_onnx_node *node,
                            const struct yo_onnx_tensor *t, bool transpose,
                            struct yo_onnx_layer *layer) {
    enum yo_err err = copy_floats(b, node, t, &layer->weights);
    if (err || !transpose) return err;
    size_t in = (size_t)layer->op.in_channels, out = (size_t)layer->op.out_channels;
    float *turned = yo_net_graph_floats(b->graph, t->count);
    if (!turned) return yo_onnx_no_memory(b);
    for (size_t i = 0; i < in; i++)
        for (size_t o = 0; o < out; o++)
            turned[o * in + i] = layer->weights[i * out + o];
    layer->weights = turned;
    return YO_OK;
}

enum yo_err yo_onnx_turn_weights(struct yo_onnx_build *b, struct yo_onnx_layer *layer) {
    size_t in = (size_t)layer->op.in_channels, out = (size_t)layer->op.out_channels;
    size_t channels = in / 81;
    float *turned = yo_net_graph_floats(b->graph, in * out);
    if (!turned) return yo_onnx_no_memory(b);
    for (size_t o = 0; o < out; o++)
        for (size_t c = 0; c < channels; c++)
            for (size_t p = 0; p < 81; p++)
                turned[o * in + c * 81 + p] = layer->weights[o * in + p * channels + c];
    layer->weights = turned;
    return YO_OK;
}

enum yo_err yo_onnx_bias(struct yo_onnx_build *b, const struct yo_onnx_node *node,
                         const struct yo_onnx_tensor *t, struct yo_onnx_layer *layer) {
    if (t->count != (size_t)layer->op.out_channels)
        return yo_onnx_wrong(b, node, "its bias has another number of channels");
    return copy_floats(b, node, t, &layer->bias);
}

enum yo_err yo_onnx_new_layer(struct yo_onnx_build *b, const struct yo_onnx_node *node,
                              const struct yo_onnx_layer *layer) {
    struct yo_onnx_layer *made = &b->layers[b->layer_count];
    *made = *layer;
    copy_name(node->name, made->op.name, sizeof made->op.name);
    /* A node makes at most one layer, and `layers` has room for one per node. */
    return add_value(b,
                     (struct yo_onnx_value){.name = node->outputs[0], .layer = b->layer_count++});
}

enum yo_err yo_onnx_alias(struct yo_onnx_build *b, const struct yo_onnx_node *node,
                          const struct yo_onnx_layer *layer) {
    return add_value(
        b, (struct yo_onnx_value){.name = node->outputs[0], .layer = (int)(layer - b->layers)});
}

enum yo_err yo_onnx_rename_constant(struct yo_onnx_build *b, const struct yo_onnx_node *node) {
    bool turned;
    const struct yo_onnx_tensor *t = yo_onnx_constant_turned(b, node->inputs[0], &turned);
    if (!t) return yo_onnx_wrong(b, node, "its input is neither a layer nor a constant");
    return add_value(b,
                     (struct yo_onnx_value){
                         .name = node->outputs[0], .layer = -1, .constant = t, .turned = turned});
}

enum yo_err yo_onnx_add_tensor(struct yo_onnx_build *b, const struct yo_onnx_node *node) {
    const struct yo_onnx_attr *attr = yo_onnx_attr(node, "value");
    if (!attr || !attr->has_tensor) return yo_onnx_wrong(b, node, "its value is not a tensor");
    return add_value(b, (struct yo_onnx_value){
                            .name = node->outputs[0], .layer = -1, .constant = &attr->tensor});
}

/* ---- what follows a layer and can become part of it ---- */

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

static enum yo_err merge(struct yo_onnx_build *b, struct yo_onnx_layer *x,
                         const struct yo_onnx_layer *y) {
    const struct yo_net_op *p = &x->op, *q = &y->op;
    struct yo_net_op op = *p;
    op.kernel_y = most(p->kernel_y, q->kernel_y);
    op.kernel_x = most(p->kernel_x, q->kernel_x);
    op.first_channel = least(p->first_channel, q->first_channel);
    op.in_channels = most(p->first_channel + p->in_channels, q->first_channel + q->in_channels) -
                     op.first_channel;
    size_t taps = (size_t)op.kernel_y * (size_t)op.kernel_x;
    float *weights =
        yo_net_graph_floats(b->graph, (size_t)op.out_channels * (size_t)op.in_channels * taps);
    float *bias = yo_net_graph_floats(b->graph, (size_t)op.out_channels);
    if (!weights || !bias) return yo_onnx_no_memory(b);
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
        enum yo_err err = merge(b, x, y);
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
    float *numbers, *bias = yo_net_graph_floats(b->graph, channels);
    if (!bias) return yo_onnx_no_memory(b);
    enum yo_err err = copy_floats(b, node, t, &numbers);
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
