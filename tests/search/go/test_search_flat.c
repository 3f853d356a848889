/* flat.c, judge.c and root.c: what is dead, when to pass, and that the plain moves are found. */
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#include "base/time.h"
#include "eval/playout/playouts.h"
#include "search/go/flat.h"
#include "search/go/judge.h"
#include "search/go/root.h"
#include "support/go_diagram.h"
#include "support/search_go.h"

static void judge(const struct yo_go_game *game, struct yo_judgement *judgement) {
    struct yo_diag diag;
    struct yo_judge_limits limits = {.seed = 1, .games = 1000};
    assert_int_equal(yo_judge_go(go_eval, game, &limits, judgement, &diag), YO_OK);
}

/* A judgement heeds the clock and the stop flag; while they leave it alone, how its playouts are
 * cut into batches changes nothing. */
static void judges_in_time(void **state) {
    (void)state;
    struct yo_go_rules rules = go_komi(15);
    struct yo_go_game *game = diagram_game(go_settled, &rules, YO_GO_WHITE);
    struct yo_judgement whole, j;
    atomic_bool stop = false;
    judge(game, &whole);
    assert_true(whole.settled);
    struct yo_judge_limits limits = {
        .seed = 1, .games = 1000, .deadline_ms = yo_time_ms() + 3600000, .stop = &stop};
    assert_int_equal(yo_judge_go(go_eval, game, &limits, &j, NULL), YO_OK);
    assert_memory_equal(j.ownership, whole.ownership, sizeof j.ownership);
    assert_memory_equal(j.status, whole.status, sizeof j.status);
    assert_true(j.settled);

    limits.games = YO_PLAYOUT_GAMES_MAX; /* minutes, if nothing stopped it */
    int64_t before = yo_time_ms();
    limits.deadline_ms = before + 20;
    assert_int_equal(yo_judge_go(go_eval, game, &limits, &j, NULL), YO_OK);
    assert_in_range(yo_time_ms() - before, 20, 5000);
    assert_false(j.settled);
    limits.deadline_ms = 0;
    stop = true;
    assert_int_equal(yo_judge_go(go_eval, game, &limits, &j, NULL), YO_OK);
    assert_in_range(yo_time_ms() - before, 0, 10000);
    assert_int_equal(j.status[diagram_point(game, "A9")], YO_JUDGE_DEAD); /* by 128 games */
    yo_go_game_delete(game);
}

/* Settled, the lead is what is counted. Before, it is what comes of it: of two open sides random
 * games invade the larger one more. */
static void tells_the_lead(void **state) {
    (void)state;
    struct yo_go_rules rules = go_komi(15);
    struct yo_go_game *game = diagram_game(go_settled, &rules, YO_GO_WHITE);
    struct yo_judgement j;
    judge(game, &j);
    assert_float_equal(yo_judge_lead(&j, game), 35 + 7.5 - 46, 0.01);
    yo_go_game_delete(game);

    game = diagram_game("......."
                        "......."
                        "XXXXXXX"
                        "......."
                        "......."
                        "OOOOOOO"
                        ".......",
                        &rules, YO_GO_BLACK);
    judge(game, &j);
    assert_false(j.closed);
    assert_int_equal(j.score.lead2, 2 * (21 - 14) - 15);
    assert_true(yo_judge_lead(&j, game) < -2);
    yo_go_game_delete(game);
}

static void finds_dead_stones(void **state) {
    (void)state;
    struct yo_go_rules rules = go_komi(15);
    struct yo_go_game *game = diagram_game(go_settled, &rules, YO_GO_WHITE);
    struct yo_judgement j;
    judge(game, &j);
    assert_int_equal(j.status[diagram_point(game, "A9")], YO_JUDGE_DEAD);
    assert_int_equal(j.status[diagram_point(game, "B9")], YO_JUDGE_DEAD);
    assert_int_equal(j.status[diagram_point(game, "D9")], YO_JUDGE_ALIVE);
    assert_int_equal(j.status[diagram_point(game, "J6")], YO_JUDGE_ALIVE);
    assert_int_equal(j.status[diagram_point(game, "A8")], YO_JUDGE_EMPTY);
    assert_true(j.ownership[diagram_point(game, "A8")] > 0.9f);
    assert_true(j.ownership[diagram_point(game, "J9")] < -0.5f);
    yo_go_game_delete(game);
}

static void finds_seki(void **state) {
    (void)state;
    struct yo_go_rules rules = go_komi(0);
    struct yo_go_game *game = diagram_game(go_seki, &rules, YO_GO_BLACK);
    struct yo_judgement j;
    judge(game, &j);
    assert_int_equal(j.status[diagram_point(game, "D9")], YO_JUDGE_SEKI);
    assert_int_equal(j.status[diagram_point(game, "A9")], YO_JUDGE_SEKI);
    assert_int_equal(j.status[diagram_point(game, "H9")], YO_JUDGE_ALIVE);
    assert_int_equal(j.status[diagram_point(game, "A5")], YO_JUDGE_ALIVE);
    yo_go_game_delete(game);
}

