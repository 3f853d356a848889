/* The engines of simulated workers: a search in slices is the same as in one go. */
#include "support/test.h"

#include <string.h>

#include "cluster/order_shogi.h"
#include "cluster/sim.h"
#include "engine/session.h"
#include "eval/shogi/eval.h"
#include "game/go/game_ops.h"
#include "game/shogi/game_ops.h"
#include "yomi/go.h"
#include "yomi/shogi.h"

enum { NODES = 40960 };

struct seen {
    yo_move move;
    int centipawns, depth;
    uint64_t nodes;
};

/* Searches NODES nodes in slices of this size. */
static struct seen search_in(uint64_t slice, const struct yo_plan_job *job, const void *game) {
    struct yo_sim_engine engine;
    struct yo_search_result result;
    bool done;
    assert_int_equal(yo_sim_shogi(&yo_shogi_eval_material, 1, 0, &engine, NULL), YO_OK);
    assert_int_equal(engine.ops->start(engine.ctx, game, job, NULL), YO_OK);
    assert_false(engine.ops->latest(engine.ctx, &result));
    for (uint64_t used = 0; used < NODES; used += slice) {
        assert_int_equal(engine.ops->advance(engine.ctx, slice, &done, NULL), YO_OK);
        assert_false(done);
    }
    assert_true(engine.ops->latest(engine.ctx, &result));
    struct seen seen = {result.moves[0].move, result.moves[0].centipawns, result.depth,
                        result.nodes};
    engine.ops->destroy(engine.ctx);
    return seen;
}

static void test_slices(void **state) {
    (void)state;
    struct yo_shogi_game *game;
    yo_move moves[1024];
    struct yo_shogi_state root;
    assert_int_equal(yo_shogi_game_new(NULL, &game, NULL), YO_OK);
    yo_shogi_ops.from_game(game, &root);
    size_t count = yo_shogi_ops.moves(&root, moves);
    assert_true(count > 5);
    struct yo_plan_job jobs[3] = {
        {.path_count = 0}, {.path = {moves[3]}, .path_count = 1}, {.only = moves, .only_count = 5}};
    for (size_t j = 0; j < 3; j++) {
        struct seen whole = search_in(NODES, &jobs[j], game);
        assert_true(whole.depth > 3);
        static const uint64_t slices[] = {NODES / 4, 2048, 512};
        for (size_t i = 0; i < 3; i++) {
            struct seen seen = search_in(slices[i], &jobs[j], game);
            assert_int_equal(seen.move, whole.move);
            assert_int_equal(seen.centipawns, whole.centipawns);
            assert_int_equal(seen.depth, whole.depth);
            assert_int_equal(seen.nodes, whole.nodes);
        }
        if (j == 2) {
            bool asked = false;
            for (size_t i = 0; i < 5; i++)
                asked = asked || whole.move == moves[i];
            assert_true(asked);
        }
    }
    yo_shogi_game_delete(game);
}

/* Jobs end at any time: before their first node, in the middle, and by themselves in a position
 * with one line to a mate. */
static void test_jobs_end(void **state) {
    (void)state;
    struct yo_sim_engine engine;
    struct yo_search_result result;
    struct yo_shogi_game *game, *mated;
    struct yo_plan_job job = {.path_count = 0};
    bool done = false;
    assert_int_equal(yo_shogi_game_new(NULL, &game, NULL), YO_OK);
    /* One reply, and then it is mate: the search runs out of depth. */
    assert_int_equal(yo_shogi_game_new("7nk/9/7PP/9/9/9/9/9/4K4 w G 1", &mated, NULL), YO_OK);
    assert_int_equal(yo_sim_shogi(&yo_shogi_eval_material, 1, 0, &engine, NULL), YO_OK);
    assert_int_equal(engine.ops->advance(engine.ctx, 1000, &done, NULL), YO_OK);
    assert_false(engine.ops->latest(engine.ctx, &result));
    for (int i = 0; i < 3; i++) {
        assert_int_equal(engine.ops->start(engine.ctx, game, &job, NULL), YO_OK);
        assert_int_equal(engine.ops->start(engine.ctx, game, &job, NULL), YO_OK);
        assert_int_equal(engine.ops->advance(engine.ctx, 3000, &done, NULL), YO_OK);
        engine.ops->stop(engine.ctx, i == 1);
    }
    assert_int_equal(engine.ops->start(engine.ctx, mated, &job, NULL), YO_OK);
    for (int i = 0; i < 2000 && !done; i++)
        assert_int_equal(engine.ops->advance(engine.ctx, 2048, &done, NULL), YO_OK);
    assert_true(engine.ops->latest(engine.ctx, &result));
    engine.ops->destroy(engine.ctx);
    yo_shogi_game_delete(game);
    yo_shogi_game_delete(mated);
}

