/* Exact counts: legal positions, and sequences of moves on both boards. */
#include "support/test.h"

#include "support/count_positions.h"
#include "support/perft_table.h"
#include "yomi/go.h"

/* ---- Legal positions ---- */

/* Every colouring, through the public door. */
static uint64_t count_by_setup(int size) {
    struct yo_go_game *game;
    assert_int_equal(yo_go_game_new(size, NULL, &game), YO_OK);
    uint64_t count = 0, total = 1;
    for (int p = 0; p < size * size; p++)
        total *= 3;
    for (uint64_t code = 0; code < total; code++) {
        uint8_t colors[YO_GO_POINTS_MAX];
        uint64_t rest = code;
        for (int p = 0; p < size * size; p++, rest /= 3)
            colors[p] = (uint8_t)(rest % 3);
        count += yo_go_game_setup(game, colors, YO_GO_BLACK, NULL) == YO_OK;
    }
    yo_go_game_delete(game);
    return count;
}

static void legal_positions_2x2_and_3x3(void **state) {
    (void)state;
    assert_int_equal(count_by_setup(2), 57);
    assert_int_equal(count_by_setup(3), 12675);
    assert_int_equal(count_positions(2), 57);
    assert_int_equal(count_positions(3), 12675);
}

/* ---- Sequences ---- */

static void both_boards_agree(void **state) {
    (void)state;
    static const int depths[][2] = {{2, 8}, {3, 5}, {4, 4}, {5, 3}, {9, 2}, {19, 1}};
    for (size_t i = 0; i < sizeof depths / sizeof depths[0]; i++)
        for (int depth = 0; depth <= depths[i][1]; depth++)
            for (int ko = 0; ko < 3; ko++)
                for (int flags = 0; flags < 4; flags++) {
                    struct perft_row row = {.size = depths[i][0], .ko = ko, .depth = depth};
                    row.suicide = flags & 1;
                    row.passes = flags & 2;
                    assert_int_equal(perft_fast(&row), perft_naive(&row));
                }
}

/* What a second or two allows; test_long_go_counts does the rest. */
static void check_row(const struct perft_row *row) {
    if (row->count <= 1000000) assert_int_equal(perft_fast(row), row->count);
    if (row->count <= 50000) assert_int_equal(perft_naive(row), row->count);
}

static void documented_table_is_right(void **state) {
    (void)state;
    assert_true(perft_table_read(check_row) >= 100);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(legal_positions_2x2_and_3x3),
        cmocka_unit_test(both_boards_agree),
        cmocka_unit_test(documented_table_is_right),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
