#include "support/naive_net.h"

#include <math.h>
#include <stdlib.h>

static double conv_at(struct naive_net *net, const struct yo_net_op *op, int o, int y, int x) {
    double sum = 0;
    for (int ky = 0; ky < op->kernel_y; ky++)
        for (int kx = 0; kx < op->kernel_x; kx++)
            for (int i = 0; i < op->in_channels; i++) {
                int index = ((o * op->in_channels + i) * op->kernel_y + ky) * op->kernel_x + kx;
                sum += (double)op->weights[index] *
                       naive_net_at(net, op->in, op->first_channel + i,
                                    y + (ky - op->kernel_y / 2) * op->dilation_y,
                                    x + (kx - op->kernel_x / 2) * op->dilation_x);
            }
    return sum;
}

static double pool_at(struct naive_net *net, const struct yo_net_op *op, int o) {
    int channels = net->graph->tensors[op->in].channels, c = o % channels, n = net->size;
    double mean = 0, most = -INFINITY;
    for (int y = 0; y < n; y++)
        for (int x = 0; x < n; x++) {
            double value = naive_net_at(net, op->in, c, y, x);
            mean += value / n / n;
            if (value > most) most = value;
        }
    if (o < channels) return mean;
    if (o < 2 * channels) return mean * (n - 14) * 0.1;
    return op->pool == YO_NET_POOL_TRUNK ? most : mean * ((n - 14.0) * (n - 14.0) * 0.01 - 0.1);
}

static double dense_at(struct naive_net *net, const struct yo_net_op *op, int o) {
    double sum = 0;
    for (int i = 0; i < op->in_channels; i++)
        sum += (double)op->weights[o * op->in_channels + i] *
               naive_net_at(net, op->in, op->first_channel + i, 0, 0);
    return sum;
}

static double activation(enum yo_net_activation kind, double x) {
    switch (kind) {
    case YO_NET_IDENTITY:
        return x;
    case YO_NET_RELU:
        return fmax(x, 0);
    case YO_NET_MISH:
        return x * tanh(log(1 + exp(x)));
    case YO_NET_SWISH:
        return x / (1 + exp(-x));
    case YO_NET_SIGMOID:
        return 1 / (1 + exp(-x));
    case YO_NET_TANH:
        return tanh(x);
    }
    abort();
}

static double op_at(struct naive_net *net, const struct yo_net_op *op, int c, int y, int x) {
    double r = 0;
    int n = net->size;
    switch (op->kind) {
    case YO_NET_CONV:
        r = conv_at(net, op, c, y, x);
        break;
    case YO_NET_AFFINE:
        r = naive_net_at(net, op->in, c, y, x) * (op->scale ? (double)op->scale[c] : 1);
        break;
    case YO_NET_POOL:
        r = pool_at(net, op, c);
        break;
    case YO_NET_DENSE:
        r = dense_at(net, op, c);
        break;
    case YO_NET_FLATTEN:
        return naive_net_at(net, op->in, c / (n * n), c % (n * n) / n, c % n);
    }
    if (op->bias) r += (double)op->bias[c];
    if (op->add_vector != YO_NET_NONE) r += naive_net_at(net, op->add_vector, c, 0, 0);
    if (op->add != YO_NET_NONE) r += naive_net_at(net, op->add, c, y, x);
    return activation(op->activation, r);
}

void naive_net_start(struct naive_net *net, const struct yo_net_graph *graph, int size,
                     const float *planes, const float *globals) {
    *net = (struct naive_net){graph, size, planes, globals,
                              calloc((size_t)graph->tensor_count, sizeof(double *))};
    if (!net->known) abort();
    for (int t = 0; t < graph->tensor_count; t++) {
        size_t count = (size_t)graph->tensors[t].channels * (size_t)(size * size);
        net->known[t] = malloc((count + 1) * sizeof(double));
        if (!net->known[t]) abort();
        for (size_t i = 0; i < count; i++)
            net->known[t][i] = NAN;
    }
}

double naive_net_at(struct naive_net *net, int tensor, int c, int y, int x) {
    int n = net->size;
    if (y < 0 || x < 0 || y >= n || x >= n) return 0;
    if (tensor == 0) return (double)net->planes[(c * n + y) * n + x];
    if (tensor == 1) return (double)net->globals[c];
    double *known = &net->known[tensor][(c * n + y) * n + x];
    for (int o = 0; isnan(*known) && o < net->graph->op_count; o++)
        if (net->graph->ops[o].out == tensor) *known = op_at(net, &net->graph->ops[o], c, y, x);
    return *known;
}

void naive_net_end(struct naive_net *net) {
    for (int t = 0; t < net->graph->tensor_count; t++)
        free(net->known[t]);
    free(net->known);
}
