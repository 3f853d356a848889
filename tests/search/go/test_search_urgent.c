/* Advice for the root by reading: vital points, races and captures in the open, and none where
 * there is nothing to read or nothing in a hurry; and a search takes it. */
#include "support/test.h"

#include <string.h>

#include "search/go/guided.h"
#include "search/go/uct.h"
#include "search/go/urgent.h"
#include "support/go_diagram.h"
#include "support/search_go.h"

static void put(const struct yo_urgent *found, const struct yo_go_game *game, char *points) {
    char text[8];
    *points = '\0';
    for (size_t i = 0; i < found->count; i++) {
        strcat(points, yo_go_point_format(found->moves[i], yo_go_game_size(game), text));
        strcat(points, " ");
        assert_true(found->stones[i] > 0);
    }
}

/* `answers`: those of the other side; NULL: not wanted. */
static void find(const char *diagram, enum yo_go_color to_move, char *points, char *answers) {
    struct yo_go_rules rules = go_komi(15);
    struct yo_urgent_limits limits = {.seed = 3, .answers = answers != NULL};
    struct yo_go_game *game = diagram_game(diagram, &rules, to_move);
    struct yo_urgent found[2];
    struct yo_diag diag;
    assert_int_equal(yo_urgent_find(go_eval, game, &limits, found, &diag), YO_OK);
    put(&found[0], game, points);
    if (answers)
        put(&found[1], game, answers);
    else
        assert_int_equal(found[1].count, 0);
    yo_go_game_delete(game);
}

static void says(const char *diagram, enum yo_go_color to_move, const char *expected) {
    char points[8 * YO_GO_POINTS_MAX];
    find(diagram, to_move, points, NULL);
    assert_string_equal(points, expected);
}

/* White lives or dies at the middle of three; on a large board, where a search of a few thousand
 * playouts hardly looks there. */
static const char three[] = ".OX.........."
                            ".OX..X......."
                            ".OX.........."
                            "OOX.......O.."
                            "XXX.......O.."
                            "......X...O.."
                            "...X......O.."
                            "......X...O.."
                            "...X..X...O.."
                            "......X...OOO"
                            "...X..X......"
                            "......X...O.."
                            "......X......";

static void knows_vital_points(void **state) {
    (void)state;
    says(three, YO_GO_BLACK, "A12 ");
    says(three, YO_GO_WHITE, "A12 ");
}

/* White's three stones are in atari, and connect if they may. */
static void knows_captures_in_the_open(void **state) {
    (void)state;
    static const char cut[] = "........."
                              "........."
                              "..XX....."
                              ".XOOX...."
                              ".XXO....."
                              "..OX.O..."
                              "..O......"
                              "........."
                              ".........";
    char points[8 * YO_GO_POINTS_MAX];
    find(cut, YO_GO_BLACK, points, NULL);
    assert_memory_equal(points, "E5 ", 3);
    find(cut, YO_GO_WHITE, points, NULL);
    assert_memory_equal(points, "E5 ", 3);
}

static const char race[] = "............."
                           "............."
                           "OOOOOOOOOOOOO"
                           "..OOOOOOOOO.."
                           "..O..O..O.O.."
                           "OOOXXXXXXXOOO"
                           "XXXOOOOOOOXXX"
                           "..X..X..X.X.."
                           "..XXXXXXXXX.."
                           "XXXXXXXXXXXXX"
                           "............."
                           "............."
                           ".............";

/* Two strings with five liberties each: whoever moves first takes the other's, wherever it begins.
 */
static void knows_races(void **state) {
    (void)state;
    says(race, YO_GO_WHITE, "D9 E9 G9 H9 K9 ");
    says(race, YO_GO_BLACK, "D6 E6 G6 H6 K6 ");
}

/* What the opponent would play if the side to move does not. */
static void knows_answers(void **state) {
    (void)state;
    char points[8 * YO_GO_POINTS_MAX], answers[8 * YO_GO_POINTS_MAX];
    find(race, YO_GO_WHITE, points, answers);
    assert_string_equal(points, "D9 E9 G9 H9 K9 ");
    assert_string_equal(answers, "D6 E6 G6 H6 K6 ");
}

