/* With --net auto: which options ask for the built-in network, and which for playouts. */
#include "support/test.h"

#include <string.h>

#include "engine/go_net.h"
#include "engine/options.h"
#include "engine/session.h"
#include "eval/net/backend.h"

static bool wanted(const char *const *settings) {
    struct yo_options options;
    struct yo_diag diag = {0};
    assert_int_equal(yo_options_init(&options, yo_session_rows(YO_SESSION_GO), &diag), YO_OK);
    for (; *settings; settings += 2)
        if (yo_options_set(&options, YO_EVERYWHERE, settings[0], settings[1], &diag))
            fail_msg("%s %s: %s", settings[0], settings[1], diag.what);
    bool answer = yo_go_net_is_wanted(&options, NULL);
    yo_options_free(&options);
    return answer;
}
#define WANTED(...) wanted((const char *const[]){__VA_ARGS__, NULL})

static void auto_is_the_network(void **state) {
    (void)state;
    bool fast = yo_net_has_fast_backend();
    assert_int_equal(WANTED("time", "3"), fast);
    assert_int_equal(WANTED("visits", "100"), fast);
    assert_int_equal(WANTED("playouts", "0"), fast);
    assert_int_equal(WANTED("net", "auto"), fast);
    assert_int_equal(WANTED("memory", "100", "lcb", "false", "threads", "2"), fast);
    assert_int_equal(WANTED("net-cache", "10"), fast);
}

static void asked_for_by_name(void **state) {
    (void)state;
    assert_true(WANTED("net", "builtin"));
    assert_true(WANTED("net", "builtin", "playouts", "100"));
    assert_true(WANTED("net", "file.bin.gz", "search", "uct"));
    assert_true(WANTED("search", "puct", "playouts", "100"));
    assert_true(WANTED("search", "mcss"));
    assert_true(WANTED("cpuct", "2", "playouts", "100"));
    assert_true(WANTED("net-backend", "reference"));
    assert_true(WANTED("mix", "0.5", "backend", "scalar"));
}

static void playouts_asked_for(void **state) {
    (void)state;
    assert_false(WANTED("net", "none"));
    assert_false(WANTED("net", "none", "search", "puct"));
    assert_false(WANTED("search", "uct"));
    assert_false(WANTED("search", "flat"));
    assert_false(WANTED("playouts", "1000"));
    assert_false(WANTED("backend", "scalar"));
    assert_false(WANTED("policy", "mogo"));
    assert_false(WANTED("rave", "0"));
    assert_false(WANTED("leaf-wait", "true"));
}

/* Every row of UCT that PUCT does not read asks for playouts. */
static void all_rows_of_uct(void **state) {
    (void)state;
    static const struct yo_option rows[] = {YO_UCT_TREE_ROWS, YO_UCT_GO_OPTION_ROWS,
                                            YO_OPTIONS_END};
    static const char *const both[] = {"virtual-loss", "leaves", "lcb",
                                       "solve",        "reuse",  "reading"};
    for (const struct yo_option *row = rows; row->key; row++) {
        bool shared = false;
        for (size_t i = 0; i < sizeof both / sizeof both[0]; i++)
            shared = shared || strcmp(row->key, both[i]) == 0;
        bool asks = !WANTED(row->key, row->initial);
        if (asks != (!shared || !yo_net_has_fast_backend())) fail_msg("%s", row->key);
    }
}

static int notices;

static void count_notice(void *user, const char *text) {
    (void)user, (void)text;
    notices++;
}

static void expect_search(struct yo_session *s, const char *name) {
    struct yo_diag diag = {0};
    if (yo_session_prepare(s, &diag)) fail_msg("%s", diag.what);
    assert_string_equal(yo_session_search_name(s), name);
}

static void set(struct yo_session *s, const char *key, const char *text) {
    assert_int_equal(yo_session_set(s, YO_EVERYWHERE, key, text, NULL), YO_OK);
}

/* The choice follows an option that changes, and is announced once each time. */
static void follows_the_options(void **state) {
    (void)state;
    struct yo_session_config config = {.game = YO_SESSION_GO, .notice = count_notice};
    struct yo_session *s;
    const char *first = yo_net_has_fast_backend() ? "puct" : "uct";
    assert_int_equal(yo_session_new(&config, &s, NULL), YO_OK);
    set(s, "threads", "1");
    set(s, "memory", "8");
    notices = 0;
    expect_search(s, first);
    expect_search(s, first);
    set(s, "time", "1");
    expect_search(s, first);
    assert_int_equal(notices, 1);
    set(s, "playouts", "10");
    expect_search(s, "uct");
    set(s, "playouts", "20");
    expect_search(s, "uct");
    assert_int_equal(notices, yo_net_has_fast_backend() ? 2 : 1);
    set(s, "net", "builtin");
    expect_search(s, "puct");
    set(s, "net", "none");
    expect_search(s, "uct");
    yo_session_delete(s);
}

static void refusals(void **state) {
    (void)state;
    struct yo_session_config config = {.game = YO_SESSION_GO};
    struct yo_session *s;
    struct yo_diag diag = {0};
    assert_int_equal(yo_session_new(&config, &s, NULL), YO_OK);
    set(s, "net", "none");
    set(s, "search", "puct");
    assert_int_equal(yo_session_prepare(s, &diag), YO_ERR_ARGUMENT);
    assert_non_null(strstr(diag.what, "needs a network"));
    set(s, "net", "/there/is/no/such/file");
    assert_int_not_equal(yo_session_prepare(s, &diag), YO_OK);
    assert_non_null(strstr(diag.what, "/there/is/no/such/file"));
    yo_session_delete(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(auto_is_the_network), cmocka_unit_test(asked_for_by_name),
        cmocka_unit_test(playouts_asked_for),  cmocka_unit_test(all_rows_of_uct),
        cmocka_unit_test(follows_the_options), cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
