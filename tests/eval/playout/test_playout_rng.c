/* The generator and the draw of docs/playout.md: what is claimed of them in theory, and chi-square
 * tests of what games actually use. Seeds are fixed, so that a run that passes always does. */
#include "support/test.h"

#include <math.h>
#include <string.h>

#include "eval/playout/spec.h"
#include "support/naive_playout.h"

/* ---- theory ---- */

/* Multiplication modulo x^64 + x^31 + x^19 + x^9 + 1 over GF(2). */
static uint64_t times(uint64_t a, uint64_t b) {
    uint64_t low = 1u | 1u << YO_PLAYOUT_TAP1 | 1u << YO_PLAYOUT_TAP2 | 1u << YO_PLAYOUT_TAP3;
    uint64_t product = 0;
    for (int i = 63; i >= 0; i--) {
        product = product << 1 ^ (product >> 63 ? low : 0);
        if (b >> i & 1) product ^= a;
    }
    return product;
}

static uint64_t power_of_x(uint64_t exponent) {
    uint64_t result = 1, x = 2;
    for (; exponent; exponent >>= 1, x = times(x, x))
        if (exponent & 1) result = times(result, x);
    return result;
}

/* x has order 2^64 - 1, so that the register runs through every state but zero. */
static void polynomial_is_primitive(void **state) {
    (void)state;
    static const uint64_t primes[] = {3, 5, 17, 257, 641, 65537, 6700417};
    uint64_t product = 1;
    assert_true(power_of_x(UINT64_MAX) == 1);
    for (size_t i = 0; i < sizeof primes / sizeof primes[0]; i++) {
        product *= primes[i];
        assert_false(power_of_x(UINT64_MAX / primes[i]) == 1);
    }
    assert_true(product == UINT64_MAX); /* all of its prime factors */
}

static void words_equal_single_bits(void **state) {
    (void)state;
    for (uint64_t i = 0; i < 200; i++) {
        uint64_t seed = i * 0x9e3779b97f4a7c15u, game = i << (i % 60);
        uint64_t fast = yo_playout_seed(seed, game);
        int slow[64];
        naive_rng_seed(seed, game, slow);
        for (int n = 0; n < 50; n++)
            assert_int_equal(yo_playout_next(&fast), naive_rng_next(slow));
    }
}

/* ---- chi-square ---- */

/* Within five standard deviations of what chance gives; too even is as wrong as too uneven. */
static void check_chi2(const char *what, double chi2, double dof) {
    double wide = 5 * sqrt(2 * dof) + 5;
    if (fabs(chi2 - dof) > wide)
        fail_msg("%s: chi-square %.1f, should be %.0f +- %.0f", what, chi2, dof, wide);
}

static double chi2_even(const uint32_t *counts, int cells) {
    double total = 0, sum = 0;
    for (int i = 0; i < cells; i++)
        total += counts[i];
    for (int i = 0; i < cells; i++)
        sum += pow(counts[i] - total / cells, 2) / (total / cells);
    return sum;
}

/* Three ways to walk through the words that games are made of. */
static uint32_t word_of_one_game(uint64_t i) {
    static uint64_t s;
    if (i == 0) s = yo_playout_seed(12345, 678);
    return yo_playout_next(&s);
}

static uint32_t word_number(uint64_t seed, uint64_t game, int n) {
    uint64_t s = yo_playout_seed(seed, game);
    while (n-- > 0)
        yo_playout_next(&s);
    return yo_playout_next(&s);
}

static uint32_t first_of_each_game(uint64_t i) { return word_number(99, i, 0); }
static uint32_t third_of_each_game(uint64_t i) { return word_number(1, i, 2); }
static uint32_t first_of_each_seed(uint64_t i) { return word_number(i, 0, 0); }
/* The upper half of the seed goes through one round fewer. */
static uint32_t first_of_high_seeds(uint64_t i) { return word_number(i << 32, 7, 0); }
static uint32_t next_games_differ(uint64_t i) {
    return word_number(5, i, 0) ^ word_number(5, i + 1, 0);
}
static uint32_t next_seeds_differ(uint64_t i) {
    return word_number(i, 3, 0) ^ word_number(i + 1, 3, 0);
}

static const struct {
    const char *name;
    uint32_t (*word)(uint64_t i);
} streams[] = {
    {"one game", word_of_one_game},
    {"first words of games", first_of_each_game},
    {"third words of games", third_of_each_game},
    {"first words of seeds", first_of_each_seed},
    {"first words of high seeds", first_of_high_seeds},
    {"neighbouring games", next_games_differ},
    {"neighbouring seeds", next_seeds_differ},
};

#define STREAMS (sizeof streams / sizeof streams[0])
enum { WORDS = 1 << 15 };
static uint32_t words[WORDS];

static void fill(size_t stream) {
    for (uint64_t i = 0; i < WORDS; i++)
        words[i] = streams[stream].word(i);
}

static void bits_are_balanced(void **state) {
    (void)state;
    for (size_t s = 0; s < STREAMS; s++) {
        double chi2 = 0;
        fill(s);
        for (int bit = 0; bit < 32; bit++) {
            double ones = 0;
            for (int i = 0; i < WORDS; i++)
                ones += words[i] >> bit & 1;
            chi2 += pow(2 * ones - WORDS, 2) / WORDS;
        }
        check_chi2(streams[s].name, chi2, 32);
    }
}

