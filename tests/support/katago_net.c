#include "support/katago_net.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* ---- making one ---- */

static float draw(struct katago_net *net) {
    net->seed = net->seed * 1664525u + 1013904223u;
    return (float)(net->seed >> 8) / (float)(1 << 23) - 1; /* -1 .. 1 */
}

static float *draw_floats(struct katago_net *net, int count, double middle, double reach) {
    float *floats = malloc((size_t)count * sizeof *floats);
    if (!floats) abort();
    for (int i = 0; i < count; i++)
        floats[i] = (float)(middle + reach * (double)draw(net));
    return floats;
}

static struct katago_layer *add_layer(struct katago_net *net, int kind, const char *name) {
    net->layers = realloc(net->layers, (size_t)(net->layer_count + 1) * sizeof *net->layers);
    if (!net->layers) abort();
    struct katago_layer *layer = &net->layers[net->layer_count++];
    *layer = (struct katago_layer){.kind = kind};
    snprintf(layer->name, sizeof layer->name, "%s", name);
    return layer;
}

static void add_conv(struct katago_net *net, int ky, int kx, int in, int out) {
    float *weights = draw_floats(net, ky * kx * in * out, 0, 1.5 / sqrt(ky * kx * in));
    struct katago_layer *layer = add_layer(net, KATAGO_CONV, "conv");
    layer->ky = ky, layer->kx = kx, layer->in = in, layer->out = out, layer->weights = weights;
}

static void add_dense(struct katago_net *net, int in, int out) {
    float *weights = draw_floats(net, in * out, 0, 1 / sqrt(in));
    struct katago_layer *layer = add_layer(net, KATAGO_DENSE, "dense");
    layer->in = in, layer->out = out, layer->weights = weights;
}

static void add_bias(struct katago_net *net, int out) {
    float *weights = draw_floats(net, out, 0, 0.5);
    struct katago_layer *layer = add_layer(net, KATAGO_BIAS, "bias");
    layer->out = out, layer->weights = weights;
}

static void add_act(struct katago_net *net) { add_layer(net, KATAGO_ACT, "act")->act = net->act; }

static void add_norm(struct katago_net *net, int out) {
    struct katago_layer layer = {.kind = KATAGO_NORM, .name = "norm", .out = out};
    layer.epsilon = 1e-3;
    layer.mean = draw_floats(net, out, 0, 0.5);
    layer.variance = draw_floats(net, out, 1, 0.5);
    layer.scale = draw(net) > 0 ? draw_floats(net, out, 1, 0.5) : NULL;
    layer.bias = draw(net) > 0 ? draw_floats(net, out, 0, 0.5) : NULL;
    *add_layer(net, KATAGO_NORM, "norm") = layer;
    add_act(net);
}

static const char *add_blocks(struct katago_net *net, const char *kinds, int channels) {
    int inner = channels > 2 ? channels - 1 : channels;
    for (; *kinds && *kinds != ']'; kinds++) {
        if (*kinds == '[') {
            add_layer(net, KATAGO_WORD, "nested_bottleneck_block");
            add_layer(net, KATAGO_WORD, "nested");
            int count = 0, depth = 0; /* of the blocks right inside */
            for (const char *k = kinds; k == kinds || depth > 0; k++) {
                if (depth == 1 && *k != ']') count++;
                depth += (*k == '[') - (*k == ']');
            }
            char text[16];
            snprintf(text, sizeof text, "%d", count);
            add_layer(net, KATAGO_WORD, text);
            add_norm(net, channels);
            add_conv(net, 1, 1, channels, inner);
            kinds = add_blocks(net, kinds + 1, inner);
            add_norm(net, inner);
            add_conv(net, 1, 1, inner, channels);
            continue;
        }
        add_layer(net, KATAGO_WORD, *kinds == 'g' ? "gpool_block" : "ordinary_block");
        add_layer(net, KATAGO_WORD, "block");
        add_norm(net, channels);
        add_conv(net, net->ky, net->kx, channels, net->mid);
        if (*kinds == 'g') {
            add_conv(net, net->ky, net->kx, channels, net->pool);
            add_norm(net, net->pool);
            add_dense(net, 3 * net->pool, net->mid);
        }
        add_norm(net, net->mid);
        add_conv(net, net->ky, net->kx, net->mid, channels);
    }
    return kinds;
}

static int policy_channels(int version) { return version >= 16 ? 4 : version >= 12 ? 2 : 1; }

