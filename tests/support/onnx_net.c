#include "support/onnx_net.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- protocol buffers ---- */

static void put_varint(struct yo_buf *out, uint64_t value) {
    for (; value > 127; value >>= 7)
        yo_buf_char(out, (char)(value | 128));
    yo_buf_char(out, (char)value);
}

void onnx_put_int(struct yo_buf *out, int field, int64_t value) {
    put_varint(out, (uint64_t)field << 3);
    put_varint(out, (uint64_t)value);
}

void onnx_put_bytes(struct yo_buf *out, int field, const char *bytes, size_t len) {
    put_varint(out, (uint64_t)field << 3 | 2);
    put_varint(out, len);
    yo_buf_add(out, bytes, len);
}

static void put_text(struct yo_buf *out, int field, const char *text) {
    onnx_put_bytes(out, field, text, strlen(text));
}

static void put_message(struct yo_buf *out, int field, struct yo_buf *message) {
    onnx_put_bytes(out, field, yo_buf_text(message), message->len);
    yo_buf_free(message);
}

/* ---- constants ---- */

static float draw(struct onnx_net *net) {
    net->seed = net->seed * 1664525u + 1013904223u;
    return (float)(net->seed >> 8) / (float)(1 << 23) - 1;
}

/* What float16 can hold exactly, so that both ways of writing say the same. */
static float rounded(float x) { return (float)(round((double)x * 1024) / 1024); }

static uint16_t half_bits(float x) {
    int exponent;
    double fraction = frexp(fabs((double)x), &exponent);
    if (fraction == 0) return 0;
    unsigned sign = x < 0 ? 0x8000 : 0;
    if (exponent < -13) return (uint16_t)(sign | (unsigned)ldexp(fabs((double)x), 24));
    return (uint16_t)(sign | (unsigned)(exponent + 14) << 10 |
                      (unsigned)((fraction * 2 - 1) * 1024));
}

static float *put_tensor(struct onnx_net *net, const char *name, const int *dims, int dim_count,
                         double middle, double reach) {
    struct yo_buf t = {0}, raw = {0};
    size_t count = 1;
    for (int i = 0; i < dim_count; i++) {
        onnx_put_int(&t, 1, dims[i]);
        count *= (size_t)dims[i];
    }
    float *numbers = malloc(count * sizeof *numbers);
    if (!numbers) abort();
    for (size_t i = 0; i < count; i++) {
        numbers[i] = rounded((float)(middle + reach * (double)draw(net)));
        uint16_t half = half_bits(numbers[i]);
        if (net->half)
            yo_buf_add(&raw, (const char *)&half, 2);
        else
            yo_buf_add(&raw, (const char *)&numbers[i], 4);
    }
    onnx_put_int(&t, 2, net->half ? 10 : 1);
    put_text(&t, 8, name);
    put_message(&t, 9, &raw);
    put_message(&net->tensors, 5, &t);
    net->numbers[net->number_count++] = numbers;
    return numbers;
}

static void put_shape(struct onnx_net *net, const char *name, int64_t a, int64_t b) {
    struct yo_buf t = {0}, raw = {0};
    onnx_put_int(&t, 1, 2);
    onnx_put_int(&t, 2, 7);
    put_text(&t, 8, name);
    yo_buf_add(&raw, (const char *)&a, 8);
    yo_buf_add(&raw, (const char *)&b, 8);
    put_message(&t, 9, &raw);
    put_message(&net->tensors, 5, &t);
}

/* ---- nodes ---- */

static void put_node(struct onnx_net *net, const char *op, const char *inputs, const char *output,
                     struct yo_buf *attrs);

static void put_order(struct onnx_net *net, const char *in, const char *out, const char *order) {
    struct yo_buf attrs = {0}, a = {0};
    put_text(&a, 1, "perm");
    for (; *order; order++)
        onnx_put_int(&a, 8, *order - '0');
    onnx_put_int(&a, 20, 7);
    put_message(&attrs, 5, &a);
    put_node(net, "Transpose", in, out, &attrs);
}

