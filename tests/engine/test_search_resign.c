/* resign.c: low chances in a row, and kos that are still to be won. */
#include "support/test.h"

#include <string.h>

#include "engine/resign.h"
#include "eval/playout/playouts.h"
#include "game/go/state.h"
#include "search/go/uct.h"
#include "support/go_diagram.h"

#define BELOW 0.1

static struct yo_eval eval;
static struct yo_search search;

/* White to take the ko at D3, with an atari on the six stones at the lower left, which live only if
 * they are joined over D3 to those above. White lives everywhere. Black has 21 points with the ko
 * and 12 without it. */
static const char fight[] = ".X.XO...."
                            "XXXXOOOOO"
                            "OOOXOOOOO"
                            ".OOXOOOOO"
                            "O.OXOOOOO"
                            "OOOXOOOOO"
                            "XXX.XOOOO"
                            "X.XXOOOOO"
                            "OOOOOOOOO";
#define FIGHT_EVEN2 (-2 * 48) /* komi with which the ko decides the game */

static struct yo_go_game *begin(const char *diagram, int komi2) {
    struct yo_go_rules rules = yo_go_rules_default;
    rules.komi2 = komi2;
    return diagram_game(diagram, &rules, YO_GO_WHITE);
}

static bool decide_by(struct yo_search by, struct yo_resign *resign, const struct yo_go_game *game,
                      double winrate, uint64_t playouts) {
    struct yo_search_move best = {.move = 0, .visits = playouts, .winrate_to_move = winrate};
    struct yo_search_result result = {.moves = &best, .move_count = 1, .playouts = playouts};
    struct yo_diag diag;
    bool resigns = false;
    assert_int_equal(
        yo_resign_decide(resign, by, game, YO_GO_BLACK, &result, BELOW, 0, &resigns, &diag), YO_OK);
    return resigns;
}

static bool decide(struct yo_resign *resign, const struct yo_go_game *game, double winrate) {
    return decide_by(search, resign, game, winrate, 1000);
}

/* The search would pass, with such a score, and thinks so of the best move besides. */
static bool decide_at_pass(const struct yo_go_game *game, double score, double winrate) {
    struct yo_search_move moves[2] = {{.move = YO_GO_PASS, .visits = 1000, .score_to_move = score},
                                      {.visits = 1000, .winrate_to_move = winrate}};
    struct yo_search_result result = {.moves = moves, .move_count = 2, .playouts = 1000};
    struct yo_resign resign = {0};
    struct yo_diag diag;
    bool resigns = false;
    assert_int_equal(
        yo_resign_decide(&resign, search, game, YO_GO_BLACK, &result, BELOW, 0, &resigns, &diag),
        YO_OK);
    return resigns;
}

/* Two moves that change nothing much. */
static void go_on(struct yo_go_game *game, const char *black, const char *white) {
    assert_int_equal(diagram_play(game, black), YO_OK);
    assert_int_equal(diagram_play(game, white), YO_OK);
}

/* A third of the board is full. */
static const char columns[] = "X...O...O"
                              "X...O...O"
                              "X...O...O"
                              "X...O...O"
                              "X...O...O"
                              "X...O...O"
                              "X...O...O"
                              "X...O...O"
                              "X...O...O";

static void waits_for_three_in_a_row(void **state) {
    (void)state;
    struct yo_resign resign = {0};
    struct yo_go_game *game = begin(columns, 500);
    yo_go_game_set_to_move(game, YO_GO_BLACK);
    assert_false(decide(&resign, game, 0.01));
    go_on(game, "B C3", "W G3");
    assert_false(decide(&resign, game, 0.01));
    go_on(game, "B C7", "W G7");
    assert_false(decide(&resign, game, 0.2)); /* hope again */
    go_on(game, "B C5", "W G5");
    assert_false(decide(&resign, game, 0.01));
    go_on(game, "B B3", "W H3");
    assert_false(decide(&resign, game, 0.01));
    assert_false(decide(&resign, game, 0.01)); /* asked again at the same move: no third one */
    go_on(game, "B B7", "W H7");
    assert_false(decide(&resign, game, 0.01));
    go_on(game, "B B5", "W H5");
    assert_true(decide(&resign, game, 0.01));
    yo_go_game_delete(game);
}

