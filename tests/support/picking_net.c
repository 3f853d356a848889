#include "support/picking_net.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "eval/net/reference.h"

enum { ENTRIES_MAX = 600 }; /* of a position */

struct program {
    const struct yo_net_graph *graph;
    void *inner;
};

struct worker {
    size_t policy; /* floats */
    void *inner;
    float *numbers;
};

static atomic_long picked_count;

long picking_net_picked(void) { return atomic_load(&picked_count); }

static bool available(void) { return true; }

static enum yo_err compile(const struct yo_net_graph *graph, void **program, struct yo_diag *diag) {
    struct program *made = malloc(sizeof *made);
    if (!made) abort();
    made->graph = graph;
    *program = made;
    return yo_net_reference.compile(graph, &made->inner, diag);
}

static void program_delete(void *ctx) {
    struct program *program = ctx;
    yo_net_reference.program_delete(program->inner);
    free(program);
}

static enum yo_err worker_new(void *ctx, int size, int max_batch, void **worker,
                              struct yo_diag *diag) {
    struct program *program = ctx;
    struct worker *made = malloc(sizeof *made);
    float *numbers = malloc((size_t)max_batch * ENTRIES_MAX * sizeof *numbers);
    if (!made || !numbers) abort();
    made->policy =
        yo_net_tensor_floats(program->graph, program->graph->outputs[YO_NET_OUT_POLICY], size);
    made->numbers = numbers;
    *worker = made;
    return yo_net_reference.worker_new(program->inner, size, max_batch, &made->inner, diag);
}

static void worker_delete(void *ctx) {
    struct worker *worker = ctx;
    yo_net_reference.worker_delete(worker->inner);
    free(worker->numbers);
    free(worker);
}

static void pick(const struct worker *worker, const struct yo_net_batch *batch, int row) {
    const struct yo_net_wanted *wanted = &batch->wanted[row];
    float *to = worker->numbers + (size_t)row * ENTRIES_MAX;
    float *policy = batch->out[YO_NET_OUT_POLICY] + (size_t)row * worker->policy;
    for (size_t i = 0; i < wanted->count; i++)
        to[i] = policy[wanted->entries[i]];
    for (size_t i = 0; i < worker->policy; i++)
        policy[i] = NAN;
    batch->picked[row] = to;
    atomic_fetch_add(&picked_count, 1);
}

static enum yo_err run(void *ctx, const struct yo_net_batch *batch, struct yo_diag *diag) {
    struct worker *worker = ctx;
    enum yo_err err = yo_net_reference.run(worker->inner, batch, diag);
    int rows = yo_net_batch_rows(batch, YO_NET_OUT_POLICY, 0, batch->count);
    for (int row = 0; !err && batch->wanted && row < rows; row++)
        pick(worker, batch, row);
    return err;
}

const struct yo_net_backend picking_net = {
    .name = "picking",
    .summary = "the reference, with policies as lists of entries",
    .available = available,
    .compile = compile,
    .program_delete = program_delete,
    .worker_new = worker_new,
    .worker_delete = worker_delete,
    .run = run,
};
