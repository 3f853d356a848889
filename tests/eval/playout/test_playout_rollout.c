/* The playouts of the tree are those of the reference: the same moves for the same number. */
#include "support/test.h"

#include <string.h>

#include "eval/playout/rollout.h"
#include "eval/playout/scalar.h"
#include "game/go/game_ops.h"
#include "support/go_diagram.h"
#include "support/piece_list.h"
#include "support/search_go.h"

struct log {
    yo_go_point moves[3 * 81];
    size_t count;
    int score;
};

static void note(void *user, const struct yo_playout_game *game) {
    struct log *log = user;
    log->count = game->move_count;
    log->score = game->score;
    memcpy(log->moves, game->moves, game->move_count * sizeof log->moves[0]);
}

static void rollouts_are_the_references(void **state) {
    (void)state;
    struct yo_go_rules rules = go_komi(15);
    struct yo_go_game *game = diagram_game("........."
                                           "..OX....."
                                           ".OX.X...."
                                           "..OX....."
                                           "....O.X.."
                                           "........."
                                           "..O...X.."
                                           "....X...."
                                           ".........",
                                           &rules, YO_GO_WHITE);
    /* White takes a ko, so that one point is forbidden. */
    assert_int_equal(yo_go_game_play(game, YO_GO_WHITE, diagram_point(game, "D7"), NULL), YO_OK);
    struct yo_go_position position;
    yo_go_position_from_game(game, &position);
    for (int policy = 0; policy < YO_PLAYOUT_POLICIES; policy++) {
        struct yo_rollouts rollouts = yo_playout_rollouts((enum yo_playout_policy)policy);
        static _Alignas(64) char scratch[1 << 16], reference_scratch[1 << 16];
        assert_true(yo_playout_scratch_size(&yo_playout_scalar, 9) <= sizeof reference_scratch);
        assert_true(rollouts.ops->scratch_size <= sizeof scratch);
        for (uint64_t number = 0; number < 50; number++) {
            struct log log;
            struct yo_playout_sink sink = {note, &log};
            struct yo_eval_playouts sums = {0};
            struct yo_playout_piece piece = {.position = &position,
                                             .komi2 = 15,
                                             .seed = 9,
                                             .first_game = number,
                                             .games = 1,
                                             .result = &sums,
                                             .sink = &sink};
            struct piece_list list = {&piece, 1, 0};
            struct yo_playout_source source = {piece_list_next, &list};
            yo_playout_run(&yo_playout_scalar, &yo_playout_env_default,
                           (enum yo_playout_policy)policy, 9, &source, reference_scratch);
            struct yo_rollout rollout;
            rollouts.ops->play(rollouts.ctx, &position, 9, number, scratch, &rollout);
            assert_int_equal(rollout.score2, 2 * log.score - 15);
            assert_int_equal(rollout.score2, sums.score2_first);
            assert_int_equal(rollout.score2 > 0 ? 2 : 0, sums.half_wins_first);
            assert_int_equal(rollout.move_count, log.count);
            for (size_t i = 0; i < log.count; i++)
                assert_int_equal(rollout.moves[i], log.moves[i]);
        }
    }
    yo_go_game_delete(game);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rollouts_are_the_references),
    };
    return cmocka_run_group_tests(tests, go_eval_set_up, go_eval_tear_down);
}
