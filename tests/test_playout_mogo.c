/* The scalar MoGo policy plays the games of docs/playout.md, section 7, move for move, and does by
 * hand-made positions what its authors wanted. */
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "eval/playout/mogo.h"
#include "eval/playout/spec.h"
#include "naive_mogo.h"
#include "playout_positions.h"

static yo_go_point next_move(struct yo_playout *playout) {
    int size = playout->board.geometry->size;
    yo_go_point move = YO_GO_NONE;
    while (move == YO_GO_NONE)
        move = yo_playout_attempt_mogo(playout, yo_playout_draw_bits(size),
                                       yo_playout_draw_tries(size));
    return move;
}

/* ---- against the naive playout ---- */

static void compare_game_as(const struct yo_playout_position *position, bool pure, uint64_t seed,
                            uint64_t number, struct naive_game *game) {
    static struct yo_playout playout;
    struct naive_board board;
    int points = position->size * position->size;
    position_to_naive(position, &board);
    naive_playout_mogo(&board, position->to_move, position->last < points ? position->last : -1,
                       pure, seed, number, game);
    yo_playout_start(&playout, position, seed, number);
    if (pure)
        yo_playout_start_pure(&playout);
    else
        yo_playout_start_mogo(&playout);
    for (int i = 0; i < game->move_count; i++) {
        assert_false(yo_playout_ended(&playout));
        yo_go_point move = next_move(&playout);
        yo_go_point expected = game->moves[i] < 0 ? YO_GO_PASS : (yo_go_point)game->moves[i];
        if (move != expected)
            fail_msg("%dx%d, seed %llu, game %llu: move %d is %u, should be %u", position->size,
                     position->size, (unsigned long long)seed, (unsigned long long)number, i, move,
                     expected);
    }
    assert_true(yo_playout_ended(&playout));
}

static void compare_game(const struct yo_playout_position *position, uint64_t seed, uint64_t number,
                         struct naive_game *game) {
    compare_game_as(position, false, seed, number, game);
}

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
                compare_game_as(&position, (g + round) % 4 == 3, seed,
                                ((uint64_t)round << 33) + (uint64_t)g, &game);
        }
}

/* The backend must play the same games, from every position as if it were the first. */
static void backend_plays_the_same(void **state) {
    (void)state;
    srand(32);
    static struct naive_game game;
    static uint32_t histogram[2 * YO_GO_POINTS_MAX + 1];
    struct yo_playouts *playouts;
    assert_int_equal(yo_playouts_new("scalar", 1, &playouts, NULL), YO_OK);
    for (int size = 3; size <= 9; size += 2) {
        struct yo_playout_position position;
        random_position(&position, size, size * size / 2);
        struct yo_playout_result result = {.histogram = histogram};
        memset(histogram, 0, sizeof histogram);
        assert_int_equal(
            yo_playouts_run(playouts, YO_PLAYOUT_MOGO, &position, 7, 100, 20, &result, NULL),
            YO_OK);
        uint64_t moves = 0;
        for (uint64_t g = 100; g < 120; g++) {
            compare_game(&position, 7, g, &game);
            moves += (uint64_t)game.move_count;
            histogram[game.score + size * size]--;
        }
        assert_int_equal(result.games, 20);
        assert_int_equal(result.moves, moves);
        for (int i = 0; i <= 2 * size * size; i++)
            assert_int_equal(histogram[i], 0);
    }
    yo_playouts_delete(playouts);
}

/* ---- positions made by hand ---- */

/* Black (X) is to move; L is White's last move, a stone; the letters a, b, c are empty points that
 * the test expects moves on. */
static void from_picture(struct yo_playout_position *position, const char *picture, int size) {
    empty_position(position, size);
    assert_int_equal(strlen(picture), (size_t)(size * size));
    for (int p = 0; p < size * size; p++) {
        char c = picture[p];
        position->stones[p] = c == 'X' ? YO_GO_BLACK : c == 'O' || c == 'L' ? YO_GO_WHITE : 0;
        if (c == 'L') position->last = (yo_go_point)p;
    }
}

/* Black's first move must be one of the lettered points, and over many games each of them. */
static void expect_moves_at(const struct yo_playout_position *position, const char *picture) {
    enum { GAMES = 300 };
    static struct yo_playout playout;
    int points = position->size * position->size, expected = 0, seen[YO_GO_POINTS_MAX] = {0};
    for (uint64_t g = 0; g < GAMES; g++) {
        yo_playout_start(&playout, position, 1, g);
        yo_playout_start_mogo(&playout);
        yo_go_point move = next_move(&playout);
        if (move >= points || picture[move] < 'a' || picture[move] > 'z')
            fail_msg("%s: a move on %u", picture, move);
        seen[move]++;
    }
    for (int p = 0; p < points; p++)
        expected += picture[p] >= 'a' && picture[p] <= 'z';
    for (int p = 0; p < points; p++)
        if (picture[p] >= 'a' && picture[p] <= 'z')
            assert_in_range(seen[p], GAMES / expected * 2 / 3, GAMES / expected * 3 / 2);
}

static void expect_moves(const char *picture, int size) {
    struct yo_playout_position position;
    from_picture(&position, picture, size);
    expect_moves_at(&position, picture);
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
    from_picture(&position, picture, 6);
    expect_moves_at(&position, picture);
    position.last = YO_GO_PASS;
    expect_moves_at(&position, picture);
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
    from_picture(&position, picture, 6);
    position.ko = 3 * 6 + 3;
    expect_moves_at(&position, picture);
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
    uint64_t mogo = count_moves(playouts, YO_PLAYOUT_MOGO);
    assert_in_range(light - mogo, 2000 * 4, 2000 * 8);
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
