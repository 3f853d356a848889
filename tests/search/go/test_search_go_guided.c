/* search/go/guided.c: how games end for a search on a network. Black owns the board
 * unconditionally, but two dead white stones still stand in it. */
#include "support/test.h"

#include "game/go/game_ops.h"
#include "search/go/guided.h"
#include "yomi/go.h"

enum { SIZE = 5 };

/* Row by row: a wall with two eyes, and White's stones inside the larger one. */
static const char *const board[SIZE] = {".XO.X", "XX.OX", ".XXXX", "XXXXX", "X.XXX"};

static struct yo_go_game *make(bool friendly) {
    struct yo_go_rules rules = yo_go_rules_default;
    struct yo_go_game *game;
    rules.scoring = YO_GO_AREA;
    rules.friendly_pass_ok = friendly;
    rules.komi2 = 15;
    assert_int_equal(yo_go_game_new(SIZE, &rules, &game), YO_OK);
    for (int y = 0; y < SIZE; y++)
        for (int x = 0; x < SIZE; x++) {
            if (board[y][x] == '.') continue;
            enum yo_go_color color = board[y][x] == 'X' ? YO_GO_BLACK : YO_GO_WHITE;
            assert_int_equal(
                yo_go_game_play(game, color, (yo_go_point)((SIZE - 1 - y) * SIZE + x), NULL),
                YO_OK);
        }
    yo_go_game_set_to_move(game, YO_GO_BLACK);
    return game;
}

static bool finish(const struct yo_go_game *game, bool clean_up, struct yo_eval_value *value) {
    struct yo_guided_hooks hooks = yo_go_guided_hooks();
    struct yo_go_position position;
    yo_go_position_from_game(game, &position);
    yo_go_position_play(&position, YO_GO_PASS);
    yo_go_position_play(&position, YO_GO_PASS);
    return hooks.finish(hooks.ctx, &position, clean_up, value);
}

static size_t count_moves(const struct yo_go_game *game, bool clean_up) {
    struct yo_guided_hooks hooks = yo_go_guided_hooks();
    yo_move moves[YO_GO_POINTS_MAX + 1];
    size_t count = 0;
    assert_int_equal(hooks.root_moves(hooks.ctx, game, clean_up, moves, &count), YO_OK);
    assert_int_equal(moves[count - 1], YO_GO_PASS);
    return count;
}

/* Without agreement all stones on the board count, so Black may not pass before they are captured.
 */
static void the_board_counts_as_it_stands(void **state) {
    (void)state;
    struct yo_go_game *game = make(false);
    struct yo_go_score score;
    struct yo_eval_value value;
    yo_go_game_score(game, NULL, &score);
    assert_true(finish(game, false, &value));
    assert_true(value.score_mean == (float)score.lead2 / 2);
    assert_true(count_moves(game, false) > 1);
    yo_go_game_delete(game);
}

/* With agreement the evaluator says what the end is worth; a clean-up is counted as it stands. */
static void agreement_is_the_evaluators(void **state) {
    (void)state;
    struct yo_go_game *game = make(true);
    struct yo_eval_value value;
    assert_false(finish(game, false, &value));
    assert_int_equal(count_moves(game, false), 1);
    assert_true(finish(game, true, &value));
    assert_true(count_moves(game, true) > 1);
    yo_go_game_delete(game);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_board_counts_as_it_stands),
        cmocka_unit_test(agreement_is_the_evaluators),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
