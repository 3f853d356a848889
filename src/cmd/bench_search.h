/* The part of `yomi bench` that measures the tree search. */
#pragma once

#include "base/option.h"

enum yo_err yo_bench_search(const struct yo_options *options, struct yo_diag *diag);
