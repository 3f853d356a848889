#include "cmd/net/rate.h"

#include <pthread.h>
#include <stdatomic.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "base/time.h"
#include "eval/net/evaluator.h"
#include "eval/net/go.h"
#include "eval/net/runner.h"

/* Different positions, so that nothing is learned by heart; batches on their way for each thread.
 */
enum { POSITIONS = 64, AHEAD = 2, MOVES = YO_GO_POINTS_MAX + 1 };

struct flight {
    struct yo_eval_batch batch;
    struct yo_eval_item *items;
    struct yo_eval_result *results;
    float *policies;
};

struct runner_thread {
    struct yo_net_rate *rate;
    pthread_t id;
    struct yo_net_runner *runner;
    double seconds;
    uint64_t done;
    enum yo_err err;
    struct yo_diag diag;
};

struct yo_net_rate {
    struct yo_net_rate_setup setup;
    struct yo_go_position *positions;
    yo_move (*moves)[MOVES];
    size_t move_counts[POSITIONS];
    /* from position to numbers */
    struct yo_eval eval;
    struct flight *flights;
    int flight_count;
    /* the network alone */
    struct yo_net *net;
    struct yo_net_program program;
    struct runner_thread *threads;
};

/* ---- positions: random games, cut off anywhere ---- */

static enum yo_err make_positions(struct yo_net_rate *rate, struct yo_diag *diag) {
    rate->positions = yo_alloc(POSITIONS, sizeof *rate->positions);
    rate->moves = yo_alloc(POSITIONS, sizeof *rate->moves);
    struct yo_go_game *game = NULL;
    if (!rate->positions || !rate->moves || yo_go_game_new(rate->setup.size, NULL, &game))
        return yo_diag_set(diag, YO_ERR_NOMEM, "not enough memory");
    uint64_t seed = 1;
    for (int i = 0; i < POSITIONS; i++) {
        struct yo_go_position *pos = &rate->positions[i];
        yo_go_position_from_game(game, pos);
        pos->game_count = 0;
        int length = i * rate->setup.size * rate->setup.size / POSITIONS;
        for (int m = 0; m < length; m++) {
            size_t count = yo_go_ops.moves(pos, rate->moves[i]);
            if (count == 0) break; /* two passes by chance */
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            yo_go_ops.play(pos, rate->moves[i][(seed >> 33) % count]);
        }
        rate->move_counts[i] = yo_go_ops.moves(pos, rate->moves[i]);
    }
    yo_go_game_delete(game);
    return YO_OK;
}

/* ---- from position to numbers ---- */

static bool make_flight(struct yo_net_rate *rate, struct flight *flight, int first) {
    size_t count = (size_t)rate->setup.batch;
    flight->items = yo_alloc(count, sizeof *flight->items);
    flight->results = yo_alloc(count, sizeof *flight->results);
    flight->policies = yo_alloc(count, MOVES * sizeof(float));
    if (!flight->items || !flight->results || !flight->policies) return false;
    for (size_t i = 0; i < count; i++) {
        size_t p = ((size_t)first + i * 7) % POSITIONS;
        flight->results[i].policy = flight->policies + i * MOVES;
        flight->items[i] = (struct yo_eval_item){.position = &rate->positions[p],
                                                 .want = YO_EVAL_VALUE | YO_EVAL_POLICY,
                                                 .results = &flight->results[i],
                                                 .moves = rate->moves[p],
                                                 .move_count = rate->move_counts[p]};
    }
    flight->batch = (struct yo_eval_batch){.items = flight->items, .item_count = count};
    return true;
}

static enum yo_err start_evaluator(struct yo_net_rate *rate, struct yo_diag *diag) {
    const struct yo_net_rate_setup *s = &rate->setup;
    struct yo_net_eval_options options = {
        .backend = s->backend, .threads = s->threads, .batch = s->batch};
    enum yo_err err = yo_net_eval_open(s->path, &options, &rate->eval, diag);
    if (err) return err;
    rate->flight_count = AHEAD * s->threads;
    rate->flights = yo_alloc((size_t)rate->flight_count, sizeof *rate->flights);
    for (int i = 0; rate->flights && i < rate->flight_count; i++)
        if (!make_flight(rate, &rate->flights[i], i * 13))
            return yo_diag_set(diag, YO_ERR_NOMEM, "not enough memory");
    return rate->flights ? YO_OK : yo_diag_set(diag, YO_ERR_NOMEM, "not enough memory");
}

