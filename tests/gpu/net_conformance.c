/* On a GPU: the network backend cuda agrees with the reference, for random networks of many shapes,
 * board sizes and batch sizes, and for network files named on the command line. Then speeds. A
 * plain program, so that it runs on a machine that has a GPU and nothing else. Exit status 77:
 * there is no GPU here. net_conformance [--speed | --only-speed] [--short] [--only-files]
 * [--backend=NAME]... [--whole] [FILE...], or --one=SHAPE (for a profiler). --whole: speeds of
 * shogi networks with whole policies copied, not the entries of 85 moves. */
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/notice.h"
#include "base/time.h"
#include "eval/net/cuda/cuda.h"
#include "eval/net/cuda/cudnn.h"
#include "eval/net/net.h"
#include "eval/net/reference.h"
#include "eval/playout/cuda/gpu.h"
#include "support/shaped_net.h"

/* fp16 weights and activations, sums in float: over tens of layers the error stays below this. */
#define DISTANCE_MAX 0.01

static int failures;

/* Without --backend: all of them are compared, where they are here, and the first is timed. Those
 * of cuDNN, which chooses a kernel by the batch size, have not the same bits in every batch. */
static const struct yo_net_backend *const backends[] = {&yo_net_cuda, &yo_net_cuda_trunk,
                                                        &yo_net_cuda_layers, &yo_net_cuda_cudnn,
                                                        &yo_net_cuda_cudnn_compiled};
enum { BACKENDS = sizeof backends / sizeof backends[0], USUAL = 4 };
static bool named[BACKENDS], any_named;

static bool is_compared(int b) {
    return (any_named ? named[b] : b < USUAL) && backends[b]->available();
}
static bool is_timed(int b) { return (any_named ? named[b] : b == 0) && backends[b]->available(); }
static bool has_same_bits(const struct yo_net_backend *backend) {
    return backend != &yo_net_cuda_cudnn && backend != &yo_net_cuda_cudnn_compiled;
}

static void hear(void *user, const char *text) {
    (void)user;
    printf("NOTICE %s\n", text);
    failures++;
}

struct runner {
    const struct yo_net_backend *backend;
    void *program, *worker;
    const float *left[YO_NET_ROLES];
};

static void start(struct runner *runner, const struct yo_net_backend *backend,
                  const struct yo_net_graph *graph, int size, int room) {
    struct yo_diag diag = {0};
    *runner = (struct runner){.backend = backend};
    if (backend->compile(graph, &runner->program, &diag) ||
        backend->worker_new(runner->program, size, room, &runner->worker, &diag)) {
        printf("%s: %s\n", backend->name, diag.what);
        unsigned told = 0;
        yo_cuda_notify_losses(YO_CUDA_ALL_GPUS, &told, &(struct yo_notices){hear, NULL});
        exit(1);
    }
}

static void run(struct runner *runner, const struct yo_net_batch *batch) {
    struct yo_diag diag = {0};
    if (!runner->backend->run(runner->worker, batch, &diag)) return;
    printf("%s: %s\n", runner->backend->name, diag.what);
    exit(1);
}

static void notify(struct runner *runner) {
    if (runner->backend->notify)
        runner->backend->notify(runner->program, &(struct yo_notices){hear, NULL});
}

static void stop(struct runner *runner) {
    runner->backend->worker_delete(runner->worker);
    runner->backend->program_delete(runner->program);
}

/* The reference is slow: every thread takes some positions. */
enum { JUDGES = 16 };
struct judge {
    const struct yo_net_graph *graph;
    struct yo_net_batch batch;
    pthread_t thread;
};

static void *judge_part(void *user) {
    struct judge *judge = user;
    struct runner reference;
    start(&reference, &yo_net_reference, judge->graph, judge->batch.size, judge->batch.count);
    run(&reference, &judge->batch);
    stop(&reference);
    return NULL;
}

static void judge_all(const struct yo_net_graph *graph, const struct yo_net_batch *batch) {
    struct judge judges[JUDGES];
    size_t words = (size_t)graph->planes * (size_t)yo_net_plane_words(batch->size);
    for (int i = 0; i < JUDGES; i++) {
        int first = batch->count * i / JUDGES, last = batch->count * (i + 1) / JUDGES;
        judges[i] = (struct judge){.graph = graph, .batch = *batch};
        judges[i].batch.count = last - first;
        judges[i].batch.planes += (size_t)first * words;
        judges[i].batch.globals += (size_t)first * (size_t)graph->globals;
        for (int role = 0; role < YO_NET_ROLES; role++)
            if (batch->out[role])
                judges[i].batch.out[role] +=
                    (size_t)first * yo_net_tensor_floats(graph, graph->outputs[role], batch->size);
        if (first == last) continue;
        if (pthread_create(&judges[i].thread, NULL, judge_part, &judges[i])) exit(1);
    }
    for (int i = 0; i < JUDGES; i++)
        if (judges[i].batch.count > 0) pthread_join(judges[i].thread, NULL);
}

