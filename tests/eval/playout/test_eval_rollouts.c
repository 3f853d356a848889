/* The playouts of an evaluator's item are the rollouts that a tree plays one at a time: same games,
 * same komi, same owners, from any position that a search meets, kos and passes included. */
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "eval/playout/playouts.h"
#include "eval/playout/rollout.h"
#include "game/go/game_ops.h"

#define GAMES 37
#define SEED  11

struct sums {
    struct yo_eval_playouts sums;
    int32_t owner[YO_GO_POINTS_MAX];
};

static void by_rollouts(const struct yo_go_position *position, enum yo_playout_policy policy,
                        struct sums *out) {
    struct yo_rollouts rollouts = yo_playout_rollouts(policy);
    void *scratch = yo_alloc_aligned(rollouts.ops->scratch_size);
    size_t cells = rollouts.ops->cells(position);
    assert_non_null(scratch);
    memset(out, 0, sizeof *out);
    for (uint64_t n = 0; n < GAMES; n++) {
        struct yo_rollout one;
        rollouts.ops->play(rollouts.ctx, position, SEED, n, scratch, &one);
        out->sums.games++;
        out->sums.half_wins_first += one.score2 > 0 ? 2 : one.score2 == 0;
        out->sums.score2_first += one.score2;
        out->sums.score2_squared += (uint64_t)(one.score2 * one.score2);
        for (size_t c = 0; c < cells; c++)
            out->owner[c] += one.owner[c];
    }
    yo_free_aligned(scratch);
}

static void check(struct yo_eval eval, const struct yo_go_position *position,
                  enum yo_playout_policy policy, bool want_owner) {
    static struct sums expected;
    int32_t owner[YO_GO_POINTS_MAX] = {0};
    struct yo_eval_result result = {.playouts = {.owner = want_owner ? owner : NULL}};
    const struct yo_eval_playouts *sums = &result.playouts;
    struct yo_eval_item item = {.position = position,
                                .want = YO_EVAL_PLAYOUTS,
                                .results = &result,
                                .playout_policy = (int)policy,
                                .playouts = GAMES,
                                .seed = SEED};
    assert_int_equal(yo_eval_run(eval, &item, 1, NULL), YO_OK);
    by_rollouts(position, policy, &expected);
    assert_int_equal(sums->games, GAMES);
    assert_int_equal(sums->half_wins_first, expected.sums.half_wins_first);
    assert_int_equal(sums->score2_first, expected.sums.score2_first);
    assert_int_equal(sums->score2_squared, expected.sums.score2_squared);
    size_t cells = (size_t)position->board.geometry->points;
    if (want_owner) assert_memory_equal(owner, expected.owner, cells * sizeof(int32_t));
}

static void play_a_game(struct yo_eval eval, enum yo_playout_policy policy, int size, int komi2) {
    struct yo_go_rules rules = yo_go_rules_default;
    struct yo_go_game *game;
    struct yo_go_position position;
    rules.komi2 = (int16_t)komi2;
    assert_int_equal(yo_go_game_new(size, &rules, &game), YO_OK);
    yo_go_position_from_game(game, &position);
    for (int i = 0; i < size * size; i++) {
        yo_move moves[YO_GO_POINTS_MAX + 1];
        size_t count = yo_go_ops.moves(&position, moves);
        if (yo_go_ops.outcome(&position) != YO_OUTCOME_NONE || count == 0) break;
        yo_go_ops.play(&position, moves[(size_t)rand() % count]);
        if (yo_go_ops.outcome(&position) != YO_OUTCOME_NONE) break;
        if (i % 7 == 0) check(eval, &position, policy, i % 2 == 0);
    }
    yo_go_game_delete(game);
}

static void same_as_rollouts(void **state) {
    (void)state;
    srand(1);
    for (int p = 0; p < YO_PLAYOUT_POLICIES; p++) {
        struct yo_eval eval;
        struct yo_diag diag;
        assert_int_equal(yo_playouts_eval_open("auto", 1, &eval, &diag), YO_OK);
        for (int i = 0; i < 12; i++)
            play_a_game(eval, (enum yo_playout_policy)p, i % 2 ? 9 : 3 + i, i % 3 ? 15 : 14);
        eval.ops->destroy(eval.ctx);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_as_rollouts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
