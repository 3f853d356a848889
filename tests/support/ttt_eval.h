/* An evaluator for noughts and crosses that knows nothing: every move is as likely as any other and
 * every position is even; or, with `knows`, half of what minimax says. It answers inside submit. */
#pragma once

#include "eval/eval.h"

struct ttt_eval {
    bool knows;
    size_t batch;
    long fail_after; /* batches; -1: never */
    _Atomic(long) batches, items;
};

struct yo_eval ttt_eval(struct ttt_eval *state);
