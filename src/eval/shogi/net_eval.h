/* A network as an evaluation for alpha-beta: incremental sums, updated lazily when a value is
 * needed. */
#pragma once

#include "eval/shogi/eval.h"
#include "eval/shogi/net.h"

/* The network must outlive the evaluation; NULL gives material. */
struct yo_shogi_eval yo_shogi_net_eval(const struct yo_shogi_net *net);