/* The quick order gives every move a place, and the same one each time. */
static void test_order(void **state) {
    (void)state;
    struct yo_shogi_order *order;
    struct yo_shogi_game *game;
    struct yo_shogi_state root;
    yo_move moves[1024];
    double first[1024], again[1024];
    /* A rook can be taken for nothing: that comes first. */
    assert_int_equal(yo_shogi_game_new("4k4/9/9/4r4/4P4/9/9/9/4K4 b - 1", &game, NULL), YO_OK);
    yo_shogi_ops.from_game(game, &root);
    size_t count = yo_shogi_ops.moves(&root, moves), best = 0;
    assert_int_equal(yo_shogi_order_new(&yo_shogi_eval_material, NULL, &order, NULL), YO_OK);
    memset(first, 0, sizeof first);
    memset(again, 0, sizeof again);
    yo_shogi_order_moves(order, &root, moves, count, first);
    yo_shogi_order_moves(order, &root, moves, count, again);
    for (size_t i = 0; i < count; i++) {
        assert_true(first[i] > 0 && first[i] == again[i]);
        if (first[i] > first[best]) best = i;
    }
    char text[16];
    assert_string_equal(yo_shogi_ops.format(&root, moves[best], text), "5e5d");
    yo_shogi_order_delete(order);
    yo_shogi_game_delete(game);
}

static enum yo_err make_go(void *user, size_t index, struct yo_sim_engine *engine,
                           struct yo_diag *diag) {
    static const char *const seeds[] = {"1", "2", "3"};
    struct yo_session_config config = {.game = YO_SESSION_GO, .strict = true};
    struct yo_session *session;
    (void)user;
    assert_int_equal(yo_session_new(&config, &session, diag), YO_OK);
    yo_session_set(session, YO_ON_CLI, "net", "none", diag);
    yo_session_set(session, YO_ON_CLI, "search", "uct", diag);
    yo_session_set(session, YO_ON_CLI, "threads", "1", diag);
    yo_session_set(session, YO_ON_CLI, "memory", "16", diag);
    yo_session_set(session, YO_ON_CLI, "seed", seeds[index], diag);
    return yo_sim_go(session, (unsigned)index, engine, diag);
}

/* Three Go workers under `share` and `predict`: the same moves twice, and legal ones. */
static void test_go(void **state) {
    (void)state;
    static const enum yo_plan_strategy strategies[] = {YO_PLAN_SHARE, YO_PLAN_PREDICT};
    for (int s = 0; s < 2; s++) {
        struct yo_sim_config config = {.plan = {.strategy = strategies[s]},
                                       .workers = 3,
                                       .speed = 400,
                                       .step_ms = 100,
                                       .maker = {.make = make_go}};
        yo_move found[2] = {0};
        for (int i = 0; i < 2; i++) {
            struct yo_go_game *game;
            struct yo_search_result result;
            struct yo_sim *sim;
            assert_int_equal(yo_go_game_new(5, NULL, &game), YO_OK);
            assert_int_equal(yo_sim_new(&config, &yo_go_ops, &sim, NULL), YO_OK);
            assert_int_equal(yo_sim_think(sim, game, 500, &result, NULL), YO_OK);
            found[i] = result.moves[0].move;
            assert_int_equal(
                yo_go_game_play(game, YO_GO_BLACK, (yo_go_point)result.moves[0].move, NULL), YO_OK);
            assert_int_equal(yo_sim_think(sim, game, 500, &result, NULL), YO_OK);
            found[i] = found[i] * 1000 + result.moves[0].move;
            if (strategies[s] == YO_PLAN_SHARE)
                assert_true(result.nodes >= 3 * 100 && result.nodes < 3 * 500);
            yo_sim_delete(sim);
            yo_go_game_delete(game);
        }
        assert_int_equal(found[0], found[1]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slices),
        cmocka_unit_test(test_jobs_end),
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_go),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
