/* How fast a network is here: evaluations a second of one backend, board size, batch and number of
 * threads. */
#pragma once

#include "eval/net/backend.h"

struct yo_net_rate_setup {
    const char *path;
    const struct yo_net_backend *backend;
    int size;
    int batch; /* positions a thread runs at once */
    int threads;
    bool forward; /* the network alone, its inputs made beforehand; else from position to numbers */
};

struct yo_net_rate;

enum yo_err yo_net_rate_new(const struct yo_net_rate_setup *setup, struct yo_net_rate **rate,
                            struct yo_diag *diag);
void yo_net_rate_delete(struct yo_net_rate *rate);
/* Runs for so long, at least one batch a thread; evaluations a second. */
enum yo_err yo_net_rate_measure(struct yo_net_rate *rate, double seconds, double *per_second,
                                struct yo_diag *diag);
/* A batch that suits the backend. */
int yo_net_rate_batch(const struct yo_net_backend *backend);
