/* yomi bench search --search puct|mcss: evaluations per second of a search on a network, beside
 * those of the evaluator alone, and a signature as of UCT. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cpu.h"
#include "base/diag.h"
#include "base/random.h"
#include "base/time.h"
#include "cmd/bench/search.h"
#include "engine/go_net.h"
#include "eval/net/evaluator.h"
#include "game/go/game_ops.h"
#include "search/go/guided.h"

enum { MOVES_MAX = YO_GO_POINTS_MAX + 1 };

struct run {
    struct yo_eval net;
    struct yo_search search;
    uint64_t visits;
    size_t batch; /* of the search */
    bool alone;   /* measure the evaluator too */
    bool json;
    bool printed; /* a row */
    struct yo_progress progress;
    uint64_t signature;
};

/* The evaluator alone, at positions a few random moves further on, in batches of the same size. */
static enum yo_err rate_alone(const struct run *run, const struct yo_go_position *from,
                              double *rate, struct yo_diag *diag) {
    size_t batch = run->batch, done = 0;
    struct yo_go_position *positions = yo_alloc(batch, sizeof *positions);
    struct yo_eval_result *results = yo_alloc(batch, sizeof *results);
    struct yo_eval_item *items = yo_alloc(batch, sizeof *items);
    yo_move *moves = yo_alloc(batch * MOVES_MAX, sizeof *moves);
    float *policies = yo_alloc(batch * MOVES_MAX, sizeof *policies);
    bool good = positions && results && items && moves && policies;
    enum yo_err err = good ? YO_OK : yo_diag_set(diag, YO_ERR_NOMEM, "out of memory");
    uint64_t random = 1;
    int64_t spent_ns = 0;
    while (!err && done < run->visits) {
        for (size_t i = 0; i < batch; i++) {
            positions[i] = *from;
            yo_move *list = moves + i * MOVES_MAX;
            for (int k = 0; k < 4; k++) {
                size_t count = yo_go_ops.moves(&positions[i], list);
                random = yo_mix64(random + YO_SPLITMIX_STEP);
                if (count > 1) yo_go_ops.play(&positions[i], list[random % (count - 1)]);
            }
        }
        int64_t start = yo_time_ns();
        for (size_t i = 0; i < batch; i++) {
            yo_move *list = moves + i * MOVES_MAX;
            results[i] = (struct yo_eval_result){.policy = policies + i * MOVES_MAX};
            items[i] = (struct yo_eval_item){.position = &positions[i],
                                             .want = YO_EVAL_VALUE | YO_EVAL_POLICY,
                                             .results = &results[i],
                                             .moves = list,
                                             .move_count = yo_go_ops.moves(&positions[i], list)};
        }
        err = yo_eval_run(run->net, items, batch, diag);
        spent_ns += yo_time_ns() - start;
        done += batch;
    }
    *rate = 1e9 * (double)done / (double)(spent_ns > 0 ? spent_ns : 1);
    yo_free(positions);
    yo_free(results);
    yo_free(items);
    yo_free(moves);
    yo_free(policies);
    return err;
}

static void print_row(struct run *run, size_t i, const struct yo_search_result *result, double rate,
                      double alone) {
    char best[8];
    yo_go_point_format((yo_go_point)result->moves[0].move, yo_bench_size(i), best);
    double wins = result->moves[0].winrate_to_move;
    yo_progress_hide(&run->progress);
    if (run->json)
        printf("%s\n  {\"position\": \"%s\", \"visits\": %" PRIu64
               ", \"visits_per_s\": %.0f, \"evaluations_per_s\": %.0f, \"best\": \"%s\", "
               "\"winrate\": %.4f},",
               run->printed ? "" : "[", yo_bench_name(i), result->playouts, rate, alone, best,
               wins);
    else
        printf("%-16s %10.0f %14.0f %7.0f%% %7.1f%% %6s %8.1f%%\n", yo_bench_name(i), rate, alone,
               alone > 0 ? 100 * rate / alone : 0,
               100 * (double)result->joined / (double)result->playouts, best, 100 * wins);
    fflush(stdout);
    run->printed = true;
}

