/* cluster/order_policy: the plan's quick order is the policy of the network. */
#include "support/test.h"

#include "cluster/order_policy.h"
#include "support/hash_eval.h"
#include "support/tictactoe.h"

static void moves_are_as_likely_as_the_policy_says(void **state) {
    (void)state;
    struct hash_eval eval = {.game = &ttt_ops, .batch = 1};
    struct yo_policy_order *order;
    struct ttt position = {0};
    assert_int_equal(yo_policy_order_new(hash_eval(&eval), &ttt_ops, &order, NULL), YO_OK);
    while (ttt_ops.outcome(&position) == YO_OUTCOME_NONE) {
        yo_move moves[9];
        double likely[9] = {0};
        float policy[9];
        size_t count = ttt_ops.moves(&position, moves);
        hash_policy(&ttt_ops, &position, moves, count, policy);
        yo_policy_order_moves(order, &position, moves, count, likely);
        for (size_t i = 0; i < count; i++)
            assert_true(likely[i] == (double)policy[i]);
        ttt_ops.play(&position, moves[0]);
    }
    yo_policy_order_delete(order);
}

/* A plan splits the likeliest moves off first. */
static void a_plan_begins_with_them(void **state) {
    (void)state;
    struct hash_eval eval = {.game = &ttt_ops, .batch = 1};
    struct ttt position = {0};
    struct yo_policy_order *order;
    struct yo_plan *plan;
    const struct yo_plan_job *jobs[2];
    yo_move moves[9];
    float policy[9];
    size_t count = ttt_ops.moves(&position, moves), best = 0;
    hash_policy(&ttt_ops, &position, moves, count, policy);
    for (size_t i = 1; i < count; i++)
        if (policy[i] > policy[best]) best = i;
    assert_int_equal(yo_policy_order_new(hash_eval(&eval), &ttt_ops, &order, NULL), YO_OK);
    struct yo_plan_config config = {
        .strategy = YO_PLAN_PREDICT, .order = yo_policy_order_moves, .user = order};
    assert_int_equal(yo_plan_new(&config, &ttt_ops, &position, &plan, NULL), YO_OK);
    struct yo_plan_worker workers[2] = {{.id = 1, .gives_values = true, .takes_moves = true},
                                        {.id = 2, .gives_values = true, .takes_moves = true}};
    assert_int_equal(yo_plan_make(plan, workers, 2, 0, jobs, NULL, NULL), YO_OK);
    const struct yo_plan_job *line = jobs[0]->path_count ? jobs[0] : jobs[1];
    assert_int_equal(line->path_count, 1);
    assert_int_equal(line->path[0], moves[best]);
    yo_plan_delete(plan);
    yo_policy_order_delete(order);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moves_are_as_likely_as_the_policy_says),
        cmocka_unit_test(a_plan_begins_with_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
