/* eval/combine/mix: AlphaGo's mean of the network's value and playouts, against the two evaluators
 * asked one by one; many batches at once; errors. */
#include "support/test.h"

#include <math.h>
#include <pthread.h>
#include <string.h>

#include "base/alloc.h"
#include "eval/combine/mix.h"
#include "eval/net/evaluator.h"
#include "eval/net/reference.h"
#include "eval/playout/playouts.h"
#include "game/go/game_ops.h"
#include "support/katago_net.h"
#include "yomi/playout.h"

enum { SIZE = 5, PLAYOUTS = 32, POSITIONS = 12 };

static struct yo_eval net, playouts;
static struct yo_go_position positions[POSITIONS];

static int set_up(void **state) {
    (void)state;
    struct katago_net made = {
        .version = 8, .blocks = "o", .trunk = 4, .mid = 4, .pool = 3, .head = 2, .ky = 3, .kx = 3};
    struct yo_net_eval_options options = {.backend = &yo_net_reference, .threads = 2};
    struct yo_buf file = {0};
    struct yo_net *read;
    katago_net_make(&made);
    katago_net_write(&made, true, &file);
    assert_int_equal(yo_net_read(file.data, file.len, &read, NULL), YO_OK);
    yo_buf_free(&file);
    katago_net_free(&made);
    assert_int_equal(yo_net_eval_new(read, &options, &net, NULL), YO_OK);
    assert_int_equal(yo_playouts_eval_open("scalar", 2, &playouts, NULL), YO_OK);
    static struct yo_go_game *game;
    assert_int_equal(yo_go_game_new(SIZE, &yo_go_rules_default, &game), YO_OK);
    for (int i = 0; i < POSITIONS; i++) {
        yo_go_position_from_game(game, &positions[i]);
        for (int k = 0; k < i; k++) {
            yo_move moves[SIZE * SIZE + 1];
            size_t count = yo_go_ops.moves(&positions[i], moves);
            yo_go_ops.play(&positions[i], moves[(size_t)(5 * k) % count]);
        }
    }
    *state = game;
    return 0;
}

static int tear_down(void **state) {
    net.ops->destroy(net.ctx);
    playouts.ops->destroy(playouts.ctx);
    yo_go_game_delete(*state);
    return 0;
}

static struct yo_eval make(float lambda) {
    struct yo_eval_mix_options options = {
        .lambda = lambda, .playouts = PLAYOUTS, .playout_policy = YO_PLAYOUT_LIGHT, .seed = 3};
    struct yo_eval eval;
    assert_int_equal(yo_eval_mix_new(&yo_go_ops, net, playouts, &options, &eval, NULL), YO_OK);
    return eval;
}

/* The chance to win, a draw as half a win, from playouts of the position itself. */
static float playout_mean(const struct yo_go_position *position, uint64_t seed_of) {
    struct yo_eval_result result = {0};
    struct yo_eval_item item = {.position = position,
                                .want = YO_EVAL_PLAYOUTS,
                                .results = &result,
                                .playout_policy = YO_PLAYOUT_LIGHT,
                                .playouts = PLAYOUTS,
                                .seed = 3 ^ seed_of};
    assert_int_equal(yo_eval_run(playouts, &item, 1, NULL), YO_OK);
    float first = (float)result.playouts.half_wins_first / (2 * PLAYOUTS);
    return yo_go_ops.side_to_move(position) == 0 ? first : 1 - first;
}

static struct yo_eval_value value_of(struct yo_eval eval, const struct yo_go_position *position) {
    struct yo_eval_result result = {0};
    struct yo_eval_item item = {.position = position, .want = YO_EVAL_VALUE, .results = &result};
    assert_int_equal(yo_eval_run(eval, &item, 1, NULL), YO_OK);
    return result.value;
}

static void near(float a, float b) {
    if (fabsf(a - b) > 1e-5f) fail_msg("%g is not %g", (double)a, (double)b);
}

