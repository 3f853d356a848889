#include "support/backend_games.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "eval/playout/position.h"
#include "support/backend_env.h"
#include "support/piece_list.h"
#include "support/test.h"

#define KOMI2 4 /* even, so that there are draws */

struct collector {
    struct backend_record *records;
    uint64_t first;
};

static void collect(void *user, const struct yo_playout_game *game) {
    struct collector *to = user;
    assert_in_range(game->number - to->first, 0, BACKEND_GAMES_MAX - 1);
    struct backend_record *record = &to->records[game->number - to->first];
    assert_false(record->seen);
    record->seen = true;
    record->score = game->score;
    record->count = game->move_count;
    record->moves = malloc(game->move_count * sizeof *record->moves);
    memcpy(record->moves, game->moves, game->move_count * sizeof *record->moves);
}

void backend_forget(struct backend_record *list) {
    for (int i = 0; i < BACKEND_GAMES_MAX; i++)
        free(list[i].moves);
    memset(list, 0, BACKEND_GAMES_MAX * sizeof *list);
}

void backend_run(const struct yo_playout_backend *backend, struct yo_playout_piece *list,
                 int count) {
    int size = list[0].position->board.geometry->size;
    struct piece_list pieces = {list, count, 0};
    struct yo_playout_source source = {piece_list_next, &pieces};
    void *scratch = yo_alloc_aligned(yo_playout_scratch_size(backend, size));
    assert_non_null(scratch);
    yo_playout_run(backend, &backend_env, YO_PLAYOUT_LIGHT, size, &source, scratch);
    yo_free_aligned(scratch);
}

void backend_totals_init(struct backend_totals *totals) {
    memset(totals, 0, sizeof *totals);
    totals->result.histogram = totals->histogram;
    totals->result.owner = totals->ownership;
}

void backend_play(const struct yo_playout_backend *backend,
                  const struct yo_playout_position *position, uint64_t seed, uint64_t first,
                  uint32_t games, struct backend_record *into, struct backend_totals *totals) {
    struct collector collector = {into, first};
    struct yo_playout_sink sink = {collect, &collector};
    struct yo_go_position start;
    backend_totals_init(totals);
    yo_playout_position_to_go(position, &start);
    struct yo_playout_piece piece = {.position = &start,
                                     .komi2 = KOMI2,
                                     .seed = seed,
                                     .first_game = first,
                                     .games = games,
                                     .result = &totals->result,
                                     .sink = into ? &sink : NULL};
    backend_run(backend, &piece, 1);
    assert_int_equal(totals->result.games, games);
}

void backend_totals_compare(const struct backend_totals *a, const struct backend_totals *b) {
    assert_int_equal(a->result.moves, b->result.moves);
    assert_int_equal(a->result.half_wins_first, b->result.half_wins_first);
    assert_int_equal(a->result.score2_first, b->result.score2_first);
    assert_int_equal(a->result.score2_squared, b->result.score2_squared);
    assert_memory_equal(a->histogram, b->histogram, sizeof a->histogram);
    assert_memory_equal(a->ownership, b->ownership, sizeof a->ownership);
}

void backend_compare_games(const struct yo_playout_backend *backend,
                           const struct yo_playout_position *position, uint64_t seed,
                           uint64_t first, uint32_t games) {
    static struct backend_record records[2][BACKEND_GAMES_MAX];
    static struct backend_totals expected, actual;
    assert_true(games <= BACKEND_GAMES_MAX);
    backend_play(yo_playout_backend_find("scalar"), position, seed, first, games, records[0],
                 &expected);
    backend_play(backend, position, seed, first, games, records[1], &actual);
    for (uint32_t g = 0; g < games; g++) {
        const struct backend_record *a = &records[0][g], *b = &records[1][g];
        for (uint32_t i = 0; i < a->count && i < b->count; i++)
            if (a->moves[i] != b->moves[i])
                fail_msg("%s, %dx%d, seed %llu, game %llu: move %u is %u, should be %u",
                         backend->name, position->size, position->size, (unsigned long long)seed,
                         (unsigned long long)(first + g), i, b->moves[i], a->moves[i]);
        assert_int_equal(a->count, b->count);
        assert_int_equal(a->score, b->score);
    }
    backend_totals_compare(&expected, &actual);
    backend_forget(records[0]);
    backend_forget(records[1]);
}
