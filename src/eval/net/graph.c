#include "eval/net/graph.h"

#include <string.h>

#include "base/alloc.h"
#include "base/diag.h"

static enum yo_err no_memory(struct yo_diag *diag) {
    return yo_diag_set(diag, YO_ERR_NOMEM, "not enough memory for the network");
}

/* Makes room for one more of `size` bytes. */
static bool grow(void *array, int count, int *room, size_t size) {
    if (count < *room) return true;
    int more = *room ? *room * 2 : 64;
    void *block;
    memcpy(&block, array, sizeof block);
    block = yo_realloc(block, (size_t)more, size);
    if (!block) return false;
    memcpy(array, &block, sizeof block);
    *room = more;
    return true;
}

static bool add_tensor(struct yo_net_graph *graph, int channels, bool spatial) {
    if (!grow(&graph->tensors, graph->tensor_count, &graph->tensor_room, sizeof *graph->tensors))
        return false;
    graph->tensors[graph->tensor_count++] =
        (struct yo_net_tensor){.channels = channels, .spatial = spatial};
    return true;
}

enum yo_err yo_net_graph_init(struct yo_net_graph *graph, int planes, int globals,
                              struct yo_diag *diag) {
    *graph = (struct yo_net_graph){.planes = planes, .globals = globals};
    for (int role = 0; role < YO_NET_ROLES; role++)
        graph->outputs[role] = YO_NET_NONE;
    if (planes < 1 || planes > YO_NET_MAX_PLANES)
        return yo_diag_set(diag, YO_ERR_UNSUPPORTED, "%d input planes; 1 to %d are supported",
                           planes, YO_NET_MAX_PLANES);
    if (globals < 0 || globals > YO_NET_MAX_CHANNELS)
        return yo_diag_set(diag, YO_ERR_UNSUPPORTED, "%d global inputs", globals);
    if (add_tensor(graph, planes, true) && add_tensor(graph, globals, false)) return YO_OK;
    yo_net_graph_free(graph);
    return no_memory(diag);
}

void yo_net_graph_free(struct yo_net_graph *graph) {
    for (int i = 0; i < graph->block_count; i++)
        yo_free(graph->blocks[i]);
    yo_free(graph->blocks);
    yo_free(graph->tensors);
    yo_free(graph->ops);
    *graph = (struct yo_net_graph){0};
}

enum yo_err yo_net_graph_adopt(struct yo_net_graph *graph, float *block) {
    if (!grow(&graph->blocks, graph->block_count, &graph->block_room, sizeof *graph->blocks)) {
        yo_free(block);
        return YO_ERR_NOMEM;
    }
    graph->blocks[graph->block_count++] = block;
    return YO_OK;
}

float *yo_net_graph_floats(struct yo_net_graph *graph, size_t count) {
    float *block = yo_alloc(count, sizeof *block);
    if (!block || yo_net_graph_adopt(graph, block)) return NULL;
    return block;
}

/* ---- shapes ---- */

static enum yo_err wrong(const struct yo_net_op *op, struct yo_diag *diag, const char *what) {
    return yo_diag_set(diag, YO_ERR_PARSE, "%s: %s", op->name[0] ? op->name : "a layer", what);
}

static bool is_tensor(const struct yo_net_graph *graph, int tensor) {
    return tensor >= 0 && tensor < graph->tensor_count;
}

static enum yo_err check_conv(const struct yo_net_op *op, struct yo_diag *diag) {
    if (op->kernel_y < 1 || op->kernel_x < 1 || op->kernel_y > 2 * YO_NET_MAX_SIZE ||
        op->kernel_x > 2 * YO_NET_MAX_SIZE || op->kernel_y % 2 == 0 || op->kernel_x % 2 == 0)
        return wrong(op, diag, "the sides of a kernel are odd numbers below 38");
    if (op->dilation_y < 1 || op->dilation_x < 1 || op->dilation_y > YO_NET_MAX_SIZE ||
        op->dilation_x > YO_NET_MAX_SIZE)
        return wrong(op, diag, "a dilation is 1 to 19");
    return YO_OK;
}

static enum yo_err check_input(const struct yo_net_graph *graph, const struct yo_net_op *op,
                               struct yo_diag *diag) {
    if (!is_tensor(graph, op->in)) return wrong(op, diag, "its input does not exist");
    const struct yo_net_tensor *in = &graph->tensors[op->in];
    bool spatial = op->kind == YO_NET_CONV || op->kind == YO_NET_POOL || op->kind == YO_NET_FLATTEN;
    if (op->kind != YO_NET_AFFINE && in->spatial != spatial)
        return wrong(op, diag, spatial ? "its input is a vector" : "its input is a board");
    if (op->kind == YO_NET_CONV || op->kind == YO_NET_DENSE) {
        if (op->first_channel < 0 || op->in_channels < 1 ||
            op->first_channel > in->channels - op->in_channels)
            return wrong(op, diag, "its input has another number of channels");
        if (!op->weights) return wrong(op, diag, "it has no weights");
    }
    if (op->kind == YO_NET_CONV) return check_conv(op, diag);
    if (op->kind == YO_NET_FLATTEN && graph->fixed_size == 0)
        return wrong(op, diag, "a network for boards of any size cannot flatten one");
    return YO_OK;
}

static int out_channels(const struct yo_net_graph *graph, const struct yo_net_op *op) {
    int in = graph->tensors[op->in].channels;
    switch (op->kind) {
    case YO_NET_AFFINE:
        return in;
    case YO_NET_POOL:
        return 3 * in;
    case YO_NET_FLATTEN:
        return in * graph->fixed_size * graph->fixed_size;
    case YO_NET_CONV:
    case YO_NET_DENSE:
        break;
    }
    return op->out_channels;
}

