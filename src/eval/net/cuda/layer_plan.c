#include "eval/net/cuda/layer_plan.h"

#include <string.h>

#include "base/alloc.h"
#include "eval/net/cuda/half.h"

static int round_up(int value, int to) { return (value + to - 1) / to * to; }

/* ---- the graph ---- */

bool yo_layer_reads_board(const struct yo_net_graph *graph, const struct yo_net_op *op) {
    return op->kind == YO_NET_DENSE && graph->tensors[op->in].spatial;
}

/* The only reader of a flattened board, if it is a dense layer that can read the board itself. */
static struct yo_net_op *only_dense(const struct yo_net_graph *graph, int tensor) {
    struct yo_net_op *found = NULL;
    for (int i = 0; i < graph->op_count; i++) {
        struct yo_net_op *op = &graph->ops[i];
        if (op->add == tensor || op->add_vector == tensor) return NULL;
        if (op->in != tensor) continue;
        if (found || op->kind != YO_NET_DENSE || op->add != YO_NET_NONE ||
            op->in_channels != graph->tensors[tensor].channels)
            return NULL;
        found = op;
    }
    for (int role = 0; found && role < YO_NET_ROLES; role++)
        if (graph->outputs[role] == tensor || graph->outputs[role] == found->out) return NULL;
    return found;
}

enum yo_err yo_layer_graph(const struct yo_net_graph *graph, struct yo_net_graph *own) {
    *own = *graph;
    own->ops = yo_alloc((size_t)graph->op_count + 1, sizeof *own->ops);
    if (!own->ops) return YO_ERR_NOMEM;
    memcpy(own->ops, graph->ops, (size_t)graph->op_count * sizeof *own->ops);
    for (int i = 0; i < own->op_count; i++) {
        if (own->ops[i].kind != YO_NET_FLATTEN || own->ops[i].in == 0) continue;
        struct yo_net_op *dense = only_dense(own, own->ops[i].out);
        if (!dense) continue;
        dense->in = own->ops[i].in;
        own->op_count--;
        memmove(&own->ops[i], &own->ops[i + 1], (size_t)(own->op_count - i) * sizeof *own->ops);
        i--;
    }
    return YO_OK;
}

/* ---- weights ---- */

size_t yo_layer_blob_put(struct yo_layer_blob *blob, const void *from, size_t bytes) {
    size_t at = blob->count;
    if (blob->bytes) memcpy(blob->bytes + at, from, bytes);
    blob->count += (bytes + 255) / 256 * 256;
    return at;
}

static enum yo_err put_conv(struct yo_layer_blob *blob, const struct yo_net_op *op,
                            struct yo_layer_weights *at) {
    int taps = op->kernel_y * op->kernel_x, inside = op->first_channel % 8;
    at->first_channel = op->first_channel - inside;
    at->padded_in = round_up(inside + op->in_channels, YO_LAYER_INPUTS);
    at->padded_out = round_up(op->out_channels, YO_LAYER_OUTPUTS);
    size_t row = (size_t)at->padded_in, tap_size = (size_t)at->padded_out * row;
    size_t bytes = (size_t)taps * tap_size * sizeof(uint16_t);
    uint16_t *packed = blob->bytes ? yo_alloc((size_t)taps * tap_size, sizeof *packed) : NULL;
    if (blob->bytes && !packed) return YO_ERR_NOMEM;
    for (int o = 0; packed && o < op->out_channels; o++)
        for (int i = 0; i < op->in_channels; i++)
            for (int tap = 0; tap < taps; tap++)
                packed[(size_t)tap * tap_size + (size_t)o * row + (size_t)(inside + i)] =
                    yo_half_from(op->weights[((size_t)o * (size_t)op->in_channels + (size_t)i) *
                                                 (size_t)taps +
                                             (size_t)tap]);
    at->weights = yo_layer_blob_put(blob, packed, bytes);
    yo_free(packed);
    return YO_OK;
}

