/* Limits: a search is refused what it does not understand, by name, and root moves are filtered. */
#include "support/test.h"

#include <stdio.h>

#include "base/time.h"
#include "search/search.h"

static int runs;

static enum yo_err run(void *ctx, const void *game, const struct yo_search_limits *limits,
                       const atomic_bool *stop, yo_search_report_fn report, void *user,
                       struct yo_search_result *result, struct yo_diag *diag) {
    (void)ctx, (void)game, (void)limits, (void)stop, (void)report, (void)user, (void)diag;
    *result = (struct yo_search_result){0};
    runs++;
    return YO_OK;
}

static enum yo_err try_limits(unsigned known, const struct yo_search_limits *limits,
                              struct yo_diag *diag) {
    const struct yo_search_ops ops = {.name = "some", .limits = known, .run = run};
    struct yo_search_result result;
    *diag = (struct yo_diag){0};
    return yo_search_run((struct yo_search){&ops, NULL}, NULL, limits, NULL, NULL, NULL, &result,
                         diag);
}

static void unknown_limits_are_refused_by_name(void **unused) {
    (void)unused;
    static const yo_move move = 3;
    static struct yo_search_clock clock;
    const struct {
        const char *name;
        unsigned bit;
        struct yo_search_limits limits;
    } rows[] = {
        {"time", YO_LIMIT_TIME, {.time_ms = 5}},
        {"time", YO_LIMIT_TIME, {.clock = &clock}},
        {"playouts", YO_LIMIT_PLAYOUTS, {.playouts = 5}},
        {"nodes", YO_LIMIT_NODES, {.nodes = 5}},
        {"depth", YO_LIMIT_DEPTH, {.depth = 5}},
        {"mate", YO_LIMIT_MATE, {.mate = true}},
        {"only or avoid", YO_LIMIT_MOVES, {.only = &move, .only_count = 1}},
        {"only or avoid", YO_LIMIT_MOVES, {.avoid = &move, .avoid_count = 1}},
        {"clean-up", YO_LIMIT_CLEAN_UP, {.clean_up = true}},
        {"details", YO_LIMIT_DETAILS, {.details = true}},
        {"several lines", YO_LIMIT_LINES, {.lines = 2}},
    };
    unsigned all = (1u << YO_LIMIT_COUNT) - 1;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct yo_diag diag;
        runs = 0;
        assert_int_equal(try_limits(all & ~rows[i].bit, &rows[i].limits, &diag), YO_ERR_ARGUMENT);
        assert_int_equal(runs, 0);
        char wanted[80];
        snprintf(wanted, sizeof wanted, "the search some cannot be limited by %s", rows[i].name);
        assert_string_equal(diag.what, wanted);
        assert_int_equal(try_limits(rows[i].bit, &rows[i].limits, &diag), YO_OK);
        assert_int_equal(runs, 1);
    }
    struct yo_diag diag;
    assert_int_equal(try_limits(0, &(struct yo_search_limits){.whole = true, .lines = 1}, &diag),
                     YO_OK);
}

static void root_moves_are_filtered(void **unused) {
    (void)unused;
    static const yo_move only[] = {1, 2, 3}, avoid[] = {3, 4};
    struct yo_search_limits limits = {0};
    assert_true(yo_search_allows(&limits, 4));
    limits = (struct yo_search_limits){.avoid = avoid, .avoid_count = 2};
    assert_true(yo_search_allows(&limits, 1));
    assert_false(yo_search_allows(&limits, 4));
    limits.only = only;
    limits.only_count = 3;
    assert_true(yo_search_allows(&limits, 1));
    assert_false(yo_search_allows(&limits, 3));
    assert_false(yo_search_allows(&limits, 5));
}

static void clocks(void **unused) {
    (void)unused;
    struct yo_search_clock own = {0}, *clock;
    clock = yo_search_clock_begin(&(struct yo_search_limits){0}, &own);
    assert_ptr_equal(clock, &own);
    assert_int_equal(yo_search_clock_end(clock), 0);
    assert_int_equal(yo_search_clock_time_ms(clock), 0);
    int64_t before = yo_time_ms();
    clock = yo_search_clock_begin(&(struct yo_search_limits){.time_ms = 1000}, &own);
    assert_true(atomic_load(&clock->soft) == 0 && atomic_load(&clock->hard) >= before + 1000);
    assert_int_equal(yo_search_clock_time_ms(clock), 1000);
    clock =
        yo_search_clock_begin(&(struct yo_search_limits){.time_ms = 1000, .extra_ms = 500}, &own);
    assert_int_equal(yo_search_clock_time_ms(clock), 1000);
    assert_int_equal(atomic_load(&clock->hard) - atomic_load(&clock->soft), 500);
    struct yo_search_clock theirs = {0};
    struct yo_search_limits limits = {.clock = &theirs, .time_ms = 1};
    assert_ptr_equal(yo_search_clock_begin(&limits, &own), &theirs);
    assert_int_equal(yo_search_time_ms(&limits), 0);
    yo_search_clock_set(&theirs, before, 10, 20, 30);
    assert_int_equal(yo_search_time_ms(&limits), 20);
    assert_int_equal(atomic_load(&theirs.least), before + 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unknown_limits_are_refused_by_name),
        cmocka_unit_test(root_moves_are_filtered),
        cmocka_unit_test(clocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