static void compare(const char *name, const struct yo_net_graph *graph, int size, int count) {
    struct shaped_batch right, other;
    struct runner runner;
    shaped_batch_make(&right, graph, size, count, (unsigned)size);
    judge_all(graph, &right.batch);
    for (int b = 0; b < BACKENDS; b++) {
        if (!is_compared(b)) continue;
        shaped_batch_make(&other, graph, size, count, (unsigned)size);
        start(&runner, backends[b], graph, size, count);
        run(&runner, &other.batch);
        double distance = shaped_batch_distance(graph, &right.batch, &other.batch);
        int same = shaped_batch_same_first(graph, &right.batch, &other.batch);
        bool good = distance < DISTANCE_MAX && same * 100 >= count * 97 - 100;
        printf("%-24s %2dx%-2d %-12s batch %4d: distance %.1e, first move %d%%%s\n", name, size,
               size, backends[b]->name, count, distance, same * 100 / count, good ? "" : " WRONG");
        failures += !good;
        notify(&runner);
        stop(&runner);
        shaped_batch_free(&other);
    }
    shaped_batch_free(&right);
}

/* The same positions in batches of all sizes give the same numbers, bit for bit where the backend
 * is one whose do. */
static void compare_batches(const char *name, const struct yo_net_graph *graph, int size, int most,
                            const struct yo_net_backend *backend) {
    static const int counts[] = {1, 2, 3, 5, 7, 31, 132, 133, 397, 1000, 2500};
    struct shaped_batch all, some;
    struct runner runner;
    shaped_batch_make(&all, graph, size, most, 1);
    start(&runner, backend, graph, size, most);
    run(&runner, &all.batch);
    bool good = true;
    double distance = 0;
    for (size_t i = 0; i < sizeof counts / sizeof counts[0] && counts[i] <= most; i++) {
        shaped_batch_make(&some, graph, size, most, 1);
        some.batch.count = counts[i];
        run(&runner, &some.batch);
        struct yo_net_batch part = all.batch;
        part.count = counts[i];
        distance = fmax(distance, shaped_batch_distance(graph, &part, &some.batch));
        for (int role = 0; role < YO_NET_ROLES && has_same_bits(backend); role++)
            if (some.batch.out[role] &&
                memcmp(some.batch.out[role], all.batch.out[role],
                       (size_t)counts[i] * sizeof(float) *
                           yo_net_tensor_floats(graph, graph->outputs[role], size)) != 0)
                good = false;
        shaped_batch_free(&some);
    }
    good = good && distance < DISTANCE_MAX;
    printf("%-24s %2dx%-2d %-12s batches of 1 to %d: %s, distance %.1e\n", name, size, size,
           backend->name, most, good ? "the same" : "DIFFERENT", distance);
    failures += !good;
    notify(&runner);
    stop(&runner);
    shaped_batch_free(&all);
}

static size_t policy_floats(const struct yo_net_graph *graph, int size) {
    return yo_net_tensor_floats(graph, graph->outputs[YO_NET_OUT_POLICY], size);
}

/* Of `some`, which wants entries: picked, they are the very numbers of the whole policy; else it is
 * given. Returns how many positions were picked, or -1. */
static int count_picked(const struct yo_net_graph *graph, const struct yo_net_batch *whole,
                        const struct yo_net_batch *some, const struct shaped_wanted *wanted) {
    int rows = some->count - some->without_policy, picked = 0;
    for (int i = 0; i < some->count; i++)
        picked += wanted->picked[i] != NULL;
    if (picked > 0) return shaped_wanted_same(wanted, graph, whole, rows) == picked ? picked : -1;
    size_t bytes = (size_t)rows * policy_floats(graph, some->size) * sizeof(float);
    return memcmp(yo_net_batch_output(whole, YO_NET_OUT_POLICY),
                  yo_net_batch_output(some, YO_NET_OUT_POLICY), bytes) == 0
               ? 0
               : -1;
}

/* Entries of shogi's policies: lists of all kinds, few and many positions, some without a policy,
 * more entries than there is room for, and a worker that takes the batch in parts. */
