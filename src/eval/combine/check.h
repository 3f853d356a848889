/* An evaluator made of two: every batch runs on both, and a difference between the results is an
 * error that reports its place. The caller gets the first one's results. Compares playouts
 * only. Submit allocates only for a batch larger than those before. */
#pragma once

#include "eval/eval.h"

/* Takes both evaluators over and destroys them with itself. */
enum yo_err yo_eval_check_new(struct yo_eval first, struct yo_eval second, struct yo_eval *eval,
                              struct yo_diag *diag);
