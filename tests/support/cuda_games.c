#include "support/cuda_games.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "eval/playout/position.h"
#include "support/backend_env.h"
#include "support/piece_list.h"
#include "support/playout_positions.h"

struct sums {
    struct yo_eval_playouts result;
    uint32_t histogram[2 * YO_GO_POINTS_MAX + 1];
    int32_t ownership[YO_GO_POINTS_MAX];
};

static void *must(void *memory) {
    if (memory) return memory;
    fprintf(stderr, "out of memory\n");
    exit(1);
}

static struct sums *play(enum yo_playout_policy policy, const struct yo_playout_backend *backend,
                         struct yo_playout_piece *pieces, int count) {
    int size = pieces[0].position->board.geometry->size;
    struct sums *sums = must(calloc((size_t)count, sizeof *sums));
    for (int i = 0; i < count; i++) {
        if (i % 3 != 1) sums[i].result.histogram = sums[i].histogram;
        if (i % 2 == 0) sums[i].result.owner = sums[i].ownership;
        pieces[i].result = &sums[i].result;
    }
    struct piece_list list = {pieces, count, 0};
    struct yo_playout_source source = {piece_list_next, &list};
    size_t bytes = (yo_playout_scratch_size(backend, size) + 63) / 64 * 64;
    void *scratch = must(aligned_alloc(64, bytes));
    memset(scratch, 0, bytes);
    yo_playout_run(backend, &backend_env, policy, size, &source, scratch);
    free(scratch);
    return sums;
}

static bool same(const struct sums *a, const struct sums *b) {
    return a->result.games == b->result.games && a->result.moves == b->result.moves &&
           a->result.half_wins_first == b->result.half_wins_first &&
           a->result.score2_first == b->result.score2_first &&
           a->result.score2_squared == b->result.score2_squared &&
           memcmp(a->histogram, b->histogram, sizeof a->histogram) == 0 &&
           memcmp(a->ownership, b->ownership, sizeof a->ownership) == 0;
}

static bool agree(enum yo_playout_policy policy, const struct yo_playout_backend *a,
                  const struct yo_playout_backend *b, struct yo_playout_piece *pieces, int count) {
    struct sums *x = play(policy, a, pieces, count), *y = play(policy, b, pieces, count);
    bool good = true;
    for (int i = 0; i < count && good; i++) {
        good = same(&x[i], &y[i]) && x[i].result.games == pieces[i].games;
        if (good) continue;
        int size = pieces[i].position->board.geometry->size;
        printf("%dx%d, piece %d of %d, seed %llu, games %llu and %u after it: %s and %s differ\n"
               "  games %llu, %llu; moves %llu, %llu; score %lld, %lld\n",
               size, size, i, count, (unsigned long long)pieces[i].seed,
               (unsigned long long)pieces[i].first_game, pieces[i].games, a->name, b->name,
               (unsigned long long)x[i].result.games, (unsigned long long)y[i].result.games,
               (unsigned long long)x[i].result.moves, (unsigned long long)y[i].result.moves,
               (long long)x[i].result.score2_first, (long long)y[i].result.score2_first);
    }
    free(x);
    free(y);
    return good;
}

static uint64_t random64(void) {
    return (uint64_t)rand() << 42 ^ (uint64_t)rand() << 21 ^ (uint64_t)rand();
}

bool cuda_games_agree(enum yo_playout_policy policy, const struct yo_playout_backend *a,
                      const struct yo_playout_backend *b, int size, int count, uint32_t mean,
                      unsigned seed) {
    size_t n = (size_t)count;
    struct yo_go_position *positions = must(calloc(n, sizeof *positions));
    struct yo_playout_piece *pieces = must(calloc(n, sizeof *pieces));
    srand(seed);
    for (int i = 0; i < count; i++) {
        struct yo_playout_position plain;
        random_position(&plain, size, rand() % (2 * size * size));
        yo_playout_position_to_go(&plain, &positions[i]);
        pieces[i] = (struct yo_playout_piece){.position = &positions[i],
                                              .komi2 = rand() % 16,
                                              .seed = random64(),
                                              .first_game = random64() >> rand() % 64,
                                              .games = (uint32_t)rand() % (2 * mean + 1)};
    }
    bool good = agree(policy, a, b, pieces, count);
    free(positions);
    free(pieces);
    return good;
}

bool cuda_sums_agree(enum yo_playout_policy policy, const struct yo_playout_backend *a,
                     const struct yo_playout_backend *b, int size, uint32_t games, unsigned seed) {
    struct yo_playout_position plain;
    struct yo_go_position position;
    srand(seed);
    random_position(&plain, size, seed % 4 == 0 ? 0 : rand() % (2 * size * size));
    yo_playout_position_to_go(&plain, &position);
    struct yo_playout_piece piece = {
        .position = &position, .seed = random64(), .first_game = 0xfffffff0u, .games = games};
    return agree(policy, a, b, &piece, 1);
}
