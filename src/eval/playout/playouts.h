/* Playouts as an evaluator: a pool of threads that play batches, piece by piece, on one backend.
 * The blocking interface of yomi/playout.h stands on it (api.c). */
#pragma once

#include "eval/eval.h"
#include "eval/playout/backend.h"

/* backend NULL: the fastest here that can play what a batch asks for. With `owned` it is closed
 * with the evaluator, or if that cannot be made. env NULL: the default; it is copied, what it
 * points to outlives the evaluator. threads: of the CPU, 0 for one for each core; a GPU is served
 * by threads of its own. The evaluator is released with ops->destroy. */
enum yo_err yo_playouts_eval_new(const struct yo_playout_backend *backend, bool owned,
                                 const struct yo_playout_env *env, int threads,
                                 struct yo_eval *eval, struct yo_diag *diag);

/* By name: a backend's; "auto" or NULL for the fastest here; "check:NAME" for that one with every
 * result compared to the scalar reference's. */
enum yo_err yo_playouts_eval_open_with(const char *name, const struct yo_playout_env *env,
                                       int threads, struct yo_eval *eval, struct yo_diag *diag);
/* The same with the default env. */
enum yo_err yo_playouts_eval_open(const char *name, int threads, struct yo_eval *eval,
                                  struct yo_diag *diag);
