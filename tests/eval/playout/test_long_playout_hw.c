/* Thousands of games of the simulated hardware unit on each board, move for move. */
#include "support/test.h"

#include "support/hw_games.h"

static void plays_the_same(void **state) {
    (void)state;
    hw_skip_if_absent();
    static const struct hw_round rounds[] = {{9, 2000}, {13, 1000}, {19, 500}};
    hw_compare_sizes(51, 6, rounds, 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(plays_the_same)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
