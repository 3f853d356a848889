#include "cluster/order_policy.h"

#include "base/alloc.h"
#include "base/diag.h"

struct yo_policy_order {
    struct yo_eval eval;
    float *policy; /* of one position */
};

enum yo_err yo_policy_order_new(struct yo_eval eval, const struct yo_game_ops *game,
                                struct yo_policy_order **out, struct yo_diag *diag) {
    struct yo_eval_about about;
    eval.ops->describe(eval.ctx, 0, &about);
    if (!(about.wants & YO_EVAL_POLICY) || (about.game && about.game != game))
        return yo_diag_set(diag, YO_ERR_UNSUPPORTED, "%s gives no policy for %s", about.name,
                           game->name);
    struct yo_policy_order *order = yo_alloc(1, sizeof *order);
    float *policy = yo_alloc(game->max_moves, sizeof *policy);
    if (!order || !policy) {
        yo_free(order);
        yo_free(policy);
        return yo_diag_set(diag, YO_ERR_NOMEM, "no memory for the order of moves");
    }
    *order = (struct yo_policy_order){eval, policy};
    *out = order;
    return YO_OK;
}

void yo_policy_order_delete(struct yo_policy_order *order) {
    if (!order) return;
    yo_free(order->policy);
    yo_free(order);
}

/* If the evaluator fails, the order is the generator's, which is no worse than none. */
void yo_policy_order_moves(void *ctx, const void *position, const yo_move *moves, size_t count,
                           double *likely) {
    struct yo_policy_order *order = ctx;
    struct yo_eval_result result = {.policy = order->policy};
    struct yo_eval_item item = {.position = position,
                                .want = YO_EVAL_POLICY,
                                .results = &result,
                                .moves = moves,
                                .move_count = count};
    if (yo_eval_run(order->eval, &item, 1, NULL)) return;
    for (size_t i = 0; i < count; i++)
        likely[i] = order->policy[i];
}
