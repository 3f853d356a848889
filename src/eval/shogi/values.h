/* Static evaluation of shogi as an evaluator: the value at a leaf of alpha-beta as a winning
 * probability, for tree search. It has no quiescence search, so it ignores pending captures. */
#pragma once

#include "eval/eval.h"
#include "eval/shogi/eval.h"

/* What `eval` points to must outlive it. */
enum yo_err yo_shogi_values_new(const struct yo_shogi_eval *eval, struct yo_eval *out,
                                struct yo_diag *diag);
