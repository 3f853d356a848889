/* The judge of a session with a network. */
#include "support/test.h"

#include "engine/session.h"
#include "support/go_ends.h"

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
    if (end->size > 9) return true; /* in the tests of the judge; here they would take long */
    judge(game, &judgement);
    return go_end_matches(end, game, &judgement);
}

static void judges_finished_positions(void **state) {
    (void)state;
    int wrong, count = go_ends_each(is_right, &wrong);
    assert_true(count > 100);
    assert_int_equal(wrong, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(judges_finished_positions),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
