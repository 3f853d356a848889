/* When a search on a clock may end before its time. */
#include "support/test.h"

#include "base/time.h"
#include "search/clock.h"
#include "search/decide.h"

enum { SECOND = 1000 };

/* A search that is half-way through ten seconds and made a thousand visits. */
static bool is_over(bool fixed, bool whole, struct yo_search_lead lead) {
    struct yo_search_clock clock = {0};
    int64_t start_ms = yo_time_ms() - 5 * SECOND;
    yo_search_clock_set(&clock, start_ms, 0, fixed ? 0 : 10 * SECOND, 10 * SECOND);
    struct yo_search_progress progress = {
        .clock = &clock, .start_ms = start_ms, .made = 1000, .only_visits = 20, .whole = whole};
    return yo_search_is_over_by_clock(&progress, &lead);
}

static void time_that_can_be_saved_is_saved(void **unused) {
    (void)unused;
    /* The second needs more visits than the thousand that are to come. */
    assert_true(is_over(false, false, (struct yo_search_lead){.first = 3000, .second = 10}));
    assert_false(is_over(false, false, (struct yo_search_lead){.first = 800, .second = 150}));
    assert_false(is_over(false, true, (struct yo_search_lead){.first = 3000, .second = 10}));
}

static void a_fixed_time_is_used(void **unused) {
    (void)unused;
    assert_false(is_over(true, false, (struct yo_search_lead){.first = 3000, .second = 10}));
    assert_false(is_over(true, false, (struct yo_search_lead){.first = 800, .second = 150}));
    struct yo_search_lead won = {.first = 3000, .second = 10, .first_wins = true};
    assert_true(is_over(true, false, won));
}

static void an_only_move_is_played_at_once(void **unused) {
    (void)unused;
    struct yo_search_lead lead = {.first = 500, .alone = true};
    assert_true(is_over(false, false, lead));
    assert_true(is_over(true, false, lead));
    assert_false(is_over(true, true, lead));
    lead.first = 10; /* too few to know whether to resign */
    assert_false(is_over(true, false, lead));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(time_that_can_be_saved_is_saved),
        cmocka_unit_test(a_fixed_time_is_used),
        cmocka_unit_test(an_only_move_is_played_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
