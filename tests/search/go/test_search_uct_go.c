/* UCT for Go: plain fights, the end of the game, the tree from move to move, details of moves. */
#include "support/test.h"

#include <string.h>

#include "search/go/judge.h"
#include "search/go/uct.h"
#include "support/go_diagram.h"
#include "support/search_go.h"

static struct yo_search make(void) {
    struct yo_uct_go_options options;
    struct yo_search search;
    struct yo_diag diag;
    yo_uct_go_options_default(&options);
    options.tree.memory_mb = 64;
    options.tree.seed = 7;
    assert_int_equal(yo_uct_go_new(go_eval, &options, &search, &diag), YO_OK);
    return search;
}

static yo_move best(struct yo_go_game *game, uint64_t playouts, bool clean_up) {
    struct yo_search search = make();
    yo_move move = go_search(search, game, playouts, clean_up).moves[0].move;
    search.ops->destroy(search.ctx);
    return move;
}

static void fights(void **state) {
    (void)state;
    struct yo_go_rules rules = go_komi(1);
    struct yo_go_game *game = diagram_game(go_fight, &rules, YO_GO_WHITE);
    assert_int_equal(best(game, 1000, false), diagram_point(game, "E5"));
    yo_go_game_set_to_move(game, YO_GO_BLACK);
    assert_int_equal(best(game, 1000, false), diagram_point(game, "E5"));
    yo_go_game_delete(game);
}

/* The tree must see that White makes two eyes, or is prevented: only the middle of three does it.
 */
static void reads_life_and_death(void **state) {
    (void)state;
    struct yo_go_rules rules = go_komi(15);
    struct yo_go_game *game = diagram_game(".O.O.X..."
                                           "OOOOOX..."
                                           "XXXXXX..."
                                           "........."
                                           "....X...."
                                           "OOOOOOOOO"
                                           "OXXXXXXXO"
                                           "OX.....XO"
                                           ".XXXXXXXO",
                                           &rules, YO_GO_WHITE);
    yo_move move = best(game, 1500, false);
    assert_int_not_equal(move, diagram_point(game, "A9")); /* never fills its own eye */
    assert_int_not_equal(move, diagram_point(game, "C9"));
    assert_int_not_equal(move, diagram_point(game, "E9"));
    yo_go_game_delete(game);
}

static void passes_when_won_and_settled(void **state) {
    (void)state;
    struct yo_go_rules rules = go_komi(15);
    struct yo_go_game *game = diagram_game(go_settled, &rules, YO_GO_BLACK);
    assert_int_equal(best(game, 500, false), YO_GO_PASS);
    /* Cleaning up, it takes the two stones instead. */
    yo_move move = best(game, 1000, true);
    assert_true(move == diagram_point(game, "A8") || move == diagram_point(game, "C9"));
    /* And where there is no agreement on dead stones, Black must take them to win. */
    rules.friendly_pass_ok = false;
    yo_go_game_set_rules(game, &rules);
    move = best(game, 1000, false);
    assert_true(move == diagram_point(game, "A8") || move == diagram_point(game, "C9"));
    yo_go_game_delete(game);
}

/* Lost or not, what is dead is taken off, and then it is enough. */
static void cleans_up_when_lost(void **state) {
    (void)state;
    struct yo_go_rules rules = go_komi(151);
    struct yo_go_game *game = diagram_game(go_settled, &rules, YO_GO_BLACK);
    yo_move move = best(game, 6000, true);
    assert_true(move == diagram_point(game, "A8") || move == diagram_point(game, "C9"));
    yo_go_game_delete(game);
    game = diagram_game(go_territory, &rules, YO_GO_BLACK);
    assert_int_equal(best(game, 1000, true), YO_GO_PASS);
    yo_go_game_delete(game);
}

/* White's five stones at the top are dead, but one playout in five or so lets them live. She is
 * behind without them: that is no reason to fill her own territory for ever. */
