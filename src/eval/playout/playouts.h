/* Playouts as an evaluator: splits batches into pieces and lets a pool of threads play them on one
 * backend. The blocking interface of yomi/playout.h stands on it. */
#pragma once

#include "eval/eval.h"
#include "eval/playout/backend.h"

/* threads: 0 for one for each core. The evaluator is released with ops->destroy. */
enum yo_err yo_playouts_eval_new(const struct yo_playout_backend *backend, int threads,
                                 struct yo_eval *eval, struct yo_diag *diag);