/* Few playouts say little, one visit by a network says much. */
static void a_network_needs_no_playouts(void **state) {
    (void)state;
    struct yo_search_ops ops = *search.ops;
    ops.limits |= YO_LIMIT_VISITS;
    struct yo_search network = {&ops, search.ctx};
    for (int net = 0; net < 2; net++) {
        struct yo_resign resign = {0};
        struct yo_go_game *game = begin(columns, 500);
        struct yo_search by = net ? network : search;
        yo_go_game_set_to_move(game, YO_GO_BLACK);
        assert_false(decide_by(by, &resign, game, 0.01, 1));
        go_on(game, "B C3", "W G3");
        assert_false(decide_by(by, &resign, game, 0.01, 20));
        go_on(game, "B C7", "W G7");
        assert_int_equal(decide_by(by, &resign, game, 0.01, 8), net);
        yo_go_game_delete(game);
    }
}

/* A close game is passed out and counted, one that is lost by far is not. */
static void resigns_rather_than_pass_far_behind(void **state) {
    (void)state;
    struct yo_go_game *game = begin(columns, 500);
    yo_go_game_set_to_move(game, YO_GO_BLACK);
    assert_true(decide_at_pass(game, -20.5, 0.01));
    assert_false(decide_at_pass(game, -2.5, 0.01));
    assert_false(decide_at_pass(game, 20.5, 0.01));
    assert_false(decide_at_pass(game, -20.5, 0.3));
    game->handicap = 2;
    assert_false(decide_at_pass(game, -20.5, 0.01));
    yo_go_game_delete(game);
}

/* As often low as would do, before the fight. */
static void lose_hope(struct yo_resign *resign, const struct yo_go_game *game) {
    resign->side[YO_GO_BLACK].low = 9;
    resign->side[YO_GO_BLACK].at_count = yo_go_game_move_count(game) - 1;
}

/* With a stone less than `columns`, and with a handicap. */
static void goes_on_where_much_can_happen(void **state) {
    (void)state;
    struct yo_resign resign = {0};
    char fewer[sizeof columns];
    memcpy(fewer, columns, sizeof columns);
    fewer[0] = '.';
    struct yo_go_game *game = begin(fewer, 500);
    lose_hope(&resign, game);
    assert_false(decide(&resign, game, 0.01));
    assert_int_equal(diagram_play(game, "W A9"), YO_OK);
    assert_false(decide(&resign, game, 0.01));
    lose_hope(&resign, game);
    assert_true(decide(&resign, game, 0.01));
    game->handicap = 2;
    lose_hope(&resign, game);
    assert_false(decide(&resign, game, 0.01));
    yo_go_game_delete(game);
}

static void fights_for_a_ko_that_decides(void **state) {
    (void)state;
    struct yo_resign resign = {0};
    struct yo_go_game *game = begin(fight, FIGHT_EVEN2);
    assert_int_equal(diagram_play(game, "W D3"), YO_OK);
    lose_hope(&resign, game);
    assert_false(decide(&resign, game, 0.01)); /* it may not be taken back now, and yet */
    go_on(game, "B G9", "W H9");
    assert_false(decide(&resign, game, 0.01));
    /* In Black's hands it still can be lost, but is not yet. */
    go_on(game, "B E3", "W J9");
    assert_false(decide(&resign, game, 0.01));
    yo_go_game_delete(game);
}

/* The same fight where both ends of it lose, and where White has filled the ko. */
static void resigns_in_spite_of_a_ko(void **state) {
    (void)state;
    struct yo_resign resign = {0};
    struct yo_go_game *game = begin(fight, 0);
    assert_int_equal(diagram_play(game, "W D3"), YO_OK);
    lose_hope(&resign, game);
    assert_true(decide(&resign, game, 0.01));
    yo_go_game_delete(game);

    game = begin(fight, FIGHT_EVEN2);
    assert_int_equal(diagram_play(game, "W D3"), YO_OK);
    go_on(game, "B pass", "W E3");
    lose_hope(&resign, game);
    assert_true(decide(&resign, game, 0.01));
    yo_go_game_delete(game);
}

static int set_up(void **state) {
    (void)state;
    struct yo_uct_go_options options;
    struct yo_diag diag;
    yo_uct_go_options_default(&options);
    options.tree.memory_mb = 16;
    return yo_playouts_eval_open("scalar", 1, &eval, &diag) ||
           yo_uct_go_new(eval, &options, &search, &diag);
}

static int tear_down(void **state) {
    (void)state;
    search.ops->destroy(search.ctx);
    eval.ops->destroy(eval.ctx);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(waits_for_three_in_a_row),
        cmocka_unit_test(a_network_needs_no_playouts),
        cmocka_unit_test(resigns_rather_than_pass_far_behind),
        cmocka_unit_test(goes_on_where_much_can_happen),
        cmocka_unit_test(fights_for_a_ko_that_decides),
        cmocka_unit_test(resigns_in_spite_of_a_ko),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
