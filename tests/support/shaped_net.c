#include "support/shaped_net.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct maker {
    struct yo_net_graph *graph;
    const struct net_shape *shape;
    uint64_t state;
};

static uint32_t draw(struct maker *m) {
    m->state = m->state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(m->state >> 33);
}

static float uniform(struct maker *m) { return (float)draw(m) / 1073741824.0f - 1; }

static float *numbers(struct maker *m, size_t count, double around, double spread) {
    float *to = yo_net_graph_floats(m->graph, count);
    if (!to) abort();
    for (size_t i = 0; i < count; i++)
        to[i] = (float)(around + spread * (double)uniform(m));
    return to;
}

static int add(struct maker *m, const struct yo_net_op *op) {
    struct yo_diag diag;
    int out;
    if (yo_net_graph_add(m->graph, op, &out, &diag)) {
        fprintf(stderr, "shaped_net: %s\n", diag.what);
        abort();
    }
    return out;
}

/* He initialisation: the spread of a uniform number with variance 2 / inputs, times gain. */
static struct yo_net_op conv_op(struct maker *m, int in, int first, int channels, int out, int side,
                                double gain) {
    struct yo_net_op op = YO_NET_OP;
    size_t taps = (size_t)(side * side);
    op.kind = YO_NET_CONV, op.in = in, op.first_channel = first, op.in_channels = channels;
    op.out_channels = out, op.kernel_y = op.kernel_x = side, op.dilation_y = op.dilation_x = 1;
    op.weights = numbers(m, taps * (size_t)channels * (size_t)out, 0,
                         gain * sqrt(6.0 / ((double)taps * channels)));
    op.bias = numbers(m, (size_t)out, 0, 0.2);
    return op;
}

static int dense(struct maker *m, int in, int out, enum yo_net_activation activation) {
    struct yo_net_op op = YO_NET_OP;
    int channels = m->graph->tensors[in].channels;
    op.kind = YO_NET_DENSE, op.in = in, op.in_channels = channels, op.out_channels = out;
    op.weights = numbers(m, (size_t)channels * (size_t)out, 0, sqrt(1.5 / channels));
    op.bias = numbers(m, (size_t)out, 0, 0.2);
    op.activation = activation;
    return add(m, &op);
}

static int affine(struct maker *m, int in) {
    struct yo_net_op op = YO_NET_OP;
    size_t channels = (size_t)m->graph->tensors[in].channels;
    op.kind = YO_NET_AFFINE, op.in = in, op.activation = m->shape->activation;
    op.scale = numbers(m, channels, 0.8, 0.3);
    op.bias = numbers(m, channels, 0, 0.3);
    return add(m, &op);
}

static int pool(struct maker *m, int in, enum yo_net_pool kind) {
    struct yo_net_op op = YO_NET_OP;
    op.kind = YO_NET_POOL, op.in = in, op.pool = kind;
    return add(m, &op);
}

/* A whole convolution: reads all of `in`, adds a vector and a tensor. */
static int conv(struct maker *m, int in, int out, int side, double gain, int vector, int added,
                enum yo_net_activation activation) {
    struct yo_net_op op = conv_op(m, in, 0, m->graph->tensors[in].channels, out, side, gain);
    op.add_vector = vector, op.add = added, op.activation = activation;
    return add(m, &op);
}

/* The vector that pooling adds to a convolution of the same input. */
static int pooled_vector(struct maker *m, int in, int channels, int side, int to) {
    int g = conv(m, in, channels, side, 1, YO_NET_NONE, YO_NET_NONE, m->shape->activation);
    return dense(m, pool(m, g, YO_NET_POOL_TRUNK), to, YO_NET_IDENTITY);
}

static int block(struct maker *m, int x, char kind) {
    const struct net_shape *s = m->shape;
    enum yo_net_activation act = s->activation;
    int channels = m->graph->tensors[x].channels;
    if (s->post) {
        int b = conv(m, x, s->mid, 3, 1, YO_NET_NONE, YO_NET_NONE, act);
        return conv(m, b, channels, 3, 0.5, YO_NET_NONE, x, act);
    }
    int a = affine(m, x);
    if (kind == 'n') {
        int y = conv(m, a, channels / 2, 1, 1, YO_NET_NONE, YO_NET_NONE, YO_NET_IDENTITY);
        y = block(m, y, 'o');
        y = block(m, y, 'g');
        return conv(m, affine(m, y), channels, 1, 0.5, YO_NET_NONE, x, YO_NET_IDENTITY);
    }
    int vector = YO_NET_NONE, mid = s->mid;
    if (kind == 'g') {
        mid -= s->pool;
        vector = pooled_vector(m, a, s->pool, 3, mid);
    }
    int b = conv(m, a, mid, 3, 1, vector, YO_NET_NONE, act);
    return conv(m, b, channels, 3, 0.5, YO_NET_NONE, x, YO_NET_IDENTITY);
}

