/* yomi bench net: how fast networks are on this machine. */
#include "cmd/bench/net.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cpu.h"
#include "base/diag.h"
#include "cmd/net/rate.h"
#include "cmd/progress.h"
#include "engine/go_net.h"
#include "eval/net/net.h"

/* As for playouts: each backend is measured in turns, and the median turn counts. */
#define ROUNDS 5
enum { CELLS_MAX = 16 };

struct cell {
    struct yo_net_rate_setup setup;
    struct yo_net_rate *rate;
    double rates[ROUNDS]; /* sorted at the end, lowest first */
};

struct bench {
    struct cell cells[CELLS_MAX];
    int count;
    double seconds;
    const char *part; /* its name */
    bool json, printed;
    struct yo_progress progress;
    int sizes, done; /* turns that were measured */
};

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void print_cell(struct bench *bench, const struct cell *cell) {
    const struct yo_net_rate_setup *s = &cell->setup;
    double median = cell->rates[ROUNDS / 2];
    if (bench->json) {
        printf("%s\n  {\"size\": %d, \"backend\": \"%s\", \"batch\": %d, \"threads\": %d, "
               "\"part\": \"%s\", \"evaluations_per_s\": %.1f, \"lowest\": %.1f, "
               "\"highest\": %.1f, \"turns\": %d}",
               bench->printed ? "," : "[", s->size, s->backend->name, s->batch, s->threads,
               bench->part, median, cell->rates[0], cell->rates[ROUNDS - 1], ROUNDS);
    } else {
        if (!bench->printed)
            printf("%-7s %-14s %6s %8s %14s %16s\n", "board", "backend", "batch", "threads",
                   "evaluations/s", "spread");
        char board[16], spread[32];
        snprintf(board, sizeof board, "%dx%d", s->size, s->size);
        snprintf(spread, sizeof spread, "%+.1f..%+.1f%%", 100 * (cell->rates[0] / median - 1),
                 100 * (cell->rates[ROUNDS - 1] / median - 1));
        printf("%-7s %-14s %6d %8d %14.1f %16s\n", board, s->backend->name, s->batch, s->threads,
               median, spread);
    }
    bench->printed = true;
}

static enum yo_err measure_size(struct bench *bench, int size, struct yo_diag *diag) {
    enum yo_err err = YO_OK;
    for (int i = 0; i < bench->count && !err; i++) {
        struct cell *cell = &bench->cells[i];
        cell->setup.size = size;
        cell->rate = NULL;
        err = yo_net_rate_new(&cell->setup, &cell->rate, diag);
        double ignored; /* warm-up: a backend may build something at its first call */
        if (!err) err = yo_net_rate_measure(cell->rate, 0, &ignored, diag);
    }
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < bench->count && !err; i++) {
            struct cell *cell = &bench->cells[i];
            yo_progress_say(&bench->progress, bench->done++, bench->sizes * bench->count * ROUNDS,
                            "%dx%d, %s, turn %d of %d", size, size, cell->setup.backend->name,
                            round + 1, ROUNDS);
            err =
                yo_net_rate_measure(cell->rate, bench->seconds / ROUNDS, &cell->rates[round], diag);
            yo_progress_hide(&bench->progress);
        }
    for (int i = 0; i < bench->count; i++) {
        struct cell *cell = &bench->cells[i];
        yo_net_rate_delete(cell->rate);
        cell->rate = NULL;
        if (err) continue;
        qsort(cell->rates, ROUNDS, sizeof cell->rates[0], by_value);
        print_cell(bench, cell);
    }
    fflush(stdout);
    return err;
}

static enum yo_err choose(struct bench *bench, const struct yo_options *options,
                          struct yo_diag *diag) {
    const char *name = yo_options_text(options, "backend");
    int count, batch = (int)yo_options_int(options, "batch");
    int threads = (int)yo_options_int(options, "threads");
    const struct yo_net_backend *const *all = yo_net_backends(&count), *one = NULL;
    if (strcmp(name, "all") != 0 && !(one = yo_net_backend_find(name, diag)))
        return YO_ERR_ARGUMENT;
    for (int i = 0; i < count && bench->count < CELLS_MAX; i++) {
        if (one && one != all[i]) continue;
        if (!all[i]->available()) {
            fprintf(stderr, "%s left out: not on this machine\n", all[i]->name);
            continue;
        }
        bench->cells[bench->count++].setup = (struct yo_net_rate_setup){
            .path = yo_options_text(options, "net"),
            .backend = all[i],
            .batch = batch > 0 ? batch : yo_net_rate_batch(all[i]),
            .threads = threads > 0 ? threads : yo_cpu_count(),
            .part = (enum yo_net_rate_part)yo_options_choice(options, "part"),
        };
    }
    return YO_OK;
}

/* The board size of the network; 0 if it takes any size. */
static enum yo_err only_size(const char *path, int *size, struct yo_diag *diag) {
    struct yo_net *net;
    if (yo_go_net_names_builtin(path)) return YO_OK; /* each size has its own */
    enum yo_err err = yo_net_open(path, &net, diag);
    if (err) return err;
    *size = net->graph.fixed_size;
    yo_net_delete(net);
    return YO_OK;
}

enum yo_err yo_bench_net(const struct yo_options *options, struct yo_diag *diag) {
    static const int usual[] = {9, 13, 19};
    struct bench bench = {.seconds = yo_options_real(options, "seconds"),
                          .part = yo_options_text(options, "part"),
                          .json = yo_options_bool(options, "json")};
    enum yo_err err = choose(&bench, options, diag);
    int fixed = 0;
    if (!err) err = only_size(yo_options_text(options, "net"), &fixed, diag);
    if (yo_options_given(options, "size") || fixed) {
        int size = yo_options_given(options, "size") ? (int)yo_options_int(options, "size") : fixed;
        bench.sizes = 1;
        if (!err) err = measure_size(&bench, size, diag);
    } else {
        bench.sizes = 3;
        for (int i = 0; i < 3 && !err; i++)
            err = measure_size(&bench, usual[i], diag);
    }
    if (bench.json && bench.printed) printf("\n]\n");
    return err;
}
