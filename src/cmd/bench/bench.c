/* yomi bench: how fast the parts of the engine are on this machine. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cpu.h"
#include "base/diag.h"
#include "base/time.h"
#include "cmd/bench/net.h"
#include "cmd/bench/search.h"
#include "cmd/command.h"
#include "cmd/progress.h"
#include "eval/playout/playouts.h"
#include "eval/playout/position.h"
#include "search/guided/options.h"

/* Other processes disturb measurements. So each backend is measured in ROUNDS turns, alternating
 * with the others, and the median turn counts; the spread shows how reliable it is. */
#define ROUNDS       5
#define BACKENDS_MAX 16
#define GAMES_MAX    ((uint64_t)1 << 28) /* per batch */

struct cell {
    const struct yo_playout_backend *backend;
    uint64_t games;        /* games to fill a turn, estimated from the last turn; 0: unknown */
    double rates[ROUNDS];  /* sorted at the end, lowest first */
    double playouts_per_s; /* the median */
    double moves_per_playout;
};

struct bench {
    enum yo_playout_policy policy;
    int threads;
    double seconds; /* per cell */
    bool json;
    struct yo_progress progress;
    int sizes, done; /* turns that were measured */
    bool printed;    /* the header or a row has been printed */
    struct cell cells[BACKENDS_MAX];
    int cell_count;
    const struct yo_playout_backend *opened; /* the backend named by the user, or NULL */
};

/* The empty board, with every kind of result, as a search requests it. */
struct load {
    struct yo_go_position position;
    struct yo_eval_result result;
    uint32_t histogram[2 * YO_GO_POINTS_MAX + 1];
    int32_t ownership[YO_GO_POINTS_MAX];
};

static void init_load(struct load *load, int size) {
    memset(load, 0, sizeof *load);
    struct yo_playout_position empty = {
        .size = (uint8_t)size, .to_move = YO_GO_BLACK, .ko = YO_GO_NONE, .last = YO_GO_NONE};
    yo_playout_position_to_go(&empty, &load->position);
    load->result.playouts.histogram = load->histogram;
    load->result.playouts.owner = load->ownership;
}

static enum yo_err play_games(struct yo_eval *eval, const struct bench *bench, struct load *load,
                              uint64_t first, uint64_t games, struct yo_diag *diag) {
    struct yo_eval_item item = {
        .position = &load->position,
        .want = YO_EVAL_PLAYOUTS,
        .results = &load->result,
        .playout_policy = (int)bench->policy,
        .playouts = games,
        .seed = 1,
        .first_game = first,
    };
    return yo_eval_run(*eval, &item, 1, diag);
}

/* Batches grow until one fills the turn, so that the end of a batch, where lanes and threads idle,
 * has little weight. */
static enum yo_err measure(struct bench *bench, struct cell *cell, int size, int round,
                           struct yo_diag *diag) {
    struct yo_eval eval;
    const struct yo_playout_env env = {.notices = yo_cmd_notices};
    enum yo_err err = yo_playouts_eval_new(cell->backend, false, &env, bench->threads, &eval, diag);
    if (err) return err;
    struct load load = {0};
    init_load(&load, size);
    double turn = bench->seconds / ROUNDS, rate = 0;
    uint64_t first = 0, few = 256 * (uint64_t)bench->threads;
    uint64_t games = round > 0 ? cell->games : few;
    /* Warm-up: a backend may load or build something at its first call. */
    err = play_games(&eval, bench, &load, first, few, diag);
    for (double spent = 0; !err;) {
        int64_t start = yo_time_ns();
        err = play_games(&eval, bench, &load, first, games, diag);
        double took = 1e-9 * (double)(yo_time_ns() - start);
        rate = (double)games / (took > 0 ? took : 1e-9);
        first += games;
        spent += took;
        bool is_over = took >= 0.5 * turn || spent >= 2 * turn;
        uint64_t wanted = (uint64_t)(rate * turn);
        games = wanted > 8 * games ? 8 * games : wanted > 0 ? wanted : 1;
        if (games > GAMES_MAX) games = GAMES_MAX;
        if (is_over) break;
    }
    eval.ops->destroy(eval.ctx);
    const struct yo_eval_playouts *sum = &load.result.playouts;
    cell->games = games;
    cell->rates[round] = rate;
    cell->moves_per_playout = sum->games ? (double)sum->moves / (double)sum->games : 0;
    return err;
}

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void print_json(struct bench *bench, int size, const struct cell *cell) {
    printf("%s\n  {\"size\": %d, \"backend\": \"%s\", \"policy\": \"%s\", \"threads\": %d, "
           "\"playouts_per_s\": %.0f, \"lowest\": %.0f, \"highest\": %.0f, \"turns\": %d, "
           "\"moves_per_playout\": %.3f, \"ns_per_move\": %.3f}",
           bench->printed ? "," : "[", size, cell->backend->name,
           yo_playout_policy_name(bench->policy), bench->threads, cell->playouts_per_s,
           cell->rates[0], cell->rates[ROUNDS - 1], ROUNDS, cell->moves_per_playout,
           1e9 / (cell->playouts_per_s * cell->moves_per_playout));
    bench->printed = true;
}

