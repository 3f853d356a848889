#include "cmd/net/rate.h"

#include <stdatomic.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "base/pool.h"
#include "base/time.h"
#include "engine/go_net.h"
#include "eval/net/evaluator.h"
#include "eval/net/go.h"
#include "eval/net/runner.h"
#include "game/shogi/game_ops.h"
#include "game/shogi/text.h"

/* POSITIONS different positions, so that caches do not help; AHEAD batches in flight per thread. */
enum { POSITIONS = 64, AHEAD = 2 };

struct flight {
    struct yo_eval_batch batch;
    struct yo_eval_item *items;
    struct yo_eval_result *results;
    float *policies;
};

struct runner_thread {
    struct yo_net_rate *rate;
    struct yo_net_runner *runner;
    double seconds;
    uint64_t done;
    enum yo_err err;
    struct yo_diag diag;
};

struct yo_net_rate {
    struct yo_net_rate_setup setup;
    const struct yo_game_ops *game;
    char *positions;
    yo_move *moves; /* game->max_moves per position */
    size_t move_counts[POSITIONS];
    struct yo_shogi_past shogi_start;
    /* From position to outputs: */
    struct yo_eval eval;
    struct flight *flights;
    int flight_count;
    struct yo_net *net; /* until the evaluator takes it */
    /* A part alone: */
    struct yo_net_program program;
    struct runner_thread *threads;
};

/* ---- positions: random games of random length ---- */

static void *position_at(const struct yo_net_rate *rate, int i) {
    return rate->positions + (size_t)i * rate->game->position_size;
}

static yo_move *moves_at(const struct yo_net_rate *rate, int i) {
    return rate->moves + (size_t)i * rate->game->max_moves;
}

static void play_some(struct yo_net_rate *rate, int i, int length, uint64_t *seed) {
    void *position = position_at(rate, i);
    yo_move *moves = moves_at(rate, i);
    for (int m = 0; m < length; m++) {
        size_t count = rate->game->moves(position, moves);
        if (count == 0) break; /* the random game has ended */
        *seed = *seed * 6364136223846793005u + 1442695040888963407u;
        rate->game->play(position, moves[(*seed >> 33) % count]);
    }
    rate->move_counts[i] = rate->game->moves(position, moves);
}

static enum yo_err begin(struct yo_net_rate *rate, struct yo_diag *diag) {
    if (rate->game == &yo_shogi_ops) {
        struct yo_shogi_position start;
        yo_shogi_position_start(&start);
        for (int i = 0; i < POSITIONS; i++)
            yo_shogi_state_init(position_at(rate, i), &start, &yo_shogi_rules_default,
                                &rate->shogi_start);
        return YO_OK;
    }
    struct yo_go_game *game;
    if (yo_go_game_new(rate->setup.size, NULL, &game))
        return yo_diag_set(diag, YO_ERR_NOMEM, "not enough memory");
    for (int i = 0; i < POSITIONS; i++) {
        struct yo_go_position *position = position_at(rate, i);
        yo_go_position_from_game(game, position);
        position->game_count = 0; /* the game is deleted below */
    }
    yo_go_game_delete(game);
    return YO_OK;
}

static enum yo_err make_positions(struct yo_net_rate *rate, const struct yo_net *net,
                                  struct yo_diag *diag) {
    rate->game = yo_net_game(net)->game;
    rate->positions = yo_alloc(POSITIONS, rate->game->position_size);
    rate->moves = yo_alloc(POSITIONS, rate->game->max_moves * sizeof *rate->moves);
    if (!rate->positions || !rate->moves)
        return yo_diag_set(diag, YO_ERR_NOMEM, "not enough memory");
    enum yo_err err = begin(rate, diag);
    uint64_t seed = 1;
    for (int i = 0; i < POSITIONS && !err; i++)
        play_some(rate, i, i * rate->setup.size * rate->setup.size / POSITIONS, &seed);
    return err;
}

/* ---- from position to outputs ---- */

static bool make_flight(struct yo_net_rate *rate, struct flight *flight, int first) {
    size_t count = (size_t)rate->setup.batch;
    flight->items = yo_alloc(count, sizeof *flight->items);
    flight->results = yo_alloc(count, sizeof *flight->results);
    flight->policies = yo_alloc(count, rate->game->max_moves * sizeof(float));
    if (!flight->items || !flight->results || !flight->policies) return false;
    for (size_t i = 0; i < count; i++) {
        int p = (int)(((size_t)first + i * 7) % POSITIONS);
        flight->results[i].policy = flight->policies + i * rate->game->max_moves;
        flight->items[i] = (struct yo_eval_item){.position = position_at(rate, p),
                                                 .want = YO_EVAL_VALUE | YO_EVAL_POLICY,
                                                 .results = &flight->results[i],
                                                 .moves = moves_at(rate, p),
                                                 .move_count = rate->move_counts[p]};
    }
    flight->batch = (struct yo_eval_batch){.items = flight->items, .item_count = count};
    return true;
}

