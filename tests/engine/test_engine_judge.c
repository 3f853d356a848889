/* The judge of a session with a network, and what it decides: a game is not resigned that is won by
 * count. */
#include "support/test.h"

#include "engine/session.h"
#include "support/go_diagram.h"
#include "support/go_ends.h"
#include "support/search_go.h"

static struct yo_session *session;

static int set_up(void **state) {
    (void)state;
    struct yo_session_config config = {.game = YO_SESSION_GO};
    assert_int_equal(yo_session_new(&config, &session, NULL), YO_OK);
    assert_int_equal(yo_session_set(session, YO_EVERYWHERE, "threads", "1", NULL), YO_OK);
    assert_int_equal(yo_session_set(session, YO_EVERYWHERE, "net", "builtin", NULL), YO_OK);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    yo_session_delete(session);
    return 0;
}

static void judge(const struct yo_go_game *game, struct yo_judgement *judgement) {
    struct yo_go_game *copy;
    struct yo_diag diag;
    assert_int_equal(yo_go_game_copy(game, &copy), YO_OK);
    yo_session_take_go(session, copy);
    assert_int_equal(yo_session_judge(session, NULL, judgement, &diag), YO_OK);
}

static bool is_right(const struct go_end *end, const struct yo_go_game *game) {
    struct yo_judgement judgement;
    judge(game, &judgement);
    return go_end_matches(end, game, &judgement);
}

static void judges_finished_positions(void **state) {
    (void)state;
    int wrong, count = go_ends_each(GO_ENDS, is_right, &wrong);
    assert_true(count >= 110);
    assert_int_equal(wrong, 0);
}

static void decides_open_fights(void **state) {
    (void)state;
    int wrong, count = go_ends_each(GO_FIGHTS, is_right, &wrong);
    assert_true(count >= 30);
    assert_int_equal(wrong, 0);
}

/* So that nobody takes the list for shorter than it is. */
#define KNOWN_WRONG 0

static void counts_what_is_known_to_be_wrong(void **state) {
    (void)state;
    int wrong, count = go_ends_each(GO_WRONG, is_right, &wrong);
    print_message("%d positions are judged wrong, as known: %s\n", wrong, GO_WRONG);
    assert_int_equal(count, KNOWN_WRONG);
    assert_int_equal(wrong, KNOWN_WRONG);
}

/* What Black, who has eleven points more on the board, plays where the search would only pass and
 * takes the game for lost by 20 points. */
static yo_go_point move_at_pass(int komi2) {
    struct yo_search_move moves[2] = {{.move = YO_GO_PASS, .visits = 1000, .score_to_move = -20},
                                      {.visits = 1000, .winrate_to_move = 0.01}};
    struct yo_search_result result = {.moves = moves, .move_count = 2, .playouts = 1000};
    struct yo_go_rules rules = go_komi(komi2);
    struct yo_diag diag;
    yo_go_point move;
    yo_session_take_go(session, diagram_game(go_settled, &rules, YO_GO_BLACK));
    if (yo_session_play_best(session, YO_GO_BLACK, true, &result, &move, &diag))
        fail_msg("%s", diag.what);
    return move;
}

static void resigns_by_the_count(void **state) {
    (void)state;
    assert_int_equal(move_at_pass(15), YO_GO_PASS);
    assert_int_equal(move_at_pass(31), YO_GO_PASS);
    assert_int_equal(move_at_pass(43), YO_GO_RESIGN);
}

static yo_go_point first_legal(void) {
    for (yo_go_point at = 0; at < YO_GO_PASS; at++)
        if (yo_go_game_legal(yo_session_go(session), YO_GO_BLACK, at)) return at;
    return YO_GO_PASS;
}

/* Three low winrates in a row end a game. A move that was chosen and not played is none of them,
 * and does not break the row. */
static void moves_not_played_do_not_count_towards_resigning(void **state) {
    (void)state;
    struct yo_search_move low = {.visits = 1000, .winrate_to_move = 0.01};
    struct yo_search_result result = {.moves = &low, .move_count = 1, .playouts = 1000};
    struct yo_go_rules rules = go_komi(31);
    yo_go_point move;
    yo_session_take_go(session, diagram_game(go_settled, &rules, YO_GO_BLACK));
    for (int i = 0; i < 3; i++) {
        struct yo_go_game *game = yo_session_go(session);
        size_t count = yo_go_game_move_count(game);
        low.move = first_legal();
        for (int k = 0; k < 4; k++) {
            assert_int_equal(yo_session_choose_best(session, YO_GO_BLACK, &result, &move, NULL),
                             YO_OK);
            assert_int_equal(move, i < 2 ? low.move : YO_GO_RESIGN);
            assert_int_equal(yo_go_game_move_count(game), count);
        }
        assert_int_equal(yo_session_play_best(session, YO_GO_BLACK, true, &result, &move, NULL),
                         YO_OK);
        assert_int_equal(move, i < 2 ? low.move : YO_GO_RESIGN);
        if (i < 2) assert_int_equal(yo_go_game_play(game, YO_GO_WHITE, YO_GO_PASS, NULL), YO_OK);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(judges_finished_positions),
        cmocka_unit_test(decides_open_fights),
        cmocka_unit_test(counts_what_is_known_to_be_wrong),
        cmocka_unit_test(resigns_by_the_count),
        cmocka_unit_test(moves_not_played_do_not_count_towards_resigning),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
