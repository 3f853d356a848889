/* Static evaluation as an evaluator: the same values that alpha-beta starts from, as chances. */
#include "support/test.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "eval/shogi/net_eval.h"
#include "eval/shogi/net_open.h"
#include "eval/shogi/values.h"
#include "game/shogi/game_ops.h"
#include "yomi/shogi.h"

enum { CHILDREN_MAX = 624 };

/* Of a position by itself, with nothing kept. */
static double chance_of(const struct yo_shogi_eval *eval, const struct yo_shogi_position *pos) {
    void *state = yo_alloc_aligned(eval->state_size + 64);
    assert_non_null(state);
    if (eval->root) eval->root(eval->net, pos, state);
    double chance = 1 / (1 + exp(-eval->value(eval->net, pos, state) / 600.0));
    yo_free_aligned(state);
    return chance;
}

static void check_values(const char *name) {
    struct yo_shogi_net *net;
    struct yo_eval eval;
    struct yo_eval_about about;
    struct yo_shogi_game *game;
    struct yo_shogi_state at;
    assert_int_equal(yo_shogi_net_open(name, &net, NULL), YO_OK);
    const struct yo_shogi_eval plain = yo_shogi_net_eval(net);
    assert_int_equal(yo_shogi_values_new(&plain, &eval, NULL), YO_OK);
    eval.ops->describe(eval.ctx, 0, &about);
    assert_ptr_equal(about.game, &yo_shogi_ops);
    assert_int_equal(about.wants, YO_EVAL_VALUE);
    assert_true(about.at_once);
    assert_int_equal(yo_shogi_game_new(NULL, &game, NULL), YO_OK);
    yo_shogi_ops.from_game(game, &at);
    srand(4);
    for (int ply = 0; ply < 60; ply++) {
        static struct yo_eval_result results[CHILDREN_MAX + 1];
        yo_move moves[CHILDREN_MAX];
        size_t count = yo_shogi_ops.moves(&at, moves);
        if (count == 0) break;
        struct yo_eval_item items[2] = {
            {.position = &at, .want = YO_EVAL_VALUE, .results = &results[count]},
            {.position = &at,
             .want = YO_EVAL_VALUE,
             .results = results,
             .children = moves,
             .child_count = count}};
        yo_alloc_fail_after(0);
        assert_int_equal(yo_eval_run(eval, items, 2, NULL), YO_OK);
        yo_alloc_fail_after(-1);
        assert_true(fabs((double)results[count].value.win - chance_of(&plain, &at.position)) <
                    1e-6);
        for (size_t i = 0; i < count; i++) {
            struct yo_shogi_state child = at;
            yo_shogi_ops.play(&child, moves[i]);
            assert_true(fabs((double)results[i].value.win - chance_of(&plain, &child.position)) <
                        1e-6);
        }
        yo_shogi_ops.play(&at, moves[(size_t)rand() % count]);
    }
    yo_shogi_game_delete(game);
    eval.ops->destroy(eval.ctx);
    yo_shogi_net_delete(net);
}

static void values_are_those_of_alpha_beta(void **state) {
    (void)state;
    check_values("material");
    check_values("builtin");
}

static void other_wants_are_refused(void **state) {
    (void)state;
    struct yo_eval eval;
    struct yo_diag diag;
    struct yo_shogi_game *game;
    struct yo_shogi_state at;
    struct yo_eval_result result = {0};
    assert_int_equal(yo_shogi_values_new(&yo_shogi_eval_material, &eval, NULL), YO_OK);
    assert_int_equal(yo_shogi_game_new(NULL, &game, NULL), YO_OK);
    yo_shogi_ops.from_game(game, &at);
    yo_move no_move = 5, far = 100000;
    struct yo_eval_item items[4] = {{.position = &at, .want = YO_EVAL_POLICY, .results = &result},
                                    {.position = &at, .want = YO_EVAL_PLAYOUTS, .results = &result},
                                    {.position = &at,
                                     .want = YO_EVAL_VALUE,
                                     .results = &result,
                                     .children = &no_move,
                                     .child_count = 1},
                                    {.position = &at,
                                     .want = YO_EVAL_VALUE,
                                     .results = &result,
                                     .children = &far,
                                     .child_count = 1}};
    for (int i = 0; i < 4; i++)
        assert_int_not_equal(yo_eval_run(eval, &items[i], 1, &diag), YO_OK);
    yo_shogi_game_delete(game);
    eval.ops->destroy(eval.ctx);
}

static void chances_and_centipawns(void **state) {
    (void)state;
    for (int cp = -3000; cp <= 3000; cp += 100)
        assert_int_equal(yo_eval_centipawns_of(yo_eval_winrate_of(cp)), cp);
    assert_int_equal(yo_eval_centipawns_of(1), 30000);
    assert_int_equal(yo_eval_centipawns_of(0), -30000);
    assert_true(fabs(yo_eval_winrate_of(600) - 0.731) < 0.001);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_those_of_alpha_beta),
        cmocka_unit_test(other_wants_are_refused),
        cmocka_unit_test(chances_and_centipawns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