static void put_ints(struct yo_buf *node, const char *name, int count, int value) {
    struct yo_buf a = {0};
    put_text(&a, 1, name);
    for (int i = 0; i < count; i++)
        onnx_put_int(&a, 8, value);
    onnx_put_int(&a, 20, 7);
    put_message(node, 5, &a);
}

static void put_node(struct onnx_net *net, const char *op, const char *inputs, const char *output,
                     struct yo_buf *attrs) {
    struct yo_buf n = {0};
    char names[256], *rest = NULL;
    snprintf(names, sizeof names, "%s", inputs);
    for (char *name = strtok_r(names, " ", &rest); name; name = strtok_r(NULL, " ", &rest))
        put_text(&n, 1, name);
    put_text(&n, 2, output);
    put_text(&n, 3, output);
    put_text(&n, 4, op);
    if (attrs) {
        yo_buf_add(&n, yo_buf_text(attrs), attrs->len);
        yo_buf_free(attrs);
    }
    put_message(&net->nodes, 1, &n);
}

static void name(char out[64], const char *format, const char *a, const char *b) {
    snprintf(out, 64, format, a, b);
}

/* out = conv(in), with a bias where `biased`. */
static void put_conv(struct onnx_net *net, const char *in, const char *out, int from, int to, int k,
                     bool biased) {
    char w[64], b[64], inputs[200];
    name(w, "%s.w%s", out, ""), name(b, "%s.b%s", out, "");
    put_tensor(net, w, (int[]){to, from, k, k}, 4, 0, 1.5 / sqrt(from * k * k));
    if (biased) put_tensor(net, b, (int[]){to}, 1, 0, 0.5);
    snprintf(inputs, sizeof inputs, "%s %s %s", in, w, biased ? b : "");
    struct yo_buf attrs = {0};
    put_ints(&attrs, "kernel_shape", 2, k);
    put_ints(&attrs, "pads", 4, (k - 1) / 2);
    put_ints(&attrs, "strides", 2, 1);
    put_ints(&attrs, "dilations", 2, 1);
    put_node(net, "Conv", inputs, out, &attrs);
}

static void put_norm(struct onnx_net *net, const char *in, const char *out, int channels) {
    char inputs[300];
    const char *const parts[] = {"scale", "bias", "mean", "var"};
    int used = snprintf(inputs, sizeof inputs, "%s", in);
    for (int i = 0; i < 4; i++) {
        char part[64];
        name(part, "%s.%s", out, parts[i]);
        put_tensor(net, part, (int[]){channels}, 1, i == 0 || i == 3 ? 1 : 0, 0.4);
        used += snprintf(inputs + used, sizeof inputs - (size_t)used, " %s", part);
    }
    put_node(net, "BatchNormalization", inputs, out, NULL);
}

static void put_act(struct onnx_net *net, const char *in, const char *out) {
    char gate[64], inputs[200];
    if (!net->swish) {
        put_node(net, "Relu", in, out, NULL);
        return;
    }
    name(gate, "%s.gate%s", out, "");
    put_node(net, "Sigmoid", in, gate, NULL);
    snprintf(inputs, sizeof inputs, "%s %s", in, gate);
    put_node(net, "Mul", inputs, out, NULL);
}

/* A convolution with its normalisation, as a node or folded. */
static void put_layer(struct onnx_net *net, const char *in, const char *out, int from, int to,
                      int k) {
    char raw[64];
    name(raw, "%s.raw%s", out, "");
    put_conv(net, in, net->norms ? raw : out, from, to, k, !net->norms);
    if (net->norms) put_norm(net, raw, out, to);
}

