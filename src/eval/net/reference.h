/* The reference backend: each operation as graph.h describes it, one position after the other, sums
 * in double. Slow and simple; tests compare the other backends with it. Runs on every machine. */
#pragma once

#include "eval/net/backend.h"

extern const struct yo_net_backend yo_net_reference;

/* x after the activation. */
double yo_net_activate(enum yo_net_activation activation, double x);
