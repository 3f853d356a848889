/* Rows and training positions of shogi records against the positions they come from. */
#include "support/test.h"

#include <math.h>
#include <string.h>

#include "base/random.h"
#include "game/shogi/game_ops.h"
#include "game/shogi/movegen.h"
#include "game/shogi/packed.h"
#include "learn/netplay/go.h"
#include "learn/netplay/rows_shogi.h"
#include "learn/netplay/samples.h"
#include "learn/netplay/shogi.h"
#include "yomi/shogi.h"

enum { MOVES = 60 };

/* A game of random moves in which every third one has a target: each legal move, with weights that
 * all differ. The last target of a step is no legal move. */
static void make(struct yo_netplay_record *r, uint64_t seed) {
    struct yo_diag diag;
    void *game;
    *r = (struct yo_netplay_record){
        .game = YO_NETPLAY_SHOGI, .end = YO_NETPLAY_OVER, .outcome = YO_OUTCOME_FIRST};
    r->setup_size = yo_netplay_shogi.draw(NULL, 9, &seed, r->setup);
    assert_int_equal(yo_netplay_shogi.create(r->setup, r->setup_size, &game, &diag), YO_OK);
    for (int i = 0; i < MOVES; i++) {
        yo_shogi_move moves[YO_SHOGI_LIST];
        size_t count = yo_shogi_game_legal_moves(game, moves);
        assert_true(count > 0);
        struct yo_netplay_step step = {
            .move = moves[(size_t)(yo_random_uniform(&seed) * (double)count)],
            .kind = i % 3 == 2 ? YO_NETPLAY_FULL : YO_NETPLAY_FAST,
            .win = (uint16_t)(1000 * i),
            .target_at = (uint32_t)r->target_count};
        for (size_t k = 0; step.kind == YO_NETPLAY_FULL && k < count; k++, step.target_count++)
            assert_int_equal(
                yo_netplay_record_target(r, moves[k], (uint16_t)(100 + 7 * ((k + 5) % count))),
                YO_OK);
        if (step.kind == YO_NETPLAY_FULL) {
            assert_int_equal(yo_netplay_record_target(r, 0, 60000), YO_OK);
            step.target_count++;
        }
        assert_int_equal(yo_netplay_record_step(r, &step), YO_OK);
        assert_int_equal(yo_netplay_shogi.play(game, step.move, &diag), YO_OK);
    }
    yo_netplay_shogi.destroy(game);
}

static bool bit_of(const uint8_t *planes, int plane, int point) {
    return planes[plane * YO_SHOGI_ROW_BYTES + point / 8] >> (point % 8) & 1;
}

static void check_policy(const struct yo_netplay_record *r, const struct yo_netplay_step *step,
                         const struct yo_shogi_position *pos,
                         const struct yo_netplay_shogi_row *row) {
    size_t legal = step->target_count ? step->target_count - 1u : 0;
    size_t kept = legal < YO_NETPLAY_SHOGI_TARGETS ? legal : YO_NETPLAY_SHOGI_TARGETS;
    int sum = 0;
    for (size_t i = 0; i < YO_NETPLAY_SHOGI_TARGETS; i++) {
        sum += row->weight[i];
        assert_int_equal(row->weight[i] > 0, i < kept);
        if (i > 0) assert_true(row->weight[i] <= row->weight[i - 1]);
    }
    if (legal == 0) {
        assert_int_equal(sum, 0);
        return;
    }
    assert_in_range(sum, 65535 - 48, 65535 + 48);
    /* The heaviest legal move is the first. */
    const struct yo_netplay_target *best = NULL;
    for (size_t k = 0; k < legal; k++) {
        const struct yo_netplay_target *target = &r->targets[step->target_at + k];
        if (!best || target->weight > best->weight) best = target;
    }
    assert_int_equal(row->label[0], yo_shogi_policy_index(pos, best->move));
}

static void check_row(const struct yo_netplay_record *r, const struct yo_netplay_step *step,
                      const struct yo_shogi_game *game, const struct yo_netplay_shogi_row *row) {
    static const uint64_t all[] = {~UINT64_C(0), ~UINT64_C(0)};
    uint64_t expected[YO_SHOGI_NET_DLSHOGI][YO_SHOGI_PLANE_WORDS] = {{0}};
    struct yo_shogi_state state;
    yo_shogi_state_from_game(game, &state);
    yo_shogi_features_dlshogi(&state.position, all, expected);
    for (int plane = 0; plane < YO_SHOGI_NET_DLSHOGI; plane++)
        for (int point = 0; point < 81; point++)
            assert_int_equal(bit_of(row->planes, plane, point),
                             expected[plane][point / 64] >> (point % 64) & 1);
    bool black = yo_shogi_game_to_move(game) == YO_SHOGI_BLACK;
    assert_int_equal(row->result, black ? 1 : -1);
    assert_int_equal(row->win, step->win);
    check_policy(r, step, &state.position, row);
}

