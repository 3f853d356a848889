/* stats.c, against figures worked out elsewhere, and against slow ways to the same. */
#include "support/test.h"

#include <math.h>
#include <stdlib.h>

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

/* Wilson's ends are the shares from which what was seen is just z standard deviations away: found
 * by halving, from each side. */
static double wilson_end(double seen, double n, double z, double outside) {
    double inside = seen;
    for (int i = 0; i < 200; i++) {
        double p = 0.5 * (inside + outside);
        *(fabs(seen - p) > z * sqrt(p * (1 - p) / n) ? &outside : &inside) = p;
    }
    return inside;
}

static void intervals_by_halving(void **state) {
    (void)state;
    static const double zs[] = {1, 1.96, 3};
    for (unsigned n = 1; n < 3000; n += 1 + n / 3)
        for (unsigned wins = 0; wins <= n; wins += 1 + n / 7)
            for (int i = 0; i < 3; i++) {
                double low, high, seen = (double)wins / n;
                yo_stats_wilson(seen, n, zs[i], &low, &high);
                near(low, wilson_end(seen, n, zs[i], 0), 1e-9);
                near(high, wilson_end(seen, n, zs[i], 1), 1e-9);
            }
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

/* Without draws there is a likelihood to take the ratio of. */
static void sequential_test_by_likelihood(void **state) {
    (void)state;
    double s0 = yo_stats_score(-10), s1 = yo_stats_score(20);
    for (unsigned wins = 400; wins <= 600; wins += 10) {
        struct yo_tally t = {.wins = wins, .losses = 1000 - wins};
        double exact = t.wins * log(s1 / s0) + t.losses * log((1 - s1) / (1 - s0));
        near(yo_tally_llr(&t, -10, 20), exact, 0.05 + 0.05 * fabs(exact));
    }
}

/* How often a test of players that differ by so much ends with "better by elo1". */
static double ends_high(double elo, double draws, double elo0, double elo1) {
    int high = 0, tests = 4000;
    for (int i = 0; i < tests; i++) {
        struct yo_tally t = {0};
        double llr = 0;
        while (fabs(llr) < YO_SPRT_BOUND) {
            double x = rand() / (RAND_MAX + 1.0), won = yo_stats_score(elo) - draws / 2;
            *(x < won ? &t.wins : x < won + draws ? &t.draws : &t.losses) += 1;
            llr = yo_tally_llr(&t, elo0, elo1);
        }
        high += llr > 0;
    }
    return (double)high / tests;
}

/* What it promises: each side wrong one time in twenty, here with three deviations on top. */
static void sequential_test_keeps_its_risk(void **state) {
    (void)state;
    static const double apart[] = {60, 100, 200};
    srand(11);
    for (int i = 0; i < 3; i++)
        for (double draws = 0; draws < 0.5; draws += 0.2) {
            double low = ends_high(0, draws, 0, apart[i]);
            double high = ends_high(apart[i], draws, 0, apart[i]);
            if (low > 0.06 || high < 0.94)
                fail_msg("0,%g with %g drawn: %g, %g", apart[i], draws, low, high);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(intervals),
        cmocka_unit_test(intervals_by_halving),
        cmocka_unit_test(intervals_of_a_whitewash),
        cmocka_unit_test(elo),
        cmocka_unit_test(sequential_test),
        cmocka_unit_test(sequential_test_by_likelihood),
        cmocka_unit_test(sequential_test_keeps_its_risk),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
