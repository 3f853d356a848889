/* Rows for training policies: the planes are those of the engine's features, the label is the
 * engine's entry of the move, and what is damaged is refused. */
#include "support/test.h"

#include <string.h>

#include "game/shogi/movegen.h"
#include "learn/shogi_rows.h"
#include "support/shogi_random.h"

static bool bit_of(const uint8_t *row, int plane, int point) {
    return row[plane * YO_SHOGI_ROW_BYTES + point / 8] >> (point % 8) & 1;
}

static void check_row(const struct yo_shogi_position *pos, const struct yo_shogi_sample *sample,
                      int planes) {
    uint8_t row[2048];
    uint64_t expected[YO_SHOGI_NET_DLSHOGI][YO_SHOGI_PLANE_WORDS] = {{0}};
    static const uint64_t all[] = {~UINT64_C(0), ~UINT64_C(0)};
    struct yo_shogi_row_targets targets;
    memset(row, 0xa5, sizeof row);
    assert_int_equal(yo_shogi_row_make(sample, planes, row, NULL), YO_OK);
    if (planes == 104)
        yo_shogi_features_pieces(pos, expected);
    else
        yo_shogi_features_dlshogi(pos, all, expected);
    for (int plane = 0; plane < planes; plane++)
        for (int point = 0; point < 81; point++)
            assert_int_equal(bit_of(row, plane, point),
                             expected[plane][point / 64] >> (point % 64) & 1);
    size_t size = yo_shogi_row_size(planes);
    memcpy(&targets, row + size - sizeof targets, sizeof targets);
    assert_int_equal(targets.label, yo_shogi_policy_index(pos, sample->move));
    assert_int_equal(targets.score, sample->score);
    assert_int_equal(targets.result, sample->flags & YO_SHOGI_SAMPLE_ASIDE ? 2 : sample->result);
    assert_int_equal(row[size], 0xa5);
}

static void rows_are_what_the_engine_sees(void **unused) {
    (void)unused;
    uint64_t random = 3;
    for (int i = 0; i < 200; i++) {
        struct yo_shogi_position pos;
        yo_shogi_move moves[YO_SHOGI_LIST];
        shogi_random_game(&random, (int)shogi_random(&random, 200), &pos);
        size_t count = yo_shogi_legal_moves(&pos, moves);
        if (count == 0) continue;
        struct yo_shogi_sample sample = {.score = (int16_t)shogi_random(&random, 2000),
                                         .move = moves[shogi_random(&random, (uint32_t)count)],
                                         .ply = (uint16_t)i,
                                         .result = (int8_t)(shogi_random(&random, 3) - 1),
                                         .flags = (uint8_t)shogi_random(&random, 4)};
        assert_int_equal(yo_shogi_pack(&pos, sample.position), YO_OK);
        check_row(&pos, &sample, 104);
        check_row(&pos, &sample, 119);
    }
}

static void a_leaf_has_no_label(void **unused) {
    (void)unused;
    uint64_t random = 5;
    struct yo_shogi_position pos;
    struct yo_shogi_sample sample = {.score = -120, .flags = YO_SHOGI_SAMPLE_ASIDE};
    struct yo_shogi_row_targets targets;
    uint8_t row[2048];
    shogi_random_game(&random, 40, &pos);
    assert_int_equal(yo_shogi_pack(&pos, sample.position), YO_OK);
    assert_int_equal(yo_shogi_row_make(&sample, 119, row, NULL), YO_OK);
    memcpy(&targets, row + yo_shogi_row_size(119) - sizeof targets, sizeof targets);
    assert_int_equal(targets.label, YO_SHOGI_ROW_NO_MOVE);
    assert_int_equal(targets.score, -120);
    assert_int_equal(targets.result, 2);
}

static void damage_is_refused(void **unused) {
    (void)unused;
    uint64_t random = 4;
    struct yo_shogi_position pos;
    struct yo_shogi_sample sample = {.result = 1, .move = 1};
    struct yo_diag diag = {0};
    uint8_t row[2048];
    shogi_random_game(&random, 30, &pos);
    assert_int_equal(yo_shogi_pack(&pos, sample.position), YO_OK);
    assert_int_equal(yo_shogi_row_make(&sample, 104, row, &diag), YO_ERR_ILLEGAL);
    memset(sample.position, 0xff, sizeof sample.position);
    assert_int_not_equal(yo_shogi_row_make(&sample, 104, row, &diag), YO_OK);
    assert_int_equal(yo_shogi_row_size(7), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_what_the_engine_sees),
        cmocka_unit_test(a_leaf_has_no_label),
        cmocka_unit_test(damage_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
