#include "eval/net/reference.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/diag.h"

struct worker {
    const struct yo_net_graph *graph;
    int size, max_batch;
    float **tensors; /* of the current position */
    float *floats;   /* all of them */
};

static bool available(void) { return true; }

static enum yo_err compile(const struct yo_net_graph *graph, void **program, struct yo_diag *diag) {
    (void)diag;
    *program = (void *)(uintptr_t)graph; /* only read; there is nothing to prepare */
    return YO_OK;
}

static void program_delete(void *program) { (void)program; }

static void worker_delete(void *ctx) {
    struct worker *worker = ctx;
    if (!worker) return;
    yo_free(worker->floats);
    yo_free(worker->tensors);
    yo_free(worker);
}

static enum yo_err worker_new(void *program, int size, int max_batch, void **out,
                              struct yo_diag *diag) {
    const struct yo_net_graph *graph = program;
    size_t total = 0;
    for (int t = 0; t < graph->tensor_count; t++)
        total += yo_net_tensor_floats(graph, t, size);
    struct worker *worker = yo_alloc(1, sizeof *worker);
    if (worker) {
        *worker = (struct worker){.graph = graph, .size = size, .max_batch = max_batch};
        worker->tensors = yo_alloc((size_t)graph->tensor_count, sizeof *worker->tensors);
        worker->floats = yo_alloc(total, sizeof *worker->floats);
    }
    if (!worker || !worker->tensors || !worker->floats) {
        worker_delete(worker);
        return yo_diag_set(diag, YO_ERR_NOMEM, "not enough memory to run the network");
    }
    float *next = worker->floats;
    for (int t = 0; t < graph->tensor_count; t++) {
        worker->tensors[t] = next;
        next += yo_net_tensor_floats(graph, t, size);
    }
    *out = worker;
    return YO_OK;
}

double yo_net_activate(enum yo_net_activation activation, double x) {
    switch (activation) {
    case YO_NET_IDENTITY:
        return x;
    case YO_NET_RELU:
        return x > 0 ? x : 0;
    case YO_NET_MISH:
        return x > 30 ? x : x * tanh(log1p(exp(x)));
    case YO_NET_SWISH:
        return x / (1 + exp(-x));
    case YO_NET_SIGMOID:
        return 1 / (1 + exp(-x));
    case YO_NET_TANH:
        return tanh(x);
    }
    return x;
}

/* One channel of the operation's result, before the epilogue. */

static void conv_channel(const struct yo_net_op *op, const float *in, int size, int channel,
                         double *sum) {
    int points = size * size, taps = op->kernel_y * op->kernel_x;
    const float *weight = op->weights + (size_t)channel * (size_t)op->in_channels * (size_t)taps;
    in += (size_t)op->first_channel * (size_t)points;
    for (int i = 0; i < op->in_channels; i++, in += points) {
        for (int k = 0; k < taps; k++, weight++) {
            int dy = (k / op->kernel_x - op->kernel_y / 2) * op->dilation_y;
            int dx = (k % op->kernel_x - op->kernel_x / 2) * op->dilation_x;
            for (int y = 0; y < size; y++) {
                if (y + dy < 0 || y + dy >= size) continue;
                int first = dx < 0 ? -dx : 0, end = dx > 0 ? size - dx : size;
                const float *row = in + (y + dy) * size + dx;
                for (int x = first; x < end; x++)
                    sum[y * size + x] += (double)*weight * (double)row[x];
            }
        }
    }
}

static void dense_channel(const struct yo_net_op *op, const float *in, int channel, double *sum) {
    const float *weight = op->weights + (size_t)channel * (size_t)op->in_channels;
    for (int i = 0; i < op->in_channels; i++)
        *sum += (double)weight[i] * (double)in[op->first_channel + i];
}

static void affine_channel(const struct yo_net_op *op, const float *in, int points, int channel,
                           double *sum) {
    double scale = op->scale ? (double)op->scale[channel] : 1.0;
    for (int p = 0; p < points; p++)
        sum[p] = scale * (double)in[channel * points + p];
}