static void put_flat(struct onnx_net *net, const char *in, const char *out, int all) {
    char shape[64], inputs[200];
    if (!net->reshape) {
        struct yo_buf attrs = {0}, a = {0};
        put_text(&a, 1, "axis");
        onnx_put_int(&a, 3, 1);
        put_message(&attrs, 5, &a);
        put_node(net, "Flatten", in, out, &attrs);
        return;
    }
    name(shape, "%s.shape%s", out, "");
    put_shape(net, shape, -1, all);
    snprintf(inputs, sizeof inputs, "%s %s", in, shape);
    put_node(net, "Reshape", inputs, out, NULL);
}

static void put_dense(struct onnx_net *net, const char *in, const char *out, int from, int to) {
    char w[64], b[64], product[64], inputs[200];
    name(w, "%s.w%s", out, ""), name(b, "%s.b%s", out, ""), name(product, "%s.p%s", out, "");
    if (net->matmul != net->transpose)
        put_tensor(net, w, (int[]){from, to}, 2, 0, 1 / sqrt(from));
    else
        put_tensor(net, w, (int[]){to, from}, 2, 0, 1 / sqrt(from));
    if (net->transpose) {
        put_order(net, w, product, "10");
        name(w, "%s.t%s", out, "");
        put_node(net, "Identity", product, w, NULL);
        name(product, "%s.p%s", out, ".");
    }
    put_tensor(net, b, (int[]){to}, 1, 0, 0.5);
    if (net->matmul) {
        snprintf(inputs, sizeof inputs, "%s %s", in, w);
        put_node(net, "MatMul", inputs, product, NULL);
        snprintf(inputs, sizeof inputs, "%s %s", b, product);
        put_node(net, "Add", inputs, out, NULL);
        return;
    }
    struct yo_buf attrs = {0}, a = {0};
    put_text(&a, 1, "transB");
    onnx_put_int(&a, 3, 1);
    put_message(&attrs, 5, &a);
    snprintf(inputs, sizeof inputs, "%s %s %s", in, w, b);
    put_node(net, "Gemm", inputs, out, &attrs);
}

void onnx_net_make(struct onnx_net *net) {
    int c = net->channels;
    char x[64] = "u0", y[64], h[64], s[64], inputs[200];
    put_conv(net, "input1", "s1", net->planes1, c, 3, false);
    put_conv(net, "input1", "s2", net->planes1, c, 1, false);
    put_node(net, "Add", "s1 s2", "s12", NULL);
    if (net->planes2) {
        put_conv(net, "input2", "s3", net->planes2, c, 1, false);
        put_node(net, "Add", "s12 s3", "s", NULL);
    }
    put_norm(net, net->planes2 ? "s" : "s12", "n0", c);
    put_act(net, "n0", "u0");
    for (int i = 1; i <= net->blocks; i++) {
        snprintf(h, sizeof h, "h%d", i), snprintf(y, sizeof y, "u%d", i);
        snprintf(s, sizeof s, "sum%d", i);
        char n[64], m[64];
        name(n, "%s.n%s", h, ""), name(m, "%s.m%s", h, "");
        put_layer(net, x, n, c, c, 3);
        put_act(net, n, h);
        put_layer(net, h, m, c, c, 3);
        if (i & 1)
            snprintf(inputs, sizeof inputs, "%s %s", m, x);
        else
            snprintf(inputs, sizeof inputs, "%s %s", x, m);
        put_node(net, "Add", inputs, s, NULL);
        put_act(net, s, y);
        memcpy(x, y, sizeof x);
    }
    if (net->identity) {
        put_node(net, "Identity", x, "same", NULL);
        snprintf(x, sizeof x, "same");
    }
    put_conv(net, x, "p", c, 27, 1, false);
    put_flat(net, "p", "pf", 27 * 81);
    put_tensor(net, "policy.bias", (int[]){27 * 81}, 1, 0, 0.5);
    put_node(net, "Add", "pf policy.bias", "output_policy", NULL);
    put_layer(net, x, "v", c, net->value_channels, 1);
    put_act(net, "v", "va");
    if (net->transpose) {
        put_order(net, "va", "va.back", "0231");
        put_order(net, "va.back", "va.front", "0312");
        put_order(net, "va.front", "va.last", "0231");
    }
    put_flat(net, net->transpose ? "va.last" : "va", "vf", net->value_channels * 81);
    put_dense(net, "vf", "vh", net->value_channels * 81, net->hidden);
    put_act(net, "vh", "vha");
    put_dense(net, "vha", net->no_sigmoid ? "output_value" : "vo", net->hidden, 1);
    if (!net->no_sigmoid) put_node(net, "Sigmoid", "vo", "output_value", NULL);
}

