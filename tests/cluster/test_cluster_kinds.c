/* cluster/kinds: sessions with the option `cluster`, and what becomes of one that cannot be used.
 */
#include "support/test.h"

#include <stdio.h>
#include <string.h>

#include "cluster/master.h"
#include "engine/options.h"
#include "engine/session.h"

static char said[4096];
static int lines;

static void hear(void *user, const char *text) {
    (void)user;
    lines++;
    size_t len = strlen(said);
    snprintf(said + len, sizeof said - len, "%s\n", text);
}

static struct yo_session *open_session(enum yo_session_game game, bool strict, bool hears) {
    struct yo_session_config config = {
        .game = game, .kinds = yo_cluster_kinds, .strict = strict, .notice = hears ? hear : NULL};
    struct yo_session *session;
    struct yo_diag diag;
    assert_int_equal(yo_session_new(&config, &session, &diag), YO_OK);
    const char *const small[][2] = {{"memory", "16"}, {"threads", "1"}, {"playouts", "50"}};
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(yo_session_set(session, YO_EVERYWHERE, small[i][0], small[i][1], &diag),
                         YO_OK);
    said[0] = '\0';
    lines = 0;
    return session;
}

/* ---- The tables ---- */

static void the_kinds_are_those_of_the_engine(void **state) {
    (void)state;
    size_t i = 0;
    for (; yo_search_kinds[i].name; i++) {
        assert_string_equal(yo_cluster_kinds[i].name, yo_search_kinds[i].name);
        assert_int_equal(yo_cluster_kinds[i].game, yo_search_kinds[i].game);
    }
    assert_null(yo_cluster_kinds[i].name);
}

static void the_strategies_are_those_of_the_plan(void **state) {
    (void)state;
    assert_string_equal(yo_session_strategies[0], "auto");
    for (size_t i = 0; i <= YO_PLAN_STRATEGY_COUNT; i++) {
        if (i == YO_PLAN_STRATEGY_COUNT)
            assert_null(yo_session_strategies[i + 1]);
        else
            assert_string_equal(yo_session_strategies[i + 1], yo_plan_strategies[i]);
    }
}

static void every_place_has_the_rows(void **state) {
    (void)state;
    const char *const keys[] = {"cluster", "cluster-name", "strategy", "cluster-auth"};
    for (int game = YO_SESSION_GO; game <= YO_SESSION_SHOGI; game++)
        for (size_t i = 0; i < 4; i++)
            for (unsigned place = YO_ON_CLI; place <= YO_ON_JSON; place *= 2)
                assert_non_null(
                    yo_option_find(yo_session_rows((enum yo_session_game)game), place, keys[i]));
    /* Every row of shogi is an option of USI too, but for those that need --tune. */
    for (const struct yo_option *row = yo_session_rows(YO_SESSION_SHOGI); row->key; row++)
        assert_true(row->places & (YO_ON_USI | YO_ON_TUNE));
}

static void addresses_are_checked(void **state) {
    (void)state;
    const struct yo_option rows[] = {YO_CLUSTER_ROWS, YO_OPTIONS_END};
    const struct {
        const char *where;
        bool good;
    } cases[] = {
        {"local:1", true},    {"local:256", true},     {"", true},
        {"<empty>", true},    {"nats://a:4222", true}, {"local:0", false},
        {"local:257", false}, {"local:-1", false},     {"local:", false},
        {"local:1x", false},  {"elsewhere", false},    {"local:99999999999999999999", false}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct yo_options options;
        struct yo_diag diag = {0};
        assert_int_equal(yo_options_init(&options, rows, &diag), YO_OK);
        assert_int_equal(yo_options_set(&options, YO_ON_USI, "cluster", cases[i].where, &diag),
                         YO_OK);
        enum yo_err err = yo_cluster_check(&options, &diag);
        if ((err == YO_OK) != cases[i].good) fail_msg("--cluster %s", cases[i].where);
        yo_options_free(&options);
    }
}

/* ---- One that cannot be used ---- */

static void a_move(struct yo_session *session, enum yo_session_game game) {
    struct yo_search_limits limits = {0};
    struct yo_search_result result;
    struct yo_diag diag = {0};
    if (game == YO_SESSION_GO)
        limits.playouts = 20;
    else
        limits.nodes = 200;
    if (yo_session_analyse(session, NULL, &limits, NULL, NULL, NULL, &result, &diag))
        fail_msg("%s", diag.what);
    assert_true(result.move_count > 0);
}

static void a_session_searches_by_itself(void **state) {
    (void)state;
    const char *const wrong[] = {"elsewhere", "local:0", "nats://127.0.0.1:1"};
    for (int g = YO_SESSION_GO; g <= YO_SESSION_SHOGI; g++)
        for (size_t i = 0; i < 3; i++) {
            enum yo_session_game game = (enum yo_session_game)g;
            struct yo_session *session = open_session(game, false, true);
            struct yo_diag diag = {0};
            yo_session_set(session, YO_EVERYWHERE, "cluster", wrong[i], &diag);
            a_move(session, game);
            if (!strstr(said, "searching without a cluster")) fail_msg("said: %s", said);
            int before = lines;
            a_move(session, game); /* it is said once */
            assert_int_equal(lines, before);
            yo_session_set(session, YO_EVERYWHERE, "cluster", "<empty>", &diag);
            said[0] = '\0';
            a_move(session, game);
            assert_null(strstr(said, "without a cluster"));
            yo_session_delete(session);
        }
}

/* Nobody hears a notice, or a wrong option is to be an error. */
static void else_it_is_an_error(void **state) {
    (void)state;
    for (int g = YO_SESSION_GO; g <= YO_SESSION_SHOGI; g++)
        for (int strict = 0; strict < 2; strict++) {
            struct yo_session *session = open_session((enum yo_session_game)g, strict, strict);
            struct yo_diag diag = {0};
            yo_session_set(session, YO_EVERYWHERE, "cluster", "elsewhere", &diag);
            assert_int_equal(yo_session_prepare(session, &diag), YO_ERR_ARGUMENT);
            assert_non_null(strstr(diag.what, "--cluster elsewhere"));
            yo_session_delete(session);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_kinds_are_those_of_the_engine),
        cmocka_unit_test(the_strategies_are_those_of_the_plan),
        cmocka_unit_test(every_place_has_the_rows),
        cmocka_unit_test(addresses_are_checked),
        cmocka_unit_test(a_session_searches_by_itself),
        cmocka_unit_test(else_it_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