static enum yo_err run_one(struct run *run, size_t i, struct yo_diag *diag) {
    struct yo_go_game *game = NULL;
    struct yo_search_limits limits = {.visits = run->visits};
    struct yo_search_result result;
    double alone = 0;
    enum yo_err err = yo_bench_set_up(i, &game, diag);
    if (!err) {
        struct yo_go_position position;
        yo_go_position_from_game(game, &position);
        /* The first evaluation of a board size allocates memory for it. */
        struct yo_search_limits one = {.visits = 1};
        run->search.ops->clear(run->search.ctx);
        err = yo_search_run(run->search, game, &one, NULL, NULL, NULL, &result, diag);
        run->search.ops->clear(run->search.ctx);
        int64_t start = yo_time_ns();
        if (!err) err = yo_search_run(run->search, game, &limits, NULL, NULL, NULL, &result, diag);
        double seconds = 1e-9 * (double)(yo_time_ns() - start);
        for (size_t k = 0; !err && k < result.move_count; k++) {
            yo_bench_mix(&run->signature, result.moves[k].move);
            yo_bench_mix(&run->signature, result.moves[k].visits);
        }
        if (!err && run->alone) err = rate_alone(run, &position, &alone, diag);
        if (!err) print_row(run, i, &result, (double)result.playouts / seconds, alone);
    }
    yo_go_game_delete(game);
    return err;
}

static enum yo_err search_until(void *ctx, const struct yo_go_game *game, const atomic_bool *stop,
                                struct yo_diag *diag) {
    struct run *run = ctx;
    struct yo_search_limits limits = {0};
    struct yo_search_result result;
    run->search.ops->clear(run->search.ctx);
    return yo_search_run(run->search, game, &limits, stop, NULL, NULL, &result, diag);
}

static enum yo_err open_search(struct run *run, const struct yo_options *o, int threads,
                               struct yo_diag *diag) {
    struct yo_guided_hooks hooks = yo_go_guided_hooks((struct yo_eval){0}, false);
    struct yo_guided_options options;
    struct yo_eval_about about;
    yo_guided_options_default(&options);
    bool mcss = strcmp(yo_options_text(o, "search"), "mcss") == 0;
    options.mode = mcss ? YO_GUIDED_MCSS : YO_GUIDED_PUCT;
    options.threads = threads;
    options.memory_mb = (size_t)yo_options_int(o, "memory");
    options.batch = (size_t)yo_options_int(o, "batch");
    options.joining = (enum yo_guided_joining)yo_options_choice(o, "transpositions");
    run->net.ops->describe(run->net.ctx, 0, &about);
    run->batch = options.batch ? options.batch : about.batch;
    run->alone = !mcss; /* its items are children, many to a visit */
    return yo_guided_search_new(&yo_go_ops, run->net, &hooks, &options, &run->search, diag);
}

enum yo_err yo_bench_guided(const struct yo_options *o, struct yo_diag *diag) {
    struct run run = {.visits = (uint64_t)yo_options_int(o, "playouts"),
                      .json = yo_options_bool(o, "json"),
                      .signature = UINT64_C(0xcbf29ce484222325)};
    int threads = (int)yo_options_int(o, "threads");
    if (threads == 0) threads = yo_cpu_count();
    const char *net = yo_options_text(o, "net"), *backend = yo_options_text(o, "backend");
    /* One symmetry and no cache: each visit costs an evaluation, the same on every machine. */
    struct yo_net_eval_options wanted = {.threads = threads};
    wanted.backend = yo_net_backend_find(yo_options_given(o, "backend") ? backend : "auto", diag);
    if (!wanted.backend) return YO_ERR_ARGUMENT;
    /* One network for the positions of all sizes. */
    enum yo_err err = yo_go_net_open_named(net, YO_GO_SIZE_MAX, &wanted, &run.net, diag);
    if (err) return err;
    err = open_search(&run, o, threads, diag);
    if (!err && !run.json)
        printf("%-16s %10s %14s %8s %8s %6s %9s\n", "position", "visits/s", "evaluations/s",
               "share", "joined", "best", "wins");
    int size = yo_options_given(o, "size") ? (int)yo_options_int(o, "size") : 0;
    for (size_t i = 0; !err && i < yo_bench_position_count; i++) {
        if (size && yo_bench_size(i) != size) continue;
        yo_bench_say(&run.progress, i, yo_bench_position_count);
        err = run_one(&run, i, diag);
    }
    yo_progress_hide(&run.progress);
    double stops[YO_BENCH_STOPS] = {0};
    if (!err && !size) err = yo_bench_stops(search_until, &run, stops, diag);
    if (run.search.ops) run.search.ops->destroy(run.search.ctx);
    run.net.ops->destroy(run.net.ctx);
    if (err) return err;
    if (!size) yo_bench_print_stops(stops, run.json);
    yo_bench_print_signature(run.signature, threads, run.json);
    return YO_OK;
}