static void is_the_mean(void **state) {
    (void)state;
    static const float lambdas[] = {0.25f, 0.5f, 1};
    for (size_t l = 0; l < 3; l++) {
        struct yo_eval eval = make(lambdas[l]);
        for (int i = 0; i < POSITIONS; i++) {
            struct yo_eval_value v = value_of(net, &positions[i]),
                                 got = value_of(eval, &positions[i]);
            float z = playout_mean(&positions[i], yo_go_ops.hash(&positions[i]));
            near(got.win + got.draw / 2, (1 - lambdas[l]) * (v.win + v.draw / 2) + lambdas[l] * z);
            assert_true(got.score_stdev >= 0);
        }
        eval.ops->destroy(eval.ctx);
    }
}

/* Playouts count area: under territory rules as the area rules that give the same result, in which
 * the stones of a handicap are a point each. */
static void territory_is_counted_by_area(void **state) {
    (void)state;
    struct yo_go_game *game;
    struct yo_go_rules rules = yo_go_rules_default;
    static const yo_go_point points[] = {6, 8, 16};
    assert_int_equal(yo_go_rules_parse("japanese", &rules, NULL), YO_OK);
    assert_int_equal(yo_go_game_new(SIZE, &rules, &game), YO_OK);
    assert_int_equal(yo_go_game_handicap_set(game, points, 3, NULL), YO_OK);
    for (rules.komi2 = 1; rules.komi2 <= 49; rules.komi2 += 4) {
        struct yo_go_position territory, area;
        yo_go_game_set_rules(game, &rules);
        yo_go_position_from_game(game, &territory);
        area = territory;
        yo_go_position_use_area(&area, false);
        near(playout_mean(&territory, 0), playout_mean(&area, 0));
    }
    yo_go_game_delete(game);
}

/* Policy and ownership are the network's, in one batch with items that want no value. */
static void the_rest_is_the_networks(void **state) {
    (void)state;
    struct yo_eval eval = make(0.5f);
    float owner[2][SIZE * SIZE], policy[2][SIZE * SIZE + 1];
    yo_move moves[SIZE * SIZE + 1];
    size_t count = yo_go_ops.moves(&positions[4], moves);
    for (int e = 0; e < 2; e++) {
        struct yo_eval_result results[2] = {{.policy = policy[e]}, {.ownership = owner[e]}};
        struct yo_eval_item items[2] = {
            {.position = &positions[4],
             .want = YO_EVAL_VALUE | YO_EVAL_POLICY,
             .results = &results[0],
             .moves = moves,
             .move_count = count},
            {.position = &positions[5], .want = YO_EVAL_OWNERSHIP, .results = &results[1]}};
        assert_int_equal(yo_eval_run(e ? eval : net, items, 2, NULL), YO_OK);
    }
    for (size_t i = 0; i < count; i++)
        near(policy[1][i], policy[0][i]);
    for (int p = 0; p < SIZE * SIZE; p++)
        near(owner[1][p], owner[0][p]);
    eval.ops->destroy(eval.ctx);
}

/* Children have the values of the positions they are, for the other side. */
static void children_too(void **state) {
    (void)state;
    struct yo_eval eval = make(1);
    yo_move moves[SIZE * SIZE + 1];
    size_t count = yo_go_ops.moves(&positions[3], moves);
    struct yo_eval_result results[SIZE * SIZE + 1] = {0};
    struct yo_eval_item item = {.position = &positions[3],
                                .want = YO_EVAL_VALUE,
                                .results = results,
                                .children = moves,
                                .child_count = count};
    assert_int_equal(yo_eval_run(eval, &item, 1, NULL), YO_OK);
    for (size_t i = 0; i < count; i++) {
        struct yo_go_position child = positions[3];
        yo_go_ops.play(&child, moves[i]);
        near(results[i].value.win, playout_mean(&child, yo_go_ops.hash(&positions[3])));
    }
    eval.ops->destroy(eval.ctx);
}

struct caller {
    pthread_t thread;
    struct yo_eval eval;
    float want[POSITIONS];
};

