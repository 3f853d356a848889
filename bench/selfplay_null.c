/* What self-play costs the CPU for each evaluation, with a network backend that computes nothing:
 *   bench_selfplay_null [SIZE [AT_ONCE [VISITS [THREADS [SECONDS [GAMES [NET]]]]]]]
 * The answers are numbers drawn by a hash of the inputs: a policy that prefers some points, and
 * values near even, so that games are long and trees broad. Prints evaluations per second, which is
 * what the CPU side of self-play can do with a network that takes no time. With a number of GAMES
 * and no time limit (0 SECONDS) the games are the same in every run, and so is the number of
 * evaluations. NET: a network's file, of Go or shogi. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/diag.h"
#include "base/random.h"
#include "base/time.h"
#include "engine/go_net.h"
#include "learn/netplay/go.h"
#include "learn/netplay/run.h"
#include "learn/netplay/shogi.h"

static const struct yo_net_graph *graph_of;
static double limit_s;
static int64_t begun_ns;
static atomic_bool stop;
static float noise[1 << 16];

static bool available(void) { return true; }
static enum yo_err compile(const struct yo_net_graph *graph, void **program, struct yo_diag *diag) {
    (void)diag;
    graph_of = graph;
    *program = NULL;
    return YO_OK;
}
static void program_delete(void *program) { (void)program; }
static enum yo_err worker_new(void *program, int size, int max_batch, void **worker,
                              struct yo_diag *diag) {
    (void)program, (void)size, (void)max_batch, (void)diag;
    *worker = noise;
    return YO_OK;
}
static void worker_delete(void *worker) { (void)worker; }

static uint64_t hash_of(const uint64_t *words, size_t count) {
    uint64_t hash = 0;
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ words[i]) * YO_SPLITMIX_STEP, hash ^= hash >> 29;
    return hash;
}

static void answer(const struct yo_net_batch *batch, int row, uint64_t hash) {
    for (int role = 0; role < YO_NET_ROLES; role++) {
        if (!batch->out[role]) continue;
        size_t each = yo_net_tensor_floats(graph_of, graph_of->outputs[role], batch->size);
        float scale = role == YO_NET_OUT_POLICY ? 3.0f : role == YO_NET_OUT_PASS ? 0 : 0.2f;
        float shift = role == YO_NET_OUT_PASS ? -4.0f : 0;
        float *out = batch->out[role] + (size_t)row * each;
        for (size_t i = 0; i < each; i++)
            out[i] = shift + scale * noise[hash++ & 0xffff];
    }
}

static enum yo_err run(void *worker, const struct yo_net_batch *batch, struct yo_diag *diag) {
    (void)worker, (void)diag;
    size_t words = (size_t)graph_of->planes * (size_t)yo_net_plane_words(batch->size);
    for (int row = 0; row < batch->count; row++)
        answer(batch, row, hash_of(batch->planes + (size_t)row * words, words));
    return YO_OK;
}

static const struct yo_net_backend null_backend = {
    .name = "null",
    .available = available,
    .compile = compile,
    .program_delete = program_delete,
    .worker_new = worker_new,
    .worker_delete = worker_delete,
    .run = run,
};

static void progress(void *user, const struct yo_netplay_counts *counts) {
    (void)user, (void)counts;
    if (limit_s > 0 && 1e-9 * (double)(yo_time_ns() - begun_ns) > limit_s)
        atomic_store(&stop, true);
}

static enum yo_err read_net(const char *path, struct yo_net **net, struct yo_diag *diag) {
    size_t len;
    const void *bytes = yo_go_net_builtin(YO_GO_SIZE_MAX, &len);
    return path ? yo_net_open(path, net, diag) : yo_net_read(bytes, len, net, diag);
}

int main(int argc, char **argv) {
    for (int i = 1; i < argc && i < 7; i++) {
        if (argv[i][0] >= '0' && argv[i][0] <= '9') continue;
        fprintf(
            stderr,
            "usage: selfplay_null [SIZE [AT_ONCE [VISITS [THREADS [SECONDS [GAMES [NET]]]]]]]\n");
        return 2;
    }
    int size = argc > 1 ? atoi(argv[1]) : 9, at_once = argc > 2 ? atoi(argv[2]) : 1024;
    int visits = argc > 3 ? atoi(argv[3]) : 400, threads = argc > 4 ? atoi(argv[4]) : 1;
    limit_s = argc > 5 ? atof(argv[5]) : 10;
    int games = argc > 6 ? atoi(argv[6]) : 0; /* 0: no limit */
    uint64_t random = 1;
    for (size_t i = 0; i < sizeof noise / sizeof noise[0]; i++)
        noise[i] = (float)(yo_splitmix64(&random) >> 40) / (1 << 23) - 1;
    struct yo_diag diag = {0};
    struct yo_netplay_counts counts;
    struct yo_netplay_run wanted = {.settings = yo_netplay_defaults,
                                    .backend = &null_backend,
                                    .sizes = &size,
                                    .size_count = 1,
                                    .groups = 4,
                                    .at_once = at_once,
                                    .threads = threads,
                                    .eval_threads = 1,
                                    .games = (uint64_t)games,
                                    .stop = &stop,
                                    .progress = progress};
    wanted.settings.rules = &yo_netplay_go;
    wanted.settings.rules_settings = &yo_netplay_go_defaults;
    wanted.settings.visits = (unsigned)visits;
    wanted.settings.fast_visits = (unsigned)visits / 5;
    if (read_net(argc > 7 ? argv[7] : NULL, &wanted.net, &diag)) {
        fprintf(stderr, "%s\n", diag.what);
        return 1;
    }
    if (wanted.net->format != YO_NET_KATAGO) wanted.settings.rules = &yo_netplay_shogi;
    begun_ns = yo_time_ns();
    clock_t before = clock();
    enum yo_err err = yo_netplay_run(&wanted, &counts, &diag);
    double seconds = 1e-9 * (double)(yo_time_ns() - begun_ns);
    if (err) fprintf(stderr, "%s\n", diag.what);
    double used = (double)(clock() - before) / CLOCKS_PER_SEC;
    printf("%dx%d, %d games at once, %d visits, %d threads: %.0f evaluations/s, %.2f us of a core "
           "each (%.0f/s/core); %llu games of %.1f moves, %llu evaluations\n",
           size, size, at_once, visits, threads, (double)counts.evaluations / seconds,
           1e6 * used / (double)counts.evaluations, (double)counts.evaluations / used,
           (unsigned long long)counts.games,
           (double)counts.moves / (double)(counts.games ? counts.games : 1),
           (unsigned long long)counts.evaluations);
    yo_net_delete(wanted.net);
    return err != YO_OK;
}
