/* Every backend plays the games of docs/playout.md, move for move: the scalar reference is judged
 * by the naive playout, the other backends by the scalar reference. */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "eval/playout/backend.h"
#include "eval/playout/spec.h"
#include "naive_playout.h"
#include "playout_positions.h"

#define GAMES_MAX 4096

struct record {
    bool seen;
    int score;
    uint32_t count;
    yo_go_point *moves;
};

static struct record records[2][GAMES_MAX];

struct collector {
    struct record *records;
    uint64_t first;
};

static void collect(void *user, const struct yo_playout_game *game) {
    struct collector *to = user;
    assert_in_range(game->number - to->first, 0, GAMES_MAX - 1);
    struct record *record = &to->records[game->number - to->first];
    assert_false(record->seen);
    record->seen = true;
    record->score = game->score;
    record->count = game->move_count;
    record->moves = malloc(game->move_count * sizeof *record->moves);
    memcpy(record->moves, game->moves, game->move_count * sizeof *record->moves);
}

static void forget(struct record *list) {
    for (int i = 0; i < GAMES_MAX; i++)
        free(list[i].moves);
    memset(list, 0, GAMES_MAX * sizeof *list);
}

/* ---- running a backend ---- */

struct pieces {
    struct yo_playout_piece *list;
    int count, next;
};

static bool next_piece(void *ctx, struct yo_playout_piece *piece) {
    struct pieces *pieces = ctx;
    if (pieces->next >= pieces->count) return false;
    *piece = pieces->list[pieces->next++];
    return true;
}

static void run(const struct yo_playout_backend *backend, struct yo_playout_piece *list,
                int count) {
    int size = list[0].position->size;
    struct pieces pieces = {list, count, 0};
    struct yo_playout_source source = {next_piece, &pieces};
    void *scratch = yo_alloc_aligned(backend->scratch_size(size));
    assert_non_null(scratch);
    backend->run(YO_PLAYOUT_LIGHT, size, &source, scratch);
    yo_free_aligned(scratch);
}

struct totals {
    struct yo_playout_result result;
    uint32_t histogram[2 * YO_GO_POINTS_MAX + 1];
    int32_t ownership[YO_GO_POINTS_MAX];
};

static void init_totals(struct totals *totals) {
    memset(totals, 0, sizeof *totals);
    totals->result.histogram = totals->histogram;
    totals->result.ownership = totals->ownership;
}

static void play(const struct yo_playout_backend *backend,
                 const struct yo_playout_position *position, uint64_t seed, uint64_t first,
                 uint32_t games, struct record *into, struct totals *totals) {
    struct collector collector = {into, first};
    struct yo_playout_sink sink = {collect, &collector};
    init_totals(totals);
    struct yo_playout_piece piece = {.position = position,
                                     .seed = seed,
                                     .first_game = first,
                                     .games = games,
                                     .result = &totals->result,
                                     .sink = into ? &sink : NULL};
    run(backend, &piece, 1);
    assert_int_equal(totals->result.games, games);
}

static void compare_totals(const struct totals *a, const struct totals *b) {
    assert_int_equal(a->result.moves, b->result.moves);
    assert_int_equal(a->result.score_sum, b->result.score_sum);
    assert_memory_equal(a->histogram, b->histogram, sizeof a->histogram);
    assert_memory_equal(a->ownership, b->ownership, sizeof a->ownership);
}

/* ---- the reference against the naive playout ---- */

static void compare_with_naive(const struct yo_playout_position *position, uint64_t seed,
                               uint64_t first, uint32_t games) {
    static struct totals totals;
    play(yo_playout_backend_find("scalar"), position, seed, first, games, records[0], &totals);
    int64_t ownership[YO_GO_POINTS_MAX] = {0};
    for (uint32_t g = 0; g < games; g++) {
        struct naive_board board;
        static struct naive_game game;
        position_to_naive(position, &board);
        naive_playout(&board, position->to_move, seed, first + g, &game);
        const struct record *record = &records[0][g];
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
    forget(records[0]);
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

static void compare_games(const struct yo_playout_backend *backend,
                          const struct yo_playout_position *position, uint64_t seed, uint64_t first,
                          uint32_t games) {
    static struct totals expected, actual;
    play(yo_playout_backend_find("scalar"), position, seed, first, games, records[0], &expected);
    play(backend, position, seed, first, games, records[1], &actual);
    for (uint32_t g = 0; g < games; g++) {
        const struct record *a = &records[0][g], *b = &records[1][g];
        for (uint32_t i = 0; i < a->count && i < b->count; i++)
            if (a->moves[i] != b->moves[i])
                fail_msg("%s, %dx%d, seed %llu, game %llu: move %u is %u, should be %u",
                         backend->name, position->size, position->size, (unsigned long long)seed,
                         (unsigned long long)(first + g), i, b->moves[i], a->moves[i]);
        assert_int_equal(a->count, b->count);
        assert_int_equal(a->score, b->score);
    }
    compare_totals(&expected, &actual);
    forget(records[0]);
    forget(records[1]);
}

static void check_backend(const struct yo_playout_backend *backend) {
    srand(12);
    for (int size = YO_GO_SIZE_MIN; size <= YO_GO_SIZE_MAX; size++)
        for (int round = 0; round < 5; round++) {
            struct yo_playout_position position;
            random_position(&position, size, round * size * size / 2);
            uint32_t games = size == 9 ? 1500 : size < 12 ? 700 : 150;
            compare_games(backend, &position, (uint64_t)rand() << 35, (uint64_t)rand() << 20,
                          games);
        }
}

/* Many small pieces from different positions share a slice; each must get just its own games. */
static void check_mixed_pieces(const struct yo_playout_backend *backend) {
    enum { PIECES = 300 };
    static struct yo_playout_position positions[PIECES];
    static struct totals expected[PIECES], actual[PIECES];
    static struct yo_playout_piece list[PIECES];
    srand(13);
    for (int size = 5; size <= 19; size += 7) {
        for (int i = 0; i < PIECES; i++) {
            random_position(&positions[i], size, rand() % (size * size));
            list[i] = (struct yo_playout_piece){.position = &positions[i],
                                                .seed = (uint64_t)rand(),
                                                .first_game = (uint64_t)rand(),
                                                .games = (uint32_t)(rand() % 4)};
        }
        for (int which = 0; which < 2; which++) {
            struct totals *totals = which ? actual : expected;
            for (int i = 0; i < PIECES; i++) {
                init_totals(&totals[i]);
                list[i].result = &totals[i].result;
            }
            run(which ? backend : yo_playout_backend_find("scalar"), list, PIECES);
        }
        for (int i = 0; i < PIECES; i++)
            compare_totals(&expected[i], &actual[i]);
    }
}

/* Without a log of moves the same sums must come out. */
static void check_without_log(const struct yo_playout_backend *backend) {
    static struct totals expected, actual;
    struct yo_playout_position position;
    empty_position(&position, 9);
    play(yo_playout_backend_find("scalar"), &position, 5, 0, 3000, NULL, &expected);
    play(backend, &position, 5, 0, 3000, NULL, &actual);
    compare_totals(&expected, &actual);
}

static void check_named(const char *name) {
    const struct yo_playout_backend *backend = yo_playout_backend_find(name);
    if (!backend || !backend->available()) {
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
    const char *tested = " scalar slice64 avx2 avx512 hw cuda ";
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
        cmocka_unit_test(avx2_plays_the_same),
        cmocka_unit_test(avx512_plays_the_same),
        cmocka_unit_test(every_backend_is_tested),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
