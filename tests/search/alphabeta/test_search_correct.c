/* Corrections of the static evaluation: positions alike share what was learned, others do not. */
#include "support/test.h"

#include <string.h>

#include "game/shogi/text.h"
#include "search/alphabeta/correct.h"

enum { SLOT = 3 * YO_SHOGI_SQUARES + 40, OTHER_SLOT = 5 * YO_SHOGI_SQUARES + 12 };

static struct ab_corrections all;

static int set_up(void **unused) {
    (void)unused;
    memset(&all, 0, sizeof all);
    return 0;
}

static int correction(const char *sfen, uint16_t slot) {
    struct yo_shogi_position pos;
    assert_int_equal(yo_shogi_sfen_parse(sfen, &pos, NULL), YO_OK);
    struct ab_correction c = ab_correction_of(&all, &pos, slot);
    return ab_correction_value(&c);
}

static void learn(const char *sfen, int plies, int error, int times) {
    struct yo_shogi_position pos;
    assert_int_equal(yo_shogi_sfen_parse(sfen, &pos, NULL), YO_OK);
    struct ab_correction c = ab_correction_of(&all, &pos, SLOT);
    for (int i = 0; i < times; i++)
        ab_correction_learn(&c, plies, error);
}

/* Rook and pawn at home or moved, nothing in hand or a gold general. */
#define PLACE         "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 1"
#define PAWN_MOVED    "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P4P1/PP1PPPP1P/1B5R1/LNSGKGSNL b - 1"
#define ROOK_AND_HAND "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B2R4/LNS1KGSNL b G 1"
#define PAWN_AND_HAND "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P4P1/PP1PPPP1P/1B5R1/LNS1KGSNL b G 1"

static void what_is_alike_is_corrected_alike(void **unused) {
    (void)unused;
    assert_int_equal(correction(PLACE, SLOT), 0);
    learn(PLACE, 8, 100, 1000);
    int whole = correction(PLACE, SLOT);
    assert_in_range(whole, 95, 100); /* the mean of three averages of nearly 100 */
    /* Each thing in common is a third of it: the hand, the pawns, the move. */
    int third = whole / 3;
    assert_in_range(correction(PAWN_MOVED, OTHER_SLOT), third - 1, third + 1);
    assert_in_range(correction(ROOK_AND_HAND, OTHER_SLOT), third - 1, third + 1);
    assert_in_range(correction(PAWN_AND_HAND, SLOT), third - 1, third + 1);
    assert_int_equal(correction(PAWN_AND_HAND, OTHER_SLOT), 0);
}

static void the_other_side_to_move_is_another_matter(void **unused) {
    (void)unused;
    learn(PLACE, 8, 100, 1000);
    assert_int_equal(
        correction("lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 1", SLOT), 0);
}

static void deeper_searches_weigh_more(void **unused) {
    (void)unused;
    learn(PLACE, 1, -300, 1);
    int shallow = correction(PLACE, SLOT);
    memset(&all, 0, sizeof all);
    learn(PLACE, 12, -300, 1);
    int deep = correction(PLACE, SLOT);
    assert_true(deep < shallow && shallow < 0);
}

/* However large the errors and however many, the correction stays within 2000: no overflow, and no
 * position that is lost is taken for won. */
static void wild_errors_do_no_harm(void **unused) {
    (void)unused;
    learn(PLACE, 100, 64000, 5000);
    assert_in_range(correction(PLACE, SLOT), 1900, 2000);
    learn(PLACE, 100, -64000, 5000);
    assert_in_range(-correction(PLACE, SLOT), 1900, 2000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(what_is_alike_is_corrected_alike, set_up),
        cmocka_unit_test_setup(the_other_side_to_move_is_another_matter, set_up),
        cmocka_unit_test_setup(deeper_searches_weigh_more, set_up),
        cmocka_unit_test_setup(wild_errors_do_no_harm, set_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
