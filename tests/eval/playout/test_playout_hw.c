/* The simulated hardware unit plays the games of docs/playout.md, and keeps to its cycles. */
#include "support/test.h"

#include <stdlib.h>

#include "eval/playout/backend.h"
#include "eval/playout/hw/hw.h"
#include "support/backend_env.h"
#include "support/hw_games.h"
#include "support/playout_positions.h"

static void plays_the_same(void **state) {
    (void)state;
    hw_skip_if_absent();
    static const struct hw_round rounds[] = {{9, 150}, {13, 50}, {19, 16}};
    hw_compare_sizes(21, 5, rounds, 3);
}

/* A batch of none, of one, of fewer than are in flight; one after another on the same unit would
 * show what a batch leaves behind. */
static void plays_small_batches(void **state) {
    (void)state;
    hw_skip_if_absent();
    srand(22);
    for (uint32_t games = 0; games < 9; games++) {
        struct yo_playout_position position;
        random_position(&position, 9, 20 * (int)games);
        hw_compare_games(&position, games, ((uint64_t)1 << 32) - 2, games);
    }
}

/* Every start has a ko: the forbidden point must be forbidden in the first turn and no longer. */
static void obeys_the_ko_it_is_given(void **state) {
    (void)state;
    hw_skip_if_absent();
    srand(23);
    for (int found = 0; found < 4;) {
        struct yo_playout_position position;
        random_position(&position, 9, 60 + rand() % 200);
        if (position.ko == YO_GO_NONE) continue;
        found++;
        hw_compare_games(&position, 7, 0, 60);
    }
}

/* The sums that hw/bench/bench_unit.sv expects of this batch, from the reference. */
static void knows_what_the_bench_expects(void **state) {
    (void)state;
    struct yo_playout_position position;
    struct yo_playout_result result = {0};
    struct yo_playouts *playouts;
    empty_position(&position, 9);
    assert_int_equal(yo_playouts_new("scalar", 1, &playouts, NULL), YO_OK);
    assert_int_equal(yo_playouts_run(playouts, YO_PLAYOUT_LIGHT, &position, 1, 0, 8, &result, NULL),
                     YO_OK);
    yo_playouts_delete(playouts);
    assert_int_equal(result.moves, 889);
    assert_int_equal(result.score_sum, 142);
}

static void keeps_to_its_cycles(void **state) {
    (void)state;
    hw_skip_if_absent();
    static const struct {
        int size;
        uint32_t games;
        double limit; /* cycles a move, everything counted, the pipeline running empty too */
    } rounds[] = {{9, 400, 8.0}, {19, 60, 10.0}};
    for (int i = 0; i < 2; i++) {
        struct yo_playout_position position;
        struct yo_hw_counts counts;
        empty_position(&position, rounds[i].size);
        assert_true(yo_hw_measure(&position, 1, rounds[i].games, &counts));
        assert_int_equal(counts.games, rounds[i].games);
        double cycles = (double)counts.cycles / (double)counts.moves;
        print_message("%dx%d: %.2f cycles and %.3f attempts a move, %.2f%% of them twice\n",
                      rounds[i].size, rounds[i].size, cycles,
                      (double)counts.attempts / (double)counts.moves,
                      100.0 * (double)counts.repeats / (double)counts.attempts);
        assert_true(cycles < rounds[i].limit);
    }
}

static void says_what_it_supports(void **state) {
    (void)state;
    hw_skip_if_absent();
    const struct yo_playout_backend *backend = yo_playout_backend_find("hw");
    assert_true(yo_playout_supports(backend, &backend_env, YO_PLAYOUT_LIGHT, 9));
    assert_false(yo_playout_supports(backend, &backend_env, YO_PLAYOUT_LIGHT, 10));
    assert_false(yo_playout_supports(backend, &backend_env, YO_PLAYOUT_MOGO, 9));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plays_the_same),           cmocka_unit_test(plays_small_batches),
        cmocka_unit_test(obeys_the_ko_it_is_given), cmocka_unit_test(keeps_to_its_cycles),
        cmocka_unit_test(says_what_it_supports),    cmocka_unit_test(knows_what_the_bench_expects),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
