/* The counts that take seconds. */
#include "support/test.h"

#include "game/shogi/perft.h"
#include "game/shogi/text.h"

static void deep_counts(void **unused) {
    (void)unused;
    static const struct {
        const char *sfen;
        int depth;
        uint64_t count;
    } rows[] = {
        {YO_SHOGI_START, 5, 19861490},
        {YO_SHOGI_START, 6, 547581517},
        {"R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1", 3, 53393368},
        {"l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1", 4, 516925165},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct yo_shogi_position pos;
        assert_int_equal(yo_shogi_sfen_parse(rows[i].sfen, &pos, NULL), YO_OK);
        assert_int_equal(yo_shogi_perft(&pos, rows[i].depth), rows[i].count);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(deep_counts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
