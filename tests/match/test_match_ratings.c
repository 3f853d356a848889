/* ratings.c, against the closed form for two engines, a search by small steps, and chance. */
#include "support/test.h"

#include <math.h>
#include <stdlib.h>

#include "match/ratings.h"

#define MAX YO_MATCH_ENGINES_MAX

static void near(double got, double want, double within) {
    if (!(fabs(got - want) <= within)) fail_msg("%g, not %g", got, want);
}

static void add(struct yo_scores *scores, int a, int b, struct yo_tally t) {
    scores->of[a][b].wins += t.wins;
    scores->of[a][b].losses += t.losses;
    scores->of[a][b].draws += t.draws;
    scores->of[b][a].wins += t.losses;
    scores->of[b][a].losses += t.wins;
    scores->of[b][a].draws += t.draws;
}

static void two_engines_by_hand(void **state) {
    (void)state;
    struct yo_scores scores = {{{{0}}}};
    struct yo_rating r[MAX];
    add(&scores, 0, 1, (struct yo_tally){60, 30, 10});
    yo_ratings(&scores, 2, r);
    /* 65 points of 100, and half a point of one game more. */
    double share = 65.5 / 101, elo = yo_stats_elo(share);
    near(r[0].elo, elo / 2, 1e-6);
    near(r[1].elo, -elo / 2, 1e-6);
    /* The deviation of the difference is 1 / sqrt(n p q) in natural units; each has half of it. */
    double half = 1.959964 * 173.717793 / sqrt(101 * share * (1 - share)) / 2;
    near(r[0].half, half, 1e-3);
    near(r[1].half, half, 1e-3);
}

/* The log-likelihood, drawn games as half a win and half a loss. */
static double likelihood(const struct yo_scores *scores, int n, const double *elo) {
    double sum = 0;
    for (int a = 0; a < n; a++)
        for (int b = a + 1; b < n; b++) {
            const struct yo_tally *t = &scores->of[a][b];
            if (t->wins + t->losses + t->draws == 0) continue;
            double p = yo_stats_score(elo[a] - elo[b]), drawn = 0.5 * t->draws + 0.5;
            sum += (t->wins + drawn) * log(p) + (t->losses + drawn) * log(1 - p);
        }
    return sum;
}

static void nothing_near_is_more_likely(void **state) {
    (void)state;
    srand(3);
    for (int trial = 0; trial < 50; trial++) {
        int n = 3 + rand() % 6;
        struct yo_scores scores = {{{{0}}}};
        struct yo_rating r[MAX];
        for (int a = 0; a < n; a++)
            for (int b = a + 1; b < n; b++)
                add(&scores, a, b,
                    (struct yo_tally){(unsigned)rand() % 20, (unsigned)rand() % 9,
                                      (unsigned)rand() % 4});
        yo_ratings(&scores, n, r);
        double elo[MAX], mean = 0;
        for (int a = 0; a < n; a++)
            mean += elo[a] = r[a].elo;
        near(mean, 0, 1e-6);
        double best = likelihood(&scores, n, elo);
        for (int a = 0; a < n; a++)
            for (double by = -1; by <= 1; by += 2) {
                elo[a] += by;
                assert_true(likelihood(&scores, n, elo) < best);
                elo[a] -= by;
            }
    }
}

static void all_lost_or_never_met(void **state) {
    (void)state;
    struct yo_scores scores = {{{{0}}}};
    struct yo_rating r[MAX];
    yo_ratings(&scores, 3, r);
    for (int a = 0; a < 3; a++) {
        near(r[a].elo, 0, 0);
        assert_true(isinf(r[a].half));
    }
    add(&scores, 0, 1, (struct yo_tally){1000, 0, 0});
    yo_ratings(&scores, 3, r);
    assert_true(isfinite(r[0].elo) && r[0].elo > 300 && r[0].half > 100);
    near(r[2].elo, 0, 0);
    /* Two groups that never met each other. */
    add(&scores, 2, 3, (struct yo_tally){30, 10, 0});
    yo_ratings(&scores, 4, r);
    near(r[2].elo + r[3].elo, 0, 1e-6);
    near(r[0].elo + r[1].elo, 0, 1e-6);
}

/* 95% intervals hold the truth 19 times of 20; three deviations of 4 * 400 trials on top. */
static void intervals_hold_the_truth(void **state) {
    (void)state;
    const double truth[4] = {120, 20, -40, -100};
    int inside = 0, trials = 400;
    srand(7);
    for (int trial = 0; trial < trials; trial++) {
        struct yo_scores scores = {{{{0}}}};
        struct yo_rating r[MAX];
        for (int a = 0; a < 4; a++)
            for (int b = a + 1; b < 4; b++)
                for (int game = 0; game < 100; game++) {
                    bool won = rand() / (RAND_MAX + 1.0) < yo_stats_score(truth[a] - truth[b]);
                    add(&scores, a, b, (struct yo_tally){won, !won, 0});
                }
        yo_ratings(&scores, 4, r);
        for (int a = 0; a < 4; a++)
            inside += fabs(r[a].elo - truth[a]) <= r[a].half;
    }
    double share = inside / (4.0 * trials);
    if (share < 0.933 || share > 0.967) fail_msg("%g of the intervals hold the truth", share);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_engines_by_hand),
        cmocka_unit_test(nothing_near_is_more_likely),
        cmocka_unit_test(all_lost_or_never_met),
        cmocka_unit_test(intervals_hold_the_truth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
