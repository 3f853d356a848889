/* A network as an evaluator (eval/eval.h): value, policy, ownership. A queue gathers the requests
 * of many threads into batches of one board size; no lock is held while a batch runs. */
#pragma once

#include "eval/net/backend.h"
#include "eval/net/net.h"

#include "base/notice.h"
#include "eval/eval.h"

enum {
    YO_NET_SYMMETRY_RANDOM = -1, /* by the position's hash: the same position, the same symmetry */
    YO_NET_SYMMETRY_ALL = -2,    /* the mean over all, at that many times the cost */
};

struct yo_net_eval_options {
    const struct yo_net_backend *backend; /* NULL: the fastest for the network */
    int threads;                          /* 0: as many as suit the backend */
    int batch;                 /* most positions a thread takes at once; 0: the backend's default */
    int wait_us;               /* how long a thread waits for a batch to fill */
    int symmetry;              /* 0 to 7, or one of the above */
    size_t cache_bytes;        /* 0: none */
    int sharers;               /* searches that use it at the same time; 0: one */
    struct yo_notices notices; /* receives notices of lost devices */
};

/* The evaluator owns the network from here on, also when this fails. */
enum yo_err yo_net_eval_new(struct yo_net *net, const struct yo_net_eval_options *options,
                            struct yo_eval *eval, struct yo_diag *diag);
/* One more user: destroyed as often as it has users, it is gone. */
void yo_net_eval_share(const struct yo_eval *eval);
int yo_net_eval_users(const struct yo_eval *eval);
/* Opens a network file. */
enum yo_err yo_net_eval_open(const char *path, const struct yo_net_eval_options *options,
                             struct yo_eval *eval, struct yo_diag *diag);

struct yo_net_program;

/* The network behind the evaluator, compiled; NULL if it is another kind of evaluator. */
const struct yo_net_program *yo_net_eval_program(const struct yo_eval *eval);

struct yo_net_eval_counts {
    uint64_t evaluations; /* rows that a backend ran */
    uint64_t batches;
    uint64_t cache_hits;
};
/* Counts since the evaluator was created. */
void yo_net_eval_counts(const struct yo_eval *eval, struct yo_net_eval_counts *counts);