void onnx_net_free(struct onnx_net *net) {
    for (int i = 0; i < net->number_count; i++)
        free(net->numbers[i]);
    net->number_count = 0;
    yo_buf_free(&net->nodes);
    yo_buf_free(&net->tensors);
}

static void put_port(struct yo_buf *graph, int field, const char *port, int a, int b, int c) {
    struct yo_buf info = {0}, type = {0}, tensor = {0}, shape = {0};
    const int dims[] = {-1, a, b, c};
    for (int i = 0; i < 4; i++) {
        struct yo_buf dim = {0};
        if (dims[i] == 0) continue;
        if (dims[i] < 0)
            put_text(&dim, 2, "batch");
        else
            onnx_put_int(&dim, 1, dims[i]);
        put_message(&shape, 1, &dim);
    }
    onnx_put_int(&tensor, 1, 1);
    put_message(&tensor, 2, &shape);
    put_message(&type, 1, &tensor);
    put_text(&info, 1, port);
    put_message(&info, 2, &type);
    put_message(graph, field, &info);
}

void onnx_net_write(const struct onnx_net *net, struct yo_buf *out) {
    struct yo_buf graph = {0};
    yo_buf_add(&graph, yo_buf_text(&net->nodes), net->nodes.len);
    put_text(&graph, 2, "main_graph");
    yo_buf_add(&graph, yo_buf_text(&net->tensors), net->tensors.len);
    /* Told by their shapes: the order is not dlshogi's. */
    if (net->planes2) put_port(&graph, 11, "input2", net->planes2, 9, 9);
    put_port(&graph, 11, "input1", net->planes1, 9, 9);
    put_port(&graph, 12, "output_policy", 27 * 81, 0, 0);
    put_port(&graph, 12, "output_value", 1, 0, 0);
    onnx_put_int(out, 1, 8);
    put_text(out, 2, "tests");
    put_message(out, 7, &graph);
}

/* ---- computing; constants are taken in the order in which they were written ---- */

struct run {
    const struct onnx_net *net;
    int next;
};

static const float *take(struct run *run) { return run->net->numbers[run->next++]; }

static double *conv(const double *in, int from, const float *w, const float *b, int to, int k) {
    double *out = calloc((size_t)to * 81, sizeof *out);
    if (!out) abort();
    for (int o = 0; o < to; o++)
        for (int p = 0; p < 81; p++) {
            double sum = b ? (double)b[o] : 0;
            for (int i = 0; i < from; i++)
                for (int ky = 0; ky < k; ky++)
                    for (int kx = 0; kx < k; kx++) {
                        int y = p / 9 + ky - k / 2, x = p % 9 + kx - k / 2;
                        if (y < 0 || x < 0 || y > 8 || x > 8) continue;
                        sum +=
                            (double)w[((o * from + i) * k + ky) * k + kx] * in[i * 81 + y * 9 + x];
                    }
            out[o * 81 + p] = sum;
        }
    return out;
}

static void norm(struct run *run, double *x, int channels) {
    const float *scale = take(run), *bias = take(run), *mean = take(run), *var = take(run);
    for (int i = 0; i < channels * 81; i++) {
        int c = i / 81;
        x[i] = (x[i] - (double)mean[c]) / sqrt((double)var[c] + 1e-5) * (double)scale[c] +
               (double)bias[c];
    }
}