static enum yo_err fly(struct yo_net_rate *rate, double seconds, double *per_second,
                       struct yo_diag *diag) {
    const struct yo_eval *eval = &rate->eval;
    enum yo_err err = YO_OK;
    int64_t start = yo_time_ns(), end = start + (int64_t)(seconds * 1e9);
    uint64_t done = 0;
    int submitted = 0, next = 0;
    for (; submitted < rate->flight_count && !err; submitted++)
        err = eval->ops->submit(eval->ctx, &rate->flights[submitted].batch, diag);
    for (int landed = 0; landed < submitted; next = (next + 1) % rate->flight_count) {
        struct yo_eval_batch *batch = &rate->flights[next].batch;
        enum yo_err failed = eval->ops->wait(eval->ctx, batch);
        if (failed && !err) {
            err = failed;
            *diag = batch->diag;
        }
        done += batch->item_count;
        if (err || yo_time_ns() >= end)
            landed++;
        else if ((err = eval->ops->submit(eval->ctx, batch, diag)))
            landed++;
    }
    *per_second = (double)done / (1e-9 * (double)(yo_time_ns() - start));
    return err;
}

/* ---- the network alone ---- */

static enum yo_err start_runners(struct yo_net_rate *rate, struct yo_diag *diag) {
    const struct yo_net_rate_setup *s = &rate->setup;
    enum yo_err err = yo_net_open(s->path, &rate->net, diag);
    if (!err) err = yo_net_program_init(&rate->program, rate->net, s->backend, diag);
    if (err) return err;
    rate->threads = yo_alloc((size_t)s->threads, sizeof *rate->threads);
    if (!rate->threads) return yo_diag_set(diag, YO_ERR_NOMEM, "not enough memory");
    for (int t = 0; t < s->threads && !err; t++) {
        struct runner_thread *thread = &rate->threads[t];
        thread->rate = rate;
        err = yo_net_runner_new(&rate->program, s->batch, &thread->runner, diag);
        if (!err) err = yo_net_runner_start(thread->runner, s->size, diag);
        for (int i = 0; i < s->batch && !err; i++)
            yo_net_runner_add(thread->runner, &rate->positions[(i * 7 + t) % POSITIONS], 0);
    }
    return err;
}

static void *run_forward(void *ctx) {
    struct runner_thread *thread = ctx;
    int64_t end = yo_time_ns() + (int64_t)(thread->seconds * 1e9);
    thread->done = 0;
    do {
        thread->err =
            yo_net_runner_run(thread->runner, YO_EVAL_VALUE | YO_EVAL_POLICY, &thread->diag);
        thread->done += (uint64_t)thread->rate->setup.batch;
    } while (!thread->err && yo_time_ns() < end);
    return NULL;
}

static enum yo_err forward(struct yo_net_rate *rate, double seconds, double *per_second,
                           struct yo_diag *diag) {
    int64_t start = yo_time_ns();
    enum yo_err err = YO_OK;
    uint64_t done = 0;
    int started = 0;
    for (; started < rate->setup.threads && !err; started++) {
        rate->threads[started].seconds = seconds;
        if (pthread_create(&rate->threads[started].id, NULL, run_forward, &rate->threads[started]))
            err = yo_diag_set(diag, YO_ERR_NOMEM, "a thread could not be started");
        if (err) break;
    }
    for (int t = 0; t < started; t++) {
        pthread_join(rate->threads[t].id, NULL);
        done += rate->threads[t].done;
        if (!err && rate->threads[t].err) {
            err = rate->threads[t].err;
            *diag = rate->threads[t].diag;
        }
    }
    *per_second = (double)done / (1e-9 * (double)(yo_time_ns() - start));
    return err;
}

/* ---- both ---- */

enum yo_err yo_net_rate_new(const struct yo_net_rate_setup *setup, struct yo_net_rate **rate,
                            struct yo_diag *diag) {
    struct yo_net_rate *made = yo_alloc(1, sizeof *made);
    if (!made) return yo_diag_set(diag, YO_ERR_NOMEM, "not enough memory");
    made->setup = *setup;
    enum yo_err err = make_positions(made, diag);
    if (!err) err = setup->forward ? start_runners(made, diag) : start_evaluator(made, diag);
    if (err)
        yo_net_rate_delete(made);
    else
        *rate = made;
    return err;
}

void yo_net_rate_delete(struct yo_net_rate *rate) {
    if (!rate) return;
    if (rate->eval.ops) rate->eval.ops->destroy(rate->eval.ctx);
    for (int i = 0; rate->flights && i < rate->flight_count; i++) {
        yo_free(rate->flights[i].items);
        yo_free(rate->flights[i].results);
        yo_free(rate->flights[i].policies);
    }
    yo_free(rate->flights);
    for (int t = 0; rate->threads && t < rate->setup.threads; t++)
        yo_net_runner_delete(rate->threads[t].runner);
    yo_free(rate->threads);
    yo_net_program_free(&rate->program);
    yo_net_delete(rate->net);
    yo_free(rate->positions);
    yo_free(rate->moves);
    yo_free(rate);
}

enum yo_err yo_net_rate_measure(struct yo_net_rate *rate, double seconds, double *per_second,
                                struct yo_diag *diag) {
    return rate->setup.forward ? forward(rate, seconds, per_second, diag)
                               : fly(rate, seconds, per_second, diag);
}

int yo_net_rate_batch(const struct yo_net_backend *backend) {
    return backend->batch > 0 ? backend->batch : 1;
}