static enum yo_err check_added(const struct yo_net_graph *graph, const struct yo_net_op *op,
                               bool spatial, struct yo_diag *diag) {
    if (op->add != YO_NET_NONE) {
        if (!is_tensor(graph, op->add)) return wrong(op, diag, "what is added does not exist");
        const struct yo_net_tensor *add = &graph->tensors[op->add];
        if (add->spatial != spatial || add->channels != op->out_channels)
            return wrong(op, diag, "what is added has another shape");
    }
    if (op->add_vector != YO_NET_NONE) {
        if (!is_tensor(graph, op->add_vector))
            return wrong(op, diag, "what is added does not exist");
        const struct yo_net_tensor *add = &graph->tensors[op->add_vector];
        if (add->spatial || add->channels != op->out_channels)
            return wrong(op, diag, "what is added has another shape");
    }
    return YO_OK;
}

enum yo_err yo_net_graph_add(struct yo_net_graph *graph, const struct yo_net_op *op, int *out,
                             struct yo_diag *diag) {
    enum yo_err err = check_input(graph, op, diag);
    if (err) return err;
    if (graph->op_count >= YO_NET_MAX_OPS)
        return yo_diag_set(diag, YO_ERR_UNSUPPORTED, "a network of more than %d operations",
                           YO_NET_MAX_OPS);
    struct yo_net_op added = *op;
    added.out_channels = out_channels(graph, op);
    if (op->kind != YO_NET_CONV && op->kind != YO_NET_DENSE)
        added.in_channels = graph->tensors[op->in].channels;
    if (added.out_channels < 1 || added.out_channels > YO_NET_MAX_CHANNELS)
        return wrong(op, diag, "it has too many channels, or none");
    bool spatial =
        op->kind == YO_NET_CONV || (op->kind == YO_NET_AFFINE && graph->tensors[op->in].spatial);
    err = check_added(graph, &added, spatial, diag);
    if (err) return err;
    if (!grow(&graph->ops, graph->op_count, &graph->op_room, sizeof *graph->ops) ||
        !add_tensor(graph, added.out_channels, spatial))
        return no_memory(diag);
    added.out = graph->tensor_count - 1;
    graph->ops[graph->op_count++] = added;
    *out = added.out;
    return YO_OK;
}

/* ---- queries ---- */

size_t yo_net_tensor_floats(const struct yo_net_graph *graph, int tensor, int size) {
    const struct yo_net_tensor *t = &graph->tensors[tensor];
    return (size_t)t->channels * (t->spatial ? (size_t)size * (size_t)size : 1);
}

static size_t weight_count(const struct yo_net_op *op) {
    size_t pair = (size_t)op->in_channels * (size_t)op->out_channels;
    if (op->kind == YO_NET_CONV) return pair * (size_t)op->kernel_y * (size_t)op->kernel_x;
    return op->kind == YO_NET_DENSE ? pair : 0;
}

static bool reads_channel(const struct yo_net_op *op, int channel) {
    size_t taps = (size_t)op->kernel_y * (size_t)op->kernel_x;
    for (int o = 0; o < op->out_channels; o++) {
        size_t first = ((size_t)o * (size_t)op->in_channels + (size_t)channel) * taps;
        for (size_t k = 0; k < taps; k++)
            if (op->weights[first + k] != 0) return true;
    }
    return false;
}

void yo_net_graph_planes_used(const struct yo_net_graph *graph,
                              uint64_t used[YO_NET_MAX_PLANES / 64]) {
    memset(used, 0, YO_NET_MAX_PLANES / 64 * sizeof used[0]);
    for (int i = 0; i < graph->op_count; i++) {
        const struct yo_net_op *op = &graph->ops[i];
        bool all = op->add == 0 || (op->in == 0 && op->kind != YO_NET_CONV);
        if (!all && op->in != 0) continue;
        int first = all ? 0 : op->first_channel;
        int count = all ? graph->planes : op->in_channels;
        for (int c = 0; c < count; c++) {
            int plane = first + c;
            if (all || reads_channel(op, c)) used[plane / 64] |= UINT64_C(1) << (plane % 64);
        }
    }
}

bool yo_net_graph_is_zero(const struct yo_net_graph *graph, enum yo_net_role role) {
    for (int i = 0; i < graph->op_count; i++) {
        const struct yo_net_op *op = &graph->ops[i];
        if (op->out != graph->outputs[role]) continue;
        if (!op->weights || op->add != YO_NET_NONE || op->add_vector != YO_NET_NONE) return false;
        for (size_t w = 0; w < weight_count(op); w++)
            if (op->weights[w] != 0) return false;
        for (int c = 0; op->bias && c < op->out_channels; c++)
            if (op->bias[c] != 0) return false;
    }
    return true;
}

uint64_t yo_net_graph_parameters(const struct yo_net_graph *graph) {
    uint64_t sum = 0;
    for (int i = 0; i < graph->op_count; i++) {
        const struct yo_net_op *op = &graph->ops[i];
        sum += weight_count(op);
        if (op->bias) sum += (uint64_t)op->out_channels;
        if (op->scale) sum += (uint64_t)op->out_channels;
    }
    return sum;
}

uint64_t yo_net_graph_operations(const struct yo_net_graph *graph, int size) {
    uint64_t sum = 0, points = (uint64_t)size * (uint64_t)size;
    for (int i = 0; i < graph->op_count; i++) {
        const struct yo_net_op *op = &graph->ops[i];
        sum += weight_count(op) * (op->kind == YO_NET_CONV ? points : 1);
        if (op->kind == YO_NET_AFFINE && op->scale)
            sum += yo_net_tensor_floats(graph, op->out, size);
    }
    return sum;
}
