/* Measures a network on this machine: evaluations per second for a backend, board size, batch size
 * and number of threads. */
#pragma once

#include "eval/net/backend.h"

enum yo_net_rate_part {
    YO_NET_RATE_ALL,     /* from position to outputs */
    YO_NET_RATE_INPUTS,  /* the inputs of positions alone, without a network's run */
    YO_NET_RATE_FORWARD, /* the forward pass alone, with prepared inputs */
};

struct yo_net_rate_setup {
    const char *path; /* or "builtin" */
    const struct yo_net_backend *backend;
    int size;
    int batch; /* positions per batch of a thread */
    int threads;
    enum yo_net_rate_part part;
};

struct yo_net_rate;

enum yo_err yo_net_rate_new(const struct yo_net_rate_setup *setup, struct yo_net_rate **rate,
                            struct yo_diag *diag);
void yo_net_rate_delete(struct yo_net_rate *rate);
/* Runs for `seconds`, at least one batch per thread, and returns evaluations per second. */
enum yo_err yo_net_rate_measure(struct yo_net_rate *rate, double seconds, double *per_second,
                                struct yo_diag *diag);
/* A batch size that suits the backend. */
int yo_net_rate_batch(const struct yo_net_backend *backend);