static void katago_heads(struct maker *m, int a) {
    const struct net_shape *s = m->shape;
    int *outputs = m->graph->outputs;
    int g = conv(m, a, s->head, 1, 1, YO_NET_NONE, YO_NET_NONE, s->activation);
    int pooled = pool(m, g, YO_NET_POOL_TRUNK);
    int p = conv(m, a, s->head, 1, 1, dense(m, pooled, s->head, YO_NET_IDENTITY), YO_NET_NONE,
                 s->activation);
    outputs[YO_NET_OUT_POLICY] = conv(m, p, 2, 1, 1, YO_NET_NONE, YO_NET_NONE, YO_NET_IDENTITY);
    outputs[YO_NET_OUT_PASS] = dense(m, pooled, 2, YO_NET_IDENTITY);
    int v = conv(m, a, s->head, 1, 1, YO_NET_NONE, YO_NET_NONE, s->activation);
    int w = dense(m, pool(m, v, YO_NET_POOL_VALUE), 2 * s->head, s->activation);
    outputs[YO_NET_OUT_VALUE] = dense(m, w, 3, YO_NET_IDENTITY);
    outputs[YO_NET_OUT_SCORE] = dense(m, w, 6, YO_NET_IDENTITY);
    outputs[YO_NET_OUT_OWNERSHIP] = conv(m, v, 1, 1, 1, YO_NET_NONE, YO_NET_NONE, YO_NET_IDENTITY);
}

static int flatten(struct maker *m, int in) {
    struct yo_net_op op = YO_NET_OP;
    op.kind = YO_NET_FLATTEN, op.in = in;
    return add(m, &op);
}

static int biases(struct maker *m, int in) {
    struct yo_net_op op = YO_NET_OP;
    op.kind = YO_NET_AFFINE, op.in = in;
    op.bias = numbers(m, (size_t)m->graph->tensors[in].channels, 0, 0.5);
    return add(m, &op);
}

static void dlshogi_heads(struct maker *m, int x) {
    const struct net_shape *s = m->shape;
    int p = conv(m, x, 27, 1, 1, YO_NET_NONE, YO_NET_NONE, YO_NET_IDENTITY);
    m->graph->outputs[YO_NET_OUT_POLICY] = s->row ? biases(m, flatten(m, p)) : p;
    int v = conv(m, x, 27, 1, 1, YO_NET_NONE, YO_NET_NONE, s->activation);
    v = dense(m, flatten(m, v), 256, s->activation);
    m->graph->outputs[YO_NET_OUT_VALUE] = dense(m, v, 1, YO_NET_SIGMOID);
}

/* KataGo's: a convolution and the globals. dlshogi's: three convolutions of two inputs, summed. */
static int stem(struct maker *m) {
    const struct net_shape *s = m->shape;
    if (!s->post) {
        int vector = YO_NET_NONE;
        if (s->globals) vector = dense(m, 1, s->channels, YO_NET_IDENTITY);
        return conv(m, 0, s->channels, s->stem, 1, vector, YO_NET_NONE, YO_NET_IDENTITY);
    }
    int split = s->planes / 2 + 1;
    struct yo_net_op one = conv_op(m, 0, 0, split, s->channels, s->stem, 1);
    struct yo_net_op two = conv_op(m, 0, 0, split, s->channels, 1, 0.5);
    two.add = add(m, &one);
    struct yo_net_op three = conv_op(m, 0, split, s->planes - split, s->channels, 1, 0.5);
    three.add = add(m, &two);
    three.activation = s->activation;
    return add(m, &three);
}

void shaped_net_make(struct yo_net_graph *graph, const struct net_shape *shape, unsigned seed) {
    struct maker m = {.graph = graph, .shape = shape, .state = seed * 2654435761u + 1};
    struct yo_diag diag;
    if (yo_net_graph_init(graph, shape->planes, shape->globals, &diag)) abort();
    if (shape->post) graph->fixed_size = 9;
    int x = stem(&m);
    for (const char *kind = shape->blocks; *kind; kind++)
        x = block(&m, x, *kind);
    if (shape->post)
        dlshogi_heads(&m, x);
    else
        katago_heads(&m, affine(&m, x));
}

/* ---- batches ---- */

void shaped_batch_make(struct shaped_batch *random, const struct yo_net_graph *graph, int size,
                       int count, unsigned seed) {
    struct maker m = {.state = seed * 40503u + 7};
    size_t points = (size_t)(size * size), words = (size_t)yo_net_plane_words(size);
    size_t planes = (size_t)count * (size_t)graph->planes;
    *random = (struct shaped_batch){.batch = {.count = count, .size = size}};
    random->planes = calloc(planes * words + 1, sizeof *random->planes);
    random->globals = calloc((size_t)(count * graph->globals) + 1, sizeof *random->globals);
    if (!random->planes || !random->globals) abort();
    for (size_t i = 0; i < planes * points; i++)
        if (draw(&m) % 4 == 0)
            random->planes[i / points * words + i % points / 64] |= UINT64_C(1)
                                                                    << (i % points % 64);
    for (int i = 0; i < count * graph->globals; i++)
        random->globals[i] = uniform(&m);
    random->batch.planes = random->planes;
    random->batch.globals = random->globals;
    for (int role = 0; role < YO_NET_ROLES; role++) {
        if (graph->outputs[role] == YO_NET_NONE) continue;
        size_t all = (size_t)count * yo_net_tensor_floats(graph, graph->outputs[role], size);
        float *out = malloc(all * sizeof *out);
        if (!out) abort();
        for (size_t i = 0; i < all; i++)
            out[i] = NAN; /* whoever forgets to write is seen */
        random->batch.out[role] = out;
    }
}