void katago_net_make(struct katago_net *net) {
    for (int i = 0; i < 7; i++)
        net->multipliers[i] = 20 + (double)draw(net);
    add_conv(net, 3, 3, 22, net->trunk);
    add_dense(net, 19, net->trunk);
    add_blocks(net, net->blocks, net->trunk);
    add_norm(net, net->trunk);
    add_layer(net, KATAGO_WORD, "policyhead");
    add_conv(net, 1, 1, net->trunk, net->head);
    add_conv(net, 1, 1, net->trunk, net->pool);
    add_norm(net, net->pool);
    add_dense(net, 3 * net->pool, net->head);
    add_norm(net, net->head);
    add_conv(net, 1, 1, net->head, policy_channels(net->version));
    if (net->version >= 15) {
        add_dense(net, 3 * net->pool, net->head);
        add_bias(net, net->head);
        add_act(net);
        add_dense(net, net->head, policy_channels(net->version));
    } else {
        add_dense(net, 3 * net->pool, policy_channels(net->version));
    }
    add_layer(net, KATAGO_WORD, "valuehead");
    add_conv(net, 1, 1, net->trunk, net->head);
    add_norm(net, net->head);
    add_dense(net, 3 * net->head, net->mid);
    add_bias(net, net->mid);
    add_act(net);
    add_dense(net, net->mid, 3);
    add_bias(net, 3);
    add_dense(net, net->mid, net->version >= 9 ? 6 : 4);
    add_bias(net, net->version >= 9 ? 6 : 4);
    add_conv(net, 1, 1, net->head, 1);
}

void katago_net_free(struct katago_net *net) {
    for (int i = 0; i < net->layer_count; i++) {
        struct katago_layer *layer = &net->layers[i];
        free(layer->weights), free(layer->mean), free(layer->variance);
        free(layer->scale), free(layer->bias);
    }
    free(net->layers);
    net->layers = NULL;
    net->layer_count = 0;
}

/* ---- writing ---- */

static void put_floats(struct yo_buf *out, bool binary, const float *floats, int count) {
    if (binary) yo_buf_str(out, "@BIN@");
    for (int i = 0; i < count; i++) {
        if (binary)
            yo_buf_add(out, (const char *)&floats[i], 4); /* tests run on little-endian machines */
        else
            yo_buf_printf(out, "%.9g ", (double)floats[i]);
    }
    yo_buf_char(out, '\n');
}

static void put_layer(const struct katago_net *net, const struct katago_layer *l, bool binary,
                      struct yo_buf *out) {
    yo_buf_printf(out, "%s\n", l->name);
    switch (l->kind) {
    case KATAGO_WORD:
        break;
    case KATAGO_CONV:
        yo_buf_printf(out, "%d\n%d\n%d\n%d\n1\n1\n", l->ky, l->kx, l->in, l->out);
        put_floats(out, binary, l->weights, l->ky * l->kx * l->in * l->out);
        break;
    case KATAGO_DENSE:
        yo_buf_printf(out, "%d\n%d\n", l->in, l->out);
        put_floats(out, binary, l->weights, l->in * l->out);
        break;
    case KATAGO_BIAS:
        yo_buf_printf(out, "%d\n", l->out);
        put_floats(out, binary, l->weights, l->out);
        break;
    case KATAGO_ACT:
        if (net->version >= 11) yo_buf_printf(out, "%s\n", l->act);
        break;
    case KATAGO_NORM:
        yo_buf_printf(out, "%d\n%g\n%d\n%d\n", l->out, l->epsilon, l->scale ? 1 : 0,
                      l->bias ? 1 : 0);
        put_floats(out, binary, l->mean, l->out);
        put_floats(out, binary, l->variance, l->out);
        if (l->scale) put_floats(out, binary, l->scale, l->out);
        if (l->bias) put_floats(out, binary, l->bias, l->out);
        break;
    }
}

static int count_blocks(const char *kinds) {
    int count = 0, depth = 0;
    for (; *kinds; kinds++) {
        if (depth == 0) count++;
        depth += (*kinds == '[') - (*kinds == ']');
    }
    return count;
}

void katago_net_write(const struct katago_net *net, bool binary, struct yo_buf *out) {
    yo_buf_printf(out, "random-net\n%d\n22\n19\n", net->version);
    for (int i = 0; i < 7 && net->version >= 13; i++)
        yo_buf_printf(out, "%.17g\n", net->multipliers[i]);
    if (net->version >= 15) yo_buf_str(out, "0\n0\n0\n0\n0\n0\n0\n0\n");
    yo_buf_printf(out, "trunk\n%d\n%d\n%d\n%d\n%d\n%d\n", count_blocks(net->blocks), net->trunk,
                  net->mid, net->mid, net->pool, net->pool);
    if (net->version >= 15) yo_buf_str(out, "0\n0\n0\n0\n0\n0\n");
    for (int i = 0; i < net->layer_count; i++)
        put_layer(net, &net->layers[i], binary, out);
}