/* Every pair of bits of a word, and of words up to two apart, as far as the recurrence reaches. */
static void bits_are_independent(void **state) {
    (void)state;
    for (size_t s = 0; s < STREAMS; s++) {
        fill(s);
        for (int lag = 0; lag <= 2; lag++) {
            double chi2 = 0;
            int pairs = 0;
            for (int turn = 0; turn < 32; turn++) {
                if (lag == 0 && (turn == 0 || turn > 15)) continue; /* each pair once */
                uint32_t differ[32] = {0};
                for (int i = 0; i < WORDS - lag; i++) {
                    uint32_t other = words[i + lag];
                    uint32_t x = words[i] ^ (other >> turn | other << (32 - turn) % 32);
                    for (int bit = 0; bit < 32; bit++)
                        differ[bit] += x >> bit & 1;
                }
                for (int bit = 0; bit < 32; bit++)
                    chi2 += pow(2.0 * differ[bit] - (WORDS - lag), 2) / (WORDS - lag);
                pairs += 32;
            }
            check_chi2(streams[s].name, chi2, pairs);
        }
    }
}

static void bytes_and_pairs_are_even(void **state) {
    (void)state;
    for (size_t s = 0; s < STREAMS; s++) {
        fill(s);
        for (int shift = 0; shift < 32; shift += 8) {
            uint32_t bytes[256] = {0};
            for (int i = 0; i < WORDS; i++)
                bytes[words[i] >> shift & 255]++;
            check_chi2(streams[s].name, chi2_even(bytes, 256), 255);
        }
        for (int lag = 1; lag <= 16; lag++) { /* 5 bits here and 5 bits there */
            static uint32_t pairs[1024];
            memset(pairs, 0, sizeof pairs);
            for (int i = 0; i < WORDS - lag; i++)
                pairs[(words[i] & 31) << 5 | (words[i + lag] & 31)]++;
            check_chi2(streams[s].name, chi2_even(pairs, 1024), 1023);
        }
    }
}

/* ---- the draw ---- */

static const int numbers[] = {1, 2, 3, 5, 7, 8, 9, 20, 33, 64, 65, 81, 130, 169, 257, 300, 361};

static int smallest_size(int n) {
    int size = 9;
    while (size * size < n)
        size += size < 13 ? 4 : 6;
    return size;
}

/* k is even below n, and draws fail as often as they should. */
static void draws_are_even(void **state) {
    (void)state;
    for (size_t s = 0; s < STREAMS; s++) {
        fill(s);
        for (size_t j = 0; j < sizeof numbers / sizeof numbers[0]; j++) {
            int n = numbers[j], size = smallest_size(n), span = 1;
            int bits = yo_playout_draw_bits(size), tries = yo_playout_draw_tries(size);
            uint32_t counts[361] = {0}, failed = 0;
            for (int i = 0; i < WORDS; i++) {
                int k = yo_playout_draw(words[i], (unsigned)n, bits, tries);
                assert_in_range(k + 1, 0, n);
                if (k < 0)
                    failed++;
                else
                    counts[k]++;
            }
            if (n > 1) check_chi2(streams[s].name, chi2_even(counts, n), n - 1);
            while (span < n)
                span *= 2;
            double rate = pow(1 - (double)n / span, tries), expected = rate * WORDS;
            double deviation = sqrt(expected * (1 - rate));
            assert_true(fabs(failed - expected) <= 5 * deviation);
        }
    }
}

/* Draws that follow each other in a game, all attempts at one n: pairs (k, next k). */
static void following_draws_are_independent(void **state) {
    (void)state;
    enum { N = 27, BITS = 7, TRIES = 4 };
    static uint32_t pairs[N * N];
    for (uint64_t game = 0; game < 400; game++) {
        uint64_t s = yo_playout_seed(77, game);
        for (int i = 0, before = -1; i < 250; i++) {
            int k = yo_playout_draw(yo_playout_next(&s), N, BITS, TRIES);
            if (before >= 0 && k >= 0) pairs[before * N + k]++;
            before = k;
        }
    }
    check_chi2("following draws", chi2_even(pairs, N * N), N * N - 1);
}

/* The known weakness: where the linear parts of five bits cancel, what the filter added is left, a
 * quadratic form of rank 8 in independent bits. It is 0 in 1/2 + 1/32 of all places, not in 1/2. */
static void five_bit_relation_is_as_weak_as_it_is_known_to_be(void **state) {
    (void)state;
    enum { BITS = 32 * WORDS };
    int zeros = 0;
    fill(0);
#define BIT(n) (words[(n) / 32] >> (n) % 32 & 1)
    for (int n = 0; n < BITS - 64; n++)
        zeros += !(BIT(n) ^ BIT(n + YO_PLAYOUT_TAP1) ^ BIT(n + YO_PLAYOUT_TAP2) ^
                   BIT(n + YO_PLAYOUT_TAP3) ^ BIT(n + 64));
    double deviation = sqrt(BITS) / 2;
    assert_true(fabs(zeros - BITS * (0.5 + 1.0 / 32)) < 5 * deviation);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(polynomial_is_primitive),
        cmocka_unit_test(words_equal_single_bits),
        cmocka_unit_test(bits_are_balanced),
        cmocka_unit_test(bits_are_independent),
        cmocka_unit_test(bytes_and_pairs_are_even),
        cmocka_unit_test(draws_are_even),
        cmocka_unit_test(following_draws_are_independent),
        cmocka_unit_test(five_bit_relation_is_as_weak_as_it_is_known_to_be),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
