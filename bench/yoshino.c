/* The evaluation-speed and timing tables of Yoshino, Igarashi, Kawashima ("Parallel State
 * Evaluation in MC Softmax Search using GPU and Neural Network Models"), for
 * experiments/yoshino/run: searches of SIMULATIONS from each position of a file, by PUCT with one
 * leaf at a time, by PUCT with batches, and by MC softmax search, T_s 0.05, T_b 0.001, c_puct 1, no
 * cache, no mate search.
 *
 *   bench_yoshino NET.onnx POSITIONS SIMULATIONS [BACKEND [THREADS [LEAVES]]]
 *
 * Prints CSV: a line for each search with the means over the positions. The search is timed as a
 * whole; its parts are timed alone, on the children of the same positions, and multiplied by how
 * often the search does them. "rest" is what is left: tree, queue, waiting, transfers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/time.h"
#include "bench.h"
#include "eval/net/evaluator.h"
#include "eval/net/shogi_features.h"
#include "game/shogi/game.h"
#include "game/shogi/game_ops.h"
#include "game/shogi/movegen.h"
#include "search/shogi/guided.h"

enum { POSITIONS_MAX = 1000, REPEATS = 20 };

struct place {
    struct yo_shogi_game *game;
    struct yo_shogi_state state;
    yo_move moves[YO_SHOGI_MOVES_MAX];
    size_t count;
};

static struct place *places;
static size_t place_count;

static void read_places(const char *path) {
    char line[512];
    struct yo_diag diag = {0};
    FILE *file = fopen(path, "r");
    if (!file) bench_fail(&(struct yo_diag){.what = "cannot open the positions"});
    places = bench_must(calloc(POSITIONS_MAX, sizeof *places));
    while (place_count < POSITIONS_MAX && fgets(line, sizeof line, file)) {
        struct place *p = &places[place_count++];
        line[strcspn(line, "\r\n")] = '\0';
        if (yo_shogi_game_new(line, &p->game, &diag)) bench_fail(&diag);
        yo_shogi_state_from_game(p->game, &p->state);
        p->count = yo_shogi_ops.moves(&p->state, p->moves);
    }
    fclose(file);
    if (place_count == 0) bench_fail(&(struct yo_diag){.what = "the file has no positions"});
}

/* ---- parts, in seconds for one of each ---- */

struct parts {
    double children, update, features, evaluation;
};

static double seconds(int64_t since_ns) { return 1e-9 * (double)(yo_time_ns() - since_ns); }

static volatile uint64_t sink; /* keeps the compiler from leaving out what is timed */

static void time_positions(struct parts *parts) {
    struct yo_shogi_state child;
    yo_move moves[YO_SHOGI_MOVES_MAX];
    uint64_t planes[YO_SHOGI_NET_PIECES][YO_SHOGI_PLANE_WORDS];
    double done = 0;
    int64_t start = yo_time_ns();
    for (int r = 0; r < REPEATS; r++)
        for (size_t i = 0; i < place_count; i++, done++)
            sink += yo_shogi_ops.moves(&places[i].state, moves);
    parts->children = seconds(start) / done;
    done = 0;
    start = yo_time_ns();
    for (int r = 0; r < REPEATS; r++)
        for (size_t i = 0; i < place_count; i++)
            for (size_t m = 0; m < places[i].count; m++, done++) {
                child = places[i].state;
                yo_shogi_ops.play(&child, places[i].moves[m]);
                sink += yo_shogi_ops.hash(&child);
            }
    parts->update = seconds(start) / done;
    done = 0;
    start = yo_time_ns();
    for (int r = 0; r < REPEATS; r++)
        for (size_t i = 0; i < place_count; i++)
            for (size_t m = 0; m < places[i].count; m++, done++) {
                memset(planes, 0, sizeof planes);
                yo_shogi_features_pieces(&places[i].state.position, planes);
                sink += planes[m % YO_SHOGI_NET_PIECES][0];
            }
    parts->features = seconds(start) / done;
}

/* The evaluator on all children of each position, as MC softmax search asks for them, without
 * features and update; about half a second after a first round. Seconds for one. */
