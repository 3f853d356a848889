/* The table of margins: defaults within their ranges, and a search that survives every extreme. */
#include "support/test.h"

#include "game/shogi/text.h"
#include "search/alphabeta/alphabeta.h"
#include "support/ab_think.h"

#define ATTACK "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1"
#define QUIET  "ln5nl/1r2gkgs1/p1pp1pbp1/1p2psp1p/3P3P1/2P1PSP1P/PPSG1P1B1/2K1G2R1/LN5NL b - 1"

static const struct {
    const char *name;
    size_t offset;
    int initial, least, most;
} rows[] = {
#define X(name, initial, least, most, help)                                                        \
    {#name, offsetof(struct yo_ab_margins, name), initial, least, most},
    YO_AB_MARGIN_LIST(X)
#undef X
};
#define ROW_COUNT (sizeof rows / sizeof rows[0])

static void defaults_lie_within_their_ranges(void **unused) {
    (void)unused;
    for (size_t i = 0; i < ROW_COUNT; i++) {
        int value = *(const int *)((const char *)&yo_ab_options_default.margins + rows[i].offset);
        assert_int_equal(value, rows[i].initial);
        if (value < rows[i].least || value > rows[i].most || rows[i].least >= rows[i].most)
            fail_msg("%s: %d of %d to %d", rows[i].name, value, rows[i].least, rows[i].most);
    }
}

static uint64_t trace_with(struct yo_ab *search, const char *sfen, int depth, size_t row,
                           int value) {
    struct yo_shogi_position pos;
    struct yo_ab_options options = yo_ab_options_default;
    struct yo_search_limits limits = {.depth = depth, .nodes = 150000};
    if (row < ROW_COUNT) *(int *)((char *)&options.margins + rows[row].offset) = value;
    assert_int_equal(yo_shogi_sfen_parse(sfen, &pos, NULL), YO_OK);
    assert_int_equal(yo_ab_set_options(search, &options), YO_OK);
    yo_ab_clear(search);
    struct ab_found result = ab_think(search, &pos, &limits, NULL);
    ab_assert_line(&pos, &result);
    /* The limit of nodes ends many of these: what was found by then differs as well. */
    return result.nodes ^ (uint64_t)(unsigned)result.score << 32 ^ (uint64_t)result.line[0] << 48;
}

static bool matters(struct yo_ab *search, const char *sfen, int depth, size_t row) {
    uint64_t usual = trace_with(search, sfen, depth, ROW_COUNT, 0);
    return trace_with(search, sfen, depth, row, rows[row].least) != usual ||
           trace_with(search, sfen, depth, row, rows[row].most) != usual;
}

/* A row is read by the search if one of its extremes changes the result; some do at large depths
 * only. */
static void every_margin_is_used(void **unused) {
    (void)unused;
    struct yo_ab *search;
    assert_int_equal(yo_ab_new(4, &search), YO_OK);
    for (size_t i = 0; i < ROW_COUNT; i++)
        if (!matters(search, ATTACK, 8, i) && !matters(search, QUIET, 14, i))
            fail_msg("%s changes nothing", rows[i].name);
    yo_ab_delete(search);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_lie_within_their_ranges),
        cmocka_unit_test(every_margin_is_used),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
