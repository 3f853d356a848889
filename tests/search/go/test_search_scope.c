/* Group mode and zone mode, each alone. */
#include "support/test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "eval/playout/playouts.h"
#include "game/go/fate.h"
#include "game/go/game_ops.h"
#include "game/go/state.h"
#include "search/go/scope.h"
#include "search/go/uct.h"

#define SIZE 13

/* Two fights, in opposite corners; the last two moves are in the lower left one. */
static struct yo_go_game *fights(void) {
    static const char *const moves[] = {"K11", "K10", "L10", "L11", "K12",
                                        "J11", "C4",  "D4",  "D3",  "C3"};
    struct yo_go_game *game;
    assert_int_equal(yo_go_game_new(SIZE, &yo_go_rules_default, &game), YO_OK);
    for (size_t i = 0; i < sizeof moves / sizeof moves[0]; i++) {
        yo_go_point p;
        assert_int_equal(yo_go_point_parse(moves[i], SIZE, &p, NULL), YO_OK);
        assert_int_equal(yo_go_game_play(game, yo_go_game_to_move(game), p, NULL), YO_OK);
    }
    return game;
}

static struct yo_eval open_eval(void) {
    struct yo_eval eval;
    struct yo_diag diag;
    assert_int_equal(yo_playouts_eval_open("auto", 1, &eval, &diag), YO_OK);
    return eval;
}

static void find(struct yo_go_scope *scope, const struct yo_go_game *game, struct yo_eval eval) {
    struct yo_diag diag;
    assert_int_equal(yo_go_scope_find(scope, game, eval, 1, 0, NULL, &diag), YO_OK);
}

/* All moves that the tree looked at are in the group, and it has looked at some of its own. */
static void tree_keeps_to_the_group(void **state) {
    (void)state;
    struct yo_go_game *game = fights();
    struct yo_eval eval = open_eval();
    struct yo_go_scope scope = {.options = {.group = 4}};
    find(&scope, game, eval);
    assert_true(scope.on);
    for (int zone = 0; zone < 2; zone++) {
        struct yo_uct_go_options options;
        struct yo_search search;
        struct yo_search_result result;
        struct yo_search_limits limits = {.playouts = 500};
        yo_uct_go_options_default(&options);
        options.group = 4;
        options.zone = zone;
        assert_int_equal(yo_uct_go_new(eval, &options, &search, NULL), YO_OK);
        assert_int_equal(yo_search_run(search, game, &limits, NULL, NULL, NULL, &result, NULL),
                         YO_OK);
        assert_true(result.move_count > 1);
        for (size_t i = 0; i < result.move_count; i++)
            for (size_t k = 0; k < result.moves[i].pv_count; k++)
                assert_true(scope.in_group[result.moves[i].pv[k]]);
        search.ops->destroy(search.ctx);
    }
    eval.ops->destroy(eval.ctx);
    yo_go_game_delete(game);
}

/* Playouts of a zone leave the rest of the board as it is, and their score is the zone's and what
 * was said for the rest. */
static void playouts_keep_to_the_zone(void **state) {
    (void)state;
    struct yo_go_game *game = fights();
    struct yo_eval eval = open_eval();
    struct yo_go_position position;
    struct yo_go_scope scope = {.options = {.group = 4, .zone = true, .even = 0.5f}};
    yo_go_position_from_game(game, &position);
    for (int policy = 0; policy < YO_PLAYOUT_POLICIES; policy++) {
        find(&scope, game, eval);
        assert_true(scope.zone.on);
        scope.zone.policy = (enum yo_playout_policy)policy;
        struct yo_rollouts rollouts = yo_playout_zone_rollouts(&scope.zone);
        void *scratch = yo_alloc_aligned(rollouts.ops->scratch_size);
        assert_non_null(scratch);
        for (uint64_t n = 0; n < 50; n++) {
            struct yo_rollout one;
            rollouts.ops->play(rollouts.ctx, &position, 5, n, scratch, &one);
            for (size_t i = 0; i < one.move_count; i++)
                assert_true(one.moves[i] == YO_GO_PASS || scope.zone.inside[one.moves[i]]);
            int inside = 0;
            for (int p = 0; p < SIZE * SIZE; p++)
                if (scope.zone.inside[p]) inside += one.owner[p];
            assert_int_equal(one.score2, 2 * inside + scope.zone.add2 - 15);
        }
        yo_free_aligned(scratch);
    }
    eval.ops->destroy(eval.ctx);
    yo_go_game_delete(game);
}

/* Equation 2: with the zone as it was expected to be, Black leads by alpha of what the whole board
 * says he does. */
static void corrects_towards_an_even_game(void **state) {
    (void)state;
    struct yo_go_game *game = fights();
    struct yo_eval eval = open_eval();
    int32_t ownership[YO_GO_POINTS_MAX] = {0};
    struct yo_go_position position;
    struct yo_eval_result result = {.playouts = {.owner = ownership}};
    struct yo_eval_item item = {.position = &position,
                                .want = YO_EVAL_PLAYOUTS,
                                .results = &result,
                                .playouts = 5000,
                                .seed = 1};
    yo_go_position_from_game(game, &position);
    assert_int_equal(yo_eval_run(eval, &item, 1, NULL), YO_OK);
    for (int percent = 0; percent <= 100; percent += 25) {
        struct yo_go_scope scope = {
            .options = {.group = 4, .zone = true, .even = (float)percent / 100}};
        find(&scope, game, eval);
        double inside = 0, all = 0;
        for (int p = 0; p < SIZE * SIZE; p++) {
            all += ownership[p] / 5000.0;
            if (scope.zone.inside[p]) inside += ownership[p] / 5000.0;
        }
        double lead = inside + 0.5 * scope.zone.add2 - 7.5;
        assert_true(fabs(lead - percent / 100.0 * (all - 7.5)) < 0.3); /* half points are rounded */
    }
    eval.ops->destroy(eval.ctx);
    yo_go_game_delete(game);
}

/* No last move, or a group that is the whole board: as without the mode. */
static void off_where_there_is_no_group(void **state) {
    (void)state;
    struct yo_eval eval = open_eval();
    struct yo_go_scope scope = {.options = {.group = 3, .zone = true, .even = 0.5f}};
    struct yo_go_game *game;
    assert_int_equal(yo_go_game_new(SIZE, &yo_go_rules_default, &game), YO_OK);
    find(&scope, game, eval);
    assert_false(scope.on || scope.zone.on);
    yo_go_game_delete(game);
    game = fights();
    scope.options.group = 100;
    find(&scope, game, eval);
    assert_false(scope.on || scope.zone.on);
    yo_go_game_delete(game);
    eval.ops->destroy(eval.ctx);
}

static void refuses_what_does_not_fit(void **state) {
    (void)state;
    struct yo_eval eval = open_eval();
    struct yo_search search;
    struct yo_diag diag;
    struct yo_uct_go_options options;
    yo_uct_go_options_default(&options);
    options.zone = true;
    assert_int_equal(yo_uct_go_new(eval, &options, &search, &diag), YO_ERR_ARGUMENT);
    options.group = 4;
    options.tree.leaves = 8;
    assert_int_equal(yo_uct_go_new(eval, &options, &search, &diag), YO_ERR_ARGUMENT);
    eval.ops->destroy(eval.ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tree_keeps_to_the_group),
        cmocka_unit_test(playouts_keep_to_the_zone),
        cmocka_unit_test(corrects_towards_an_even_game),
        cmocka_unit_test(off_where_there_is_no_group),
        cmocka_unit_test(refuses_what_does_not_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