static void compare_picked(const char *name, const struct yo_net_graph *graph, int size,
                           const struct yo_net_backend *backend) {
    const int all = (int)policy_floats(graph, size);
    const struct {
        int count, room, without, lengths[10], length_count, picked;
    } cases[] = {{2000, 2000, 0, {85}, 1, 2000},
                 {2000, 2000, 0, {85, 0, 1, 40, 593}, 5, 2000},
                 {2000, 2000, 0, {0}, 1, 2000},
                 {2000, 2000, 700, {all, 1, 2, 3, 0, 0, 0, 5, 6, 7}, 10, 1300},
                 {2000, 2000, 2000, {85}, 1, 0},
                 {2000, 2000, 0, {300}, 1, 0},
                 {1, 2000, 0, {85}, 1, 0},
                 {10, 4, 3, {85}, 1, 0}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        struct shaped_batch whole, some;
        struct shaped_wanted wanted;
        struct runner runner;
        shaped_batch_make(&whole, graph, size, cases[k].count, 1);
        shaped_batch_make(&some, graph, size, cases[k].count, 1);
        shaped_wanted_make(&wanted, graph, size, cases[k].count, cases[k].lengths,
                           cases[k].length_count);
        start(&runner, backend, graph, size, cases[k].room);
        run(&runner, &whole.batch);
        some.batch.wanted = wanted.lists;
        some.batch.picked = wanted.picked;
        some.batch.without_policy = cases[k].without;
        run(&runner, &some.batch);
        int picked = count_picked(graph, &whole.batch, &some.batch, &wanted);
        bool good = picked == cases[k].picked;
        printf("%-24s %2dx%-2d %-12s batch %4d: %d picked%s\n", name, size, size, backend->name,
               cases[k].count, picked, good ? "" : " WRONG");
        failures += !good;
        notify(&runner);
        stop(&runner);
        shaped_wanted_free(&wanted);
        shaped_batch_free(&whole);
        shaped_batch_free(&some);
    }
}

/* The forward pass alone: launches one behind the other, no copies. */
static double forward_ns(struct runner *runner, int count, double seconds) {
    yo_net_cuda_repeat(runner->worker, count, 3);
    int64_t begun = yo_time_ns();
    yo_net_cuda_repeat(runner->worker, count, 5);
    int rounds = 1 + (int)(seconds * 1e9 / ((double)(yo_time_ns() - begun) / 5));
    begun = yo_time_ns();
    yo_net_cuda_repeat(runner->worker, count, rounds);
    return (double)(yo_time_ns() - begun) / rounds;
}

enum { THREADS = 3 };
struct load {
    struct runner runner;
    struct shaped_batch random;
    struct shaped_wanted wanted;
    int64_t until;
    int rounds;
};

static bool whole; /* policies come back as they are */

/* As searches do: outputs are read where they are, and of large policies those of the moves. */
static void ask_as_searches(struct load *load, const struct yo_net_graph *graph) {
    struct yo_net_batch *batch = &load->random.batch;
    batch->left = load->runner.left;
    if (whole || policy_floats(graph, batch->size) < 1000) return;
    shaped_wanted_make(&load->wanted, graph, batch->size, batch->count, &(int){85}, 1);
    batch->wanted = load->wanted.lists;
    batch->picked = load->wanted.picked;
}

static void *keep_running(void *user) {
    struct load *load = user;
    while (yo_time_ns() < load->until) {
        run(&load->runner, &load->random.batch);
        load->rounds++;
    }
    return NULL;
}

