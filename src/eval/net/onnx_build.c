#include "eval/net/onnx_build.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/diag.h"

enum { MAX_VALUES = 4 * YO_ONNX_MAX_NODES, MAX_SHARING = 8 };

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

static size_t count_numbers(const struct yo_onnx_model *model) {
    size_t count = 0;
    for (int i = 0; i < model->tensor_count; i++)
        count += model->tensors[i].count;
    for (int i = 0; i < model->node_count; i++)
        for (int k = 0; k < model->nodes[i].attr_count; k++)
            count += model->nodes[i].attrs[k].tensor.count;
    return count;
}

enum yo_err yo_onnx_build_start(struct yo_onnx_build *b) {
    b->numbers_left = MAX_SHARING * count_numbers(b->model);
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

enum yo_err yo_onnx_new_floats(struct yo_onnx_build *b, const struct yo_onnx_node *node,
                               size_t count, float **out) {
    if (count > b->numbers_left)
        return yo_onnx_wrong(b, node, "the layers have far more numbers than the file");
    b->numbers_left -= count;
    *out = yo_net_graph_floats(b->graph, count);
    return *out ? YO_OK : yo_onnx_no_memory(b);
}

enum yo_err yo_onnx_copy_floats(struct yo_onnx_build *b, const struct yo_onnx_node *node,
                                const struct yo_onnx_tensor *t, float **out) {
    if (!yo_onnx_is_real(t))
        return yo_onnx_wrong(b, node, "its constants are not numbers of a known kind");
    enum yo_err err = yo_onnx_new_floats(b, node, t->count, out);
    if (err) return err;
    yo_onnx_floats(t, *out);
    for (size_t i = 0; i < t->count; i++)
        if (!isfinite((*out)[i])) return yo_onnx_wrong(b, node, "a weight is not a finite number");
    return YO_OK;
}

enum yo_err yo_onnx_weights(struct yo_onnx_build *b, const struct yo_onnx_node *node,
                            const struct yo_onnx_tensor *t, bool transpose,
                            struct yo_onnx_layer *layer) {
    enum yo_err err = yo_onnx_copy_floats(b, node, t, &layer->weights);
    if (err || !transpose) return err;
    size_t in = (size_t)layer->op.in_channels, out = (size_t)layer->op.out_channels;
    float *turned;
    if ((err = yo_onnx_new_floats(b, node, t->count, &turned))) return err;
    for (size_t i = 0; i < in; i++)
        for (size_t o = 0; o < out; o++)
            turned[o * in + i] = layer->weights[i * out + o];
    layer->weights = turned;
    return YO_OK;
}

enum yo_err yo_onnx_turn_weights(struct yo_onnx_build *b, const struct yo_onnx_node *node,
                                 struct yo_onnx_layer *layer) {
    size_t in = (size_t)layer->op.in_channels, out = (size_t)layer->op.out_channels;
    size_t channels = in / 81;
    float *turned;
    enum yo_err err = yo_onnx_new_floats(b, node, in * out, &turned);
    if (err) return err;
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
    return yo_onnx_copy_floats(b, node, t, &layer->bias);
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