/* More batches than the evaluator has room for, all in flight together. */
static void *call(void *arg) {
    struct caller *c = arg;
    enum { BATCHES = 24 };
    static _Thread_local struct yo_eval_batch batches[BATCHES];
    static _Thread_local struct yo_eval_item items[BATCHES];
    static _Thread_local struct yo_eval_result results[BATCHES];
    for (int b = 0; b < BATCHES; b++) {
        results[b] = (struct yo_eval_result){0};
        items[b] = (struct yo_eval_item){
            .position = &positions[b % POSITIONS], .want = YO_EVAL_VALUE, .results = &results[b]};
        batches[b] = (struct yo_eval_batch){.items = &items[b], .item_count = 1};
        assert_int_equal(c->eval.ops->submit(c->eval.ctx, &batches[b], NULL), YO_OK);
    }
    for (int b = 0; b < BATCHES; b++) {
        assert_int_equal(c->eval.ops->wait(c->eval.ctx, &batches[b]), YO_OK);
        near(results[b].value.win, c->want[b % POSITIONS]);
    }
    return NULL;
}

static void many_at_once(void **state) {
    (void)state;
    struct yo_eval eval = make(0.5f);
    struct caller callers[4];
    for (int t = 0; t < 4; t++) {
        callers[t].eval = eval;
        for (int i = 0; i < POSITIONS; i++)
            callers[t].want[i] = value_of(eval, &positions[i]).win;
    }
    for (int t = 0; t < 4; t++)
        assert_int_equal(pthread_create(&callers[t].thread, NULL, call, &callers[t]), 0);
    for (int t = 0; t < 4; t++)
        pthread_join(callers[t].thread, NULL);
    eval.ops->destroy(eval.ctx);
}

static void refusals_and_cancelling(void **state) {
    (void)state;
    struct yo_eval eval = make(0.5f);
    struct yo_eval_result result = {0};
    struct yo_diag diag = {0};
    struct yo_eval_item item = {
        .position = &positions[0], .want = YO_EVAL_PLAYOUTS, .results = &result, .playouts = 1};
    assert_int_equal(yo_eval_run(eval, &item, 1, &diag), YO_ERR_UNSUPPORTED);
    struct yo_eval_about about;
    eval.ops->describe(eval.ctx, 0, &about);
    assert_true(about.batch_max > 0 && about.batch <= about.batch_max);
    struct yo_eval_item *items = yo_alloc(about.batch_max + 1, sizeof *items);
    for (size_t i = 0; i <= about.batch_max; i++)
        items[i] = (struct yo_eval_item){
            .position = &positions[0], .want = YO_EVAL_VALUE, .results = &result};
    assert_int_equal(yo_eval_run(eval, items, about.batch_max + 1, &diag), YO_ERR_RANGE);
    yo_free(items);
    /* A wrong item is the network's to refuse, and leaves the evaluator usable. */
    item = (struct yo_eval_item){
        .position = &positions[0], .want = YO_EVAL_VALUE | YO_EVAL_POLICY, .results = &result};
    assert_int_equal(yo_eval_run(eval, &item, 1, &diag), YO_ERR_ARGUMENT);
    struct yo_eval_batch batch = {.items = &item, .item_count = 1};
    for (int round = 0; round < 50; round++) {
        item.want = YO_EVAL_VALUE;
        assert_int_equal(eval.ops->submit(eval.ctx, &batch, &diag), YO_OK);
        eval.ops->cancel(eval.ctx, &batch);
        enum yo_err err = eval.ops->wait(eval.ctx, &batch);
        assert_true(err == YO_OK || err == YO_ERR_CANCELLED);
    }
    eval.ops->destroy(eval.ctx);
}

static void no_memory(void **state) {
    (void)state;
    struct yo_eval_mix_options options = {.lambda = 0.5f};
    for (long n = 0;; n++) {
        struct yo_eval eval;
        yo_alloc_fail_after(n);
        enum yo_err err = yo_eval_mix_new(&yo_go_ops, net, playouts, &options, &eval, NULL);
        yo_alloc_fail_after(-1);
        if (err == YO_OK) {
            eval.ops->destroy(eval.ctx);
            assert_true(n > 1);
            return;
        }
        assert_int_equal(err, YO_ERR_NOMEM);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_the_mean),
        cmocka_unit_test(territory_is_counted_by_area),
        cmocka_unit_test(the_rest_is_the_networks),
        cmocka_unit_test(children_too),
        cmocka_unit_test(many_at_once),
        cmocka_unit_test(no_memory),
        cmocka_unit_test(refusals_and_cancelling),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
