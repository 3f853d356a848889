/* A backend of the networks: compiles a graph once, then runs batches of it. A program is read-only
 * and shared by all threads; each thread has a worker of its own with all memory a batch needs, so
 * that nothing is allocated while a batch runs. Faster backends agree with `reference` within a
 * tolerance that they state. */
#pragma once

#include "base/buf.h"
#include "base/notice.h"
#include "eval/net/graph.h"

/* Entries of a position's policy: indices into its numbers, in any order, also repeated. */
struct yo_net_wanted {
    const uint16_t *entries;
    size_t count;
};

/* One batch: `count` positions of one board size. Arrays are dense, one position after the other.
 */
struct yo_net_batch {
    int count;
    int size;
    /* [count][graph->planes][yo_net_plane_words(size)]: bit p % 64 of word p / 64 is point p. */
    const uint64_t *planes;
    const float *globals; /* [count][graph->globals] */
    /* [count][yo_net_tensor_floats(graph, graph->outputs[role], size)]; NULL for what is not
     * wanted. */
    float *out[YO_NET_ROLES];
    /* Of the last so many positions no policy is wanted: a backend may leave its place as it is. In
     * shogi it is most of what there is to copy. */
    int without_policy;
    /* [YO_NET_ROLES], or NULL. A run may leave an output in memory of its worker, where it stays
     * until the worker's next run, and writes its place here instead of copying it to out[role]. */
    const float **left;
    /* [count], or NULL. Of the policy only these entries are read. A run may pick them: it writes
     * where a position's numbers are, in the order of its entries, to picked[position], leaves
     * out[YO_NET_OUT_POLICY] as it is, and the numbers stay in memory of its worker until the next
     * run. Else picked[position] stays NULL, and the whole policy is given. */
    const struct yo_net_wanted *wanted;
    const float **picked; /* [count], NULL before the run; with `wanted` */
};

/* Where an output is after a run. */
static inline const float *yo_net_batch_output(const struct yo_net_batch *batch, int role) {
    return batch->left && batch->left[role] ? batch->left[role] : batch->out[role];
}

/* How many of the positions from `first` on have this output. */
static inline int yo_net_batch_rows(const struct yo_net_batch *batch, int role, int first,
                                    int count) {
    if (!batch->out[role]) return 0;
    if (role != YO_NET_OUT_POLICY && role != YO_NET_OUT_PASS) return count;
    int rows = batch->count - batch->without_policy - first;
    return rows < 0 ? 0 : rows < count ? rows : count;
}

static inline int yo_net_plane_words(int size) { return (size * size + 63) / 64; }

/* Where the time of a run goes, for benchmarks. */
enum yo_net_part {
    YO_NET_PART_STEM,     /* convolutions of the planes */
    YO_NET_PART_INPUTS,   /* inputs of larger convolutions: quantised, transformed, moved */
    YO_NET_PART_PRODUCTS, /* their products; with AMX the epilogue too */
    YO_NET_PART_FINISH,   /* their epilogue */
    YO_NET_PART_POINTS,   /* 1x1 convolutions */
    YO_NET_PART_DENSE,
    YO_NET_PART_REST, /* pooling, other operations, results */
    YO_NET_PARTS,
};

struct yo_net_times {
    double seconds[YO_NET_PARTS];
};

/* Backends of a family have the same numbers and differ in the instructions they use: the first
 * that is available is the fastest. */
enum yo_net_family {
    YO_NET_ON_REQUEST, /* only by name: slow, or not exact enough */
    YO_NET_FAMILY_GPU,
    YO_NET_FAMILY_CUDNN, /* the same GPU by NVIDIA's library */
    YO_NET_FAMILY_INT16,
    YO_NET_FAMILY_FLOAT,
    YO_NET_FAMILIES,
};

struct yo_net_backend {
    const char *name;
    const char *summary; /* one line for people */
    enum yo_net_family family;
    int batch; /* most efficient batch size; 0: any */
    /* Whether this machine can run it. */
    bool (*available)(void);
    /* The graph outlives the program. Refuses, with a reason, graphs it cannot run. */
    enum yo_err (*compile)(const struct yo_net_graph *graph, void **program, struct yo_diag *diag);
    void (*program_delete)(void *program);
    /* For boards of one size and at most max_batch positions. */
    enum yo_err (*worker_new)(void *program, int size, int max_batch, void **worker,
                              struct yo_diag *diag);
    void (*worker_delete)(void *worker);
    enum yo_err (*run)(void *worker, const struct yo_net_batch *batch, struct yo_diag *diag);
    /* From now on each run adds the time of its parts to `times`; NULL: no longer. May be NULL. */
    void (*set_times)(void *worker, struct yo_net_times *times);
    /* Call after a run: reports a lost device, once; the work continues on the CPU. May be NULL. */
    void (*notify)(void *program, const struct yo_notices *notices);
    /* Adds in words how the worker computes, where the backend has several ways. May be NULL. */
    void (*describe)(void *worker, struct yo_buf *out);
};

/* All backends but those that are only found by name, the fastest first, `reference` last. */
const struct yo_net_backend *const *yo_net_backends(int *count);
/* By name; "auto" is the first that is available (choice.h has the fastest for a network). */
const struct yo_net_backend *yo_net_backend_find(const char *name, struct yo_diag *diag);
const char *yo_net_part_name(enum yo_net_part part);
/* Whether this machine has a GPU or vector instructions that a backend uses. */
bool yo_net_has_fast_backend(void);
