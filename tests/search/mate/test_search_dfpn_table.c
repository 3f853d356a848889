/* The table of the mate solver. */
#include "support/test.h"

#include "search/mate/table.h"

/* Old entries are gone after a clearing, however many there were. */
static void clearing_forgets(void **unused) {
    (void)unused;
    struct dfpn_table table;
    assert_int_equal(yo_dfpn_table_init(&table, 1), YO_OK);
    const struct dfpn_entry e = {.board = 7, .hand = 1, .pn = 6, .dn = 2, .left = 4, .effort = 6};
    yo_dfpn_table_store(&table, &e, e.hand);
    assert_int_equal(yo_dfpn_table_find(&table, 7, 1, 0, 4).pn, 6);
    for (int i = 0; i < 70000; i++) {
        yo_dfpn_table_clear(&table);
        assert_int_equal(yo_dfpn_table_find(&table, 7, 1, 0, 4).effort, 0);
    }
    yo_dfpn_table_free(&table);
}

/* What is forgotten must not hide what lies behind it. */
static void hopeless_ones_stay(void **unused) {
    (void)unused;
    struct dfpn_table table;
    assert_int_equal(yo_dfpn_table_init(&table, 1), YO_OK);
    const struct dfpn_entry says[] = {
        {.board = 7, .hand = 1, .pn = 6, .dn = 2, .left = DFPN_ENDLESS, .effort = 6},
        {.board = 7, .hand = 2, .pn = 0, .dn = DFPN_INFINITE, .effort = 1, .distance = 3},
        {.board = 7, .hand = 4, .pn = DFPN_INFINITE, .left = DFPN_ENDLESS, .effort = 1},
    };
    for (size_t i = 0; i < sizeof says / sizeof says[0]; i++)
        yo_dfpn_table_store(&table, &says[i], says[i].hand);
    yo_dfpn_table_keep_hopeless(&table);
    assert_int_equal(yo_dfpn_table_find(&table, 7, 8, 0, DFPN_ENDLESS).effort, 0);
    assert_int_equal(yo_dfpn_table_find(&table, 7, 4, 0, DFPN_ENDLESS).dn, 0);
    yo_dfpn_table_free(&table);
}

/* Ways to a position do not take each other's place, nor that of the guess. */
static void ways_stand_side_by_side(void **unused) {
    (void)unused;
    struct dfpn_table table;
    assert_int_equal(yo_dfpn_table_init(&table, 1), YO_OK);
    const struct dfpn_entry says[] = {
        {.board = 7, .hand = 1, .pn = 6, .dn = 2, .left = 4, .effort = 6},
        {.board = 7, .hand = 1, .pn = DFPN_INFINITE, .left = 4, .way = 9, .effort = 1},
        {.board = 7, .hand = 1, .pn = DFPN_INFINITE, .left = 4, .way = 11, .effort = 1},
    };
    for (size_t i = 0; i < sizeof says / sizeof says[0]; i++)
        yo_dfpn_table_store(&table, &says[i], says[i].hand);
    assert_int_equal(yo_dfpn_table_find(&table, 7, 1, 5, 4).pn, 6);
    assert_int_equal(yo_dfpn_table_find(&table, 7, 1, 9, 4).dn, 0);
    assert_int_equal(yo_dfpn_table_find(&table, 7, 1, 11, 4).dn, 0);
    yo_dfpn_table_free(&table);
}

/* The latest guess is what is found, whatever else was said of the position in between. */
static void guesses_are_not_found_again(void **unused) {
    (void)unused;
    struct dfpn_table table;
    assert_int_equal(yo_dfpn_table_init(&table, 1), YO_OK);
    const struct dfpn_entry says[] = {
        {.board = 7, .hand = 1, .pn = DFPN_INFINITE, .dn = 0, .left = 2, .effort = 1},
        {.board = 7, .hand = 1, .pn = 6, .dn = 2, .left = 4, .effort = 6},
        {.board = 7, .hand = 1, .pn = DFPN_INFINITE, .dn = 0, .left = 4, .way = 9, .effort = 1},
        {.board = 7, .hand = 1, .pn = 8, .dn = 14, .left = 4, .effort = 2},
    };
    for (size_t i = 0; i < sizeof says / sizeof says[0]; i++)
        yo_dfpn_table_store(&table, &says[i], says[i].hand);
    struct dfpn_entry e = yo_dfpn_table_find(&table, 7, 1, 5, 4);
    assert_int_equal(e.pn, 8);
    assert_int_equal(e.dn, 14);
    assert_int_equal(yo_dfpn_table_find(&table, 7, 1, 5, 2).dn, 0);
    yo_dfpn_table_free(&table);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clearing_forgets),
        cmocka_unit_test(hopeless_ones_stay),
        cmocka_unit_test(ways_stand_side_by_side),
        cmocka_unit_test(guesses_are_not_found_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