static enum yo_err put_dense(struct yo_layer_blob *blob, const struct yo_net_op *op,
                             struct yo_layer_weights *at) {
    at->first_channel = op->first_channel;
    at->padded_in = op->in_channels;
    at->padded_out = round_up(op->out_channels, YO_DENSE_OUTPUTS);
    size_t row = (size_t)at->padded_out, count = (size_t)op->in_channels * row;
    float *packed = blob->bytes ? yo_alloc(count, sizeof *packed) : NULL;
    if (blob->bytes && !packed) return YO_ERR_NOMEM;
    for (int o = 0; packed && o < op->out_channels; o++)
        for (int i = 0; i < op->in_channels; i++)
            packed[(size_t)i * row + (size_t)o] =
                op->weights[(size_t)o * (size_t)op->in_channels + (size_t)i];
    at->weights = yo_layer_blob_put(blob, packed, count * sizeof *packed);
    yo_free(packed);
    return YO_OK;
}

/* Inputs in the order of a board in memory: points outside, channels inside. */
static enum yo_err put_board_dense(struct yo_layer_blob *blob, const struct yo_net_graph *graph,
                                   const struct yo_net_op *op, struct yo_layer_weights *at) {
    int channels = graph->tensors[op->in].channels, stride = yo_layer_stride(graph, op->in);
    int points = op->in_channels / channels;
    at->padded_in = round_up(points * stride, YO_LAYER_INPUTS);
    at->padded_out = round_up(op->out_channels, YO_LAYER_OUTPUTS);
    size_t row = (size_t)at->padded_in, count = (size_t)at->padded_out * row;
    uint16_t *packed = blob->bytes ? yo_alloc(count, sizeof *packed) : NULL;
    if (blob->bytes && !packed) return YO_ERR_NOMEM;
    for (int o = 0; packed && o < op->out_channels; o++)
        for (int c = 0; c < channels; c++)
            for (int p = 0; p < points; p++)
                packed[(size_t)o * row + (size_t)(p * stride + c)] = yo_half_from(
                    op->weights[(size_t)o * (size_t)op->in_channels + (size_t)(c * points + p)]);
    at->weights = yo_layer_blob_put(blob, packed, count * sizeof *packed);
    yo_free(packed);
    return YO_OK;
}

enum yo_err yo_layer_put(struct yo_layer_blob *blob, const struct yo_net_graph *graph,
                         const struct yo_net_op *op, struct yo_layer_weights *at) {
    size_t channels = (size_t)op->out_channels * sizeof(float);
    enum yo_err err = YO_OK;
    *at = (struct yo_layer_weights){.weights = YO_LAYER_NOWHERE, .bias = YO_LAYER_NOWHERE};
    if (op->kind == YO_NET_CONV) err = put_conv(blob, op, at);
    if (op->kind == YO_NET_DENSE)
        err = yo_layer_reads_board(graph, op) ? put_board_dense(blob, graph, op, at)
                                              : put_dense(blob, op, at);
    if (op->kind == YO_NET_AFFINE && op->scale)
        at->weights = yo_layer_blob_put(blob, op->scale, channels);
    if (op->kind != YO_NET_FLATTEN && op->bias)
        at->bias = yo_layer_blob_put(blob, op->bias, channels);
    return err;
}

/* ---- places ---- */

int yo_layer_stride(const struct yo_net_graph *graph, int tensor) {
    const struct yo_net_tensor *t = &graph->tensors[tensor];
    return t->spatial ? round_up(t->channels, 8) : t->channels;
}

size_t yo_layer_bytes(const struct yo_net_graph *graph, int tensor, int size) {
    size_t stride = (size_t)yo_layer_stride(graph, tensor);
    if (!graph->tensors[tensor].spatial) return (stride * sizeof(float) + 15) / 16 * 16;
    return stride * (size_t)size * (size_t)size * sizeof(uint16_t);
}

/* The last operation that reads each tensor, of those not done; -1: none. */
static int last_use(const struct yo_net_graph *graph, const bool *done, int tensor) {
    for (int i = graph->op_count - 1; i >= 0; i--) {
        const struct yo_net_op *op = &graph->ops[i];
        if ((!done || !done[i]) &&
            (op->in == tensor || op->add == tensor || op->add_vector == tensor))
            return i;
    }
    return -1;
}

struct span { /* of the memory, that a tensor has until an operation is over */
    size_t from, to;
    int until;
};

/* The lowest place of so many bytes that no span covers at this time. */
static size_t find_place(const struct span *spans, int count, int now, size_t bytes) {
    size_t at = 0;
    for (bool moved = true; moved;) {
        moved = false;
        for (int i = 0; i < count; i++)
            if (spans[i].until >= now && at < spans[i].to && at + bytes > spans[i].from) {
                at = spans[i].to;
                moved = true;
            }
    }
    return at;
}

