/* yomi bench search --game shogi --search puct|mcss: visits per second of a search on a
 * network, and a signature. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/diag.h"
#include "base/time.h"
#include "cmd/bench/search.h"
#include "engine/shogi_guided.h"
#include "eval/net/evaluator.h"
#include "game/shogi/text.h"
#include "yomi/shogi.h"

struct run {
    struct yo_eval net;
    struct yo_search search;
    uint64_t visits, signature;
    bool json;
    struct yo_progress progress;
};

static void print_row(struct run *run, size_t i, const struct yo_search_result *r, double seconds) {
    char best[YO_SHOGI_MOVE_TEXT];
    double rate = (double)r->playouts / (seconds > 0 ? seconds : 1e-9);
    double joined = (double)r->joined / (double)(r->playouts ? r->playouts : 1);
    yo_shogi_move_format((yo_shogi_move)r->moves[0].move, best);
    yo_progress_hide(&run->progress);
    if (run->json)
        printf("%s\n  {\"position\": \"%s\", \"visits\": %" PRIu64
               ", \"visits_per_s\": %.0f, \"joined\": %.4f, \"best\": \"%s\", \"winrate\": %.4f},",
               i ? "" : "[", yo_bench_shogi_name(i), r->playouts, rate, joined, best,
               r->moves[0].winrate_to_move);
    else
        printf("%-10s %10.0f %7.1f%% %7s %8.1f%%\n", yo_bench_shogi_name(i), rate, 100 * joined,
               best, 100 * r->moves[0].winrate_to_move);
    fflush(stdout);
}

static enum yo_err run_one(struct run *run, size_t i, struct yo_diag *diag) {
    struct yo_shogi_game *game;
    struct yo_search_result result;
    struct yo_search_limits limits = {.visits = run->visits, .whole = true};
    enum yo_err err = yo_shogi_game_new(yo_bench_shogi_sfen(i), &game, diag);
    if (err) return err;
    run->search.ops->clear(run->search.ctx);
    int64_t start = yo_time_ns();
    err = yo_search_run(run->search, game, &limits, NULL, NULL, NULL, &result, diag);
    double seconds = 1e-9 * (double)(yo_time_ns() - start);
    yo_shogi_game_delete(game);
    if (err) return err;
    for (size_t k = 0; k < result.move_count; k++) {
        yo_bench_mix(&run->signature, result.moves[k].move);
        yo_bench_mix(&run->signature, result.moves[k].visits);
    }
    print_row(run, i, &result, seconds);
    return YO_OK;
}

static enum yo_err open_search(struct run *run, const struct yo_options *o, int threads,
                               struct yo_diag *diag) {
    struct yo_shogi_guided_options options;
    const struct yo_net_eval_options wanted = {.threads = threads};
    const char *backend = yo_options_given(o, "backend") ? yo_options_text(o, "backend") : NULL;
    enum yo_err err =
        yo_shogi_guide_open_named(yo_options_text(o, "net"), backend, &wanted, &run->net, diag);
    if (err) return err;
    yo_shogi_guided_options_default(&options);
    options.root_mate = 0;
    options.tree.mode =
        strcmp(yo_options_text(o, "search"), "mcss") == 0 ? YO_GUIDED_MCSS : YO_GUIDED_PUCT;
    options.tree.threads = threads;
    options.tree.memory_mb = (size_t)yo_options_int(o, "memory");
    options.tree.batch = (size_t)yo_options_int(o, "batch");
    options.tree.joining = (enum yo_guided_joining)yo_options_choice(o, "transpositions");
    err = yo_shogi_guided_new(run->net, &options, &run->search, diag);
    if (err) run->net.ops->destroy(run->net.ctx);
    return err;
}

enum yo_err yo_bench_shogi_guided(const struct yo_options *o, struct yo_diag *diag) {
    struct run run = {.visits = (uint64_t)yo_options_int(o, "playouts"),
                      .json = yo_options_bool(o, "json"),
                      .signature = UINT64_C(0xcbf29ce484222325)};
    int threads = (int)yo_options_int(o, "threads");
    enum yo_err err = open_search(&run, o, threads ? threads : 1, diag);
    if (err) return err;
    if (!run.json)
        printf("%-10s %10s %8s %7s %9s\n", "position", "visits/s", "joined", "best", "wins");
    for (size_t i = 0; !err && i < yo_bench_shogi_count; i++) {
        yo_bench_say(&run.progress, i, yo_bench_shogi_count);
        err = run_one(&run, i, diag);
    }
    yo_progress_hide(&run.progress);
    run.search.ops->destroy(run.search.ctx);
    run.net.ops->destroy(run.net.ctx);
    if (err) return err;
    yo_bench_print_signature(run.signature, threads, run.json);
    return YO_OK;
}
