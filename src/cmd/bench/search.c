/* yomi bench search: playouts per second of the whole search, and a signature. The signature is a
 * hash of the search results in some positions. With one thread it changes only if the search
 * changes; a pure speed-up must not change it. */
#include "cmd/bench/search.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/cpu.h"
#include "base/diag.h"
#include "base/time.h"
#include "eval/playout/rollout.h"
#include "game/go/game_ops.h"
#include "search/go/options.h"
#include "search/go/prior.h"
#include "search/uct/uct.h"

/* Not only empty boards: an opening, a fight with captures, a ko, an endgame. */
static const struct {
    const char *name;
    int size;
    const char *moves; /* Black first */
} positions[] = {
    {"9x9 empty", 9, ""},
    {"9x9 opening", 9, "E5 C4 D3 G6 C5 B5"},
    {"9x9 fight", 9, "E5 E6 D6 D5 E7 F6 D4 C5 F7 G7 G8 G6 C4 B4 C6 B6 C7 B3"},
    {"9x9 ko", 9, "D5 E5 E6 F6 E4 F4 C4 G5 F5 D7 D6 E5 H3 C7 F5 B6"},
    {"13x13 opening", 13, "D4 K10 K4 D10 G11 C7 L8 G3"},
    {"19x19 opening", 19, "Q16 D4 Q3 D17 C15 R5 O17 F3"},
};
#define POSITION_COUNT (sizeof positions / sizeof positions[0])

struct run {
    struct yo_uct *uct;
    struct yo_uct_go_options options;
    struct yo_playout_zone whole; /* playouts over the whole board; only the policy is set */
    uint64_t playouts;
    size_t nodes; /* search until the tree has this many; 0: no minimum */
    uint64_t signature;
    struct yo_progress progress;
    bool json;
};

const size_t yo_bench_position_count = POSITION_COUNT;

const char *yo_bench_name(size_t i) { return positions[i].name; }

int yo_bench_size(size_t i) { return positions[i].size; }

void yo_bench_mix(uint64_t *signature, uint64_t value) {
    *signature = (*signature ^ value) * UINT64_C(0x100000001b3);
}

void yo_bench_say(struct yo_progress *progress, size_t i, size_t count) {
    yo_progress_say(progress, (double)i, (double)count, "position %zu of %zu", i + 1, count);
}

enum yo_err yo_bench_set_up(size_t i, struct yo_go_game **game, struct yo_diag *diag) {
    const char *text = positions[i].moves;
    char word[8];
    int used;
    enum yo_err err = yo_go_game_new(positions[i].size, &yo_go_rules_default, game);
    while (!err && sscanf(text, " %7s%n", word, &used) == 1) {
        yo_go_point move;
        err = yo_go_point_parse(word, positions[i].size, &move, diag);
        if (!err) err = yo_go_game_play(*game, yo_go_game_to_move(*game), move, diag);
        text += used;
    }
    return err;
}

static void print_row(struct run *run, size_t i, const struct yo_search_result *result,
                      double seconds) {
    bool full;
    size_t nodes = yo_uct_nodes(run->uct, &full);
    char best[8];
    yo_go_point_format((yo_go_point)result->moves[0].move, positions[i].size, best);
    double rate = (double)result->playouts / (seconds > 0 ? seconds : 1e-9);
    yo_progress_hide(&run->progress);
    if (run->json)
        printf("%s\n  {\"position\": \"%s\", \"playouts\": %" PRIu64
               ", \"playouts_per_s\": %.0f, \"nodes\": %zu, \"full\": %s, \"best\": \"%s\", "
               "\"winrate\": %.4f},",
               i ? "" : "[", positions[i].name, result->playouts, rate, nodes,
               full ? "true" : "false", best, result->moves[0].winrate_to_move);
    else
        printf("%-16s %12.0f %10zu%s %6s %8.1f%%\n", positions[i].name, rate, nodes,
               full ? " (full)" : "", best, 100 * result->moves[0].winrate_to_move);
    fflush(stdout);
}

/* Repeats the search until the tree has run->nodes nodes, or is full. The time and the result are
 * those of the last repetition, so that they show the cost at that tree size. */
static enum yo_err search(struct run *run, const struct yo_go_position *position,
                          struct yo_search_result *result, double *seconds, struct yo_diag *diag) {
    struct yo_search_limits limits = {.playouts = run->playouts};
    bool full = false, more = true;
    enum yo_err err = YO_OK;
    while (!err && more) {
        int64_t start = yo_time_ns();
        err = yo_uct_run(run->uct, position, NULL, 0, &limits, NULL, NULL, NULL, result, diag);
        *seconds = 1e-9 * (double)(yo_time_ns() - start);
        more = yo_uct_nodes(run->uct, &full) < run->nodes && !full;
    }
    return err;
}