static void print_row(struct bench *bench, int size, const struct cell *cell, double reference) {
    if (!bench->printed)
        printf("%-7s %-9s %14s %15s %14s %10s %8s\n", "board", "backend", "playouts/s", "spread",
               "moves/playout", "ns/move", "ratio");
    bench->printed = true;
    char board[16], spread[32], ratio[16] = "-";
    double median = cell->playouts_per_s;
    snprintf(board, sizeof board, "%dx%d", size, size);
    if (reference > 0) snprintf(ratio, sizeof ratio, "%.2f", cell->playouts_per_s / reference);
    snprintf(spread, sizeof spread, "%+.1f..%+.1f%%", 100 * (cell->rates[0] / median - 1),
             100 * (cell->rates[ROUNDS - 1] / median - 1));
    printf("%-7s %-9s %14.0f %15s %14.2f %10.2f %8s\n", board, cell->backend->name, median, spread,
           cell->moves_per_playout, 1e9 / (median * cell->moves_per_playout), ratio);
}

static enum yo_err bench_size(struct bench *bench, int size, struct yo_diag *diag) {
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < bench->cell_count; i++) {
            struct cell *cell = &bench->cells[i];
            yo_progress_say(&bench->progress, bench->done++,
                            bench->sizes * bench->cell_count * ROUNDS, "%dx%d, %s, turn %d of %d",
                            size, size, cell->backend->name, round + 1, ROUNDS);
            enum yo_err err = measure(bench, cell, size, round, diag);
            yo_progress_hide(&bench->progress);
            if (err) return err;
        }
    double reference = 0;
    for (int i = 0; i < bench->cell_count; i++) {
        struct cell *cell = &bench->cells[i];
        qsort(cell->rates, ROUNDS, sizeof cell->rates[0], by_value);
        cell->playouts_per_s = cell->rates[ROUNDS / 2];
        if (strcmp(cell->backend->name, "scalar") == 0) reference = cell->playouts_per_s;
    }
    for (int i = 0; i < bench->cell_count; i++)
        if (bench->json)
            print_json(bench, size, &bench->cells[i]);
        else
            print_row(bench, size, &bench->cells[i], reference);
    fflush(stdout);
    return YO_OK;
}

static enum yo_err choose_backends(struct bench *bench, const char *name, struct yo_diag *diag) {
    bool all = strcmp(name, "all") == 0;
    const struct yo_playout_env *env = &yo_playout_env_default;
    const struct yo_playout_backend *one = NULL;
    if (!all) {
        struct yo_playout_choice choice;
        enum yo_err err = yo_playout_choose(name, &choice, diag);
        if (err) return yo_command_usage(err);
        bench->opened = choice.backend;
        if (choice.check)
            return yo_diag_set(diag, YO_ERR_ARGUMENT, "a check has no speed worth measuring");
        one = choice.backend ? choice.backend
                             : yo_playout_backend_best(env, bench->policy, 9, UINT64_MAX);
    }
    if (one && !yo_playout_supports(one, env, bench->policy, 9)) {
        yo_diag_set(diag, YO_ERR_UNSUPPORTED, "backend %s does not play the %s policy", one->name,
                    yo_playout_policy_name(bench->policy));
        yo_diag_hint(diag, "--backend scalar does");
        return YO_ERR_UNSUPPORTED;
    }
    if (one) bench->cells[bench->cell_count++] = (struct cell){.backend = one};
    for (size_t i = 0; all && yo_playout_backend_at(i); i++) {
        const struct yo_playout_backend *backend = yo_playout_backend_at(i);
        bool here = yo_playout_available(backend);
        if (!here || !yo_playout_supports(backend, env, bench->policy, 9)) {
            fprintf(stderr, "%s left out: %s\n", backend->name,
                    here ? "it does not play this policy" : "not on this machine");
            continue;
        }
        if (bench->cell_count < BACKENDS_MAX)
            bench->cells[bench->cell_count++] = (struct cell){.backend = backend};
    }
    return YO_OK;
}

