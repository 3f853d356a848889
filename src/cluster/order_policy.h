/* The quick order of moves for plans (yo_plan_order_fn), of any game: by the policy of a network.
 */
#pragma once

#include "cluster/plan.h"
#include "eval/eval.h"

struct yo_policy_order;

/* The evaluator gives policies of this game; it must outlive the order. Others may use it at the
 * same time. */
enum yo_err yo_policy_order_new(struct yo_eval eval, const struct yo_game_ops *game,
                                struct yo_policy_order **order, struct yo_diag *diag);
void yo_policy_order_delete(struct yo_policy_order *order);
/* order: a struct yo_policy_order. */
void yo_policy_order_moves(void *order, const void *position, const yo_move *moves, size_t count,
                           double *likely);