void shaped_batch_free(struct shaped_batch *random) {
    free(random->planes);
    free(random->globals);
    for (int role = 0; role < YO_NET_ROLES; role++)
        free(random->batch.out[role]);
}

double shaped_batch_distance(const struct yo_net_graph *graph, const struct yo_net_batch *right,
                             const struct yo_net_batch *other) {
    double worst = 0;
    for (int role = 0; role < YO_NET_ROLES; role++) {
        if (!right->out[role]) continue;
        size_t all =
            (size_t)right->count * yo_net_tensor_floats(graph, graph->outputs[role], right->size);
        double difference = 0, sum = 1e-12;
        for (size_t i = 0; i < all; i++) {
            double x = (double)right->out[role][i], y = (double)other->out[role][i];
            difference += (x - y) * (x - y), sum += x * x;
        }
        double distance = sqrt(difference / sum);
        if (!(distance < INFINITY)) return INFINITY;
        if (distance > worst) worst = distance;
    }
    return worst;
}

int shaped_batch_same_first(const struct yo_net_graph *graph, const struct yo_net_batch *right,
                            const struct yo_net_batch *other) {
    int same = 0, tensor = graph->outputs[YO_NET_OUT_POLICY];
    size_t floats = yo_net_tensor_floats(graph, tensor, right->size);
    if (graph->tensors[tensor].spatial && graph->tensors[tensor].channels == 2)
        floats /= 2; /* KataGo's second channel is an auxiliary policy */
    size_t stride = yo_net_tensor_floats(graph, tensor, right->size);
    for (int i = 0; i < right->count; i++) {
        const float *x = right->out[YO_NET_OUT_POLICY] + (size_t)i * stride;
        const float *y = other->out[YO_NET_OUT_POLICY] + (size_t)i * stride;
        size_t best_x = 0, best_y = 0;
        for (size_t k = 1; k < floats; k++) {
            if (x[k] > x[best_x]) best_x = k;
            if (y[k] > y[best_y]) best_y = k;
        }
        same += best_x == best_y;
    }
    return same;
}

void shaped_wanted_make(struct shaped_wanted *wanted, const struct yo_net_graph *graph, int size,
                        int count, const int *lengths, int length_count) {
    struct maker m = {.state = 11};
    size_t all = 0, at = 0;
    size_t policy = yo_net_tensor_floats(graph, graph->outputs[YO_NET_OUT_POLICY], size);
    for (int i = 0; i < count; i++)
        all += (size_t)lengths[i % length_count];
    wanted->lists = calloc((size_t)count, sizeof *wanted->lists);
    wanted->picked = calloc((size_t)count, sizeof *wanted->picked);
    wanted->entries = calloc(all + 1, sizeof *wanted->entries);
    if (!wanted->lists || !wanted->picked || !wanted->entries) abort();
    for (int i = 0; i < count; i++) {
        size_t length = (size_t)lengths[i % length_count];
        wanted->lists[i] = (struct yo_net_wanted){.entries = wanted->entries + at, .count = length};
        for (size_t k = 0; k < length; k++, at++)
            wanted->entries[at] = (uint16_t)(length == policy  ? k
                                             : k + 1 == length ? policy - 1
                                             : k % 8 == 7      ? wanted->entries[at - 1]
                                                               : draw(&m) % policy);
    }
}

void shaped_wanted_free(struct shaped_wanted *wanted) {
    free(wanted->lists);
    free(wanted->picked);
    free(wanted->entries);
}

static bool same_entries(const struct yo_net_wanted *list, const float *picked,
                         const float *policy) {
    for (size_t k = 0; k < list->count; k++)
        if (memcmp(&picked[k], &policy[list->entries[k]], sizeof *picked) != 0) return false;
    return true;
}

int shaped_wanted_same(const struct shaped_wanted *wanted, const struct yo_net_graph *graph,
                       const struct yo_net_batch *whole, int rows) {
    size_t policy = yo_net_tensor_floats(graph, graph->outputs[YO_NET_OUT_POLICY], whole->size);
    const float *from = yo_net_batch_output(whole, YO_NET_OUT_POLICY);
    int same = 0;
    for (int i = 0; i < rows; i++)
        same += wanted->picked[i] &&
                same_entries(&wanted->lists[i], wanted->picked[i], from + (size_t)i * policy);
    return same;
}