static enum yo_err start_evaluator(struct yo_net_rate *rate, struct yo_diag *diag) {
    const struct yo_net_rate_setup *s = &rate->setup;
    struct yo_net_eval_options options = {
        .backend = s->backend, .threads = s->threads, .batch = s->batch};
    enum yo_err err = make_positions(rate, rate->net, diag);
    if (err) return err;
    struct yo_net *net = rate->net;
    rate->net = NULL; /* the evaluator owns it now */
    err = yo_net_eval_new(net, &options, &rate->eval, diag);
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

/* ---- the inputs alone, or the forward pass alone ---- */

static void add_positions(struct runner_thread *thread) {
    const struct yo_net_rate *rate = thread->rate;
    int number = (int)(thread - rate->threads);
    for (int i = 0; i < rate->setup.batch; i++)
        yo_net_runner_add(thread->runner, position_at(rate, (i * 7 + number) % POSITIONS), 0);
}

static enum yo_err start_runners(struct yo_net_rate *rate, struct yo_diag *diag) {
    const struct yo_net_rate_setup *s = &rate->setup;
    enum yo_err err = make_positions(rate, rate->net, diag);
    if (!err) err = yo_net_program_init(&rate->program, rate->net, s->backend, diag);
    if (err) return err;
    rate->threads = yo_alloc((size_t)s->threads, sizeof *rate->threads);
    if (!rate->threads) return yo_diag_set(diag, YO_ERR_NOMEM, "not enough memory");
    for (int t = 0; t < s->threads && !err; t++) {
        struct runner_thread *thread = &rate->threads[t];
        thread->rate = rate;
        err = yo_net_runner_new(&rate->program, s->batch, &thread->runner, diag);
        if (!err) err = yo_net_runner_start(thread->runner, s->size, diag);
        if (!err) add_positions(thread);
    }
    return err;
}

static enum yo_err run_batch(struct runner_thread *thread) {
    const struct yo_net_rate_setup *s = &thread->rate->setup;
    if (s->part == YO_NET_RATE_FORWARD)
        return yo_net_runner_run(thread->runner, YO_EVAL_VALUE | YO_EVAL_POLICY, &thread->diag);
    enum yo_err err = yo_net_runner_start(thread->runner, s->size, &thread->diag);
    if (!err) add_positions(thread);
    return err;
}

/* Runs batches until the time is over, one call per thread. */
static bool run_part(void *ctx, int number) {
    struct runner_thread *thread = &((struct yo_net_rate *)ctx)->threads[number];
    int64_t end = yo_time_ns() + (int64_t)(thread->seconds * 1e9);
    do {
        thread->err = run_batch(thread);
        thread->done += (uint64_t)thread->rate->setup.batch;
    } while (!thread->err && yo_time_ns() < end);
    return false;
}

static enum yo_err measure_part(struct yo_net_rate *rate, double seconds, double *per_second,
                                struct yo_diag *diag) {
    struct yo_pool *pool;
    struct yo_job job = {.run = run_part, .ctx = rate, .threads = rate->setup.threads};
    uint64_t done = 0;
    for (int t = 0; t < rate->setup.threads; t++) {
        rate->threads[t].seconds = seconds;
        rate->threads[t].done = 0;
        rate->threads[t].err = YO_OK;
    }
    enum yo_err err = yo_pool_new(rate->setup.threads, &pool, diag);
    if (err) return err;
    int64_t start = yo_time_ns();
    yo_pool_submit(pool, &job);
    yo_pool_delete(pool);
    for (int t = 0; t < rate->setup.threads; t++) {
        done += rate->threads[t].done;
        if (!err && rate->threads[t].err) {
            err = rate->threads[t].err;
            *diag = rate->threads[t].diag;
        }
    }
    *per_second = (double)done / (1e-9 * (double)(yo_time_ns() - start));
    return err;
}

/* ---- all parts ---- */

enum yo_err yo_net_rate_new(const struct yo_net_rate_setup *setup, struct yo_net_rate **rate,
                            struct yo_diag *diag) {
    struct yo_net_rate *made = yo_alloc(1, sizeof *made);
    if (!made) return yo_diag_set(diag, YO_ERR_NOMEM, "not enough memory");
    made->setup = *setup;
    enum yo_err err = yo_go_net_load(setup->path, setup->size, &made->net, diag);
    int fixed = err ? 0 : made->net->graph.fixed_size;
    if (fixed && setup->size != fixed)
        err = yo_diag_set(diag, YO_ERR_UNSUPPORTED, "the network is for boards of size %d", fixed);
    bool all = setup->part == YO_NET_RATE_ALL;
    if (!err) err = all ? start_evaluator(made, diag) : start_runners(made, diag);
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
    return rate->setup.part == YO_NET_RATE_ALL ? fly(rate, seconds, per_second, diag)
                                               : measure_part(rate, seconds, per_second, diag);
}

int yo_net_rate_batch(const struct yo_net_backend *backend) {
    return backend->batch > 0 ? backend->batch : 1;
}