/* With copies: positions a second by several threads, and how long one thread alone waits. */
static void speed(const char *name, const struct yo_net_graph *graph, int size,
                  const struct yo_net_backend *backend, int count, double seconds) {
    struct load loads[THREADS] = {0};
    int64_t made = 0;
    pthread_t threads[THREADS];
    struct yo_diag diag;
    for (int t = 0; t < THREADS; t++) {
        shaped_batch_make(&loads[t].random, graph, size, count, 9);
        int64_t at = yo_time_ns();
        if (t == 0) start(&loads[0].runner, backend, graph, size, count);
        if (t == 0) made = yo_time_ns() - at;
        loads[t].runner.backend = backend;
        loads[t].runner.program = loads[0].runner.program;
        if (t > 0 && backend->worker_new(loads[0].runner.program, size, count,
                                         &loads[t].runner.worker, &diag))
            exit(1);
        ask_as_searches(&loads[t], graph);
        run(&loads[t].runner, &loads[t].random.batch);
    }
    double forward = forward_ns(&loads[0].runner, count, seconds);
    int64_t begun = yo_time_ns(), best = INT64_MAX;
    for (int i = 0; i < 20; i++) {
        int64_t at = yo_time_ns();
        run(&loads[0].runner, &loads[0].random.batch);
        if (yo_time_ns() - at < best) best = yo_time_ns() - at;
    }
    begun = yo_time_ns();
    for (int t = 0; t < THREADS; t++) {
        loads[t].until = begun + (int64_t)(seconds * 1e9);
        if (pthread_create(&threads[t], NULL, keep_running, &loads[t])) exit(1);
    }
    int rounds = 0;
    for (int t = 0; t < THREADS; t++) {
        pthread_join(threads[t], NULL);
        rounds += loads[t].rounds;
    }
    double took = (double)(yo_time_ns() - begun);
    printf("%-18s %2dx%-2d %-11s batch %5d: forward %8.0f/s %8.1f us, with copies %8.0f/s, "
           "one batch %7.1f us, made in %.2f s\n",
           name, size, size, backend->name, count, count / forward * 1e9, forward / 1e3,
           (double)rounds * count / took * 1e9, (double)best / 1e3, (double)made / 1e9);
    struct yo_buf how = {0};
    backend->describe(loads[0].runner.worker, &how);
    if (backend != &yo_net_cuda) printf("    %s\n", yo_buf_text(&how));
    yo_buf_free(&how);
    notify(&loads[0].runner);
    for (int t = 0; t < THREADS; t++) {
        backend->worker_delete(loads[t].runner.worker);
        shaped_wanted_free(&loads[t].wanted);
        shaped_batch_free(&loads[t].random);
    }
    backend->program_delete(loads[0].runner.program);
}

static const struct net_shape shapes[] = {
    {"go 6x96", 22, 19, 5, 96, "oogogo", 96, 32, 32, YO_NET_RELU, false, false},
    {"shogi 5x192", 119, 0, 3, 192, "ooooo", 192, 0, 27, YO_NET_RELU, true, false},
    {"go 10x128", 22, 19, 5, 128, "ooogoogoog", 128, 32, 32, YO_NET_RELU, false, false},
    {"go 3x64 mish", 22, 19, 5, 64, "ogo", 64, 16, 24, YO_NET_MISH, false, false},
    {"shogi 2x192 swish", 119, 0, 3, 192, "oo", 192, 0, 27, YO_NET_SWISH, true, true},
    {"nested 2x128", 22, 19, 5, 128, "nn", 64, 16, 32, YO_NET_MISH, false, false},
    {"odd", 5, 3, 5, 37, "gog", 43, 13, 9, YO_NET_RELU, false, false},
    {"go 2x384", 22, 19, 5, 384, "og", 384, 64, 48, YO_NET_MISH, false, false},
    {"nested 18x384", 22, 19, 3, 384, "nnnnnnnnnnnnnnnnnn", 192, 64, 48, YO_NET_MISH, false, false},
};
enum {
    SHAPES = sizeof shapes / sizeof shapes[0],
    CHECKED = SHAPES - 1, /* the reference is too slow for the last */
};

static void check_all(bool brief) {
    static const int sizes[] = {9, 19, 13, 2, 7};
    for (int i = 0; i < CHECKED; i++) {
        struct yo_net_graph graph;
        shaped_net_make(&graph, &shapes[i], 3);
        for (int s = 0; s < (shapes[i].post ? 1 : brief ? 3 : 5); s++) {
            compare(shapes[i].name, &graph, sizes[s],
                    sizes[s] < 10 ? brief || i > 2 ? 20 : 100
                    : brief       ? 3
                                  : 10);
            for (int b = 0; b < BACKENDS; b++)
                if (is_compared(b) && (b == 0 || !has_same_bits(backends[b])))
                    compare_batches(shapes[i].name, &graph, sizes[s], s == 0 && i < 3 ? 2500 : 400,
                                    backends[b]);
        }
        for (int b = 0; b < BACKENDS && shapes[i].post; b++)
            if (is_compared(b)) compare_picked(shapes[i].name, &graph, 9, backends[b]);
        yo_net_graph_free(&graph);
    }
}

