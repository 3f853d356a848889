/* Turns tasks into results: inputs, cache lookup, a batch of the backend, decoding of outputs. One
 * answerer per thread. */
#pragma once

#include "eval/net/cache.h"
#include "eval/net/evaluator.h"
#include "eval/net/runner.h"

/* One result of an item: the position itself, or its child number `index`. */
struct yo_net_task {
    struct yo_eval_batch *batch;
    const struct yo_eval_item *item;
    size_t index;
};

struct yo_net_answerer;

/* symmetry as in struct yo_net_eval_options. The cache may be NULL. */
enum yo_err yo_net_answerer_new(const struct yo_net_program *program, struct yo_net_cache *cache,
                                int max_tasks, int symmetry, struct yo_net_answerer **answerer,
                                struct yo_diag *diag);
void yo_net_answerer_delete(struct yo_net_answerer *answerer);

/* All tasks have one board size. Fills their results and adds to the counts. */
enum yo_err yo_net_answer(struct yo_net_answerer *answerer, int size,
                          const struct yo_net_task *tasks, int count,
                          struct yo_net_eval_counts *counts, struct yo_diag *diag);
