/* The transposition table: what replaces what. */
#include "support/test.h"

#include "search/alphabeta/rule.h"
#include "search/alphabeta/table.h"

enum { PLY = YO_AB_PLY, KEY = 12345 };

static struct ab_table table;

static int set_up(void **unused) {
    (void)unused;
    return yo_ab_table_init(&table, 1);
}

static int tear_down(void **unused) {
    (void)unused;
    yo_ab_table_free(&table);
    return 0;
}

static void store(uint64_t key, int plies, enum ab_bound bound, int score, yo_shogi_move move) {
    yo_ab_table_store(&table, key,
                      &(struct ab_entry){.score = score,
                                         .eval = AB_NO_EVAL,
                                         .depth = plies * PLY,
                                         .move = move,
                                         .bound = bound});
}

static struct ab_entry find(uint64_t key) {
    struct ab_entry e;
    assert_true(yo_ab_table_find(&table, key, &e));
    return e;
}

static void an_entry_is_found_as_it_was_stored(void **unused) {
    (void)unused;
    struct ab_entry e;
    assert_false(yo_ab_table_find(&table, KEY, &e));
    store(KEY, 7, AB_LOWER, -300, 77);
    e = find(KEY);
    assert_int_equal(e.depth, 7 * PLY);
    assert_int_equal(e.score, -300);
    assert_int_equal(e.move, 77);
    assert_int_equal(e.bound, AB_LOWER);
    assert_false(yo_ab_table_find(&table, KEY + 1, &e));
}

static void a_key_of_zero_is_not_found_in_an_empty_table(void **unused) {
    (void)unused;
    struct ab_entry e;
    assert_false(yo_ab_table_find(&table, 0, &e));
    store(0, 3, AB_EXACT, 5, 6);
    assert_int_equal(find(0).score, 5);
}

static void a_cleared_table_is_empty_however_often(void **unused) {
    (void)unused;
    struct ab_entry e;
    for (int round = 0; round < 3; round++) {
        store(KEY, 3, AB_EXACT, 5, 6);
        yo_ab_table_clear(&table);
        assert_false(yo_ab_table_find(&table, KEY, &e));
        yo_ab_table_clear(&table);
        assert_false(yo_ab_table_find(&table, KEY, &e));
    }
}

/* The second search of a position begins with depth 1: that must not destroy what the first one
 * found. */
static void a_deep_entry_survives_shallow_ones_of_the_next_search(void **unused) {
    (void)unused;
    static const enum ab_bound bounds[] = {AB_UPPER, AB_LOWER, AB_EXACT};
    store(KEY, 16, AB_EXACT, 120, 77);
    yo_ab_table_grow_old(&table);
    for (int i = 0; i < 3; i++) {
        store(KEY, 1 + i, bounds[i], 10 * i, 88);
        struct ab_entry e = find(KEY);
        assert_int_equal(e.depth, 16 * PLY);
        assert_int_equal(e.score, 120);
        assert_int_equal(e.move, 77);
        if (i == 1) yo_ab_table_grow_old(&table); /* kept, it counts as one of the search before */
    }
}

static void within_a_search_an_exact_value_replaces_a_deeper_bound(void **unused) {
    (void)unused;
    store(KEY, 16, AB_LOWER, 120, 77);
    store(KEY, 2, AB_UPPER, 50, 88);
    assert_int_equal(find(KEY).depth, 16 * PLY);
    store(KEY, 2, AB_EXACT, 60, 88);
    assert_int_equal(find(KEY).depth, 2 * PLY);
    assert_int_equal(find(KEY).move, 88);
    store(KEY, 3, AB_UPPER, 55, YO_SHOGI_NO_MOVE); /* keeps the move */
    assert_int_equal(find(KEY).depth, 3 * PLY);
    assert_int_equal(find(KEY).move, 88);
}

/* Of a full cluster the entry goes that is old, though deeper than one of this search. */
static void old_entries_of_other_positions_go_first(void **unused) {
    (void)unused;
    uint64_t step = table.clusters;
    struct ab_entry e;
    store(KEY, 6, AB_LOWER, 1, 1);
    yo_ab_table_grow_old(&table);
    for (uint64_t i = 1; i < 4; i++)
        store(KEY + i * step, 4, AB_LOWER, 2, 2);
    for (uint64_t i = 0; i < 4; i++)
        assert_true(yo_ab_table_find(&table, KEY + i * step, &e));
    store(KEY + 4 * step, 1, AB_LOWER, 3, 3);
    assert_false(yo_ab_table_find(&table, KEY, &e));
    for (uint64_t i = 1; i <= 4; i++)
        assert_true(yo_ab_table_find(&table, KEY + i * step, &e));
    store(KEY + 5 * step, 1, AB_LOWER, 4, 4); /* then the shallowest */
    assert_false(yo_ab_table_find(&table, KEY + 4 * step, &e));
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(an_entry_is_found_as_it_was_stored),
        TEST(a_cleared_table_is_empty_however_often),
        TEST(a_key_of_zero_is_not_found_in_an_empty_table),
        TEST(a_deep_entry_survives_shallow_ones_of_the_next_search),
        TEST(within_a_search_an_exact_value_replaces_a_deeper_bound),
        TEST(old_entries_of_other_positions_go_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
