/* Rows for training against the features of the same positions. */
#include "support/test.h"

#include <string.h>

#include "learn/go_rows.h"

static struct yo_go_record record;
static struct yo_go_row rows[YO_GO_RECORD_MOVES + 2];
static struct yo_go_position pos;

static void parse(const char *line) {
    struct yo_diag diag = {0};
    if (yo_go_record_parse(line, strlen(line), &record, &diag) != YO_OK)
        fail_msg("%s: %s", line, diag.what);
}

static void results_and_rules(void **state) {
    (void)state;
    parse("19\t1970\t5.5\tW+2.5\tBpdWdp");
    assert_int_equal(record.rules.scoring, YO_GO_TERRITORY);
    assert_int_equal(record.rules.komi2, 11);
    assert_true(record.decided && record.counted && record.winner == YO_GO_WHITE);
    assert_int_equal(record.lead2, -5);
    assert_int_equal(record.count, 2);
    assert_int_equal(record.moves[0], 3 * 19 + 15);
    uint64_t hash = record.hash;
    parse("19\t1970\t7.5\tB+R\tBpdWdp\r");
    assert_int_equal(record.rules.scoring, YO_GO_AREA);
    assert_true(record.decided && !record.counted && record.winner == YO_GO_BLACK);
    assert_true(record.hash == hash);
    parse("9\t1800\t\tJigo\tBaaWtt");
    assert_int_equal(record.rules.komi2, 0);
    assert_true(record.decided && record.counted && record.winner == YO_GO_EMPTY);
    assert_int_equal(record.moves[1], YO_GO_PASS);
    parse("13\t2020\t\tVoid\t");
    assert_int_equal(record.rules.komi2, 13);
    assert_false(record.decided);
    assert_int_equal(record.count, 0);
}

static void bad_records(void **state) {
    (void)state;
    static const char *const bad[] = {
        "",
        "19\t1970\t5.5\tW+2.5",
        "19\t1970\t5.5\tW+2.5\tBpd\t",
        "21\t1970\t5.5\tW+2.5\tBpd",
        "1\t1970\t5.5\tW+2.5\tBaa",
        "9.5\t1970\t5.5\tW+2.5\tBaa",
        "9\t1970\t5.5\tW+2.5\tWaa",
        "9\t1970\t5.5\tW+2.5\tBaaBbb",
        "9\t1970\t5.5\tW+2.5\tBjj",
        "9\t1970\t5.5\tW+2.5\tBa",
        "9\t1970\t5.5\tW+2.5\tB\x80\x80",
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct yo_diag diag = {0};
        assert_int_not_equal(yo_go_record_parse(bad[i], strlen(bad[i]), &record, &diag), YO_OK);
        assert_true(diag.what[0] != '\0');
    }
    /* Odd numbers are no error of the record: its moves are still good. */
    parse("9\tsoon\t1e99\tB+nan\tBaa");
    assert_true(record.decided && !record.counted);
}

static bool bit(const struct yo_go_row *row, int plane, int size, int p) {
    int at = p / size * 19 + p % size;
    return row->plane[plane][at / 8] >> at % 8 & 1;
}

static void compare_row(const struct yo_go_row *row, int size) {
    static const int planes[] = {YO_GO_PLANE_OWN,
                                 YO_GO_PLANE_OPPONENT,
                                 -1,
                                 -1,
                                 YO_GO_PLANE_KO,
                                 YO_GO_PLANE_LADDER,
                                 YO_GO_PLANE_LADDER_1,
                                 YO_GO_PLANE_LADDER_2,
                                 YO_GO_PLANE_LADDER_MOVES};
    struct yo_go_net_input in;
    yo_go_features_v7(&pos, YO_GO_NET_ALL_PLANES, &in);
    for (unsigned p = 0; p < (unsigned)(size * size); p++) {
        for (int i = 0; i < YO_GO_ROW_PLANES; i++)
            if (planes[i] >= 0)
                assert_int_equal(bit(row, i, size, (int)p), yo_go_bit(in.plane[planes[i]], p));
        int libs = bit(row, 2, size, (int)p) + 2 * bit(row, 3, size, (int)p);
        for (int n = 1; n <= 3; n++)
            assert_int_equal(libs == n, yo_go_bit(in.plane[2 + n], p));
        for (int n = 0; n < 5; n++) {
            bool is = row->last[n] == p / (unsigned)size * 19 + p % (unsigned)size;
            assert_int_equal(is, yo_go_bit(in.plane[YO_GO_PLANE_MOVES + n], p));
        }
    }
    assert_memory_equal(row->global, in.global, sizeof in.global);
    assert_int_equal(row->size, size);
}

/* A short game with captures and ladders, counted, so that two passes end it. */
static void equal_features(void **state) {
    (void)state;
    parse("9\t2020\t6.5\tB+3.5\tBeeWdeBddWedBfeWdcBfdWecBcdWfcBccWcbBgcWefBffWegBfgWehBfhWdb");
    int count = yo_go_rows_count(&record);
    assert_int_equal(count, record.count + 2);
    yo_go_rows_make(&record, &record.rules, 7, rows, count);
    struct yo_go_game *game;
    assert_int_equal(yo_go_game_new(9, &record.rules, &game), YO_OK);
    yo_go_position_from_game(game, &pos);
    for (int i = 0; i < count; i++) {
        compare_row(&rows[i], 9);
        yo_go_point move = i < record.count ? record.moves[i] : YO_GO_PASS;
        assert_int_equal(rows[i].move, move == YO_GO_PASS ? 361 : move / 9 * 19 + move % 9);
        assert_int_equal(rows[i].result, i % 2 ? -1 : 1);
        assert_int_equal(rows[i].lead2, i % 2 ? -7 : 7);
        assert_int_equal(rows[i].game, 7);
        yo_go_position_play(&pos, move);
    }
    yo_go_game_delete(game);
}

static void illegal_moves_end_a_record(void **state) {
    (void)state;
    parse("9\t2020\t6.5\tB+R\tBeeWeeBdd");
    assert_int_equal(yo_go_rows_count(&record), 1);
    parse("9\t2020\t6.5\tB+R\tBeeWedBdd");
    assert_int_equal(yo_go_rows_count(&record), 3); /* not counted: no passes */
    yo_go_rows_make(&record, &record.rules, 0, rows, 3);
    assert_int_equal(rows[0].lead2, YO_GO_ROW_NO_SCORE);
    assert_int_equal(rows[0].result, 1);
    assert_int_equal(rows[0].last[0], YO_GO_ROW_NO_MOVE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_and_rules),
        cmocka_unit_test(bad_records),
        cmocka_unit_test(equal_features),
        cmocka_unit_test(illegal_moves_end_a_record),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
