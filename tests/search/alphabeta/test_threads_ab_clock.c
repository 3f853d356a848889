/* Alpha-beta's clock, which may be set while it runs, and the reports of a search that takes long.
 */
#include "support/test.h"

#include <pthread.h>
#include <unistd.h>

#include "base/time.h"
#include "game/shogi/text.h"
#include "support/ab_think.h"

static struct yo_ab *engine;
static struct yo_search_clock clock_;

static int set_up(void **unused) {
    (void)unused;
    return yo_ab_new(4, &engine) == YO_OK ? 0 : -1;
}

static int tear_down(void **unused) {
    (void)unused;
    yo_ab_delete(engine);
    return 0;
}

static struct ab_found run(const struct yo_search_limits *limits, yo_search_report_fn report,
                           void *user) {
    struct yo_shogi_position pos;
    yo_shogi_position_start(&pos);
    return ab_think_aloud(engine, &pos, limits, NULL, report, user);
}

static void *ponder(void *found) {
    *(struct ab_found *)found = run(&(struct yo_search_limits){.clock = &clock_}, NULL, NULL);
    return NULL;
}

/* Without a limit it would run for ever; set before it began or later, the clock ends it. */
static void a_clock_may_come_late(void **unused) {
    (void)unused;
    for (int wait = 0; wait < 3; wait++) {
        struct ab_found result;
        pthread_t thread;
        yo_search_clock_set(&clock_, yo_time_ms(), 0, 0, 0);
        atomic_store(&clock_.round_ms, -1);
        assert_int_equal(pthread_create(&thread, NULL, ponder, &result), 0);
        usleep((useconds_t)(wait * 30000));
        if (wait == 1)
            yo_search_clock_set(&clock_, yo_time_ms(), 0, 1, 0); /* after the depth at hand */
        else
            yo_search_clock_set(&clock_, yo_time_ms(), 0, 10, 20);
        pthread_join(thread, NULL);
        assert_true(result.length > 0);
    }
}

static void count(void *reports, const struct yo_search_result *result) {
    *(int *)reports += result->depth > 0 && result->move_count > 0;
}

/* On a busy machine the time may be over before the search begins: it still has a score to tell. */
static void without_time_it_searches_one_depth(void **unused) {
    (void)unused;
    int reports = 0;
    yo_ab_clear(engine);
    atomic_store(&clock_.round_ms, -1);
    yo_search_clock_set(&clock_, yo_time_ms() - 1000, 0, 1, 1);
    struct ab_found found = run(&(struct yo_search_limits){.clock = &clock_}, count, &reports);
    assert_int_equal(found.depth, 1);
    assert_int_equal(reports, 1);
}

/* A clock that counts whole seconds is used to the end of one; not if that were far too long. */
static void whole_seconds_are_used(void **unused) {
    (void)unused;
    struct yo_search_limits limits = {.clock = &clock_};
    int64_t start = yo_time_ms();
    atomic_store(&clock_.round_ms, 400);
    yo_search_clock_set(&clock_, start, 0, 350, 5000);
    run(&limits, NULL, NULL);
    assert_true(yo_time_ms() - start >= 600);
    int64_t again = yo_time_ms();
    yo_search_clock_set(&clock_, again, 0, 5, 60000);
    run(&limits, NULL, NULL);
    assert_true(atomic_load(&clock_.hard) == again + 60000); /* nobody put an end */
    yo_search_clock_set(&clock_, yo_time_ms(), 200, 5, 60000);
    again = yo_time_ms();
    run(&limits, NULL, NULL);
    assert_true(yo_time_ms() - again >= 190);
}

struct seen {
    int done, bounds, trying;
    int64_t elapsed_ms;
};

static void look(void *user, const struct yo_search_result *r) {
    struct seen *seen = user;
    if (r->trying) {
        assert_true(r->depth > seen->done);
        seen->trying++;
    } else if (r->moves[0].bound) {
        assert_true(r->moves[0].depth > seen->done && r->moves[0].pv_count > 0);
        seen->bounds++;
    } else {
        seen->done = r->depth;
    }
}

static struct seen report_of(int64_t details_ms) {
    struct yo_ab_options options = yo_ab_options_default;
    struct seen seen = {0};
    options.details_ms = details_ms;
    assert_int_equal(yo_ab_set_options(engine, &options), YO_OK);
    yo_ab_clear(engine);
    struct ab_found result = run(&(struct yo_search_limits){.depth = 13}, look, &seen);
    assert_int_equal(seen.done, 13);
    seen.elapsed_ms = result.elapsed_ms;
    return seen;
}

static void details_are_reported_if_wanted(void **unused) {
    (void)unused;
    struct seen seen = report_of(1);
    assert_true(seen.bounds > 0 && seen.trying > 0);
    assert_true(seen.trying <= 1 + seen.elapsed_ms / 500); /* twice a second */
    seen = report_of(0);
    assert_int_equal(seen.bounds + seen.trying, 0);
    seen = report_of(1000000);
    assert_int_equal(seen.bounds + seen.trying, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_clock_may_come_late),
        cmocka_unit_test(without_time_it_searches_one_depth),
        cmocka_unit_test(whole_seconds_are_used),
        cmocka_unit_test(details_are_reported_if_wanted),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