static void act(const struct onnx_net *net, double *x, int count) {
    for (int i = 0; i < count; i++) {
        if (net->swish)
            x[i] = x[i] / (1 + exp(-x[i]));
        else if (x[i] < 0)
            x[i] = 0;
    }
}

static double *layer(struct run *run, const double *in, int from, int to, int k) {
    const float *w = take(run), *b = run->net->norms ? NULL : take(run);
    double *out = conv(in, from, w, b, to, k);
    if (run->net->norms) norm(run, out, to);
    return out;
}

static void dense(struct run *run, const double *in, int from, double *out, int to) {
    const float *w = take(run), *b = take(run);
    bool input_first = run->net->matmul != run->net->transpose;
    for (int o = 0; o < to; o++) {
        out[o] = (double)b[o];
        for (int i = 0; i < from; i++)
            out[o] += in[i] * (double)(input_first ? w[i * to + o] : w[o * from + i]);
    }
}

/* [channel][point] to [point][channel]. */
static void channels_last(double *x, int channels) {
    double *turned = malloc((size_t)channels * 81 * sizeof *turned);
    if (!turned) abort();
    for (int c = 0; c < channels; c++)
        for (int p = 0; p < 81; p++)
            turned[p * channels + c] = x[c * 81 + p];
    memcpy(x, turned, (size_t)channels * 81 * sizeof *turned);
    free(turned);
}

static double *stem(struct run *run, const double *in) {
    const struct onnx_net *net = run->net;
    double *parts[3] = {NULL, NULL, NULL};
    parts[0] = conv(in, net->planes1, take(run), NULL, net->channels, 3);
    parts[1] = conv(in, net->planes1, take(run), NULL, net->channels, 1);
    if (net->planes2)
        parts[2] = conv(in + net->planes1 * 81, net->planes2, take(run), NULL, net->channels, 1);
    for (int i = 0; i < net->channels * 81; i++)
        parts[0][i] += parts[1][i] + (parts[2] ? parts[2][i] : 0);
    free(parts[1]);
    free(parts[2]);
    norm(run, parts[0], net->channels);
    act(net, parts[0], net->channels * 81);
    return parts[0];
}

void onnx_net_eval(const struct onnx_net *net, const float *planes, double *policy, double *value) {
    struct run run = {.net = net};
    int all = net->planes1 + net->planes2, c = net->channels;
    double *in = malloc((size_t)all * 81 * sizeof *in);
    if (!in) abort();
    for (int i = 0; i < all * 81; i++)
        in[i] = (double)planes[i];
    double *x = stem(&run, in);
    for (int i = 0; i < net->blocks; i++) {
        double *h = layer(&run, x, c, c, 3);
        act(net, h, c * 81);
        double *y = layer(&run, h, c, c, 3);
        for (int k = 0; k < c * 81; k++)
            x[k] += y[k];
        act(net, x, c * 81);
        free(h);
        free(y);
    }
    double *p = conv(x, c, take(&run), NULL, 27, 1);
    const float *bias = take(&run);
    for (int i = 0; i < 27 * 81; i++)
        policy[i] = p[i] + (double)bias[i];
    double *v = layer(&run, x, c, net->value_channels, 1);
    act(net, v, net->value_channels * 81);
    if (net->transpose) channels_last(v, net->value_channels);
    double *hidden = malloc((size_t)net->hidden * sizeof *hidden);
    if (!hidden) abort();
    dense(&run, v, net->value_channels * 81, hidden, net->hidden);
    act(net, hidden, net->hidden);
    dense(&run, hidden, net->hidden, value, 1);
    if (!net->no_sigmoid) *value = 1 / (1 + exp(-*value));
    if (run.next != net->number_count) abort();
    free(in), free(x), free(p), free(v), free(hidden);
}
