/* Network backends of this machine side by side: a network of the shape of KataGo's g170-b6c96 (six
 * blocks of 96 channels, two with global pooling) with random weights, random planes about as full
 * as those of a game, one thread. First each is compared with the plain C that has the same
 * numbers.
 *
 *   cmake --build BUILD --target bench_net_backends
 *   BUILD/bench_net_backends [SECONDS [parts]]      parts: also prints the time of each part */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench.h"
#include "eval/net/backend.h"

enum { CHANNELS = 96, POOLED = 32, PLANES = 22, GLOBALS = 19, BLOCKS = 6, BATCH = 8 };

static struct yo_net_graph graph;

static float random_float(void) { return (float)rand() / (float)RAND_MAX * 2.0f - 1.0f; }

static float *random_floats(int count, float size) {
    float *floats = bench_must(yo_net_graph_floats(&graph, (size_t)count));
    for (int i = 0; i < count; i++)
        floats[i] = random_float() * size;
    return floats;
}

static int add(struct yo_net_op op) {
    struct yo_diag diag;
    int out;
    int in = graph.tensors[op.in].channels;
    if (op.kind == YO_NET_CONV || op.kind == YO_NET_DENSE) {
        int products = in * (op.kind == YO_NET_CONV ? op.kernel_y * op.kernel_x : 1);
        op.in_channels = in;
        op.weights = random_floats(products * op.out_channels, 2.0f / sqrtf((float)products));
        op.bias = random_floats(op.out_channels, 0.3f);
    }
    if (op.kind == YO_NET_AFFINE) {
        op.scale = random_floats(in, 1.0f);
        op.bias = random_floats(in, 0.3f);
    }
    if (yo_net_graph_add(&graph, &op, &out, &diag)) bench_fail(&diag);
    return out;
}

static int convolution(int in, int outs, int kernel, enum yo_net_activation activation,
                       int add_vector, int sum) {
    return add((struct yo_net_op){.kind = YO_NET_CONV,
                                  .in = in,
                                  .out_channels = outs,
                                  .kernel_y = kernel,
                                  .kernel_x = kernel,
                                  .dilation_y = 1,
                                  .dilation_x = 1,
                                  .activation = activation,
                                  .add_vector = add_vector,
                                  .add = sum});
}

static int simple(enum yo_net_op_kind kind, int in, int outs, enum yo_net_activation activation,
                  enum yo_net_pool pool) {
    return add((struct yo_net_op){.kind = kind,
                                  .in = in,
                                  .out_channels = outs,
                                  .pool = pool,
                                  .activation = activation,
                                  .add_vector = YO_NET_NONE,
                                  .add = YO_NET_NONE});
}

static int block(int x, bool pooling) {
    int a = simple(YO_NET_AFFINE, x, 0, YO_NET_RELU, 0), vector = YO_NET_NONE;
    int outs = pooling ? CHANNELS - POOLED : CHANNELS;
    if (pooling) {
        int g = convolution(a, POOLED, 3, YO_NET_RELU, YO_NET_NONE, YO_NET_NONE);
        g = simple(YO_NET_POOL, g, 0, YO_NET_IDENTITY, YO_NET_POOL_TRUNK);
        vector = simple(YO_NET_DENSE, g, outs, YO_NET_IDENTITY, 0);
    }
    int b = convolution(a, outs, 3, YO_NET_RELU, vector, YO_NET_NONE);
    return convolution(b, CHANNELS, 3, YO_NET_IDENTITY, YO_NET_NONE, x);
}

static void build(void) {
    struct yo_diag diag;
    if (yo_net_graph_init(&graph, PLANES, GLOBALS, &diag)) bench_fail(&diag);
    int globals = simple(YO_NET_DENSE, 1, CHANNELS, YO_NET_IDENTITY, 0);
    int x = convolution(0, CHANNELS, 5, YO_NET_IDENTITY, globals, YO_NET_NONE);
    for (int i = 0; i < BLOCKS; i++)
        x = block(x, i == 2 || i == 4);
    x = simple(YO_NET_AFFINE, x, 0, YO_NET_RELU, 0);
    int g = convolution(x, POOLED, 1, YO_NET_RELU, YO_NET_NONE, YO_NET_NONE);
    g = simple(YO_NET_POOL, g, 0, YO_NET_IDENTITY, YO_NET_POOL_TRUNK);
    int bias = simple(YO_NET_DENSE, g, POOLED, YO_NET_IDENTITY, 0);
    int p = convolution(x, POOLED, 1, YO_NET_RELU, bias, YO_NET_NONE);
    int v = convolution(x, POOLED, 1, YO_NET_RELU, YO_NET_NONE, YO_NET_NONE);
    int hidden = simple(YO_NET_POOL, v, 0, YO_NET_IDENTITY, YO_NET_POOL_VALUE);
    hidden = simple(YO_NET_DENSE, hidden, 64, YO_NET_RELU, 0);
    graph.outputs[YO_NET_OUT_POLICY] =
        convolution(p, 1, 1, YO_NET_IDENTITY, YO_NET_NONE, YO_NET_NONE);
    graph.outputs[YO_NET_OUT_PASS] = simple(YO_NET_DENSE, g, 1, YO_NET_IDENTITY, 0);
    graph.outputs[YO_NET_OUT_VALUE] = simple(YO_NET_DENSE, hidden, 3, YO_NET_IDENTITY, 0);
    graph.outputs[YO_NET_OUT_SCORE] = simple(YO_NET_DENSE, hidden, 4, YO_NET_IDENTITY, 0);
    graph.outputs[YO_NET_OUT_OWNERSHIP] =
        convolution(v, 1, 1, YO_NET_IDENTITY, YO_NET_NONE, YO_NET_NONE);
}

