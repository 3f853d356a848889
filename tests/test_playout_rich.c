/* The rich policy plays the games of docs/playout.md, section 8, move for move, and does in
 * hand-made positions what its rules are for. */
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "eval/playout/rich.h"
#include "eval/playout/rich_weights.h"
#include "eval/playout/spec.h"
#include "naive_rich.h"
#include "playout_positions.h"

static yo_go_point next_move(struct yo_playout *playout) {
    int size = playout->board.geometry->size;
    yo_go_point move = YO_GO_NONE;
    while (move == YO_GO_NONE)
        move = yo_playout_attempt_rich(playout, yo_playout_draw_bits(size),
                                       yo_playout_draw_tries(size));
    return move;
}

/* ---- against the naive playout ---- */

static void compare_game(const struct yo_playout_position *position, uint64_t seed, uint64_t number,
                         struct naive_game *game) {
    static struct yo_playout playout;
    struct naive_board board;
    int points = position->size * position->size;
    position_to_naive(position, &board);
    naive_playout_rich(&board, position->to_move, position->last < points ? position->last : -1,
                       seed, number, game);
    yo_playout_start(&playout, position, seed, number);
    yo_playout_start_rich(&playout);
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
                compare_game(&position, seed, ((uint64_t)round << 33) + (uint64_t)g, &game);
        }
}

/* The backend must play the same games, from every position as if it were the first. */
static void backend_plays_the_same(void **state) {
    (void)state;
    srand(62);
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
            yo_playouts_run(playouts, YO_PLAYOUT_RICH, &position, 7, 100, 10, &result, NULL),
            YO_OK);
        uint64_t moves = 0;
        for (uint64_t g = 100; g < 110; g++) {
            compare_game(&position, 7, g, &game);
            moves += (uint64_t)game.move_count;
            histogram[game.score + size * size]--;
        }
        assert_int_equal(result.moves, moves);
        for (int i = 0; i <= 2 * size * size; i++)
            assert_int_equal(histogram[i], 0);
    }
    yo_playouts_delete(playouts);
}

/* A caller may name a last move that left no stone. */
static void last_move_without_a_stone(void **state) {
    (void)state;
    static struct naive_game game;
    struct yo_playout_position position;
    empty_position(&position, 5);
    position.last = 12;
    for (uint64_t g = 0; g < 20; g++)
        compare_game(&position, 3, g, &game);
}

/* ---- positions made by hand ---- */

/* Black (X) is to move; L is White's last move, a stone; Black's first move must be one of the
 * lettered points, and over many games each of them. */
static void expect_moves(const char *picture, int size) {
    enum { GAMES = 300 };
    static struct yo_playout playout;
    struct yo_playout_position position;
    int points = size * size, expected = 0, seen[YO_GO_POINTS_MAX] = {0};
    empty_position(&position, size);
    assert_int_equal(strlen(picture), (size_t)points);
    for (int p = 0; p < points; p++) {
        char c = picture[p];
        position.stones[p] = c == 'X' ? YO_GO_BLACK : c == 'O' || c == 'L' ? YO_GO_WHITE : 0;
        if (c == 'L') position.last = (yo_go_point)p;
        expected += c >= 'a' && c <= 'z';
    }
    for (uint64_t g = 0; g < GAMES; g++) {
        yo_playout_start(&playout, &position, 1, g);
        yo_playout_start_rich(&playout);
        yo_go_point move = next_move(&playout);
        if (move >= points || picture[move] < 'a' || picture[move] > 'z')
            fail_msg("%s: a move on %u", picture, move);
        seen[move]++;
    }
    for (int p = 0; p < points; p++)
        if (picture[p] >= 'a' && picture[p] <= 'z')
            assert_in_range(seen[p], GAMES / expected * 2 / 3, GAMES / expected * 3 / 2);
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