static void rows_are_positions(void **state) {
    (void)state;
    static struct yo_netplay_shogi_row rows[MOVES];
    for (uint64_t seed = 1; seed <= 5; seed++) {
        struct yo_netplay_record r;
        struct yo_diag diag;
        void *game;
        make(&r, seed);
        size_t count = yo_netplay_rows_count(&r), at = 0;
        const struct yo_netplay_rows *kind = yo_netplay_rows_of(&r);
        assert_int_equal(count, MOVES);
        assert_int_equal(kind->row_size, sizeof rows[0]);
        assert_int_equal(kind->make(&r, 0, rows), count);
        assert_int_equal(yo_netplay_shogi.create(r.setup, r.setup_size, &game, &diag), YO_OK);
        for (size_t i = 0; i < r.step_count; i++) {
            check_row(&r, &r.steps[i], game, &rows[at++]);
            assert_int_equal(yo_netplay_shogi.play(game, r.steps[i].move, &diag), YO_OK);
        }
        yo_netplay_shogi.destroy(game);
        /* A cut game has no winner; an illegal move ends the rows; a game that goes on has none. */
        r.end = YO_NETPLAY_CUT;
        r.outcome = YO_OUTCOME_NONE;
        assert_int_equal(kind->make(&r, 0, rows), count);
        assert_int_equal(rows[0].result, 2);
        r.steps[10].move = 0;
        assert_int_equal(kind->make(&r, 0, rows), 10);
        r.end = YO_NETPLAY_UNFINISHED;
        assert_int_equal(kind->make(&r, 0, rows), 0);
        yo_netplay_record_free(&r);
    }
}

/* The heaviest target that is legal, or the move that was played. */
static yo_shogi_move best_move(const struct yo_netplay_record *r,
                               const struct yo_netplay_step *step) {
    yo_shogi_move best = step->move;
    int weight = 0;
    for (size_t k = 0; k + 1 < step->target_count; k++) { /* the last one is not legal */
        const struct yo_netplay_target *target = &r->targets[step->target_at + k];
        if (target->weight > weight) weight = target->weight, best = target->move;
    }
    return best;
}

static void check_sample(const struct yo_netplay_record *r, const struct yo_netplay_step *step,
                         const struct yo_shogi_game *game, const char *bytes) {
    struct yo_shogi_sample s;
    struct yo_shogi_state state;
    uint8_t packed[YO_SHOGI_PACKED];
    yo_shogi_state_from_game(game, &state);
    const struct yo_shogi_position *pos = &state.position;
    assert_int_equal(yo_shogi_sample_read((const uint8_t *)bytes, &s, NULL), YO_OK);
    assert_int_equal(yo_shogi_pack(pos, packed), YO_OK);
    assert_memory_equal(packed, s.position, sizeof packed);
    assert_true(fabs(1 / (1 + exp(-s.score / 300.0)) - step->win / 65535.0) < 0.001);
    assert_int_equal(s.move, best_move(r, step));
    assert_int_equal(s.ply, pos->ply);
    assert_int_equal(s.result, pos->side == YO_SHOGI_BLACK ? 1 : -1);
    bool quiet =
        !yo_shogi_game_in_check(game) && !pos->board[shogi_to(s.move)] && !shogi_promotes(s.move);
    assert_int_equal(s.flags, quiet ? YO_SHOGI_SAMPLE_QUIET : 0);
}

static void samples_are_positions(void **state) {
    (void)state;
    struct yo_netplay_record r;
    struct yo_diag diag;
    void *game;
    make(&r, 7);
    r.steps[0].kind = YO_NETPLAY_OPENING; /* not searched: no sample */
    struct yo_buf samples = {0};
    assert_int_equal(yo_netplay_samples(&r, 300, &samples, &diag), YO_OK);
    assert_int_equal(samples.len, (MOVES - 1) * YO_SHOGI_SAMPLE);
    assert_int_equal(yo_netplay_shogi.create(r.setup, r.setup_size, &game, &diag), YO_OK);
    for (size_t i = 0; i < r.step_count; i++) {
        if (i > 0) check_sample(&r, &r.steps[i], game, samples.data + (i - 1) * YO_SHOGI_SAMPLE);
        assert_int_equal(yo_netplay_shogi.play(game, r.steps[i].move, &diag), YO_OK);
    }
    yo_netplay_shogi.destroy(game);
    /* Without a winner no result counts. */
    r.end = YO_NETPLAY_CUT;
    r.outcome = YO_OUTCOME_NONE;
    yo_buf_clear(&samples);
    assert_int_equal(yo_netplay_samples(&r, 300, &samples, &diag), YO_OK);
    for (size_t i = 0; i < samples.len; i += YO_SHOGI_SAMPLE)
        assert_true(samples.data[i + YO_SHOGI_SAMPLE - 1] & YO_SHOGI_SAMPLE_ASIDE);
    r.steps[10].move = 0;
    assert_int_equal(yo_netplay_samples(&r, 300, &samples, &diag), YO_ERR_ILLEGAL);
    r.game = YO_NETPLAY_GO;
    assert_int_equal(yo_netplay_samples(&r, 300, &samples, &diag), YO_ERR_UNSUPPORTED);
    yo_buf_free(&samples);
    yo_netplay_record_free(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(rows_are_positions),
                                       cmocka_unit_test(samples_are_positions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
