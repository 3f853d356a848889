/* stats.c, against figures worked out elsewhere. */
#include "test.h"

#include <math.h>

#include "base/stats.h"

static void near(double got, double want, double within) {
    if (!(fabs(got - want) <= within)) fail_msg("%g, not %g", got, want);
}

static void intervals(void **state) {
    (void)state;
    double low, high;
    /* Wilson 1927, as any table has it. */
    yo_tally_interval(&(struct yo_tally){.wins = 8, .losses = 2}, &low, &high);
    near(low, 0.4902, 0.0001);
    near(high, 0.9433, 0.0001);
    yo_tally_interval(&(struct yo_tally){.wins = 20}, &low, &high);
    near(low, 0.8389, 0.0001);
    near(high, 1, 1e-12);
    yo_tally_interval(&(struct yo_tally){0}, &low, &high);
    near(low, 0, 0);
    near(high, 1, 0);
    near(yo_tally_score(&(struct yo_tally){.wins = 1, .losses = 1, .draws = 2}), 0.5, 1e-12);
    near(yo_tally_score(&(struct yo_tally){.draws = 3}), 0.5, 1e-12);
}

static void elo(void **state) {
    (void)state;
    near(yo_stats_elo(0.5), 0, 1e-9);
    near(yo_stats_elo(0.75), 190.85, 0.01);
    near(yo_stats_elo(10.0 / 11), 400, 1e-6);
    near(yo_stats_score(yo_stats_elo(0.31)), 0.31, 1e-9);
    assert_true(isinf(yo_stats_elo(1)) && yo_stats_elo(1) > 0);
    assert_true(isinf(yo_stats_elo(0)) && yo_stats_elo(0) < 0);
}

/* Of nothing won or nothing lost the ends are exact, so that their Elo is infinite too. */
static void intervals_of_a_whitewash(void **state) {
    (void)state;
    for (unsigned n = 1; n < 2000; n++) {
        double low, high, other;
        yo_tally_interval(&(struct yo_tally){.losses = n}, &low, &high);
        near(low, 0, 0);
        assert_true(high > 0 && high < 1);
        yo_tally_interval(&(struct yo_tally){.wins = n}, &other, &low);
        near(low, 1, 0);
        near(other, 1 - high, 1e-12);
    }
}

/* Evidence adds up, and points the right way. */
static void sequential_test(void **state) {
    (void)state;
    struct yo_tally even = {.wins = 500, .losses = 500}, good = {.wins = 600, .losses = 400};
    near(yo_tally_llr(&(struct yo_tally){0}, 0, 30), 0, 0);
    near(yo_tally_llr(&even, -30, 30), 0, 1e-9);
    assert_true(yo_tally_llr(&even, 0, 30) < -YO_SPRT_BOUND);
    assert_true(yo_tally_llr(&good, 0, 30) > YO_SPRT_BOUND);
    /* The same share of ten times the games says ten times as much. */
    struct yo_tally few = {.wins = 60, .losses = 40};
    near(yo_tally_llr(&good, 0, 30) / yo_tally_llr(&few, 0, 30), 10, 0.5);
    assert_true(isfinite(yo_tally_llr(&(struct yo_tally){.wins = 9}, 0, 30)));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(intervals),
        cmocka_unit_test(intervals_of_a_whitewash),
        cmocka_unit_test(elo),
        cmocka_unit_test(sequential_test),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
