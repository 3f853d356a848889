/* Static evaluation of shogi as an evaluator: the value that alpha-beta starts from, as a chance to
 * win, for trees. It looks at no reply, so captures on the board count as if they were not there.
 */
#pragma once

#include "eval/eval.h"
#include "eval/shogi/eval.h"

/* What `eval` points to must outlive it. */
enum yo_err yo_shogi_values_new(const struct yo_shogi_eval *eval, struct yo_eval *out,
                                struct yo_diag *diag);
