/* base/random: the published sequence of splitmix64, which stored keys and openings rely on, and
 * the moments of the distributions made from it. */
#include "support/test.h"

#include <math.h>

#include "base/random.h"

static void the_sequence_is_the_published_one(void **state) {
    (void)state;
    /* The first outputs for seed 1234567, as published with the xoshiro generators' test vectors.
     */
    static const uint64_t want[] = {UINT64_C(6457827717110365317), UINT64_C(3203168211198807973),
                                    UINT64_C(9817491932198370423), UINT64_C(4593380528125082431),
                                    UINT64_C(16408922859458223821)};
    uint64_t seed = 1234567;
    for (size_t i = 0; i < sizeof want / sizeof want[0]; i++)
        assert_true(yo_splitmix64(&seed) == want[i]);
}

enum { DRAWS = 200000 };

/* Within seven standard errors, for a fixed seed. */
static void has_moments(const double *draws, double mean, double variance, double fourth) {
    double sum = 0, squares = 0;
    for (int i = 0; i < DRAWS; i++)
        sum += draws[i];
    for (int i = 0; i < DRAWS; i++)
        squares += (draws[i] - mean) * (draws[i] - mean);
    assert_true(fabs(sum / DRAWS - mean) < 7 * sqrt(variance / DRAWS));
    assert_true(fabs(squares / DRAWS - variance) <
                7 * sqrt((fourth - variance * variance) / DRAWS));
}

static void distributions_have_their_moments(void **state) {
    (void)state;
    static double draws[DRAWS];
    uint64_t seed = 5;
    for (int i = 0; i < DRAWS; i++) {
        draws[i] = yo_random_uniform(&seed);
        assert_true(draws[i] > 0 && draws[i] < 1);
    }
    has_moments(draws, 0.5, 1.0 / 12, 1.0 / 80);
    for (int i = 0; i < DRAWS; i++)
        draws[i] = yo_random_normal(&seed);
    has_moments(draws, 0, 1, 3);
    static const double shapes[] = {0.03, 0.7, 1, 10.83};
    for (size_t k = 0; k < sizeof shapes / sizeof shapes[0]; k++) {
        for (int i = 0; i < DRAWS; i++)
            draws[i] = yo_random_gamma(shapes[k], &seed);
        has_moments(draws, shapes[k], shapes[k], 3 * shapes[k] * (shapes[k] + 2));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_sequence_is_the_published_one),
                                       cmocka_unit_test(distributions_have_their_moments)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