static void ends_what_is_lost(void **state) {
    (void)state;
    struct yo_go_rules rules = go_komi(1);
    struct yo_go_game *game = diagram_game(".X.X.X.O."
                                           ".XOXXOOOX"
                                           ".X.XXOXXX"
                                           "XXXOOX..X"
                                           "XOOOOXXXX"
                                           "XXOO.OOXO"
                                           "XO..O..OO"
                                           "XOOO..O.."
                                           "OO.......",
                                           &rules, YO_GO_BLACK);
    assert_int_equal(diagram_play(game, "B pass"), YO_OK);
    struct yo_search search = make();
    struct yo_search_result result = go_search(search, game, 1000, false);
    assert_int_equal(result.moves[0].move, YO_GO_PASS);
    assert_true(result.move_count > 1 && result.moves[1].winrate_to_move > 0.05);
    assert_true(result.moves[0].winrate_to_move < 0.25);
    search.ops->destroy(search.ctx);
    yo_go_game_delete(game);
}

/* Playouts count area; by that Black would win. White wins by half a point if she passes; any stone
 * of hers that Black need not answer costs a point, and the game. */
static void counts_territory(void **state) {
    (void)state;
    struct yo_go_rules rules;
    assert_int_equal(yo_go_rules_parse("japanese", &rules, NULL), YO_OK);
    rules.komi2 = 3;
    struct yo_search_limits limits = {.playouts = 1000, .whole = true};
    for (enum yo_go_color color = YO_GO_BLACK; color <= YO_GO_WHITE; color++) {
        struct yo_go_game *game = diagram_game(go_territory, &rules, color);
        struct yo_search search = make();
        struct yo_search_result r;
        assert_int_equal(yo_search_run(search, game, &limits, NULL, NULL, NULL, &r, NULL), YO_OK);
        assert_int_equal(r.moves[0].move, YO_GO_PASS);
        assert_true(r.move_count > 1);
        for (size_t i = 0; i < 2; i++) {
            double winrate_black =
                color == YO_GO_BLACK ? r.moves[i].winrate_to_move : 1 - r.moves[i].winrate_to_move;
            bool spends = color == YO_GO_WHITE && r.moves[i].move != YO_GO_PASS;
            assert_true(spends ? winrate_black > 0.2 : winrate_black < 0.2);
        }
        search.ops->destroy(search.ctx);
        yo_go_game_delete(game);
    }
}

/* Black would rather see to his corners, but by territory that costs the half point he is ahead by.
 */
static void spends_no_point_that_it_needs(void **state) {
    (void)state;
    struct yo_go_rules rules;
    assert_int_equal(yo_go_rules_parse("japanese", &rules, NULL), YO_OK);
    rules.komi2 = 0;
    struct yo_go_game *game = diagram_game("OOOO.O..."
                                           "XXOO.OXXX"
                                           ".XXXOOOXO"
                                           "..XXXO.OO"
                                           "...XXXOX."
                                           "....XOO.O"
                                           "...X.XXOO"
                                           ".....XXXO"
                                           ".......XO",
                                           &rules, YO_GO_WHITE);
    assert_int_equal(diagram_play(game, "W pass"), YO_OK);
    struct yo_judge_limits judging = {.seed = 7, .games = 1000};
    struct yo_judgement judged;
    assert_int_equal(yo_judge_go(go_eval, game, &judging, &judged, NULL), YO_OK);
    rules.komi2 = judged.score.lead2 - 1;
    yo_go_game_set_rules(game, &rules);
    assert_int_equal(best(game, 1000, false), YO_GO_PASS);
    yo_go_game_delete(game);
}

static void plays_where_a_pass_would_lose(void **state) {
    (void)state;
    struct yo_go_rules rules = go_komi(15);
    struct yo_go_game *game = diagram_game(go_unsafe, &rules, YO_GO_WHITE);
    struct yo_judge_limits judging = {.seed = 1, .games = 1000};
    struct yo_judgement judged;
    struct yo_diag diag;
    assert_int_equal(yo_judge_go(go_eval, game, &judging, &judged, &diag), YO_OK);
    assert_true(judged.score.lead2 < 0 && !judged.settled); /* reading sees it */
    assert_int_equal(best(game, 2000, false), diagram_point(game, "H3"));
    /* Nor is it the time to take dead stones. */
    assert_int_equal(best(game, 2000, true), diagram_point(game, "H3"));
    rules.friendly_pass_ok = false;
    yo_go_game_set_rules(game, &rules);
    assert_int_equal(best(game, 2000, false), diagram_point(game, "H3"));
    yo_go_game_delete(game);
}

/* For a move, a pass that is safe is found at once; an analysis has all the moves, and what it was
 * asked for of them. */
