/* How large the values of an evaluation are: networks differ, and a search has margins. */
#pragma once

#include "eval/shogi/eval.h"

/* In hundredths of the usual: 100 for an evaluation that on average says as much as the networks
 * that shogi programs exchange, with their usual scale. From 1 to 10,000. */
int yo_shogi_eval_unit(const struct yo_shogi_eval *eval);
