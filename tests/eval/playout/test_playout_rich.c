/* The rich policy plays the games of docs/playout.md, section 8, move for move, and does in
 * hand-made positions what its rules are for. */
#include "support/test.h"

#include <stdlib.h>

#include "eval/playout/rich.h"
#include "eval/playout/rich_weights.h"
#include "support/naive_rich.h"
#include "support/playout_positions.h"
#include "support/policy_games.h"

static const struct policy_games rich = {YO_PLAYOUT_RICH, yo_playout_start_rich,
                                         yo_playout_attempt_rich, naive_playout_rich};

/* ---- against the naive playout ---- */

static void follows_the_specification(void **state) {
    (void)state;
    srand(61);
    static struct naive_game game;
    for (int size = YO_GO_SIZE_MIN; size <= YO_GO_SIZE_MAX; size++)
        for (int round = 0; round < 10; round++) {
            struct yo_playout_position position;
            random_position(&position, size, round * size * size / 4);
            uint64_t seed = (uint64_t)rand() << 40 ^ (uint64_t)rand();
            int games = size <= 5 ? 30 : size <= 9 ? 4 : round == size % 10;
            for (int g = 0; g < games; g++)
                policy_compare_game(&rich, &position, seed, ((uint64_t)round << 33) + (uint64_t)g,
                                    &game);
        }
}

static void backend_plays_the_same(void **state) {
    (void)state;
    policy_compare_backend(&rich, 62, 10);
}

/* A caller may name a last move that left no stone. */
static void last_move_without_a_stone(void **state) {
    (void)state;
    static struct naive_game game;
    struct yo_playout_position position;
    empty_position(&position, 5);
    position.last = 12;
    for (uint64_t g = 0; g < 20; g++)
        policy_compare_game(&rich, &position, 3, g, &game);
}

/* ---- positions made by hand ---- */

static void expect_moves(const char *picture, int size) {
    policy_expect_moves(&rich, picture, size);
}

static void takes_a_stone_that_put_itself_in_atari(void **state) {
    (void)state;
    expect_moves("....X." /* before anything else that might be answered */
                 "...XLa"
                 "....X."
                 "......"
                 "X....."
                 "O.....",
                 6);
}

static void runs_only_where_it_helps(void **state) {
    (void)state;
    expect_moves("......" /* free */
                 "..O..."
                 ".OXL.."
                 "..a..."
                 "......"
                 "......",
                 6);
    expect_moves("......" /* along the edge into a wall: a pattern comes next */
                 "......"
                 "......"
                 "......"
                 ".aOOOO"
                 ".LX...",
                 6);
}

static void divides_eye_spaces(void **state) {
    (void)state;
    expect_moves(".a.O.." /* three in a row, White's */
                 "OLOO.."
                 "......"
                 "......"
                 "......"
                 "......",
                 6);
    expect_moves(".a.X.." /* and one's own */
                 "XXXL.."
                 "......"
                 "......"
                 "......"
                 "......",
                 6);
}

/* ---- weights ---- */

static void weights_are_symmetric(void **state) {
    (void)state;
    static const int turn[8] = {3, 0, 1, 2, 7, 4, 5, 6}, mirror[8] = {2, 1, 0, 3, 5, 4, 7, 6};
    const struct yo_rich_weights *weights = yo_rich_weights();
    int learned = 0;
    for (unsigned code = 0; code < 65536; code++) {
        unsigned turned = 0, mirrored = 0, swapped = (code & 0x5555) << 1 | (code >> 1 & 0x5555);
        for (int d = 0; d < 8; d++) {
            turned |= (code >> 2 * d & 3) << 2 * turn[d];
            mirrored |= (code >> 2 * d & 3) << 2 * mirror[d];
        }
        unsigned weight = weights->of[YO_GO_BLACK][code];
        assert_in_range(weight, 1, 255);
        assert_int_equal(weights->of[YO_GO_BLACK][turned], weight);
        assert_int_equal(weights->of[YO_GO_BLACK][mirrored], weight);
        assert_int_equal(weights->of[YO_GO_WHITE][swapped], weight);
        learned += weight != YO_RICH_WEIGHT_NEUTRAL;
    }
    /* 3^8 in the middle, 3^5 on each edge, 3^3 in each corner, and most of them common enough. */
    assert_in_range(learned, 4000, 6561 + 4 * 243 + 4 * 27);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(follows_the_specification),
        cmocka_unit_test(backend_plays_the_same),
        cmocka_unit_test(last_move_without_a_stone),
        cmocka_unit_test(takes_a_stone_that_put_itself_in_atari),
        cmocka_unit_test(runs_only_where_it_helps),
        cmocka_unit_test(divides_eye_spaces),
        cmocka_unit_test(weights_are_symmetric),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