static void analyses_what_could_be_passed(void **state) {
    (void)state;
    struct yo_search_limits limits = {.playouts = 400, .whole = true};
    for (int komi2 = 15; komi2 <= 151; komi2 += 136) { /* won, and lost */
        struct yo_go_rules rules = go_komi(komi2);
        struct yo_go_game *game = diagram_game(go_settled, &rules, YO_GO_BLACK);
        struct yo_search search = make();
        struct yo_search_result result;
        assert_int_equal(yo_search_run(search, game, &limits, NULL, NULL, NULL, &result, NULL),
                         YO_OK);
        assert_int_equal(result.moves[0].move, YO_GO_PASS);
        assert_true(result.move_count > 1);
        uint64_t visits = 0;
        for (size_t i = 0; i < result.move_count; i++)
            visits += result.moves[i].visits;
        assert_in_range(visits, 300, 401);
        search.ops->destroy(search.ctx);
        yo_go_game_delete(game);
    }
}

/* Where the limits leave no legal move the pass is searched: the judgement of a board that is
 * almost empty would say that all of it belongs to the only stone. */
static void searches_a_pass_where_no_move_is_left(void **state) {
    (void)state;
    struct yo_go_rules rules = go_komi(15);
    struct yo_go_game *game = diagram_game(go_lone, &rules, YO_GO_WHITE);
    const yo_move only = diagram_point(game, "C3");
    struct yo_search_limits limits = {
        .playouts = 400, .whole = true, .only = &only, .only_count = 1};
    struct yo_search search = make();
    struct yo_search_result result;
    assert_int_equal(yo_search_run(search, game, &limits, NULL, NULL, NULL, &result, NULL), YO_OK);
    assert_int_equal(result.move_count, 1);
    assert_int_equal(result.moves[0].move, YO_GO_PASS);
    assert_int_equal(result.moves[0].visits, 400);
    assert_true(result.moves[0].score_to_move > -40 && result.moves[0].score_to_move < 40);
    search.ops->destroy(search.ctx);
    yo_go_game_delete(game);
}

/* On a busy machine the first reports come before the search can know. */
static void see_pass_first(void *user, const struct yo_search_result *so_far) {
    if (so_far->playouts < 500) return;
    assert_true(so_far->move_count > 1);
    assert_int_equal(so_far->moves[0].move, YO_GO_PASS);
    atomic_store((atomic_bool *)user, true);
}

/* Those who watch are not told of another move until the last moment. */
static void reports_that_it_would_pass(void **state) {
    (void)state;
    struct yo_go_rules rules = go_komi(15);
    struct yo_go_game *game = diagram_game(go_settled, &rules, YO_GO_BLACK);
    struct yo_search search = make();
    struct yo_search_limits limits = {.time_ms = 12 * 1000, .whole = true};
    struct yo_search_result result;
    atomic_bool seen = false; /* and stops the search */
    assert_int_equal(
        yo_search_run(search, game, &limits, &seen, see_pass_first, &seen, &result, NULL), YO_OK);
    assert_true(seen);
    search.ops->destroy(search.ctx);
    yo_go_game_delete(game);
}

/* Black leads by 43 and wins by two and a half as long as nobody touches the seki; playing B9 or F9
 * loses ten stones. */
static void keeps_a_seki(void **state) {
    (void)state;
    struct yo_go_rules rules = go_komi(81);
    rules.friendly_pass_ok = false;
    struct yo_go_game *game = diagram_game(go_seki, &rules, YO_GO_BLACK);
    assert_int_equal(best(game, 500, false), YO_GO_PASS);
    rules.friendly_pass_ok = true;
    yo_go_game_set_rules(game, &rules);
    assert_int_equal(best(game, 500, false), YO_GO_PASS);
    yo_go_game_delete(game);
}

