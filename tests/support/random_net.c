#include "support/random_net.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "support/test.h"

uint32_t random_net_below(struct random_net *net, uint32_t n) {
    net->seed = net->seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((net->seed >> 32) * n >> 32);
}

float random_net_float(struct random_net *net) {
    return (float)random_net_below(net, 20001) / 10000.0f - 1;
}

/* Random numbers of at most `size`. */
static float *floats(struct random_net *net, int count, float size) {
    float *f = yo_net_graph_floats(&net->graph, (size_t)count);
    assert_non_null(f);
    for (int i = 0; i < count; i++)
        f[i] = random_net_float(net) * size;
    return f;
}

static int add(struct random_net *net, const struct yo_net_op *op) {
    struct yo_diag diag;
    int out = YO_NET_NONE;
    assert_int_equal(yo_net_graph_add(&net->graph, op, &out, &diag), YO_OK);
    return out;
}

static int find(struct random_net *net, bool spatial, int channels) {
    int found = YO_NET_NONE;
    for (int t = 0; t < net->graph.tensor_count; t++)
        if (net->graph.tensors[t].spatial == spatial &&
            net->graph.tensors[t].channels == channels && random_net_below(net, 2))
            found = t;
    return found;
}

/* Weights of a size that keeps results near those of the inputs. */
static void add_weights(struct random_net *net, struct yo_net_op *op) {
    int products = op->in_channels * (op->kind == YO_NET_CONV ? op->kernel_y * op->kernel_x : 1);
    op->weights = floats(net, products * op->out_channels, 2.0f / sqrtf((float)products));
}

static void random_operation(struct random_net *net) {
    struct yo_net_graph *graph = &net->graph;
    struct yo_net_op op = YO_NET_OP;
    op.in = (int)random_net_below(net, (uint32_t)graph->tensor_count);
    int channels = graph->tensors[op.in].channels;
    bool spatial = graph->tensors[op.in].spatial;
    if (channels == 0) return;
    if (spatial) {
        static const enum yo_net_op_kind kinds[] = {YO_NET_CONV, YO_NET_CONV,   YO_NET_CONV,
                                                    YO_NET_POOL, YO_NET_AFFINE, YO_NET_FLATTEN};
        op.kind = kinds[random_net_below(net, graph->fixed_size ? 6 : 5)];
    } else
        op.kind = random_net_below(net, 3) ? YO_NET_DENSE : YO_NET_AFFINE;
    if (channels > 60 && op.kind != YO_NET_CONV && op.kind != YO_NET_DENSE) return;
    bool common = random_net_below(net, 2); /* 3x3, as most are */
    op.activation = (enum yo_net_activation)random_net_below(net, 6);
    op.pool = (enum yo_net_pool)random_net_below(net, 2);
    op.kernel_y = common ? 3 : 1 + 2 * (int)random_net_below(net, 3);
    op.kernel_x = common ? 3 : 1 + 2 * (int)random_net_below(net, 3);
    op.dilation_y = common ? 1 : 1 + (int)random_net_below(net, 2);
    op.dilation_x = common ? 1 : 1 + (int)random_net_below(net, 2);
    op.out_channels = 1 + (int)random_net_below(net, random_net_below(net, 2) ? 60 : 6);
    op.first_channel =
        random_net_below(net, 2) ? 0 : (int)random_net_below(net, (uint32_t)channels);
    op.in_channels = channels - op.first_channel;
    if (random_net_below(net, 2))
        op.in_channels = 1 + (int)random_net_below(net, (uint32_t)op.in_channels);
    if (op.kind == YO_NET_CONV || op.kind == YO_NET_DENSE) add_weights(net, &op);
    int out = op.kind == YO_NET_AFFINE ? channels
              : op.kind == YO_NET_POOL ? 3 * channels
                                       : op.out_channels;
    bool out_spatial = op.kind == YO_NET_CONV || (op.kind == YO_NET_AFFINE && spatial);
    if (random_net_below(net, 2)) op.scale = floats(net, out, 1.0f);
    if (op.kind != YO_NET_FLATTEN) {
        if (random_net_below(net, 2)) op.bias = floats(net, out, 1.0f);
        if (random_net_below(net, 2)) op.add_vector = find(net, false, out);
        if (random_net_below(net, 2)) op.add = find(net, out_spatial, out);
    }
    add(net, &op);
}

void random_net_operations(struct random_net *net, uint64_t seed, int fixed_size, int count) {
    struct yo_diag diag;
    net->seed = seed;
    assert_int_equal(yo_net_graph_init(&net->graph, 3, 2, &diag), YO_OK);
    net->graph.fixed_size = fixed_size;
    while (net->graph.op_count < count)
        random_operation(net);
    net->graph.outputs[YO_NET_OUT_POLICY] = net->graph.tensor_count - 1;
}

