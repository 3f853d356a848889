/* yomi bench search --game shogi: alpha-beta to a fixed depth in some positions, and a signature.
 * With one thread the signature changes only if the search or its evaluation does. */
#include <inttypes.h>
#include <stdio.h>

#include "base/diag.h"
#include "base/time.h"
#include "cmd/bench/search.h"
#include "eval/shogi/net_eval.h"
#include "eval/shogi/net_open.h"
#include "game/shogi/text.h"
#include "search/alphabeta/alphabeta.h"

/* From the opening to the endgame, and one with many pieces in hand. */
static const struct {
    const char *name, *sfen;
} positions[] = {
    {"start", YO_SHOGI_START},
    {"opening", "ln1gk2nl/1rs2sgb1/p1pppp1pp/1p4p2/7P1/2P6/PP1PPPP1P/1BG4R1/LNS1KGSNL b - 13"},
    {"castles", "ln5nl/1r2gkgs1/p1pp1pbp1/1p2psp1p/3P3P1/2P1PSP1P/PPSG1P1B1/2K1G2R1/LN5NL b - 1"},
    {"attack", "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1"},
    {"end game", "4lk1nl/3+N1b3/6g2/4p1ppp/9/L1PPPSP2/3n2SP1/1P1G3+r1/1NBK1P3 b 2G5Pr2sl2p 1"},
};
#define POSITION_COUNT (sizeof positions / sizeof positions[0])

const size_t yo_bench_shogi_count = POSITION_COUNT;
const char *yo_bench_shogi_name(size_t i) { return positions[i].name; }
const char *yo_bench_shogi_sfen(size_t i) { return positions[i].sfen; }

struct run {
    struct yo_ab *search;
    int depth;
    uint64_t signature, nodes;
    double seconds;
    struct yo_progress progress;
    bool json;
};

static double rate(uint64_t nodes, double seconds) {
    return (double)nodes / (seconds > 0 ? seconds : 1e-9);
}

static void print_row(struct run *run, size_t i, const struct yo_search_result *r, double seconds) {
    char best[YO_SHOGI_MOVE_TEXT];
    int score = yo_ab_score(r);
    yo_shogi_move_format((yo_shogi_move)r->moves[0].move, best);
    yo_progress_hide(&run->progress);
    if (run->json)
        printf("%s\n  {\"position\": \"%s\", \"depth\": %d, \"nodes\": %" PRIu64
               ", \"nodes_per_s\": %.0f, \"best\": \"%s\", \"score\": %d},",
               i ? "" : "[", positions[i].name, r->depth, r->nodes, rate(r->nodes, seconds), best,
               score);
    else
        printf("%-10s %6d %12" PRIu64 " %12.0f %7s %7d\n", positions[i].name, r->depth, r->nodes,
               rate(r->nodes, seconds), best, score);
    fflush(stdout);
}

static enum yo_err run_one(struct run *run, size_t i, struct yo_diag *diag) {
    struct yo_shogi_game *game;
    struct yo_search_result result;
    struct yo_search_limits limits = {.depth = run->depth};
    enum yo_err err = yo_shogi_game_new(positions[i].sfen, &game, diag);
    if (err) return err;
    yo_ab_clear(run->search);
    int64_t start = yo_time_ns();
    err =
        yo_search_run(yo_ab_as_search(run->search), game, &limits, NULL, NULL, NULL, &result, diag);
    double seconds = 1e-9 * (double)(yo_time_ns() - start);
    yo_shogi_game_delete(game);
    if (err) return err;
    yo_bench_mix(&run->signature, result.nodes);
    yo_bench_mix(&run->signature, (uint64_t)yo_ab_score(&result));
    for (size_t k = 0; k < result.moves[0].pv_count; k++)
        yo_bench_mix(&run->signature, result.moves[0].pv[k]);
    run->nodes += result.nodes;
    run->seconds += seconds;
    print_row(run, i, &result, seconds);
    return YO_OK;
}

static void print_end(const struct run *run, int threads) {
    if (run->json)
        printf("\n  {\"nodes\": %" PRIu64 ", \"nodes_per_s\": %.0f, \"signature\": \"%016" PRIx64
               "\"}\n]\n",
               run->nodes, rate(run->nodes, run->seconds), run->signature);
    else
        printf("%-10s %6s %12" PRIu64 " %12.0f\nsignature %016" PRIx64 "%s\n", "all", "",
               run->nodes, rate(run->nodes, run->seconds), run->signature,
               threads > 1 ? " (another each time: several threads)" : "");
}

enum yo_err yo_bench_shogi(const struct yo_options *o, struct yo_diag *diag) {
    struct run run = {.depth = (int)yo_options_int(o, "depth"),
                      .signature = UINT64_C(0xcbf29ce484222325),
                      .json = yo_options_bool(o, "json")};
    struct yo_ab_options options = yo_ab_options_default;
    struct yo_shogi_net *net;
    options.threads = (int)yo_options_int(o, "threads");
    if (options.threads == 0 || options.threads > YO_AB_THREADS_MAX) options.threads = 1;
    enum yo_err err = yo_shogi_net_open(yo_options_text(o, "eval"), &net, diag);
    if (err) return err;
    struct yo_shogi_eval eval = yo_shogi_net_eval(net);
    options.eval = &eval;
    err = yo_ab_new(16, &run.search);
    if (!err) err = yo_ab_set_options(run.search, &options);
    if (err) yo_diag_set(diag, err, "no memory for a search");
    if (!err && !run.json)
        printf("%-10s %6s %12s %12s %7s %7s\n", "position", "depth", "nodes", "nodes/s", "best",
               "score");
    for (size_t i = 0; !err && i < POSITION_COUNT; i++) {
        yo_bench_say(&run.progress, i, POSITION_COUNT);
        err = run_one(&run, i, diag);
    }
    yo_progress_hide(&run.progress);
    yo_ab_delete(run.search);
    yo_shogi_net_delete(net);
    if (!err) print_end(&run, options.threads);
    return err;
}
