#include "hw_games.h"

#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/notice.h"
#include "eval/playout/backend.h"
#include "naive_go.h"

#define GAMES_MAX 4096

struct record {
    int score;
    uint32_t count;
    yo_go_point *moves;
};

struct played {
    uint64_t first;
    struct record records[GAMES_MAX];
    struct yo_playout_result result;
    uint32_t histogram[2 * YO_GO_POINTS_MAX + 1];
    int32_t ownership[YO_GO_POINTS_MAX];
};

struct one_piece {
    struct yo_playout_piece piece;
    bool taken;
};

static void collect(void *user, const struct yo_playout_game *game) {
    struct played *played = user;
    assert_in_range(game->number - played->first, 0, GAMES_MAX - 1);
    struct record *record = &played->records[game->number - played->first];
    assert_null(record->moves);
    record->score = game->score;
    record->count = game->move_count;
    record->moves = malloc(game->move_count * sizeof *record->moves);
    memcpy(record->moves, game->moves, game->move_count * sizeof *record->moves);
}

static bool next_piece(void *ctx, struct yo_playout_piece *piece) {
    struct one_piece *one = ctx;
    bool had = one->taken;
    *piece = one->piece;
    one->taken = true;
    return !had;
}

static int notices;

static void hear(void *user, const char *text) {
    (void)user;
    printf("%s\n", text);
    notices++;
}

static void play(const char *name, const struct yo_playout_position *position, uint64_t seed,
                 uint64_t first, uint32_t games, struct played *played) {
    const struct yo_playout_backend *backend = yo_playout_backend_find(name);
    struct yo_playout_sink sink = {collect, played};
    memset(played, 0, sizeof *played);
    played->first = first;
    played->result.histogram = played->histogram;
    played->result.ownership = played->ownership;
    struct one_piece one = {.piece = {.position = position,
                                      .seed = seed,
                                      .first_game = first,
                                      .games = games,
                                      .result = &played->result,
                                      .sink = &sink}};
    struct yo_playout_source source = {next_piece, &one};
    void *scratch = yo_alloc_aligned(backend->scratch_size(position->size));
    assert_non_null(scratch);
    yo_notice_listen(hear, NULL); /* the unit must not have left its games to the reference */
    backend->run(YO_PLAYOUT_LIGHT, position->size, &source, scratch);
    yo_free_aligned(scratch);
    assert_int_equal(played->result.games, games);
    assert_int_equal(notices, 0);
}

static void compare_record(const struct record *should, const struct record *is, int size,
                           uint64_t seed, uint64_t number) {
    assert_non_null(is->moves);
    for (uint32_t i = 0; i < should->count && i < is->count; i++)
        if (should->moves[i] != is->moves[i])
            fail_msg("hw, %dx%d, seed %llu, game %llu: move %u is %u, should be %u", size, size,
                     (unsigned long long)seed, (unsigned long long)number, i, is->moves[i],
                     should->moves[i]);
    assert_int_equal(is->count, should->count);
    assert_int_equal(is->score, should->score);
}

void hw_compare_games(const struct yo_playout_position *position, uint64_t seed, uint64_t first,
                      uint32_t games) {
    static struct played should, is;
    assert_true(games <= GAMES_MAX);
    play("scalar", position, seed, first, games, &should);
    play("hw", position, seed, first, games, &is);
    for (uint32_t g = 0; g < games; g++)
        compare_record(&should.records[g], &is.records[g], position->size, seed, first + g);
    assert_int_equal(is.result.moves, should.result.moves);
    assert_int_equal(is.result.score_sum, should.result.score_sum);
    assert_memory_equal(is.histogram, should.histogram, sizeof is.histogram);
    assert_memory_equal(is.ownership, should.ownership, sizeof is.ownership);
    for (uint32_t g = 0; g < games; g++) {
        free(should.records[g].moves);
        free(is.records[g].moves);
    }
}

void hw_random_position(struct yo_playout_position *position, int size, int moves) {
    struct naive_board board;
    naive_init(&board, size);
    int color = 1;
    for (int i = 0; i < moves; i++) {
        int p = rand() % (size * size);
        if (!naive_legal(&board, color, p / size, p % size)) continue;
        naive_play(&board, color, p / size, p % size);
        color = 3 - color;
    }
    memset(position, 0, sizeof *position);
    position->size = (uint8_t)size;
    position->to_move = (uint8_t)color;
    position->ko = position->last = YO_GO_NONE;
    for (int p = 0; p < size * size; p++)
        position->stones[p] = (uint8_t)board.color[p / size][p % size];
    if (board.ko_row >= 0) position->ko = (yo_go_point)(board.ko_row * size + board.ko_col);
}

void hw_skip_if_absent(void) {
    const struct yo_playout_backend *backend = yo_playout_backend_find("hw");
    assert_non_null(backend);
    if (backend->available()) return;
    printf("the hardware unit was not built in\n");
    skip();
}
