/* What a tree search gets from an evaluator: batches of some positions with some playouts each, one
 * after the other; two at a time, so that one is played while the other is put together, as a
 * thread of the search has them; and eight, as four threads have.
 *   playout_batches SIZE [BACKEND [THREADS [POLICY]]] */
#include "base/alloc.h"
#include "base/time.h"
#include "bench.h"
#include "eval/playout/playouts.h"

#define SECONDS    0.15 /* for each figure */
#define GAMES_MAX  (1 << 20)
#define FLIGHT_MAX 8

struct flight {
    struct yo_eval_batch batch;
    struct yo_go_position *positions;
    struct yo_eval_item *items;
    struct yo_eval_result *results;
};

static void prepare(struct flight *flight, int size, enum yo_playout_policy policy, size_t count,
                    uint64_t playouts) {
    flight->positions = bench_must(yo_alloc(count, sizeof *flight->positions));
    flight->items = bench_must(yo_alloc(count, sizeof *flight->items));
    flight->results = bench_must(yo_alloc(count, sizeof *flight->results));
    for (size_t i = 0; i < count; i++) {
        bench_scatter(&flight->positions[i], size, 20);
        flight->items[i] = (struct yo_eval_item){.position = &flight->positions[i],
                                                 .want = YO_EVAL_PLAYOUTS,
                                                 .results = &flight->results[i],
                                                 .playout_policy = (int)policy,
                                                 .playouts = playouts,
                                                 .seed = i};
    }
    flight->batch = (struct yo_eval_batch){.items = flight->items, .item_count = count};
}

static void release(struct flight *flight) {
    yo_free(flight->positions);
    yo_free(flight->items);
    yo_free(flight->results);
}

/* Batches a second with so many in flight. */
static double batches_per_s(struct yo_eval *eval, struct flight *flights, int in_flight) {
    struct yo_diag diag;
    uint64_t done = 0;
    int64_t start = yo_time_ns(), end = start + (int64_t)(1e9 * SECONDS);
    for (int i = 0; i < in_flight; i++)
        if (eval->ops->submit(eval->ctx, &flights[i].batch, &diag)) bench_fail(&diag);
    for (int i = 0;; i = (i + 1) % in_flight) {
        if (eval->ops->wait(eval->ctx, &flights[i].batch)) bench_fail(&flights[i].batch.diag);
        done++;
        if (yo_time_ns() >= end) {
            for (int k = 1; k < in_flight; k++, done++)
                eval->ops->wait(eval->ctx, &flights[(i + k) % in_flight].batch);
            break;
        }
        if (eval->ops->submit(eval->ctx, &flights[i].batch, &diag)) bench_fail(&diag);
    }
    return 1e9 * (double)done / (double)(yo_time_ns() - start);
}

static void measure(struct yo_eval *eval, int size, enum yo_playout_policy policy, size_t count,
                    uint64_t playouts) {
    struct flight flights[FLIGHT_MAX];
    for (int i = 0; i < FLIGHT_MAX; i++)
        prepare(&flights[i], size, policy, count, playouts);
    batches_per_s(eval, flights, 1); /* to warm up */
    double one = batches_per_s(eval, flights, 1);
    double two = batches_per_s(eval, flights, 2), all = batches_per_s(eval, flights, FLIGHT_MAX);
    double games = (double)count * (double)playouts;
    printf("%5zu positions x %5llu: %8.3f ms a batch, %10.0f playouts/s; two in flight: %10.0f; "
           "eight: %10.0f\n",
           count, (unsigned long long)playouts, 1e3 / one, one * games, two * games, all * games);
    fflush(stdout);
    for (int i = 0; i < FLIGHT_MAX; i++)
        release(&flights[i]);
}

int main(int argc, char **argv) {
    int size = argc > 1 ? atoi(argv[1]) : 9;
    if (size < YO_GO_SIZE_MIN || size > YO_GO_SIZE_MAX) {
        fprintf(stderr, "usage: playout_batches SIZE [BACKEND [THREADS [POLICY]]]\n");
        return 2;
    }
    struct yo_eval eval;
    struct yo_diag diag = {0};
    enum yo_playout_policy policy = YO_PLAYOUT_LIGHT;
    if (argc > 4 && yo_playout_policy_parse(argv[4], &policy, &diag)) bench_fail(&diag);
    if (yo_playouts_eval_open(argc > 2 ? argv[2] : "auto", argc > 3 ? atoi(argv[3]) : 0, &eval,
                              &diag))
        bench_fail(&diag);
    static const size_t counts[] = {1, 16, 256, 4096};
    static const uint64_t playouts[] = {1, 8, 64, 1024};
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            if (counts[i] * playouts[j] <= GAMES_MAX)
                measure(&eval, size, policy, counts[i], playouts[j]);
    eval.ops->destroy(eval.ctx);
    return 0;
}
