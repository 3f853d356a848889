/* The simulation with engines whose values are a hash of the position: time, faults, repetition. */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/random.h"
#include "cluster/sim.h"
#include "game/shogi/game_ops.h"
#include "yomi/shogi.h"

/* ---- the engine: a ply deeper for every tenfold of nodes ---- */

struct fake {
    const void *game;
    struct yo_plan_job job;
    bool has_job;
    uint64_t nodes, total;
    yo_move moves[1024];
    size_t count;
    struct yo_search_move line;
};

static void fake_stop(void *ctx, bool all) {
    struct fake *f = ctx;
    (void)all;
    if (f->has_job) yo_plan_job_free(&f->job);
    f->has_job = false;
}

static enum yo_err fake_start(void *ctx, const void *game, const struct yo_plan_job *job,
                              struct yo_diag *diag) {
    struct fake *f = ctx;
    struct yo_shogi_state state;
    fake_stop(f, false);
    yo_shogi_ops.from_game(game, &state);
    for (size_t i = 0; i < job->path_count; i++)
        yo_shogi_ops.play(&state, job->path[i]);
    f->count = yo_shogi_ops.moves(&state, f->moves);
    assert_true(f->count > 0);
    f->nodes = 0;
    f->has_job = true;
    return yo_plan_job_copy(job, &f->job, diag);
}

static enum yo_err fake_advance(void *ctx, uint64_t nodes, bool *done, struct yo_diag *diag) {
    struct fake *f = ctx;
    (void)diag;
    assert_true(f->has_job);
    f->nodes += nodes;
    f->total += nodes;
    *done = false;
    return YO_OK;
}

static bool fake_latest(void *ctx, struct yo_search_result *result) {
    struct fake *f = ctx;
    int depth = 0;
    for (uint64_t n = f->nodes; n >= 10; n /= 10)
        depth++;
    if (depth == 0) return false;
    const yo_move *moves = f->job.only ? f->job.only : f->moves;
    size_t count = f->job.only ? f->job.only_count : f->count;
    uint64_t h = yo_mix64((uint64_t)depth * 1000 + f->job.path_count);
    for (size_t i = 0; i < f->job.path_count; i++)
        h = yo_mix64(h + f->job.path[i]);
    f->line = (struct yo_search_move){
        .move = moves[h % count], .centipawns = (int)(h >> 32 & 511) - 256, .depth = depth};
    *result = (struct yo_search_result){.moves = &f->line, .move_count = 1, .depth = depth};
    return true;
}

static void fake_destroy(void *ctx) {
    fake_stop(ctx, true);
    free(ctx);
}

static const struct yo_sim_engine_ops fake_ops = {.start = fake_start,
                                                  .advance = fake_advance,
                                                  .latest = fake_latest,
                                                  .stop = fake_stop,
                                                  .destroy = fake_destroy};

static enum yo_err make_fake(void *user, size_t index, struct yo_sim_engine *engine,
                             struct yo_diag *diag) {
    (void)user, (void)index, (void)diag;
    *engine = (struct yo_sim_engine){&fake_ops, calloc(1, sizeof(struct fake))};
    assert_non_null(engine->ctx);
    return YO_OK;
}

/* ---- a game, with everything that happens written down ---- */

struct log {
    struct yo_buf text;
    size_t deaths, births, jobs;
};

static void write_down(void *user, const struct yo_sim_event *e) {
    struct log *log = user;
    log->deaths += e->kind == YO_SIM_DEATH;
    log->births += e->kind == YO_SIM_BIRTH;
    log->jobs += e->kind == YO_SIM_JOB;
    yo_buf_printf(&log->text, "%lld %d %u", (long long)e->at_ms, (int)e->kind, e->worker);
    for (size_t i = 0; e->job && i < e->job->path_count; i++)
        yo_buf_printf(&log->text, " %u", e->job->path[i]);
    if (e->result && e->result->move_count > 0)
        yo_buf_printf(&log->text, ": %u %d", e->result->moves[0].move,
                      e->result->moves[0].centipawns);
    yo_buf_char(&log->text, '\n');
}

static void play_out(const struct yo_sim_faults *faults, uint64_t seed, struct log *log,
                     uint64_t *nodes) {
    struct yo_sim_config config = {.workers = 13,
                                   .speed = 5000,
                                   .seed = seed,
                                   .faults = *faults,
                                   .maker = {.make = make_fake},
                                   .trace = write_down,
                                   .user = log};
    struct yo_sim *sim;
    struct yo_shogi_game *game;
    *log = (struct log){0};
    assert_int_equal(yo_shogi_game_new(NULL, &game, NULL), YO_OK);
    assert_int_equal(yo_sim_new(&config, &yo_shogi_ops, &sim, NULL), YO_OK);
    for (int i = 0; i < 6; i++) {
        struct yo_search_result result;
        assert_int_equal(yo_sim_think(sim, game, 3000, &result, NULL), YO_OK);
        assert_true(result.move_count > 0);
        assert_int_equal(yo_shogi_game_play(game, (yo_shogi_move)result.moves[0].move, NULL),
                         YO_OK);
    }
    *nodes = yo_sim_nodes(sim);
    yo_sim_delete(sim);
    yo_shogi_game_delete(game);
}

static void test_time_is_used(void **state) {
    (void)state;
    struct log log;
    uint64_t nodes;
    play_out(&(struct yo_sim_faults){0}, 1, &log, &nodes);
    /* Six moves of three seconds; a message is shorter than a step, so no step is lost. */
    assert_int_equal(nodes, 13 * 5000 * 3 * 6);
    assert_int_equal(log.births, 13);
    assert_int_equal(log.deaths, 0);
    assert_true(log.jobs >= 13 * 6);
    yo_buf_free(&log.text);
}

/* The same seed gives the same events; another one, others. */
static void test_replay(void **state) {
    (void)state;
    struct yo_sim_faults faults = {.dies = 0.2, .slows = 0.3, .mutes = 0.3};
    struct log a, b, c;
    uint64_t na, nb, nc;
    play_out(&faults, 7, &a, &na);
    play_out(&faults, 7, &b, &nb);
    play_out(&faults, 8, &c, &nc);
    assert_int_equal(na, nb);
    assert_string_equal(yo_buf_text(&a.text), yo_buf_text(&b.text));
    assert_string_not_equal(yo_buf_text(&a.text), yo_buf_text(&c.text));
    assert_true(a.deaths > 0);
    assert_true(a.births > 13);
    assert_true(na < (uint64_t)13 * 5000 * 3 * 6);
    yo_buf_free(&a.text);
    yo_buf_free(&b.text);
    yo_buf_free(&c.text);
}

/* Everyone dies within the first steps, again and again: there is a legal move all the same. */
static void test_all_die(void **state) {
    (void)state;
    struct log log;
    uint64_t nodes;
    play_out(&(struct yo_sim_faults){.dies = 1, .mutes = 1}, 3, &log, &nodes);
    assert_true(log.deaths > 13);
    yo_buf_free(&log.text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_time_is_used),
        cmocka_unit_test(test_replay),
        cmocka_unit_test(test_all_die),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
