/* A network as an evaluation for alpha-beta: sums that follow the moves of a search, worked out
 * where a value is asked for. */
#pragma once

#include "eval/shogi/eval.h"
#include "eval/shogi/net.h"

/* The network must outlive the evaluation; NULL gives material. */
struct yo_shogi_eval yo_shogi_net_eval(const struct yo_shogi_net *net);