/* The board, stones of two colours, some liberties and marks. */
static void fill_planes(uint64_t *planes, int size) {
    int words = yo_net_plane_words(size);
    for (int i = 0; i < BATCH * PLANES; i++)
        for (int p = 0; p < size * size; p++) {
            int plane = i % PLANES, one_of = plane == 0 ? 1 : plane < 3 ? 4 : plane < 9 ? 12 : 60;
            if (rand() % one_of == 0) planes[i * words + p / 64] |= UINT64_C(1) << p % 64;
        }
}

static double seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

struct run {
    void *program, *worker;
    struct yo_net_batch batch;
};

static void start(struct run *run, const struct yo_net_backend *backend, int size,
                  const uint64_t *planes, const float *globals) {
    struct yo_diag diag;
    if (backend->compile(&graph, &run->program, &diag) ||
        backend->worker_new(run->program, size, BATCH, &run->worker, &diag))
        bench_fail(&diag);
    run->batch = (struct yo_net_batch){.size = size, .planes = planes, .globals = globals};
    for (int role = 0; role < YO_NET_ROLES; role++)
        run->batch.out[role] = bench_must(
            calloc(BATCH * yo_net_tensor_floats(&graph, graph.outputs[role], size), sizeof(float)));
}

static void evaluate(struct run *run, const struct yo_net_backend *backend, int count) {
    struct yo_diag diag;
    run->batch.count = count;
    if (backend->run(run->worker, &run->batch, &diag)) bench_fail(&diag);
}

static void stop(struct run *run, const struct yo_net_backend *backend) {
    for (int role = 0; role < YO_NET_ROLES; role++)
        free(run->batch.out[role]);
    backend->worker_delete(run->worker);
    backend->program_delete(run->program);
}

/* The backend of plain C with the same numbers, or NULL. */
static const struct yo_net_backend *judge_of(const struct yo_net_backend *backend) {
    const char *numbers = strchr(backend->name, '-');
    char name[32];
    if (!numbers) return NULL;
    snprintf(name, sizeof name, "plain%s", numbers);
    return yo_net_backend_find(name, NULL);
}

static const char *compare(const struct run *run, const struct yo_net_backend *backend) {
    const struct yo_net_backend *judge = judge_of(backend);
    if (!judge) return "";
    struct run other;
    start(&other, judge, run->batch.size, run->batch.planes, run->batch.globals);
    evaluate(&other, judge, 2);
    bool same = true;
    for (int role = 0; role < YO_NET_ROLES; role++)
        same &= memcmp(run->batch.out[role], other.batch.out[role],
                       2 * sizeof(float) *
                           yo_net_tensor_floats(&graph, graph.outputs[role], run->batch.size)) == 0;
    stop(&other, judge);
    return same ? "same as plain C" : "NOT THE SAME as plain C";
}

static double sum(const struct yo_net_times *times) {
    double total = 0;
    for (int part = 0; part < YO_NET_PARTS; part++)
        total += times->seconds[part];
    return total;
}

/* Microseconds of each part of the fastest evaluation, which nothing else disturbed; reading the
 * clock adds about 5 in all. */
static void print_parts(struct run *run, const struct yo_net_backend *backend, double limit) {
    struct yo_net_times best, times;
    if (!backend->set_times) return;
    backend->set_times(run->worker, &times);
    bool first = true;
    for (double begin = seconds(); first || seconds() - begin < limit; first = false) {
        times = (struct yo_net_times){{0}};
        evaluate(run, backend, 1);
        if (first || sum(&times) < sum(&best)) best = times;
    }
    backend->set_times(run->worker, NULL);
    printf("  ");
    for (int part = 0; part < YO_NET_PARTS; part++)
        printf("  %s %.1f", yo_net_part_name((enum yo_net_part)part), best.seconds[part] * 1e6);
    printf("  us\n");
}

static void measure(const struct yo_net_backend *backend, int size, double limit, bool parts) {
    uint64_t *planes =
        bench_must(calloc((size_t)BATCH * PLANES * yo_net_plane_words(size), sizeof *planes));
    float globals[BATCH * GLOBALS] = {0};
    struct run run;
    fill_planes(planes, size);
    start(&run, backend, size, planes, globals);
    evaluate(&run, backend, 2);
    printf("%2d %-14s", size, backend->name);
    const char *verdict = compare(&run, backend);
    for (int count = 1; count <= BATCH; count *= BATCH) {
        long done = 0;
        double begin = seconds(), spent;
        do {
            evaluate(&run, backend, count);
            done += count;
        } while ((spent = seconds() - begin) < limit);
        printf("  batch %d: %7.0f/s", count, (double)done / spent);
    }
    printf("  %s\n", verdict);
    if (parts) print_parts(&run, backend, limit);
    stop(&run, backend);
    free(planes);
}

int main(int argc, char **argv) {
    double limit = argc > 1 ? atof(argv[1]) : 1.0;
    bool parts = argc > 2 && strcmp(argv[2], "parts") == 0;
    srand(1);
    build();
    int count;
    const struct yo_net_backend *const *backends = yo_net_backends(&count);
    for (int size = 9; size <= 19; size += 10)
        for (int i = 0; i < count; i++)
            if (backends[i]->available() && strncmp(backends[i]->name, "plain", 5) != 0 &&
                strcmp(backends[i]->name, "reference") != 0)
                measure(backends[i], size, limit, parts);
    yo_net_graph_free(&graph);
    return 0;
}