static enum yo_err run_search(const struct yo_options *options, struct yo_diag *diag) {
    static const char *const of_go[] = {"size", "backend", "seconds", "depth",          "net",
                                        "eval", "batch",   "part",    "transpositions", NULL};
    static const char *const of_shogi[] = {
        "size", "backend", "seconds", "playout-policy", "playouts",       "nodes", "memory",
        "net",  "batch",   "part",    "search",         "transpositions", NULL};
    static const char *const of_net[] = {"seconds",        "depth", "part", "eval",
                                         "playout-policy", "nodes", NULL};
    static const char *const of_shogi_net[] = {"size",           "seconds", "depth", "part",
                                               "playout-policy", "nodes",   "eval",  NULL};
    /* As in `yomi gtp` and `yomi usi`: who names a network wants a search on it. */
    bool net = yo_options_given(options, "search")
                   ? strcmp(yo_options_text(options, "search"), "uct") != 0
                   : yo_options_given(options, "net");
    bool shogi = strcmp(yo_options_text(options, "game"), "shogi") == 0;
    enum yo_err err = yo_options_refuse(options,
                                        shogi ? net ? of_shogi_net : of_shogi
                                        : net ? of_net
                                              : of_go,
                                        shogi ? "bench search --game shogi" : "bench search", diag);
    if (err) return err;
    if (net) return shogi ? yo_bench_shogi_guided(options, diag) : yo_bench_guided(options, diag);
    return shogi ? yo_bench_shogi(options, diag) : yo_bench_search(options, diag);
}

static enum yo_err run(const struct yo_options *options, struct yo_diag *diag) {
    static const char *const unused[] = {"playouts", "game",  "depth", "nodes",  "memory",
                                         "net",      "batch", "part",  "search", "transpositions",
                                         "eval",     NULL};
    static const char *const not_net[] = {
        "playouts",       "game",   "depth",          "nodes", "memory",
        "playout-policy", "search", "transpositions", "eval",  NULL};
    if (strcmp(yo_options_argument(options, 0), "net") == 0)
        return yo_options_refuse(options, not_net, "bench net", diag) ? YO_ERR_ARGUMENT
                                                                      : yo_bench_net(options, diag);
    if (strcmp(yo_options_argument(options, 0), "search") == 0) return run_search(options, diag);
    if (yo_options_refuse(options, unused, "bench playout", diag)) return YO_ERR_ARGUMENT;
    struct bench bench = {
        .threads = (int)yo_options_int(options, "threads"),
        .seconds = yo_options_real(options, "seconds"),
        .json = yo_options_bool(options, "json"),
    };
    if (bench.threads == 0) bench.threads = yo_cpu_count();
    enum yo_err err =
        yo_playout_policy_parse(yo_options_text(options, "policy"), &bench.policy, diag);
    if (!err) err = choose_backends(&bench, yo_options_text(options, "backend"), diag);
    static const int usual[] = {9, 13, 19};
    if (yo_options_given(options, "size")) {
        bench.sizes = 1;
        if (!err) err = bench_size(&bench, (int)yo_options_int(options, "size"), diag);
    } else {
        bench.sizes = 3;
        for (int i = 0; !err && i < 3; i++)
            err = bench_size(&bench, usual[i], diag);
    }
    if (bench.json && bench.printed) printf("\n]\n");
    yo_playout_backend_close(bench.opened);
    return err;
}

static const char *const what[] = {"playout", "search", "net", NULL};
/* In the order of enum yo_net_rate_part. */
static const char *const parts[] = {"evaluation", "inputs", "network", NULL};
static const char *const games[] = {"go", "shogi", NULL};
static const char *const searches[] = {"uct", "puct", "mcss", NULL};
static const char *const policies[] = {"light", "mogo", "pure", "rich", NULL};

