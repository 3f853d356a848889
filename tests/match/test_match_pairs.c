/* pairs.c, against the statistics of single games and against chance. */
#include "support/test.h"

#include <math.h>
#include <stdlib.h>

#include "base/stats.h"
#include "match/pairs.h"

static void near(double got, double want, double within) {
    if (!(fabs(got - want) <= within)) fail_msg("%g, not %g", got, want);
}

static void scores_and_intervals(void **state) {
    (void)state;
    struct yo_pairs none = {0}, pairs = {{10, 20, 40, 20, 10}};
    double low, high;
    near(yo_pairs_score(&none), 0.5, 0);
    near(yo_pairs_llr(&none, 0, 10), 0, 0);
    yo_pairs_interval(&none, &low, &high);
    near(low, 0, 0);
    near(high, 1, 0);
    assert_int_equal(yo_pairs_count(&pairs), 100);
    near(yo_pairs_score(&pairs), 0.5, 1e-12);
    /* Variance by hand: (2*10*0.25 + 2*20*0.0625) / 100 = 0.075; 1.96 * sqrt(0.075 / 99). */
    yo_pairs_interval(&pairs, &low, &high);
    near(low, 0.5 - 0.05395, 1e-4);
    near(high, 0.5 + 0.05395, 1e-4);
    yo_pairs_add(&pairs, 4);
    assert_int_equal(pairs.counts[4], 11);
}

/* Two games that have nothing to do with each other say as much as in the test of single games. */
static void independent_games_say_the_same(void **state) {
    (void)state;
    double p = yo_stats_score(15), q = 1 - p;
    for (unsigned n = 1000; n <= 100000; n *= 10) {
        struct yo_pairs pairs = {
            {(unsigned)(n * q * q), 0, (unsigned)(2 * n * p * q), 0, (unsigned)(n * p * p)}};
        struct yo_tally tally = {.wins = 2 * pairs.counts[4] + pairs.counts[2],
                                 .losses = 2 * pairs.counts[0] + pairs.counts[2]};
        double llr = yo_tally_llr(&tally, 0, 10);
        near(yo_pairs_llr(&pairs, 0, 10), llr, 0.03 * fabs(llr) + 0.02);
    }
}

/* Openings that one side wins whoever has it: the same score says more in pairs. */
static void decided_openings_cost_nothing(void **state) {
    (void)state;
    struct yo_pairs pairs = {{40, 0, 900, 0, 60}};
    struct yo_tally tally = {.wins = 1020, .losses = 980};
    assert_true(yo_pairs_llr(&pairs, 0, 10) > 2 * yo_tally_llr(&tally, 0, 10));
}

/* An opening that favours Black by this share, and an engine that is better by elo. */
static unsigned play(double elo, double bias, double draws) {
    unsigned points = 0;
    for (int game = 0; game < 2; game++) {
        double won = yo_stats_score(elo) + (game ? -bias : bias) - draws / 2;
        double x = rand() / (RAND_MAX + 1.0);
        points += x < won ? 2 : x < won + draws ? 1 : 0;
    }
    return points;
}

static double ends_high(double elo, double elo0, double elo1) {
    int high = 0, tests = 2000;
    for (int i = 0; i < tests; i++) {
        struct yo_pairs pairs = {0};
        double llr = 0;
        while (fabs(llr) < YO_SPRT_BOUND) {
            yo_pairs_add(&pairs, play(elo, rand() % 2 ? 0.2 : 0, 0.1));
            llr = yo_pairs_llr(&pairs, elo0, elo1);
        }
        high += llr > 0;
    }
    return (double)high / tests;
}

/* Wrong one time in twenty on each side, here with three deviations on top. */
static void sequential_test_keeps_its_risk(void **state) {
    (void)state;
    srand(5);
    for (double apart = 60; apart <= 120; apart += 60) {
        double low = ends_high(0, 0, apart), high = ends_high(apart, 0, apart);
        if (low > 0.065 || high < 0.935) fail_msg("0,%g: %g, %g", apart, low, high);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scores_and_intervals),
        cmocka_unit_test(independent_games_say_the_same),
        cmocka_unit_test(decided_openings_cost_nothing),
        cmocka_unit_test(sequential_test_keeps_its_risk),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