void katago_net_gzip(const struct yo_buf *in, struct yo_buf *out) {
    z_stream zip = {0};
    char block[4096];
    if (deflateInit2(&zip, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK) abort();
    zip.next_in = (unsigned char *)in->data;
    zip.avail_in = (unsigned)in->len;
    for (int result = Z_OK; result != Z_STREAM_END;) {
        zip.next_out = (unsigned char *)block;
        zip.avail_out = sizeof block;
        result = deflate(&zip, Z_FINISH);
        yo_buf_add(out, block, sizeof block - zip.avail_out);
    }
    deflateEnd(&zip);
}

/* ---- computing ---- */

struct run {
    const struct katago_net *net;
    int size, next; /* layer */
};

struct field {
    int channels;
    double *at; /* [channel][point], or [channel] of a vector */
};

static const struct katago_layer *take(struct run *run) {
    while (run->net->layers[run->next].kind == KATAGO_WORD)
        run->next++;
    return &run->net->layers[run->next++];
}

static struct field make(int channels, int points) {
    struct field f = {channels, calloc((size_t)(channels * points), sizeof(double))};
    if (!f.at) abort();
    return f;
}

static struct field conv(struct run *run, const struct katago_layer *l, struct field in) {
    int n = run->size;
    struct field out = make(l->out, n * n);
    for (int o = 0; o < l->out; o++)
        for (int y = 0; y < n; y++)
            for (int x = 0; x < n; x++)
                for (int ky = 0; ky < l->ky; ky++)
                    for (int kx = 0; kx < l->kx; kx++) {
                        int fy = y + ky - l->ky / 2, fx = x + kx - l->kx / 2;
                        if (fy < 0 || fx < 0 || fy >= n || fx >= n) continue;
                        for (int i = 0; i < l->in; i++)
                            out.at[(o * n + y) * n + x] +=
                                in.at[(i * n + fy) * n + fx] *
                                (double)l->weights[((ky * l->kx + kx) * l->in + i) * l->out + o];
                    }
    return out;
}

static struct field dense(const struct katago_layer *l, struct field in) {
    struct field out = make(l->out, 1);
    for (int o = 0; o < l->out; o++)
        for (int i = 0; i < l->in; i++)
            out.at[o] += in.at[i] * (double)l->weights[i * l->out + o];
    return out;
}

static double activate(const struct katago_net *net, const char *act, double x) {
    if (net->version < 11 || strcmp(act, "ACTIVATION_RELU") == 0) return x > 0 ? x : 0;
    if (strcmp(act, "ACTIVATION_MISH") == 0) return x * tanh(log(1 + exp(x)));
    if (strcmp(act, "ACTIVATION_SILU") == 0) return x / (1 + exp(-x));
    return x;
}

/* The normalisation, then the activation that follows it in the file. */
static struct field norm(struct run *run, const struct katago_layer *l, struct field in) {
    int points = run->size * run->size;
    struct field out = make(in.channels, points);
    for (int c = 0; c < in.channels; c++)
        for (int p = 0; p < points; p++) {
            double x = in.at[c * points + p];
            x = (x - (double)l->mean[c]) / sqrt((double)l->variance[c] + l->epsilon);
            x = x * (l->scale ? (double)l->scale[c] : 1) + (l->bias ? (double)l->bias[c] : 0);
            out.at[c * points + p] = activate(run->net, l[1].act, x);
        }
    return out;
}

static const struct katago_layer *take_norm(struct run *run) {
    const struct katago_layer *l = take(run);
    take(run); /* its activation */
    return l;
}

static struct field pool(struct run *run, struct field in, bool value) {
    int points = run->size * run->size, c = in.channels;
    struct field out = make(3 * c, 1);
    double w = run->size - 14;
    for (int i = 0; i < c; i++) {
        double mean = 0, most = -1e30;
        for (int p = 0; p < points; p++) {
            mean += in.at[i * points + p] / points;
            most = fmax(most, in.at[i * points + p]);
        }
        out.at[i] = mean;
        out.at[c + i] = mean * w * 0.1;
        out.at[2 * c + i] = value ? mean * (w * w * 0.01 - 0.1) : most;
    }
    return out;
}

/* Adds what is given for the channel or for the point. */
static void add_to(struct run *run, struct field to, struct field what, bool vector) {
    int points = run->size * run->size;
    for (int i = 0; i < to.channels * points; i++)
        to.at[i] += what.at[vector ? i / points : i];
}

static struct field side_branch(struct run *run, const struct katago_layer *c,
                                const struct katago_layer *n, const struct katago_layer *d,
                                struct field in, struct field *pooled) {
    struct field g = conv(run, c, in), h = norm(run, n, g);
    *pooled = pool(run, h, false);
    free(g.at), free(h.at);
    return dense(d, *pooled);
}

static const char *eval_blocks(struct run *run, const char *kinds, struct field x) {
    for (; *kinds && *kinds != ']'; kinds++) {
        struct field a = norm(run, take_norm(run), x), b, y, pooled;
        if (*kinds == '[') {
            b = conv(run, take(run), a);
            kinds = eval_blocks(run, kinds + 1, b);
        } else {
            b = conv(run, take(run), a);
            if (*kinds == 'g') {
                const struct katago_layer *c = take(run), *n = take_norm(run), *d = take(run);
                struct field v = side_branch(run, c, n, d, a, &pooled);
                add_to(run, b, v, true);
                free(v.at), free(pooled.at);
            }
        }
        struct field after = norm(run, take_norm(run), b);
        y = conv(run, take(run), after);
        add_to(run, x, y, false);
        free(a.at), free(b.at), free(after.at), free(y.at);
    }
    return kinds;
}

static struct field hidden(struct run *run, struct field in) {
    struct field out = dense(take(run), in);
    const struct katago_layer *bias = take(run), *act = take(run);
    for (int c = 0; c < out.channels; c++)
        out.at[c] = activate(run->net, act->act, out.at[c] + (double)bias->weights[c]);
    return out;
}

static void eval_policy(struct run *run, struct field trunk, struct katago_outputs *out) {
    const struct katago_layer *first = take(run), *c = take(run), *n = take_norm(run);
    const struct katago_layer *d = take(run), *mid = take_norm(run), *last = take(run);
    struct field pooled, v = side_branch(run, c, n, d, trunk, &pooled);
    struct field p = conv(run, first, trunk);
    add_to(run, p, v, true);
    struct field q = norm(run, mid, p), policy = conv(run, last, q), pass;
    if (run->net->version >= 15) {
        struct field h = hidden(run, pooled);
        pass = dense(take(run), h);
        free(h.at);
    } else {
        pass = dense(take(run), pooled);
    }
    int points = run->size * run->size;
    out->policy_channels = policy.channels;
    for (int ch = 0; ch < policy.channels; ch++) {
        memcpy(out->policy[ch], policy.at + ch * points, (size_t)points * sizeof(double));
        out->pass[ch] = pass.at[ch];
    }
    free(v.at), free(pooled.at), free(p.at), free(q.at), free(policy.at), free(pass.at);
}

static int eval_output(struct run *run, struct field in, double *out) {
    struct field f = dense(take(run), in);
    const struct katago_layer *bias = take(run);
    for (int c = 0; c < f.channels; c++)
        out[c] = f.at[c] + (double)bias->weights[c];
    free(f.at);
    return f.channels;
}

static void eval_value(struct run *run, struct field trunk, struct katago_outputs *out) {
    struct field c = conv(run, take(run), trunk), v = norm(run, take_norm(run), c);
    struct field pooled = pool(run, v, true), h = hidden(run, pooled);
    eval_output(run, h, out->value);
    out->score_channels = eval_output(run, h, out->score);
    struct field owner = conv(run, take(run), v);
    memcpy(out->owner, owner.at, (size_t)(run->size * run->size) * sizeof(double));
    free(c.at), free(v.at), free(pooled.at), free(h.at), free(owner.at);
}

void katago_net_eval(const struct katago_net *net, int size, const float *planes,
                     const float *globals, struct katago_outputs *out) {
    struct run run = {.net = net, .size = size};
    int points = size * size;
    struct field in = make(22, points), global = make(19, 1);
    for (int i = 0; i < 22 * points; i++)
        in.at[i] = (double)planes[i];
    for (int i = 0; i < 19; i++)
        global.at[i] = (double)globals[i];
    struct field x = conv(&run, take(&run), in), v = dense(take(&run), global);
    add_to(&run, x, v, true);
    eval_blocks(&run, net->blocks, x);
    struct field trunk = norm(&run, take_norm(&run), x);
    eval_policy(&run, trunk, out);
    eval_value(&run, trunk, out);
    if (run.next != net->layer_count) abort();
    free(in.at), free(global.at), free(x.at), free(v.at), free(trunk.at);
}