static void keeps_the_tree_between_moves(void **state) {
    (void)state;
    struct yo_go_rules rules = go_komi(15);
    struct yo_go_game *game;
    assert_int_equal(yo_go_game_new(9, &rules, &game), YO_OK);
    struct yo_search search = make();
    struct yo_search_result r = go_search(search, game, 2000, false);
    assert_true(r.moves[0].pv_count >= 3);
    yo_move first = r.moves[0].pv[0], second = r.moves[0].pv[1], third = r.moves[0].pv[2];
    uint64_t visits = r.moves[0].pv_visits[2];
    assert_int_equal(yo_go_game_play(game, YO_GO_BLACK, (yo_go_point)first, NULL), YO_OK);
    assert_int_equal(yo_go_game_play(game, YO_GO_WHITE, (yo_go_point)second, NULL), YO_OK);
    r = go_search(search, game, 1, false);
    bool found = false;
    for (size_t i = 0; i < r.move_count; i++)
        if (r.moves[i].move == third && r.moves[i].visits >= visits) found = true;
    assert_true(found);
    /* Another komi makes another game. */
    rules.komi2 = 3;
    yo_go_game_set_rules(game, &rules);
    r = go_search(search, game, 1, false);
    assert_int_equal(r.moves[0].visits, 1);
    /* So does a move taken back. */
    go_search(search, game, 100, false);
    assert_int_equal(yo_go_game_undo(game, NULL), YO_OK);
    r = go_search(search, game, 1, false);
    assert_int_equal(r.moves[0].visits, 1);
    search.ops->destroy(search.ctx);
    yo_go_game_delete(game);
}

static void policy_suits_the_board(void **state) {
    (void)state;
    struct yo_uct_go_options options;
    yo_uct_go_options_default(&options);
    assert_int_equal(yo_uct_policy(&options, 9, false), YO_PLAYOUT_RICH);
    assert_int_equal(yo_uct_policy(&options, 10, false), YO_PLAYOUT_MOGO);
    assert_int_equal(yo_uct_policy(&options, 13, true), YO_PLAYOUT_RICH);
    assert_int_equal(yo_uct_policy(&options, 14, true), YO_PLAYOUT_MOGO);
    assert_int_equal(yo_uct_policy(&options, 19, true), YO_PLAYOUT_MOGO);
    options.policy = YO_PLAYOUT_LIGHT;
    assert_int_equal(yo_uct_policy(&options, 9, true), YO_PLAYOUT_LIGHT);
}

/* The chance that 300 playouts give Black on an empty 11x11 board. */
static double chance_by(int policy) {
    struct yo_uct_go_options options;
    struct yo_search search;
    struct yo_go_rules rules = go_komi(15);
    struct yo_go_game *game;
    struct yo_diag diag;
    yo_uct_go_options_default(&options);
    options.tree.memory_mb = 16;
    options.policy = policy;
    assert_int_equal(yo_go_game_new(11, &rules, &game), YO_OK);
    assert_int_equal(yo_uct_go_new(go_eval, &options, &search, &diag), YO_OK);
    struct yo_search_result result = go_search(search, game, 300, false);
    double chance = yo_search_root_winrate(&result);
    search.ops->destroy(search.ctx);
    yo_go_game_delete(game);
    return chance;
}

static void counts_playouts_with_the_rich_policy(void **state) {
    (void)state;
    double chance = chance_by(YO_UCT_POLICY_AUTO);
    assert_true(chance == chance_by(YO_PLAYOUT_RICH));
    assert_true(chance != chance_by(YO_PLAYOUT_MOGO));
}

/* What analyses ask for beside the moves: all of it, only of the moves that are wanted. */
static void tells_details(void **state) {
    (void)state;
    struct yo_go_rules rules = go_komi(15);
    struct yo_go_game *game;
    assert_int_equal(yo_go_game_new(5, &rules, &game), YO_OK);
    struct yo_search search = make();
    yo_move avoid[] = {12, 11, YO_GO_PASS};
    struct yo_search_limits limits = {
        .playouts = 400, .details = true, .avoid = avoid, .avoid_count = 3};
    struct yo_search_result r;
    struct yo_diag diag;
    assert_int_equal(yo_search_run(search, game, &limits, NULL, NULL, NULL, &r, &diag), YO_OK);
    double visits = 0, priors = 0, mean[25] = {0};
    assert_true(r.move_count > 1);
    for (size_t i = 0; i < r.move_count; i++) {
        const struct yo_search_move *m = &r.moves[i];
        assert_true(m->move != 12 && m->move != 11 && m->move != YO_GO_PASS);
        assert_non_null(m->ownership);
        assert_true(m->visits < 10 || m->score_stdev > 0);
        assert_true(m->rave_visits == 0 || (m->rave_to_move >= 0 && m->rave_to_move <= 1));
        visits += (double)m->visits;
        for (int p = 0; p < 25; p++)
            mean[p] += (double)m->visits * (double)m->ownership[p];
    }
    /* The moves' ownership is the root's, taken apart. */
    assert_true(visits == 400);
    for (int p = 0; p < 25; p++) {
        double difference = mean[p] / visits - (double)r.ownership[p];
        assert_true(difference < 1e-3 && difference > -1e-3);
    }
    for (size_t i = 0; i < r.prior_count; i++)
        priors += r.priors[i].share;
    assert_true(r.prior_count >= r.move_count && priors > 0.999 && priors < 1.001);
    double winrate = yo_search_root_winrate(&r);
    assert_true(winrate > 0 && winrate <= 1);

    limits.details = false;
    assert_int_equal(yo_search_run(search, game, &limits, NULL, NULL, NULL, &r, &diag), YO_OK);
    assert_null(r.moves[0].ownership);
    search.ops->destroy(search.ctx);
    yo_go_game_delete(game);
}

