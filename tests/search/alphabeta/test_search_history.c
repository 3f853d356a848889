/* Histories: what a reward changes, and for which moves. */
#include "support/test.h"

#include <string.h>

#include "game/shogi/text.h"
#include "search/alphabeta/history.h"

static struct ab_histories all;
static const int weights[AB_BEFORE] = {128, 128, 128};

/* Black's silver on 5f can retreat; White's pawn on 5e attacks it, and the one on 3e attacks 3f. */
static const char attacked[] = "4k4/9/9/9/4p1p2/4S4/9/9/4K4 b - 1";
static const char quiet[] = "4k4/9/9/4p1p2/9/4S4/9/9/4K4 b - 1";

static int set_up(void **unused) {
    (void)unused;
    memset(&all, 0, sizeof all);
    return 0;
}

static struct ab_context context(const char *sfen, struct yo_shogi_position *pos) {
    static const uint16_t before[AB_BEFORE] = {10, 20, 30};
    assert_int_equal(yo_shogi_sfen_parse(sfen, pos, NULL), YO_OK);
    struct ab_context c = ab_context_of(&all, pos, before);
    c.weights = weights;
    return c;
}

static yo_shogi_move move(int file, int rank, int to_file, int to_rank) {
    return shogi_move(shogi_square(file - 1, rank - 1), shogi_square(to_file - 1, to_rank - 1));
}

static void a_reward_moves_one_move_up(void **unused) {
    (void)unused;
    struct yo_shogi_position pos;
    struct ab_context c = context(quiet, &pos);
    yo_shogi_move good = move(5, 6, 4, 5), other = move(5, 6, 6, 5);
    ab_history_reward(&c, good, 1000);
    assert_true(ab_history_quiet(&c, good) > 2000);
    assert_int_equal(ab_history_quiet(&c, other), 0);
    ab_history_reward(&c, other, -1000);
    assert_true(ab_history_quiet(&c, other) < -2000);
    for (int i = 0; i < 1000; i++)
        ab_history_reward(&c, good, 8000);
    assert_in_range(ab_history_quiet(&c, good), 3 * AB_HISTORY_MAX, 4 * AB_HISTORY_MAX);
}

/* The same squares count apart where a pawn attacks the origin. */
static void a_threatened_origin_counts_apart(void **unused) {
    (void)unused;
    struct yo_shogi_position pos, threatened;
    struct ab_context c = context(quiet, &pos), d = context(attacked, &threatened);
    yo_shogi_move flight = move(5, 6, 4, 7);
    ab_history_reward_butterfly(&d, flight, 1000);
    assert_int_equal(ab_history_quiet(&c, flight), 0);
    assert_true(ab_history_quiet(&d, flight) > 900);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_reward_moves_one_move_up, set_up),
        cmocka_unit_test_setup(a_threatened_origin_counts_apart, set_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