enum yo_err yo_layer_places_init(struct yo_layer_places *places, const struct yo_net_graph *graph,
                                 int size, const bool *done, const int *given, int given_count,
                                 int stride_given) {
    struct span *spans = yo_alloc((size_t)graph->tensor_count, sizeof *spans);
    int count = 0;
    *places = (struct yo_layer_places){0};
    places->offset = yo_alloc((size_t)graph->tensor_count, sizeof *places->offset);
    if (!spans || !places->offset) {
        yo_free(spans);
        yo_layer_places_free(places);
        return YO_ERR_NOMEM;
    }
    for (int t = 0; t < graph->tensor_count; t++) {
        int maker = -1, until = last_use(graph, done, t);
        for (int i = 0; i < graph->op_count; i++)
            if (graph->ops[i].out == t) maker = i;
        places->offset[t] = YO_LAYER_NOWHERE;
        bool is_given = false;
        for (int i = 0; i < given_count; i++)
            is_given = is_given || given[i] == t;
        bool made_before = is_given || t == 0; /* by the fused kernel, or expanded */
        if (t == 1 || (!made_before && done && maker >= 0 && done[maker])) continue;
        if (until < 0 && !is_given) continue; /* no operation reads it here */
        size_t bytes = yo_layer_bytes(graph, t, size);
        if (is_given && stride_given)
            bytes = (size_t)stride_given * (size_t)(size * size) * sizeof(uint16_t);
        struct span span = {.until = until};
        span.from = find_place(spans, count, made_before ? -1 : maker, bytes);
        span.to = span.from + bytes;
        places->offset[t] = span.from;
        if (span.to > places->bytes) places->bytes = span.to;
        if (span.until < 0) span.until = graph->op_count;
        spans[count++] = span;
    }
    yo_free(spans);
    return YO_OK;
}

void yo_layer_places_free(struct yo_layer_places *places) {
    yo_free(places->offset);
    *places = (struct yo_layer_places){0};
}

/* ---- launches ---- */

enum yo_layer_kernel yo_layer_kernel_of(const struct yo_net_graph *graph,
                                        const struct yo_net_op *op) {
    if (yo_layer_reads_board(graph, op)) return YO_LAYER_CONV;
    switch (op->kind) {
    case YO_NET_CONV:
        return YO_LAYER_CONV;
    case YO_NET_AFFINE:
        return YO_LAYER_AFFINE;
    case YO_NET_POOL:
        return YO_LAYER_POOL;
    case YO_NET_DENSE:
        return YO_LAYER_DENSE;
    case YO_NET_FLATTEN:
        break;
    }
    return YO_LAYER_FLATTEN;
}

unsigned yo_layer_blocks(enum yo_layer_kernel kernel, const struct yo_layer_job *job,
                         int processors) {
    size_t boards = (size_t)job->count, points = (size_t)job->points, threads;
    switch (kernel) {
    case YO_LAYER_CONV:
        return (unsigned)((boards * points + YO_LAYER_ROWS - 1) / YO_LAYER_ROWS *
                          (size_t)(job->padded_out / YO_LAYER_OUTPUTS));
    case YO_LAYER_DENSE:
        return (unsigned)((boards + YO_DENSE_BOARDS - 1) / YO_DENSE_BOARDS *
                          (size_t)(job->padded_out / YO_DENSE_OUTPUTS));
    case YO_LAYER_POOL:
        threads = boards * (size_t)(job->in_stride / 8) * 32;
        break;
    case YO_LAYER_PICK:
        threads = boards * 32;
        break;
    case YO_LAYER_EXPAND:
        threads = boards * points * (size_t)(job->out_stride / 8);
        break;
    case YO_LAYER_AFFINE:
        threads = boards * (size_t)job->out_stride;
        if (job->spatial) threads = threads / 8 * points; /* eight channels each */
        break;
    default:
        threads = boards * (size_t)job->out_channels * points;
        break;
    }
    size_t blocks = (threads + YO_LAYER_THREADS - 1) / YO_LAYER_THREADS;
    size_t most = (size_t)processors * 8; /* the rest in a loop */
    return (unsigned)(blocks < most ? blocks : most);
}
