/* The scale of an evaluation's values. Networks differ in it, and a search scales its margins by
 * it. */
#pragma once

#include "eval/shogi/eval.h"

/* In percent: 100 for an evaluation whose values are on average as large as those of the usual
 * shogi networks at their usual scale. From 1 to 10,000. */
int yo_shogi_eval_unit(const struct yo_shogi_eval *eval);
/* A number that two evaluations share only if they give the same values to some positions. */
uint64_t yo_shogi_eval_mark(const struct yo_shogi_eval *eval);