static double evaluate_all(struct yo_eval eval, double least_s, double most_s) {
    static struct yo_eval_result results[YO_SHOGI_MOVES_MAX];
    struct yo_diag diag = {0};
    double done = 0;
    int64_t start = yo_time_ns();
    for (size_t i = 0; i < place_count || seconds(start) < least_s; i++) {
        struct place *p = &places[i % place_count];
        struct yo_eval_item item = {.position = &p->state,
                                    .want = YO_EVAL_VALUE,
                                    .results = results,
                                    .children = p->moves,
                                    .child_count = p->count};
        if (yo_eval_run(eval, &item, 1, &diag)) bench_fail(&diag);
        done += (double)p->count;
        if (seconds(start) > most_s) break; /* a slow machine need not see them all */
    }
    return seconds(start) / done;
}

/* ---- searches ---- */

struct row {
    const char *name;
    enum yo_guided_mode mode;
    size_t leaves;
};

static void run_row(const struct row *row, struct yo_eval eval, uint64_t simulations, int threads,
                    const struct parts *parts) {
    struct yo_shogi_guided_options options;
    struct yo_search search;
    struct yo_diag diag = {0};
    yo_shogi_guided_options_default(&options);
    options.leaf_mate = options.root_mate = 0;
    options.tree.mode = row->mode;
    options.tree.threads = threads;
    options.tree.batch = row->leaves;
    options.tree.select_temperature = 0.05f;
    options.tree.reuse = false;
    if (yo_shogi_guided_new(eval, &options, &search, &diag)) bench_fail(&diag);
    struct yo_net_eval_counts before, after;
    yo_net_eval_counts(&eval, &before);
    double moves = 0;
    int64_t start = yo_time_ns();
    for (size_t i = 0; i < place_count; i++) {
        struct yo_search_limits limits = {.playouts = simulations, .whole = true};
        struct yo_search_result result;
        if (yo_search_run(search, places[i].game, &limits, NULL, NULL, NULL, &result, &diag))
            bench_fail(&diag);
        moves += (double)places[i].count;
    }
    double total = seconds(start) / (double)place_count;
    yo_net_eval_counts(&eval, &after);
    double n = (double)(after.evaluations - before.evaluations) / (double)place_count;
    double children = (double)simulations * parts->children, update = n * parts->update;
    double features = n * parts->features, evaluation = n * parts->evaluation;
    printf("%s,%.1f,%.0f,%.1f,%.4f,%.4f,%.4f,%.4f,%.4f,%.4f\n", row->name, n / total, n,
           moves / (double)place_count, total, evaluation, children, features, update,
           total - evaluation - children - features - update);
    fflush(stdout);
    search.ops->destroy(search.ctx);
}

int main(int argc, char **argv) {
    struct yo_diag diag = {0};
    struct yo_eval eval;
    if (argc < 4) {
        fprintf(stderr,
                "bench_yoshino NET.onnx POSITIONS SIMULATIONS [BACKEND [THREADS [LEAVES]]]\n");
        return 2;
    }
    uint64_t simulations = strtoull(argv[3], NULL, 10);
    int threads = argc > 5 ? atoi(argv[5]) : 1;
    struct yo_net_eval_options wanted = {.threads = threads};
    if (argc > 4 && !(wanted.backend = yo_net_backend_find(argv[4], &diag))) bench_fail(&diag);
    read_places(argv[2]);
    if (yo_net_eval_open(argv[1], &wanted, &eval, &diag)) bench_fail(&diag);
    struct yo_eval_about about;
    struct parts parts;
    eval.ops->describe(eval.ctx, 0, &about);
    printf("# %s, %d threads, %zu positions, %llu simulations each\n", about.name, threads,
           place_count, (unsigned long long)simulations);
    printf("search,evaluations_per_s,positions,moves,search_s,evaluation_s,children_s,features_s,"
           "update_s,rest_s\n");
    time_positions(&parts);
    evaluate_all(eval, 0, 1); /* the first round waits for memory */
    parts.evaluation = evaluate_all(eval, 0.5, 5) - parts.features - parts.update;
    size_t leaves = argc > 6 ? (size_t)atoi(argv[6]) : 0;
    const struct row rows[] = {{"puct-1", YO_GUIDED_PUCT, 1},
                               {"puct", YO_GUIDED_PUCT, leaves},
                               {"mcss", YO_GUIDED_MCSS, leaves}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        run_row(&rows[i], eval, simulations, threads, &parts);
    eval.ops->destroy(eval.ctx);
    for (size_t i = 0; i < place_count; i++)
        yo_shogi_game_delete(places[i].game);
    free(places);
    return 0;
}