/* ---- towers ---- */

static int channels_of(const struct random_net *net, int tensor) {
    return net->graph.tensors[tensor].channels;
}

static int convolution(struct random_net *net, int in, int outs, int kernel,
                       enum yo_net_activation activation, int add_vector, int sum) {
    struct yo_net_op op = {.kind = YO_NET_CONV,
                           .in = in,
                           .in_channels = channels_of(net, in),
                           .out_channels = outs,
                           .kernel_y = kernel,
                           .kernel_x = kernel,
                           .dilation_y = 1,
                           .dilation_x = 1,
                           .activation = activation,
                           .add_vector = add_vector,
                           .add = sum};
    add_weights(net, &op);
    op.bias = floats(net, outs, 0.3f);
    return add(net, &op);
}

static int affine(struct random_net *net, int in, enum yo_net_activation activation) {
    struct yo_net_op op = YO_NET_OP;
    op.kind = YO_NET_AFFINE;
    op.in = in;
    op.activation = activation;
    op.scale = floats(net, channels_of(net, in), 1.0f);
    op.bias = floats(net, channels_of(net, in), 0.3f);
    return add(net, &op);
}

static int dense(struct random_net *net, int in, int outs, enum yo_net_activation activation) {
    struct yo_net_op op = YO_NET_OP;
    op.kind = YO_NET_DENSE;
    op.in = in;
    op.in_channels = channels_of(net, in);
    op.out_channels = outs;
    op.activation = activation;
    add_weights(net, &op);
    return add(net, &op);
}

static int pooled(struct random_net *net, int in, enum yo_net_pool pool) {
    struct yo_net_op op = YO_NET_OP;
    op.kind = YO_NET_POOL;
    op.in = in;
    op.pool = pool;
    return add(net, &op);
}

static int block(struct random_net *net, int x, int kind, enum yo_net_activation activation) {
    int channels = channels_of(net, x), some = channels / 3 + 1, none = YO_NET_NONE;
    if (kind == 3) { /* dlshogi's */
        int b = convolution(net, x, channels, 3, activation, none, none);
        return convolution(net, b, channels, 3, activation, none, x);
    }
    int a = affine(net, x, activation);
    if (kind == 2) { /* nested */
        int y = convolution(net, a, some, 1, YO_NET_IDENTITY, none, none);
        y = block(net, y, 0, activation);
        return convolution(net, affine(net, y, activation), channels, 1, YO_NET_IDENTITY, none, x);
    }
    int vector = none;
    if (kind == 1) {
        int g = convolution(net, a, some, 3, activation, none, none);
        vector = dense(net, pooled(net, g, YO_NET_POOL_TRUNK), channels - some, YO_NET_IDENTITY);
    }
    int middle = kind == 1 ? channels - some : channels;
    int b = convolution(net, a, middle, 3, activation, vector, none);
    return convolution(net, b, channels, 3, YO_NET_IDENTITY, none, x);
}

void random_net_tower(struct random_net *net, uint64_t seed, int channels, int blocks,
                      enum yo_net_activation activation) {
    struct yo_diag diag;
    net->seed = seed;
    assert_int_equal(yo_net_graph_init(&net->graph, 22, 19, &diag), YO_OK);
    int vector = dense(net, 1, channels, YO_NET_IDENTITY);
    int x = convolution(net, 0, channels, 5, YO_NET_IDENTITY, vector, YO_NET_NONE);
    for (int i = 0; i < blocks; i++)
        x = block(net, x, i % 4, activation);
    x = affine(net, x, activation);
    int *outputs = net->graph.outputs;
    int g = pooled(net, convolution(net, x, 7, 1, activation, YO_NET_NONE, YO_NET_NONE),
                   YO_NET_POOL_TRUNK);
    int p = convolution(net, x, 7, 1, activation, dense(net, g, 7, YO_NET_IDENTITY), YO_NET_NONE);
    outputs[YO_NET_OUT_POLICY] =
        convolution(net, p, 2, 1, YO_NET_IDENTITY, YO_NET_NONE, YO_NET_NONE);
    outputs[YO_NET_OUT_PASS] = dense(net, g, 2, YO_NET_IDENTITY);
    int v = convolution(net, x, 9, 1, activation, YO_NET_NONE, YO_NET_NONE);
    int hidden = dense(net, pooled(net, v, YO_NET_POOL_VALUE), 33, activation);
    outputs[YO_NET_OUT_VALUE] = dense(net, hidden, 3, YO_NET_IDENTITY);
    outputs[YO_NET_OUT_OWNERSHIP] =
        convolution(net, v, 1, 1, YO_NET_IDENTITY, YO_NET_NONE, YO_NET_NONE);
}