static yo_move best(struct yo_go_game *game, uint64_t playouts, bool clean_up) {
    struct yo_flat_options options = {.policy = YO_PLAYOUT_LIGHT, .seed = 7};
    struct yo_search search;
    assert_int_equal(yo_flat_new(go_eval, &options, &search), YO_OK);
    struct yo_search_result result = go_search(search, game, playouts, clean_up);
    assert_true(result.playouts <= playouts);
    yo_move move = result.moves[0].move;
    search.ops->destroy(search.ctx);
    return move;
}

static void passes_when_won_and_settled(void **state) {
    (void)state;
    struct yo_go_rules rules = go_komi(15);
    struct yo_go_game *game = diagram_game(go_settled, &rules, YO_GO_BLACK);
    assert_int_equal(best(game, 2000, false), YO_GO_PASS);
    yo_go_game_delete(game);
    game = diagram_game(go_unsafe, &rules, YO_GO_WHITE);
    assert_int_equal(best(game, 2000, false), diagram_point(game, "H3"));
    yo_go_game_delete(game);
}

/* By area Black would win. */
static void passes_when_won_by_territory(void **state) {
    (void)state;
    struct yo_go_rules rules;
    assert_int_equal(yo_go_rules_parse("japanese", &rules, NULL), YO_OK);
    rules.komi2 = 3;
    struct yo_go_game *game = diagram_game(go_territory, &rules, YO_GO_WHITE);
    struct yo_judgement j;
    judge(game, &j);
    assert_true(j.settled && j.score.lead2 == -1 && j.winrate_black < 0.1);
    assert_int_equal(best(game, 2000, false), YO_GO_PASS);
    yo_go_game_delete(game);
}

/* No agreement on dead stones: without the two in the corner Black does not win, so it has to
 * take them. */
static void captures_when_it_must(void **state) {
    (void)state;
    struct yo_go_rules rules = go_komi(15);
    rules.friendly_pass_ok = false;
    struct yo_go_game *game = diagram_game(go_settled, &rules, YO_GO_BLACK);
    yo_move a8 = diagram_point(game, "A8"), c9 = diagram_point(game, "C9");
    yo_move move = best(game, 2000, false);
    assert_true(move == a8 || move == c9);
    rules.friendly_pass_ok = true;
    yo_go_game_set_rules(game, &rules);
    move = best(game, 2000, true);
    assert_true(move == a8 || move == c9);
    yo_go_game_delete(game);
}

/* An open board: a pass by the opponent is no reason to pass. */
static void plays_on_after_an_early_pass(void **state) {
    (void)state;
    struct yo_go_rules rules = go_komi(15);
    struct yo_go_game *game;
    assert_int_equal(yo_go_game_new(9, &rules, &game), YO_OK);
    assert_int_equal(yo_go_game_play(game, YO_GO_BLACK, diagram_point(game, "C3"), NULL), YO_OK);
    assert_int_equal(yo_go_game_play(game, YO_GO_WHITE, diagram_point(game, "G7"), NULL), YO_OK);
    assert_int_equal(yo_go_game_play(game, YO_GO_BLACK, YO_GO_PASS, NULL), YO_OK);
    yo_move move = best(game, 2000, false);
    assert_true(move < 81);
    yo_go_game_delete(game);
}

static void saves_a_big_string(void **state) {
    (void)state;
    struct yo_go_rules rules = go_komi(1);
    struct yo_go_game *game = diagram_game(go_fight, &rules, YO_GO_WHITE);
    assert_int_equal(best(game, 4000, false), diagram_point(game, "E5"));
    yo_go_game_set_to_move(game, YO_GO_BLACK);
    assert_int_equal(best(game, 4000, false), diagram_point(game, "E5"));
    yo_go_game_delete(game);
}

/* Same answer whatever the threads, and for every limit, even one playout. */
static void is_deterministic(void **state) {
    (void)state;
    struct yo_go_rules rules = go_komi(15);
    struct yo_go_game *game;
    assert_int_equal(yo_go_game_new(9, &rules, &game), YO_OK);
    struct yo_eval one = go_eval, three;
    struct yo_diag diag;
    assert_int_equal(yo_playouts_eval_open("scalar", 3, &three, &diag), YO_OK);
    const uint64_t limits[] = {1, 2, 80, 81, 1000, 5001};
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        go_eval = one;
        yo_move first = best(game, limits[i], false);
        assert_int_equal(best(game, limits[i], false), first);
        go_eval = three;
        assert_int_equal(best(game, limits[i], false), first);
    }
    go_eval = one;
    three.ops->destroy(three.ctx);
    yo_go_game_delete(game);
}

