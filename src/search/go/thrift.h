/* A search of Go that spends no points. Counted by territory every move costs one, and a network
 * that has seen few such ends does not know it: where nothing is left to take, a move must be worth
 * more than a pass. By area it ends a decided game when the opponent has passed. In a
 * clean-up it takes dead stones off before it passes. */
#pragma once

#include "eval/eval.h"
#include "search/search.h"

/* Wraps the search, which then belongs to the new one, also after an error. The playouts judge the
 * position; they must outlive it. */
enum yo_err yo_go_thrift_new(struct yo_search inner, struct yo_eval playouts, uint64_t seed,
                             struct yo_search *search, struct yo_diag *diag);