/* What is on its way at once must fit the counters of visits. */
static void refuses_what_cannot_be_counted(void **state) {
    (void)state;
    struct yo_uct_go_options options;
    struct yo_diag diag;
    yo_uct_go_options_default(&options);
    options.tree.leaves = 65536;
    options.tree.leaf_playouts = 64;
    assert_int_equal(yo_uct_go_options_check(&options, &diag), YO_OK);
    options.tree.threads = 256;
    assert_int_equal(yo_uct_go_options_check(&options, &diag), YO_ERR_ARGUMENT);
    assert_non_null(strstr(diag.what, "too many at once"));
    options.tree.threads = 1;
    options.tree.leaf_playouts = 65536;
    assert_int_equal(yo_uct_go_options_check(&options, &diag), YO_ERR_ARGUMENT);
}

/* Leaves in batches too: results that spread about as far, and somebody's points. */
static void tells_details_of_batches(void **state) {
    (void)state;
    double stdev[3];
    for (int kind = 0; kind < 3; kind++) { /* one at a time, in batches, and both */
        struct yo_go_game *game;
        struct yo_uct_go_options options;
        struct yo_search search;
        struct yo_search_limits limits = {.playouts = 2000, .details = true, .whole = true};
        struct yo_search_result r;
        yo_uct_go_options_default(&options);
        options.policy = YO_PLAYOUT_LIGHT;
        options.tree.leaves = kind ? 8 : 1;
        options.tree.leaf_playouts = kind ? 4 : 1;
        options.tree.leaf_wait = kind == 1;
        assert_int_equal(yo_go_game_new(7, NULL, &game), YO_OK);
        assert_int_equal(yo_uct_go_new(go_eval, &options, &search, NULL), YO_OK);
        assert_int_equal(yo_search_run(search, game, &limits, NULL, NULL, NULL, &r, NULL), YO_OK);
        assert_true(r.move_count > 0);
        assert_non_null(r.moves[0].ownership);
        stdev[kind] = r.moves[0].score_stdev;
        search.ops->destroy(search.ctx);
        yo_go_game_delete(game);
    }
    for (int kind = 1; kind < 3; kind++)
        assert_true(stdev[kind] > 0.5 * stdev[0] && stdev[kind] < 2 * stdev[0]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(policy_suits_the_board),
        cmocka_unit_test(counts_playouts_with_the_rich_policy),
        cmocka_unit_test(fights),
        cmocka_unit_test(reads_life_and_death),
        cmocka_unit_test(passes_when_won_and_settled),
        cmocka_unit_test(cleans_up_when_lost),
        cmocka_unit_test(ends_what_is_lost),
        cmocka_unit_test(counts_territory),
        cmocka_unit_test(spends_no_point_that_it_needs),
        cmocka_unit_test(plays_where_a_pass_would_lose),
        cmocka_unit_test(analyses_what_could_be_passed),
        cmocka_unit_test(searches_a_pass_where_no_move_is_left),
        cmocka_unit_test(reports_that_it_would_pass),
        cmocka_unit_test(keeps_a_seki),
        cmocka_unit_test(keeps_the_tree_between_moves),
        cmocka_unit_test(tells_details),
        cmocka_unit_test(tells_details_of_batches),
        cmocka_unit_test(refuses_what_cannot_be_counted),
    };
    return cmocka_run_group_tests(tests, go_eval_set_up, go_eval_tear_down);
}
