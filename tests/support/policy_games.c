#include "support/policy_games.h"

#include <stdlib.h>
#include <string.h>

#include "eval/playout/spec.h"
#include "support/playout_positions.h"
#include "support/test.h"

static yo_go_point next_move(const struct policy_games *policy, struct yo_playout *playout) {
    int size = playout->board.geometry->size;
    yo_go_point move = YO_GO_NONE;
    while (move == YO_GO_NONE)
        move = policy->attempt(playout, yo_playout_draw_bits(size), yo_playout_draw_tries(size));
    return move;
}

void policy_compare_game(const struct policy_games *policy,
                         const struct yo_playout_position *position, uint64_t seed, uint64_t number,
                         struct naive_game *game) {
    static struct yo_playout playout;
    struct naive_board board;
    int points = position->size * position->size;
    position_to_naive(position, &board);
    policy->judge(&board, position->to_move, position->last < points ? position->last : -1, seed,
                  number, game);
    yo_playout_start(&playout, position, seed, number);
    policy->start(&playout, yo_go_patterns());
    for (int i = 0; i < game->move_count; i++) {
        assert_false(yo_playout_ended(&playout));
        yo_go_point move = next_move(policy, &playout);
        yo_go_point expected = game->moves[i] < 0 ? YO_GO_PASS : (yo_go_point)game->moves[i];
        if (move != expected)
            fail_msg("%dx%d, seed %llu, game %llu: move %d is %u, should be %u", position->size,
                     position->size, (unsigned long long)seed, (unsigned long long)number, i, move,
                     expected);
    }
    assert_true(yo_playout_ended(&playout));
}

void policy_compare_backend(const struct policy_games *policy, unsigned seed, int games) {
    static struct naive_game game;
    static uint32_t histogram[2 * YO_GO_POINTS_MAX + 1];
    struct yo_playouts *playouts;
    srand(seed);
    assert_int_equal(yo_playouts_new("scalar", 1, &playouts, NULL), YO_OK);
    for (int size = 3; size <= 9; size += 2) {
        struct yo_playout_position position;
        random_position(&position, size, size * size / 2);
        struct yo_playout_result result = {.histogram = histogram};
        memset(histogram, 0, sizeof histogram);
        assert_int_equal(yo_playouts_run(playouts, policy->policy, &position, 7, 100,
                                         (uint64_t)games, &result, NULL),
                         YO_OK);
        uint64_t moves = 0;
        for (int g = 0; g < games; g++) {
            policy_compare_game(policy, &position, 7, 100 + (uint64_t)g, &game);
            moves += (uint64_t)game.move_count;
            histogram[game.score + size * size]--;
        }
        assert_int_equal(result.games, games);
        assert_int_equal(result.moves, moves);
        for (int i = 0; i <= 2 * size * size; i++)
            assert_int_equal(histogram[i], 0);
    }
    yo_playouts_delete(playouts);
}

void policy_read_picture(const char *picture, int size, struct yo_playout_position *position) {
    empty_position(position, size);
    assert_int_equal(strlen(picture), (size_t)(size * size));
    for (int p = 0; p < size * size; p++) {
        char c = picture[p];
        position->stones[p] = c == 'X' ? YO_GO_BLACK : c == 'O' || c == 'L' ? YO_GO_WHITE : 0;
        if (c == 'L') position->last = (yo_go_point)p;
    }
}

static bool is_expected(char c) { return c >= 'a' && c <= 'z'; }

void policy_expect_moves_at(const struct policy_games *policy,
                            const struct yo_playout_position *position, const char *picture) {
    enum { GAMES = 300 };
    static struct yo_playout playout;
    int points = position->size * position->size, expected = 0, seen[YO_GO_POINTS_MAX] = {0};
    for (uint64_t g = 0; g < GAMES; g++) {
        yo_playout_start(&playout, position, 1, g);
        policy->start(&playout, yo_go_patterns());
        yo_go_point move = next_move(policy, &playout);
        if (move >= points || !is_expected(picture[move]))
            fail_msg("%s: a move on %u", picture, move);
        seen[move]++;
    }
    for (int p = 0; p < points; p++)
        expected += is_expected(picture[p]);
    for (int p = 0; p < points; p++)
        if (is_expected(picture[p]))
            assert_in_range(seen[p], GAMES / expected * 2 / 3, GAMES / expected * 3 / 2);
}

void policy_expect_moves(const struct policy_games *policy, const char *picture, int size) {
    struct yo_playout_position position;
    policy_read_picture(picture, size, &position);
    policy_expect_moves_at(policy, &position, picture);
}
