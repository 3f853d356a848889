/* Exact counts that take their time: legal positions of 4x4, and all of docs/perft.md on both
 * boards. */
#include "support/test.h"

#include "support/count_positions.h"
#include "support/perft_table.h"

static void legal_positions_4x4(void **state) {
    (void)state;
    assert_int_equal(count_positions(4), 24318165);
}

static void check_row(const struct perft_row *row) {
    assert_int_equal(perft_fast(row), row->count);
    assert_int_equal(perft_naive(row), row->count);
}

static void documented_table_is_right(void **state) {
    (void)state;
    assert_true(perft_table_read(check_row) >= 100);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(legal_positions_4x4),
        cmocka_unit_test(documented_table_is_right),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