static void stops_at_once(void **state) {
    (void)state;
    struct yo_go_rules rules = go_komi(15);
    struct yo_go_game *game;
    assert_int_equal(yo_go_game_new(19, &rules, &game), YO_OK);
    struct yo_flat_options options = {.policy = YO_PLAYOUT_LIGHT, .seed = 7};
    struct yo_search search;
    assert_int_equal(yo_flat_new(go_eval, &options, &search), YO_OK);
    const struct yo_search_limits limits[] = {{0}, {.playouts = (uint64_t)1 << 50}};
    for (int i = 0; i < 2; i++) {
        struct yo_search_result result;
        atomic_bool stop = true;
        struct yo_diag diag;
        enum yo_err err =
            yo_search_run(search, game, &limits[i], &stop, NULL, NULL, &result, &diag);
        assert_int_equal(err, YO_OK);
        assert_true(result.move_count > 0);
        assert_true(result.playouts < 10000);
    }
    search.ops->destroy(search.ctx);
    yo_go_game_delete(game);
}

/* The roots of a position: no own eye, no suicide, no ko. */
static void looks_at_sensible_moves_only(void **state) {
    (void)state;
    struct yo_go_rules rules = go_komi(0);
    struct yo_go_game *game = diagram_game(".X.O."
                                           "XXXOO"
                                           ".X.O."
                                           "XXXOO"
                                           ".....",
                                           &rules, YO_GO_BLACK);
    static yo_move moves[YO_GO_POINTS_MAX];
    size_t count;
    assert_int_equal(yo_root_moves(game, NULL, false, moves, &count), YO_OK);
    for (size_t i = 0; i < count; i++) {
        assert_int_not_equal(moves[i], diagram_point(game, "A5"));
        assert_int_not_equal(moves[i], diagram_point(game, "A3"));
        assert_int_not_equal(moves[i], diagram_point(game, "E5"));
    }
    yo_go_game_delete(game);
}

static struct yo_search_result analyse(struct yo_search search, struct yo_go_game *game,
                                       const yo_move *only, size_t count) {
    struct yo_search_limits limits = {
        .playouts = 400, .whole = true, .only = only, .only_count = count};
    struct yo_search_result result;
    assert_int_equal(yo_search_run(search, game, &limits, NULL, NULL, NULL, &result, NULL), YO_OK);
    return result;
}

/* A pass is a move as any other where the limits name it, or leave nothing else. */
static void searches_moves_that_are_named(void **state) {
    (void)state;
    struct yo_flat_options options = {.policy = YO_PLAYOUT_LIGHT, .seed = 7};
    struct yo_go_rules rules = go_komi(15);
    struct yo_go_game *game = diagram_game(go_lone, &rules, YO_GO_WHITE);
    struct yo_search search;
    yo_move named[] = {diagram_point(game, "E5"), YO_GO_PASS}, taken = diagram_point(game, "C3");
    assert_int_equal(yo_flat_new(go_eval, &options, &search), YO_OK);
    struct yo_search_result result = analyse(search, game, named, 2);
    assert_int_equal(result.move_count, 2);
    assert_int_equal(result.moves[0].visits + result.moves[1].visits, 400);
    assert_true(result.moves[0].move == YO_GO_PASS || result.moves[1].move == YO_GO_PASS);
    result = analyse(search, game, &taken, 1);
    assert_int_equal(result.move_count, 1);
    assert_int_equal(result.moves[0].move, YO_GO_PASS);
    assert_int_equal(result.moves[0].visits, 400);
    assert_true(result.moves[0].score_to_move > -40 && result.moves[0].score_to_move < 40);
    search.ops->destroy(search.ctx);
    yo_go_game_delete(game);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tells_the_lead),
        cmocka_unit_test(finds_dead_stones),
        cmocka_unit_test(finds_seki),
        cmocka_unit_test(judges_in_time),
        cmocka_unit_test(passes_when_won_and_settled),
        cmocka_unit_test(passes_when_won_by_territory),
        cmocka_unit_test(captures_when_it_must),
        cmocka_unit_test(plays_on_after_an_early_pass),
        cmocka_unit_test(saves_a_big_string),
        cmocka_unit_test(is_deterministic),
        cmocka_unit_test(stops_at_once),
        cmocka_unit_test(looks_at_sensible_moves_only),
        cmocka_unit_test(searches_moves_that_are_named),
    };
    return cmocka_run_group_tests(tests, go_eval_set_up, go_eval_tear_down);
}