static enum yo_err run_one(struct run *run, size_t i, struct yo_diag *diag) {
    struct yo_go_game *game = NULL;
    struct yo_go_position position;
    struct yo_search_result result;
    double seconds = 0;
    enum yo_err err = yo_bench_set_up(i, &game, diag);
    if (!err) {
        yo_go_position_from_game(game, &position);
        yo_uct_clear(run->uct);
        run->whole.policy = yo_uct_policy(&run->options, positions[i].size, false);
        err = search(run, &position, &result, &seconds, diag);
        for (size_t k = 0; !err && k < result.move_count; k++) {
            yo_bench_mix(&run->signature, result.moves[k].move);
            yo_bench_mix(&run->signature, result.moves[k].visits);
        }
        if (!err) print_row(run, i, &result, seconds);
    }
    yo_go_game_delete(game);
    return err;
}

/* ---- stop latency ---- */

#define STOP_US 20000
#define STOP_AT (POSITION_COUNT - 1) /* the largest board has the longest playouts */

struct stopper {
    atomic_bool stop;
    _Atomic(int64_t) at_ns;
};

static void *stop_soon(void *arg) {
    struct stopper *s = arg;
    usleep(STOP_US);
    atomic_store(&s->at_ns, yo_time_ns());
    atomic_store(&s->stop, true);
    return NULL;
}

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

enum yo_err yo_bench_stops(yo_bench_search_fn run, void *ctx, double ms[YO_BENCH_STOPS],
                           struct yo_diag *diag) {
    struct yo_go_game *game = NULL;
    enum yo_err err = yo_bench_set_up(STOP_AT, &game, diag);
    for (int i = 0; !err && i < YO_BENCH_STOPS; i++) {
        struct stopper s = {0};
        pthread_t thread;
        if (pthread_create(&thread, NULL, stop_soon, &s))
            err = yo_diag_set(diag, YO_ERR_NOMEM, "no thread to stop the search");
        if (err) break;
        err = run(ctx, game, &s.stop, diag);
        int64_t end_ns = yo_time_ns();
        pthread_join(thread, NULL);
        ms[i] = 1e-6 * (double)(end_ns - atomic_load(&s.at_ns));
    }
    yo_go_game_delete(game);
    qsort(ms, YO_BENCH_STOPS, sizeof *ms, by_size);
    return err;
}

void yo_bench_print_signature(uint64_t signature, int threads, bool json) {
    if (json)
        printf("\n  {\"signature\": \"%016" PRIx64 "\"}\n]\n", signature);
    else
        printf("signature %016" PRIx64 "%s\n", signature,
               threads > 1 ? " (another each time: several threads)" : "");
}

void yo_bench_print_stops(const double ms[YO_BENCH_STOPS], bool json) {
    double median = ms[YO_BENCH_STOPS / 2], worst = ms[YO_BENCH_STOPS - 1];
    if (json)
        printf("\n  {\"stop_ms\": %.3f, \"stop_worst_ms\": %.3f},", median, worst);
    else
        printf("stops within %.2f ms (median of %d), %.2f ms (worst)\n", median, YO_BENCH_STOPS,
               worst);
}

static enum yo_err search_until(void *ctx, const struct yo_go_game *game, const atomic_bool *stop,
                                struct yo_diag *diag) {
    struct run *run = ctx;
    struct yo_search_limits limits = {0};
    struct yo_search_result result;
    struct yo_go_position position;
    yo_go_position_from_game(game, &position);
    yo_uct_clear(run->uct);
    return yo_uct_run(run->uct, &position, NULL, 0, &limits, stop, NULL, NULL, &result, diag);
}

enum yo_err yo_bench_search(const struct yo_options *o, struct yo_diag *diag) {
    struct run run = {.playouts = (uint64_t)yo_options_int(o, "playouts"),
                      .nodes = (size_t)yo_options_int(o, "nodes"),
                      .signature = UINT64_C(0xcbf29ce484222325),
                      .json = yo_options_bool(o, "json")};
    struct yo_uct_go_options options;
    yo_uct_go_options_default(&options);
    options.tree.threads = (int)yo_options_int(o, "threads");
    if (options.tree.threads == 0) options.tree.threads = yo_cpu_count();
    options.tree.memory_mb = (size_t)yo_options_int(o, "memory");
    if (yo_options_given(o, "policy")) options.policy = (int)yo_options_choice(o, "policy");
    run.options = options;
    enum yo_err err = yo_uct_new(&yo_go_ops, yo_playout_zone_rollouts(&run.whole),
                                 yo_go_priors(&options.tree, NULL), &options.tree, &run.uct, diag);
    if (err) return err;
    if (!run.json)
        printf("%-16s %12s %10s %6s %9s\n", "position", "playouts/s", "nodes", "best", "wins");
    for (size_t i = 0; !err && i < POSITION_COUNT; i++) {
        yo_bench_say(&run.progress, i, POSITION_COUNT);
        err = run_one(&run, i, diag);
    }
    yo_progress_hide(&run.progress);
    double stops[YO_BENCH_STOPS] = {0};
    if (!err) err = yo_bench_stops(search_until, &run, stops, diag);
    yo_uct_delete(run.uct);
    if (err) return err;
    yo_bench_print_stops(stops, run.json);
    yo_bench_print_signature(run.signature, options.tree.threads, run.json);
    return YO_OK;
}