static void time_all(bool brief) {
    static const int counts[] = {1, 128, 528, 4096, 4224};
    static const struct {
        int shape, size;
    } cases[] = {{0, 9}, {2, 9}, {2, 19}, {0, 19}, {1, 9}, {0, 13}, {7, 19}, {8, 19}};
    const size_t last = sizeof cases / sizeof cases[0] - 1; /* a network of the largest kind */
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        struct yo_net_graph graph;
        shaped_net_make(&graph, &shapes[cases[k].shape], 3);
        for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
            for (int b = 0; b < BACKENDS; b++)
                if (is_timed(b) &&
                    (k == last ? counts[i] == 528
                     : brief   ? k < 5 && (counts[i] == 4224 || (k < 2 && counts[i] <= 128))
                               : k < 5 || counts[i] == 528))
                    speed(shapes[cases[k].shape].name, &graph, cases[k].size, backends[b],
                          counts[i], 0.1);
        if (k == 0 && !brief && !any_named) {
            speed(shapes[cases[k].shape].name, &graph, cases[k].size, &yo_net_cuda_trunk, 4224,
                  0.1);
            speed(shapes[cases[k].shape].name, &graph, cases[k].size, &yo_net_cuda_layers, 4096,
                  0.1);
        }
        yo_net_graph_free(&graph);
    }
}

static void check_file(const char *path, bool check, bool timed) {
    struct yo_net *net;
    struct yo_diag diag = {0};
    if (yo_net_open(path, &net, &diag)) {
        printf("%s: %s\n", path, diag.what);
        failures++;
        return;
    }
    static const int sizes[] = {9, 19, 13};
    for (int s = 0; check && s < (net->graph.fixed_size ? 1 : 3); s++)
        compare(net->name, &net->graph, sizes[s], sizes[s] == 9 ? 100 : 20);
    for (int s = 0; timed && s < (net->graph.fixed_size ? 1 : 2); s++)
        for (int b = 0; b < BACKENDS; b++) {
            if (!is_timed(b)) continue;
            speed(net->name, &net->graph, sizes[s], backends[b], 1, 0.1);
            speed(net->name, &net->graph, sizes[s], backends[b], 4224, 0.2);
        }
    yo_net_delete(net);
}

/* A full batch of one of the shapes, three times. */
static void run_one(int shape) {
    struct yo_net_graph graph;
    struct shaped_batch random;
    struct runner runner;
    shaped_net_make(&graph, &shapes[shape], 3);
    shaped_batch_make(&random, &graph, 9, 4224, 9);
    start(&runner, &yo_net_cuda, &graph, 9, 4224);
    for (int i = 0; i < 3; i++)
        run(&runner, &random.batch);
    stop(&runner);
    shaped_batch_free(&random);
    yo_net_graph_free(&graph);
}

/* A backend that was asked for and is not here is a failure. */
static void say_missing(void) {
    const char *why = "";
    if (!yo_cudnn_load(&why)) printf("no cuDNN: %s\n", why);
    for (int b = 0; b < BACKENDS; b++)
        if (named[b] && !backends[b]->available()) {
            printf("%s is not here\n", backends[b]->name);
            failures++;
        }
}

int main(int argc, char **argv) {
    bool timed = false, brief = false, check = true, shaped = true;
    int first = 1, one = -1;
    for (; first < argc && argv[first][0] == '-'; first++) {
        if (strcmp(argv[first], "--speed") == 0) timed = true;
        if (strcmp(argv[first], "--short") == 0) brief = true;
        if (strcmp(argv[first], "--only-speed") == 0) timed = true, check = false;
        if (strcmp(argv[first], "--only-files") == 0) shaped = false;
        if (strcmp(argv[first], "--whole") == 0) whole = true;
        for (int b = 0; b < BACKENDS && strncmp(argv[first], "--backend=", 10) == 0; b++)
            if (strcmp(argv[first] + 10, backends[b]->name) == 0) any_named = named[b] = true;
        if (strncmp(argv[first], "--one=", 6) == 0) one = atoi(argv[first] + 6), check = false;
    }
    if (!yo_net_cuda.available()) {
        char why[300];
        int version;
        yo_cuda_state(why, sizeof why, &version);
        printf("no GPU: networks not compared there (%s)\n", why);
        return 77;
    }
    setvbuf(stdout, NULL, _IOLBF, 0);
    say_missing();
    if (one >= 0 && one < SHAPES) run_one(one);
    if (check && shaped) check_all(brief);
    for (int i = first; i < argc; i++)
        check_file(argv[i], check, timed);
    if (timed && shaped) time_all(brief);
    unsigned told = 0;
    yo_cuda_notify_losses(YO_CUDA_ALL_GPUS, &told, &(struct yo_notices){hear, NULL});
    if (failures)
        printf("%d failures\n", failures);
    else if (check)
        printf("the GPU agrees with the reference\n");
    return failures > 0;
}
