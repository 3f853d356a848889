/* yomi bench net */
#pragma once

#include "base/option.h"

enum yo_err yo_bench_net(const struct yo_options *options, struct yo_diag *diag);
