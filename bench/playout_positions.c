/* What it costs to start games from many positions: the same number of games, shared out over more
 * and more positions of 30 random moves, each with its own score histogram and ownership.
 *   playout_positions SIZE [BACKEND] */
#include "base/alloc.h"
#include "base/time.h"
#include "bench.h"
#include "eval/playout/playouts.h"

#define GAMES 200000

static void measure(struct yo_eval *eval, int size, int count) {
    size_t n = (size_t)count, points = (size_t)(size * size);
    struct yo_go_position *positions = bench_must(yo_alloc(n, sizeof *positions));
    struct yo_eval_item *items = bench_must(yo_alloc(n, sizeof *items));
    struct yo_eval_result *results = bench_must(yo_alloc(n, sizeof *results));
    uint32_t *arrays = bench_must(yo_alloc(n * (3 * points + 1), sizeof *arrays));
    struct yo_diag diag = {0};
    memset(arrays, 0, n * (3 * points + 1) * sizeof *arrays); /* touch it before the clock starts */
    for (size_t i = 0; i < n; i++) {
        bench_scatter(&positions[i], size, 30);
        results[i].playouts.histogram = arrays + i * (3 * points + 1);
        results[i].playouts.owner = (int32_t *)results[i].playouts.histogram + 2 * points + 1;
        items[i] = (struct yo_eval_item){.position = &positions[i],
                                         .want = YO_EVAL_PLAYOUTS,
                                         .results = &results[i],
                                         .playouts = GAMES / n,
                                         .seed = i};
    }
    int64_t start = yo_time_ns();
    if (yo_eval_run(*eval, items, n, &diag)) bench_fail(&diag);
    double seconds = 1e-9 * (double)(yo_time_ns() - start);
    uint64_t moves = 0, games = 0;
    for (size_t i = 0; i < n; i++) {
        moves += results[i].playouts.moves;
        games += results[i].playouts.games;
    }
    printf("%6d positions x %6d games: %9.0f playouts/s, %6.2f ns/move\n", count, GAMES / count,
           (double)games / seconds, 1e9 * seconds / (double)moves);
    yo_free(positions);
    yo_free(items);
    yo_free(results);
    yo_free(arrays);
}

int main(int argc, char **argv) {
    int size = argc > 1 ? atoi(argv[1]) : 9;
    if (size < YO_GO_SIZE_MIN || size > YO_GO_SIZE_MAX) {
        fprintf(stderr, "usage: playout_positions SIZE [BACKEND]\n");
        return 2;
    }
    struct yo_eval eval;
    struct yo_diag diag = {0};
    if (yo_playouts_eval_open(argc > 2 ? argv[2] : "auto", 1, &eval, &diag)) bench_fail(&diag);
    static const int counts[] = {1, 200, 3125, 25000};
    for (int i = 0; i < 4; i++)
        measure(&eval, size, counts[i]);
    eval.ops->destroy(eval.ctx);
    return 0;
}