static void pool_channel(const struct yo_net_op *op, const float *in, int in_channels, int size,
                         int channel, double *sum) {
    int points = size * size, third = channel / in_channels;
    const float *plane = in + (channel % in_channels) * points;
    double total = 0, most = (double)plane[0], w = size - 14;
    for (int p = 0; p < points; p++) {
        total += (double)plane[p];
        if ((double)plane[p] > most) most = (double)plane[p];
    }
    double mean = total / points;
    if (third == 0)
        *sum = mean;
    else if (third == 1)
        *sum = mean * w / 10;
    else
        *sum = op->pool == YO_NET_POOL_TRUNK ? most : mean * (w * w / 100 - 0.1);
}

static void run_op(const struct worker *worker, const struct yo_net_op *op) {
    const struct yo_net_graph *graph = worker->graph;
    const float *in = worker->tensors[op->in];
    float *out = worker->tensors[op->out];
    int size = worker->size, points = graph->tensors[op->out].spatial ? size * size : 1;
    if (op->kind == YO_NET_FLATTEN) {
        memcpy(out, in, yo_net_tensor_floats(graph, op->in, size) * sizeof *out);
        return;
    }
    for (int c = 0; c < op->out_channels; c++) {
        double sum[YO_NET_MAX_POINTS] = {0};
        switch (op->kind) {
        case YO_NET_CONV:
            conv_channel(op, in, size, c, sum);
            break;
        case YO_NET_AFFINE:
            affine_channel(op, in, points, c, sum);
            break;
        case YO_NET_POOL:
            pool_channel(op, in, graph->tensors[op->in].channels, size, c, sum);
            break;
        case YO_NET_DENSE:
            dense_channel(op, in, c, sum);
            break;
        case YO_NET_FLATTEN:
            break;
        }
        double bias = op->bias ? (double)op->bias[c] : 0;
        if (op->add_vector != YO_NET_NONE) bias += (double)worker->tensors[op->add_vector][c];
        const float *add = op->add == YO_NET_NONE ? NULL : worker->tensors[op->add] + c * points;
        for (int p = 0; p < points; p++) {
            double x = sum[p] + bias + (add ? (double)add[p] : 0);
            out[c * points + p] = (float)yo_net_activate(op->activation, x);
        }
    }
}

static void set_inputs(const struct worker *worker, const struct yo_net_batch *batch, int index) {
    const struct yo_net_graph *graph = worker->graph;
    int points = batch->size * batch->size, words = yo_net_plane_words(batch->size);
    const uint64_t *bits = batch->planes + (size_t)index * (size_t)(graph->planes * words);
    float *to = worker->tensors[0];
    for (int plane = 0; plane < graph->planes; plane++, bits += words)
        for (int p = 0; p < points; p++)
            *to++ = (float)(bits[p / 64] >> (p % 64) & 1);
    if (graph->globals > 0)
        memcpy(worker->tensors[1], batch->globals + (size_t)index * (size_t)graph->globals,
               (size_t)graph->globals * sizeof(float));
}

static enum yo_err run(void *ctx, const struct yo_net_batch *batch, struct yo_diag *diag) {
    struct worker *worker = ctx;
    const struct yo_net_graph *graph = worker->graph;
    if (batch->size != worker->size || batch->count > worker->max_batch)
        return yo_diag_set(diag, YO_ERR_ARGUMENT, "a batch that the worker was not made for");
    for (int i = 0; i < batch->count; i++) {
        set_inputs(worker, batch, i);
        for (int o = 0; o < graph->op_count; o++)
            run_op(worker, &graph->ops[o]);
        for (int role = 0; role < YO_NET_ROLES; role++) {
            int tensor = graph->outputs[role];
            if (!batch->out[role] || tensor == YO_NET_NONE) continue;
            size_t count = yo_net_tensor_floats(graph, tensor, batch->size);
            memcpy(batch->out[role] + (size_t)i * count, worker->tensors[tensor],
                   count * sizeof(float));
        }
    }
    return YO_OK;
}

const struct yo_net_backend yo_net_reference = {
    .name = "reference",
    .summary = "plain C, what the others are compared with",
    .available = available,
    .compile = compile,
    .program_delete = program_delete,
    .worker_new = worker_new,
    .worker_delete = worker_delete,
    .run = run,
};
