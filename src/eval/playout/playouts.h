/* Playouts as an evaluator: a pool of threads that play batches, piece by piece, on one backend.
 * api.c builds the blocking interface of yomi/playout.h on it. */
#pragma once

#include "eval/eval.h"
#include "eval/playout/backend.h"

/* backend NULL: the fastest available that supports a batch. With `owned` the evaluator closes the
 * backend on destroy, and on failure here. env NULL: the default; env is copied, what it points to
 * must outlive the evaluator. threads: CPU threads, 0 for one per core; a GPU gets additional
 * threads. The evaluator is released with ops->destroy. */
enum yo_err yo_playouts_eval_new(const struct yo_playout_backend *backend, bool owned,
                                 const struct yo_playout_env *env, int threads,
                                 struct yo_eval *eval, struct yo_diag *diag);

/* By name: a backend; "auto" or NULL for the fastest available; "check:NAME" for that backend with
 * every result compared with the scalar reference. */
enum yo_err yo_playouts_eval_open_with(const char *name, const struct yo_playout_env *env,
                                       int threads, struct yo_eval *eval, struct yo_diag *diag);
/* The same with the default env. */
enum yo_err yo_playouts_eval_open(const char *name, int threads, struct yo_eval *eval,
                                  struct yo_diag *diag);