void random_net_points(struct random_net *net, uint64_t seed, int channels, int outs,
                       enum yo_net_activation activation) {
    struct yo_diag diag;
    net->seed = seed;
    assert_int_equal(yo_net_graph_init(&net->graph, 22, 0, &diag), YO_OK);
    int x = convolution(net, 0, channels, 1, activation, YO_NET_NONE, YO_NET_NONE);
    x = convolution(net, x, outs, 1, activation, YO_NET_NONE, YO_NET_NONE);
    net->graph.outputs[YO_NET_OUT_POLICY] =
        convolution(net, x, 2, 1, YO_NET_IDENTITY, YO_NET_NONE, YO_NET_NONE);
}

void random_net_free(struct random_net *net) { yo_net_graph_free(&net->graph); }

/* ---- batches ---- */

static void alloc_results(struct random_net_batch *b) {
    for (int role = 0; role < YO_NET_ROLES; role++) {
        b->batch.out[role] = b->floats[role] ? yo_alloc(b->floats[role], sizeof(float)) : NULL;
        assert_true(b->floats[role] == 0 || b->batch.out[role]);
    }
}

/* A tenth of the planes is full, the others are thin, as those of games are. */
void random_net_batch_init(struct random_net_batch *b, struct random_net *net, int size,
                           int count) {
    const struct yo_net_graph *graph = &net->graph;
    int words = yo_net_plane_words(size), points = size * size;
    uint64_t *planes = yo_alloc((size_t)count * graph->planes * words, sizeof *planes);
    float *globals = yo_alloc((size_t)count * graph->globals, sizeof *globals);
    assert_non_null(planes);
    assert_non_null(globals);
    for (int plane = 0; plane < count * graph->planes; plane++) {
        uint32_t one_of = random_net_below(net, 10) == 0 ? 1 : 2 + random_net_below(net, 20);
        for (int p = 0; p < points; p++)
            if (random_net_below(net, one_of) == 0)
                planes[plane * words + p / 64] |= UINT64_C(1) << p % 64;
    }
    for (int i = 0; i < count * graph->globals; i++)
        globals[i] = random_net_float(net);
    *b = (struct random_net_batch){
        .batch = {.count = count, .size = size, .planes = planes, .globals = globals}};
    for (int role = 0; role < YO_NET_ROLES; role++)
        if (graph->outputs[role] != YO_NET_NONE)
            b->floats[role] = count * yo_net_tensor_floats(graph, graph->outputs[role], size);
    alloc_results(b);
}

void random_net_batch_copy(struct random_net_batch *b, const struct random_net_batch *from) {
    *b = *from;
    alloc_results(b);
}

void random_net_batch_free(struct random_net_batch *b, bool inputs) {
    for (int role = 0; role < YO_NET_ROLES; role++)
        yo_free(b->batch.out[role]);
    if (!inputs) return;
    yo_free((void *)b->batch.planes);
    yo_free((void *)b->batch.globals);
}

void random_net_run(const struct yo_net_backend *backend, const struct random_net *net,
                    struct random_net_batch *b, int max_batch) {
    void *program = NULL, *worker = NULL;
    struct yo_diag diag;
    assert_int_equal(backend->compile(&net->graph, &program, &diag), YO_OK);
    assert_int_equal(backend->worker_new(program, b->batch.size, max_batch, &worker, &diag), YO_OK);
    assert_int_equal(backend->run(worker, &b->batch, &diag), YO_OK);
    backend->worker_delete(worker);
    backend->program_delete(program);
}

void random_net_assert_same(const struct random_net_batch *a, const struct random_net_batch *b) {
    for (int role = 0; role < YO_NET_ROLES; role++)
        if (a->floats[role])
            assert_memory_equal(a->batch.out[role], b->batch.out[role],
                                a->floats[role] * sizeof(float));
}

double random_net_difference(const struct random_net_batch *a, const struct random_net_batch *b) {
    double worst = 0;
    for (int role = 0; role < YO_NET_ROLES; role++) {
        double largest = 1e-3, difference = 0;
        for (size_t i = 0; i < a->floats[role]; i++) {
            double x = (double)a->batch.out[role][i], y = (double)b->batch.out[role][i];
            assert_true(isfinite(x) && isfinite(y));
            largest = fmax(largest, fmax(fabs(x), fabs(y)));
            difference = fmax(difference, fabs(x - y));
        }
        worst = fmax(worst, difference / largest);
    }
    return worst;
}