/* Black has just taken a ko: White may not take back at once, but Black may connect when White has
 * played elsewhere. */
static void answers_connect_a_ko(void **state) {
    (void)state;
    static const char ko[] = "...XO...."
                             "...XO...."
                             ".X.XO..O."
                             "...XO...."
                             ".X.XO..O."
                             "...XO...."
                             "...XO...."
                             "..XXO...."
                             "..XO.O...";
    struct yo_go_rules rules = go_komi(15);
    struct yo_urgent_limits limits = {.seed = 3, .answers = true};
    struct yo_go_game *game = diagram_game(ko, &rules, YO_GO_BLACK);
    struct yo_urgent found[2];
    char answers[8 * YO_GO_POINTS_MAX];
    assert_int_equal(diagram_play(game, "B E1"), YO_OK);
    assert_int_equal(yo_go_game_to_move(game), YO_GO_WHITE);
    assert_int_equal(yo_urgent_find(go_eval, game, &limits, found, NULL), YO_OK);
    put(&found[1], game, answers);
    if (!strstr(answers, "D1 ")) fail_msg("%s", answers);
    yo_go_game_delete(game);
}

static void leaves_quiet_boards_alone(void **state) {
    (void)state;
    says(go_settled, YO_GO_BLACK, "");
    says(".........", YO_GO_BLACK, "");
}

static yo_move best(const char *diagram, enum yo_go_color to_move, bool reading) {
    struct yo_go_rules rules = go_komi(15);
    struct yo_go_game *game = diagram_game(diagram, &rules, to_move);
    struct yo_uct_go_options options;
    struct yo_search search;
    yo_uct_go_options_default(&options);
    options.tree.memory_mb = 64;
    options.reading = reading;
    assert_int_equal(yo_uct_go_new(go_eval, &options, &search, NULL), YO_OK);
    yo_move move = go_search(search, game, 100, false).moves[0].move;
    search.ops->destroy(search.ctx);
    yo_go_game_delete(game);
    return move;
}

static void is_searched(void **state) {
    (void)state;
    struct yo_go_rules rules = go_komi(15);
    struct yo_go_game *game = diagram_game(three, &rules, YO_GO_BLACK);
    assert_int_equal(best(three, YO_GO_BLACK, true), diagram_point(game, "A12"));
    assert_int_equal(best(three, YO_GO_WHITE, true), diagram_point(game, "A12"));
    yo_go_game_delete(game);
}

/* On a network: a player reads and a review does, an analysis shows what the network thinks. */
static void players_and_reviews_read(void **state) {
    (void)state;
    const struct {
        struct yo_search_limits limits;
        bool reads;
    } cases[] = {{{.visits = 500}, true},
                 {{.visits = 50}, false},
                 {{.visits = 500, .whole = true}, false},
                 {{.visits = 500, .whole = true, .reads = true}, true},
                 {{.visits = 50, .whole = true, .reads = true}, false}};
    struct yo_go_rules rules = go_komi(15);
    struct yo_go_game *game = diagram_game(three, &rules, YO_GO_BLACK);
    struct yo_guided_hooks hooks = yo_go_guided_hooks(go_eval, true);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct yo_guided_advice advice = {0};
        assert_int_equal(
            hooks.advise(hooks.ctx, hooks.playouts, game, &cases[i].limits, NULL, &advice, NULL),
            YO_OK);
        assert_int_equal(advice.count[0] > 0, cases[i].reads);
        if (cases[i].reads) assert_int_equal(advice.moves[0][0], diagram_point(game, "A12"));
    }
    yo_go_game_delete(game);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(knows_vital_points),   cmocka_unit_test(knows_captures_in_the_open),
        cmocka_unit_test(knows_races),          cmocka_unit_test(knows_answers),
        cmocka_unit_test(answers_connect_a_ko), cmocka_unit_test(leaves_quiet_boards_alone),
        cmocka_unit_test(is_searched),          cmocka_unit_test(players_and_reviews_read),
    };
    return cmocka_run_group_tests(tests, go_eval_set_up, go_eval_tear_down);
}