const struct yo_command yo_command_bench = {
    .name = "bench",
    .summary = "measure how fast playouts, networks and the search are on this machine",
    .description =
        "playout: plays games from the empty board, with all results that a search can ask for, "
        "and prints "
        "how many it made a second: by board size and backend, with the ratio to the scalar "
        "reference. Other programs on the machine disturb the figures; backends are measured in "
        "five turns and the median turn counts, so that ratios within one run are fair; the spread "
        "is how "
        "far the slowest and the fastest turn lie from it.\n\n"
        "search: a tree search in some positions, with playouts a second, nodes of the tree, and a "
        "signature of all that was found. With one thread the signature changes only if the "
        "search does. With --search puct or mcss on a network, and the rate of the evaluator "
        "alone. With --game shogi the same for alpha-beta, to a fixed depth, or on a network with "
        "a policy.\n\n"
        "net: evaluations a second of a network, by board size and backend, from a position to "
        "numbers or the network alone, in turns as for playouts.",
    .examples = "yomi bench playout\n"
                "yomi bench playout --size 9 --backend all --threads 2 --json\n"
                "yomi bench search --playouts 100000\n"
                "yomi bench search --search puct --playouts 400\n"
                "yomi bench search --game shogi --depth 12 --eval nn.bin\n"
                "yomi bench search --game shogi --net network.onnx --playouts 400\n"
                "yomi bench net --size 9 --backend auto\n"
                "yomi bench net --net g170-b6c96.bin.gz --size 9 --backend all --json",
    .options =
        (const struct yo_option[]){
            YO_INT("size", YO_ON_CLI, NULL, YO_GO_SIZE_MIN, YO_GO_SIZE_MAX, "N",
                   "playout, net: board size; 9, 13 and 19 if not given; search on a network: only "
                   "positions of this size"),
            YO_STRING("backend", YO_ON_CLI, "all", "NAME",
                      "playout, net: a backend of `yomi devices`, auto for the one a search would "
                      "use, or all; search on a network: one of them"),
            YO_STRING("net", YO_ON_CLI, "builtin", "FILE",
                      "net, search on a network: the network; builtin: for net that of each board "
                      "size, for a search that of 19x19, or that of shogi"),
            YO_STRING("eval", YO_ON_CLI, "material", "FILE",
                      "search for shogi: alpha-beta's network, a file of YaneuraOu's format; or "
                      "builtin, or material"),
            YO_INT("batch", YO_ON_CLI, "0", 0, 65536, "N",
                   "net, search on a network: positions run at a time; 0 for what suits the "
                   "backend"),
            YO_CHOICE("search", YO_ON_CLI, "uct", searches, "NAME",
                      "search: by playouts (for shogi alpha-beta), or on a network; puct if "
                      "--net is given"),
            YO_CHOICE("part", YO_ON_CLI, "evaluation", parts, "PART",
                      "net: from a position to numbers, or the inputs or the network alone"),
            YO_CHOICE_ALSO(
                "playout-policy", "policy", YO_ON_CLI, "light", policies, "POLICY",
                "how playouts choose their moves; for a search what suits the board if not given"),
            YO_INT("playouts", YO_ON_CLI, "2000", 1, 1e12, "N",
                   "search: playouts or visits a position"),
            YO_CHOICE("game", YO_ON_CLI, "go", games, "GAME", "search: the game"),
            YO_INT("depth", YO_ON_CLI, "10", 1, 100, "N", "search for shogi: to this depth"),
            YO_INT("nodes", YO_ON_CLI, "0", 0, 1e9, "N",
                   "search: --playouts again and again until the tree has so many nodes; the rate "
                   "is that of the last of them"),
            YO_CHOICE("transpositions", YO_ON_CLI, "off", yo_guided_joinings, "WHICH",
                      "search on a network: positions that several orders of moves lead to share "
                      "a node, as in yomi gtp"),
            YO_INT("memory", YO_ON_CLI, "512", 1, 1e6, "MB", "search: memory for the tree"),
            YO_INT("threads", YO_ON_CLI, "1", 0, 1024, "N", "threads; 0: one for each core"),
            YO_REAL("seconds", YO_ON_CLI, "1.5", 0.01, 3600, "SECONDS",
                    "playout, net: time for each backend and board size"),
            YO_BOOL("json", YO_ON_CLI, "false", "print a JSON list instead of a table"),
            YO_OPTIONS_END,
        },
    .arguments =
        (const struct yo_argument[]){
            {.name = "WHAT", .choices = what, .help = "what to measure"},
            {.name = NULL},
        },
    .run = run,
};
