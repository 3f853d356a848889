/* Every backend plays the games of docs/playout.md, move for move: the scalar reference is judged
 * by the naive playout, the other backends by the scalar reference. */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "eval/playout/position.h"
#include "support/backend_games.h"
#include "support/naive_playout.h"
#include "support/playout_positions.h"

/* ---- the reference against the naive playout ---- */

static void compare_with_naive(const struct yo_playout_position *position, uint64_t seed,
                               uint64_t first, uint32_t games) {
    static struct backend_record records[BACKEND_GAMES_MAX];
    static struct backend_totals totals;
    backend_play(yo_playout_backend_find("scalar"), position, seed, first, games, records, &totals);
    int64_t ownership[YO_GO_POINTS_MAX] = {0};
    for (uint32_t g = 0; g < games; g++) {
        struct naive_board board;
        static struct naive_game game;
        position_to_naive(position, &board);
        naive_playout(&board, position->to_move, seed, first + g, &game);
        const struct backend_record *record = &records[g];
        assert_true(record->seen);
        assert_int_equal(record->count, game.move_count);
        assert_int_equal(record->score, game.score);
        for (int i = 0; i < game.move_count; i++)
            assert_int_equal(record->moves[i],
                             game.moves[i] < 0 ? YO_GO_PASS : (yo_go_point)game.moves[i]);
        for (int p = 0; p < position->size * position->size; p++) {
            int owner = game.owner[p / position->size][p % position->size];
            ownership[p] += (owner == 1) - (owner == 2);
        }
    }
    for (int p = 0; p < position->size * position->size; p++)
        assert_int_equal(totals.ownership[p], ownership[p]);
    backend_forget(records);
}

static void reference_follows_the_specification(void **state) {
    (void)state;
    srand(11);
    for (int size = YO_GO_SIZE_MIN; size <= YO_GO_SIZE_MAX; size++)
        for (int round = 0; round < 6; round++) {
            struct yo_playout_position position;
            random_position(&position, size, round * size * size / 3);
            uint64_t seed = (uint64_t)rand() << 40 ^ (uint64_t)rand();
            compare_with_naive(&position, seed, (uint64_t)round << 33, size < 12 ? 20 : 4);
        }
}

/* ---- the other backends against the reference ---- */

static void check_backend(const struct yo_playout_backend *backend) {
    srand(12);
    for (int size = YO_GO_SIZE_MIN; size <= YO_GO_SIZE_MAX; size++)
        for (int round = 0; round < 5; round++) {
            struct yo_playout_position position;
            random_position(&position, size, round * size * size / 2);
            uint32_t games = size == 9 ? 1500 : size < 12 ? 700 : 150;
            backend_compare_games(backend, &position, (uint64_t)rand() << 35,
                                  (uint64_t)rand() << 20, games);
        }
}

/* Many small pieces from different positions share a slice; each must get just its own games. */
static void check_mixed_pieces(const struct yo_playout_backend *backend) {
    enum { PIECES = 300 };
    static struct yo_go_position positions[PIECES];
    static struct backend_totals expected[PIECES], actual[PIECES];
    static struct yo_playout_piece list[PIECES];
    srand(13);
    for (int size = 5; size <= 19; size += 7) {
        for (int i = 0; i < PIECES; i++) {
            struct yo_playout_position plain;
            random_position(&plain, size, rand() % (size * size));
            yo_playout_position_to_go(&plain, &positions[i]);
            list[i] = (struct yo_playout_piece){.position = &positions[i],
                                                .komi2 = rand() % 16,
                                                .seed = (uint64_t)rand(),
                                                .first_game = (uint64_t)rand(),
                                                .games = (uint32_t)(rand() % 4)};
        }
        for (int which = 0; which < 2; which++) {
            struct backend_totals *totals = which ? actual : expected;
            for (int i = 0; i < PIECES; i++) {
                backend_totals_init(&totals[i]);
                list[i].result = &totals[i].result;
            }
            backend_run(which ? backend : yo_playout_backend_find("scalar"), list, PIECES);
        }
        for (int i = 0; i < PIECES; i++)
            backend_totals_compare(&expected[i], &actual[i]);
    }
}

/* Without a log of moves the same sums must come out. */
static void check_without_log(const struct yo_playout_backend *backend) {
    static struct backend_totals expected, actual;
    struct yo_playout_position position;
    empty_position(&position, 9);
    backend_play(yo_playout_backend_find("scalar"), &position, 5, 0, 3000, NULL, &expected);
    backend_play(backend, &position, 5, 0, 3000, NULL, &actual);
    backend_totals_compare(&expected, &actual);
}

static void check_named(const char *name) {
    const struct yo_playout_backend *backend = yo_playout_backend_find(name);
    if (!backend || !yo_playout_available(backend)) {
        printf("backend %s: not on this machine\n", name);
        skip();
    }
    check_backend(backend);
    check_mixed_pieces(backend);
    check_without_log(backend);
}

static void slice64_plays_the_same(void **state) {
    (void)state;
    check_named("slice64");
}
static void neon_plays_the_same(void **state) {
    (void)state;
    check_named("neon");
}
static void avx2_plays_the_same(void **state) {
    (void)state;
    check_named("avx2");
}
static void avx512_plays_the_same(void **state) {
    (void)state;
    check_named("avx512");
}

/* A backend that nobody tests would be a hole; the list above must name them all,
 * but for those with tests of their own: test_playout_hw.c, test_threads_cuda.c. */
static void every_backend_is_tested(void **state) {
    (void)state;
    const char *tested = " scalar slice64 neon avx2 avx512 hw cuda ";
    for (size_t i = 0; yo_playout_backend_name(i); i++) {
        char word[64];
        snprintf(word, sizeof word, " %s ", yo_playout_backend_name(i));
        assert_non_null(strstr(tested, word));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reference_follows_the_specification),
        cmocka_unit_test(slice64_plays_the_same),
        cmocka_unit_test(neon_plays_the_same),
        cmocka_unit_test(avx2_plays_the_same),
        cmocka_unit_test(avx512_plays_the_same),
        cmocka_unit_test(every_backend_is_tested),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
