/* The parts of `yomi bench` that measure a search: tree search for Go, alpha-beta for shogi. */
#pragma once

#include "base/option.h"

enum yo_err yo_bench_search(const struct yo_options *options, struct yo_diag *diag);
enum yo_err yo_bench_shogi(const struct yo_options *options, struct yo_diag *diag);
