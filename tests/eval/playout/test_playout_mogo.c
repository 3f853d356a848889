/* The scalar MoGo policy plays the games of docs/playout.md, section 7, move for move, and does by
 * hand-made positions what its authors wanted. */
#include "support/test.h"

#include <stdlib.h>

#include "eval/playout/mogo.h"
#include "support/naive_mogo.h"
#include "support/playout_positions.h"
#include "support/policy_games.h"

static void judge(struct naive_board *board, int to_move, int last, uint64_t seed, uint64_t number,
                  struct naive_game *game) {
    naive_playout_mogo(board, to_move, last, false, seed, number, game);
}

static void judge_pure(struct naive_board *board, int to_move, int last, uint64_t seed,
                       uint64_t number, struct naive_game *game) {
    naive_playout_mogo(board, to_move, last, true, seed, number, game);
}

static const struct policy_games mogo = {YO_PLAYOUT_MOGO, yo_playout_start_mogo,
                                         yo_playout_attempt_mogo, judge};
static const struct policy_games pure = {YO_PLAYOUT_MOGO, yo_playout_start_pure,
                                         yo_playout_attempt_mogo, judge_pure};

/* ---- against the naive playout ---- */

static void follows_the_specification(void **state) {
    (void)state;
    srand(31);
    static struct naive_game game;
    for (int size = YO_GO_SIZE_MIN; size <= YO_GO_SIZE_MAX; size++)
        for (int round = 0; round < 10; round++) {
            struct yo_playout_position position;
            random_position(&position, size, round * size * size / 4);
            uint64_t seed = (uint64_t)rand() << 40 ^ (uint64_t)rand();
            int games = size <= 5 ? 60 : size <= 9 ? 8 : size <= 13 ? 2 : round % 3 == 0;
            for (int g = 0; g < games; g++)
                policy_compare_game((g + round) % 4 == 3 ? &pure : &mogo, &position, seed,
                                    ((uint64_t)round << 33) + (uint64_t)g, &game);
        }
}

static void backend_plays_the_same(void **state) {
    (void)state;
    policy_compare_backend(&mogo, 32, 20);
}

/* ---- positions made by hand ---- */

static void expect_moves(const char *picture, int size) {
    policy_expect_moves(&mogo, picture, size);
}

static void saves_what_is_in_atari(void **state) {
    (void)state;
    expect_moves("......" /* by extending */
                 "..O..."
                 ".OXL.."
                 "..a..."
                 "......"
                 "......",
                 6);
    expect_moves("..X..." /* or by taking what stands in atari beside it */
                 ".XOb.."
                 ".OXL.."
                 "..a..."
                 "......"
                 "......",
                 6);
    expect_moves("..X..." /* extending would leave one liberty */
                 ".XOb.."
                 ".OXL.."
                 ".O.O.."
                 "......"
                 "......",
                 6);
    expect_moves("..X..." /* extending would be suicide */
                 ".XOb.."
                 ".OXL.."
                 ".O.O.."
                 "..O..."
                 "......",
                 6);
    expect_moves("..X..." /* extending takes, though it leaves one liberty */
                 ".XOb.."
                 ".OXL.."
                 ".OaO.."
                 "XXOXX."
                 "..X...",
                 6);
}

static void answers_with_patterns(void **state) {
    (void)state;
    expect_moves("......" /* hane, on all sides */
                 "..ab.."
                 "..XL.."
                 "..cd.."
                 "......"
                 "......",
                 6);
    expect_moves("......" /* before a capture that has nothing to do with it */
                 "..ab.."
                 "..XL.."
                 "..cd.."
                 "X....."
                 "O.....",
                 6);
    expect_moves("......" /* a cut */
                 ".XO..."
                 ".OaL.."
                 "..XO.."
                 "......"
                 "....XO",
                 6);
    expect_moves("......" /* one that would leave one liberty: a capture comes next */
                 ".XO..."
                 ".O.L.."
                 ".OXO.."
                 ".....a"
                 "....XO",
                 6);
}

static void takes_what_it_can(void **state) {
    (void)state;
    static const char picture[] = "OaX..."
                                  "X....."
                                  "...X.."
                                  "..XOb."
                                  "...X.."
                                  "......";
    struct yo_playout_position position;
    policy_read_picture(picture, 6, &position);
    policy_expect_moves_at(&mogo, &position, picture);
    position.last = YO_GO_PASS;
    policy_expect_moves_at(&mogo, &position, picture);
}

/* White took at the point left of the ko: Black may not take back, and takes the other stone. */
static void respects_ko(void **state) {
    (void)state;
    static const char picture[] = "Oa...."
                                  "X....."
                                  "..XO.."
                                  ".XO.O."
                                  "..XO.."
                                  "......";
    struct yo_playout_position position;
    policy_read_picture(picture, 6, &position);
    position.ko = 3 * 6 + 3;
    policy_expect_moves_at(&mogo, &position, picture);
}

static uint64_t count_moves(struct yo_playouts *playouts, enum yo_playout_policy policy) {
    struct yo_playout_position position;
    struct yo_playout_result result = {0};
    empty_position(&position, 9);
    assert_int_equal(yo_playouts_run(playouts, policy, &position, 1, 0, 2000, &result, NULL),
                     YO_OK);
    return result.moves;
}

/* Games that make sense fill the board sooner: 105 moves against 111, give or take 0.3. */
static void games_are_shorter_than_light_ones(void **state) {
    (void)state;
    struct yo_playouts *playouts;
    assert_int_equal(yo_playouts_new("scalar", 1, &playouts, NULL), YO_OK);
    uint64_t light = count_moves(playouts, YO_PLAYOUT_LIGHT);
    uint64_t sensible = count_moves(playouts, YO_PLAYOUT_MOGO);
    assert_in_range(light - sensible, 2000 * 4, 2000 * 8);
    yo_playouts_delete(playouts);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(follows_the_specification),
        cmocka_unit_test(backend_plays_the_same),
        cmocka_unit_test(saves_what_is_in_atari),
        cmocka_unit_test(answers_with_patterns),
        cmocka_unit_test(takes_what_it_can),
        cmocka_unit_test(respects_ko),
        cmocka_unit_test(games_are_shorter_than_light_ones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
