/* The quick order of shogi moves for plans (yo_plan_order_fn): by realization probability, or by a
 * search of depth 1 with quiescence. */
#pragma once

#include "cluster/plan.h"
#include "eval/shogi/eval.h"
#include "search/alphabeta/probability.h"

struct yo_shogi_order;

/* table: the moves are ordered by their likeliest category; NULL: by search. Both must outlive the
 * order. */
enum yo_err yo_shogi_order_new(const struct yo_shogi_eval *eval,
                               const struct yo_probability_table *table,
                               struct yo_shogi_order **order, struct yo_diag *diag);
void yo_shogi_order_delete(struct yo_shogi_order *order);
/* order: a struct yo_shogi_order. */
void yo_shogi_order_moves(void *order, const void *position, const yo_move *moves, size_t count,
                          double *likely);
