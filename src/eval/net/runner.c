#include "eval/net/runner.h"

#include <limits.h>
#include <string.h>

#include "base/alloc.h"
#include "base/diag.h"

struct yo_net_runner {
    const struct yo_net_program *program;
    int max_batch, size, count;
    int with_policy; /* rows */
    unsigned wants;
    void *worker;
    uint64_t *planes;
    float *globals;
    float *out[YO_NET_ROLES];
    const float *left[YO_NET_ROLES]; /* what the last run left in the worker's memory */
    struct yo_net_wanted *wanted;    /* of each row; without entries: the whole policy */
    const float **picked;            /* of each row of the last run */
    int8_t *symmetry;                /* of each row */
    void *memory;                    /* of the game, for yo_net_runner_add; or NULL */
};

/* ---- programs ---- */

enum yo_err yo_net_program_init(struct yo_net_program *program, const struct yo_net *net,
                                const struct yo_net_backend *backend, struct yo_diag *diag) {
    *program = (struct yo_net_program){.net = net, .game = yo_net_game(net), .backend = backend};
    yo_net_graph_planes_used(&net->graph, program->used);
    return backend->compile(&net->graph, &program->program, diag);
}

void yo_net_program_free(struct yo_net_program *program) {
    if (program->backend) program->backend->program_delete(program->program);
    *program = (struct yo_net_program){0};
}

/* ---- runners ---- */

enum yo_err yo_net_runner_new(const struct yo_net_program *program, int max_batch,
                              struct yo_net_runner **runner, struct yo_diag *diag) {
    struct yo_net_runner *made = yo_alloc(1, sizeof *made);
    if (!made) return yo_diag_set(diag, YO_ERR_NOMEM, "not enough memory to run the network");
    made->program = program;
    made->max_batch = max_batch;
    *runner = made;
    return YO_OK;
}

static void free_size(struct yo_net_runner *runner) {
    if (runner->worker) runner->program->backend->worker_delete(runner->worker);
    yo_free_aligned(runner->planes);
    yo_free_aligned(runner->globals);
    for (int role = 0; role < YO_NET_ROLES; role++)
        yo_free_aligned(runner->out[role]);
    yo_free(runner->wanted);
    yo_free(runner->picked);
    yo_free(runner->symmetry);
    if (runner->memory) runner->program->game->memory_delete(runner->memory);
    runner->memory = NULL;
    runner->worker = NULL;
    runner->planes = NULL;
    runner->globals = NULL;
    memset(runner->out, 0, sizeof runner->out);
    memset(runner->left, 0, sizeof runner->left);
    runner->wanted = NULL;
    runner->picked = NULL;
    runner->symmetry = NULL;
    runner->size = 0;
}

void yo_net_runner_delete(struct yo_net_runner *runner) {
    if (!runner) return;
    free_size(runner);
    yo_free(runner);
}

const struct yo_net *yo_net_runner_net(const struct yo_net_runner *runner) {
    return runner->program->net;
}

static size_t plane_words(const struct yo_net_runner *runner, int size) {
    return (size_t)runner->program->net->graph.planes * (size_t)yo_net_plane_words(size);
}

static bool make_arrays(struct yo_net_runner *runner, int size) {
    const struct yo_net_graph *graph = &runner->program->net->graph;
    size_t rows = (size_t)runner->max_batch;
    runner->planes = yo_alloc_aligned(rows * plane_words(runner, size) * sizeof(uint64_t));
    runner->globals = yo_alloc_aligned(rows * (size_t)graph->globals * sizeof(float));
    runner->wanted = yo_alloc(rows, sizeof *runner->wanted);
    runner->picked = yo_alloc(rows, sizeof *runner->picked);
    runner->symmetry = yo_alloc(rows, 1);
    bool made =
        runner->planes && runner->globals && runner->wanted && runner->picked && runner->symmetry;
    for (int role = 0; role < YO_NET_ROLES && made; role++) {
        int tensor = graph->outputs[role];
        if (tensor == YO_NET_NONE) continue;
        size_t floats = yo_net_tensor_floats(graph, tensor, size);
        runner->out[role] = yo_alloc_aligned(rows * floats * sizeof(float));
        made = runner->out[role];
    }
    return made;
}

static enum yo_err set_size(struct yo_net_runner *runner, int size, struct yo_diag *diag) {
    const struct yo_net_program *program = runner->program;
    int fixed = program->net->graph.fixed_size;
    if (fixed && size != fixed)
        return yo_diag_set(diag, YO_ERR_UNSUPPORTED, "the network is for boards of size %d", fixed);
    free_size(runner);
    enum yo_err err = program->backend->worker_new(program->program, size, runner->max_batch,
                                                   &runner->worker, diag);
    if (!err && program->game->memory_new && !(runner->memory = program->game->memory_new(size)))
        err = yo_diag_set(diag, YO_ERR_NOMEM, "not enough memory to run the network");
    if (!err && !make_arrays(runner, size))
        err = yo_diag_set(diag, YO_ERR_NOMEM, "not enough memory to run the network");
    if (err)
        free_size(runner);
    else
        runner->size = size;
    return err;
}

enum yo_err yo_net_runner_start(struct yo_net_runner *runner, int size, struct yo_diag *diag) {
    runner->count = 0;
    runner->with_policy = INT_MAX;
    return size == runner->size ? YO_OK : set_size(runner, size, diag);
}

static uint64_t *row_planes(const struct yo_net_runner *runner, int row) {
    return runner->planes + (size_t)row * plane_words(runner, runner->size);
}

static float *row_globals(const struct yo_net_runner *runner, int row) {
    return runner->globals + (size_t)row * (size_t)runner->program->net->graph.globals;
}

void yo_net_runner_resize(struct yo_net_runner *runner, int rows) { runner->count = rows; }

static uint64_t *begin_row(struct yo_net_runner *runner, int row, int symmetry) {
    uint64_t *planes = row_planes(runner, row);
    memset(planes, 0, plane_words(runner, runner->size) * sizeof *planes);
    runner->wanted[row] = (struct yo_net_wanted){0};
    runner->symmetry[row] = (int8_t)symmetry;
    return planes;
}

void yo_net_runner_put(struct yo_net_runner *runner, int row, const void *position, int symmetry) {
    const struct yo_net_program *program = runner->program;
    uint64_t *planes = begin_row(runner, row, symmetry);
    program->game->input(position, program->used, symmetry, planes, row_globals(runner, row));
}

void yo_net_runner_put_kept(struct yo_net_runner *runner, int row, const void *position,
                            int symmetry, const struct yo_net_kept *kept) {
    const struct yo_net_program *program = runner->program;
    uint64_t *planes = begin_row(runner, row, symmetry);
    program->game->input_kept(position, program->used, symmetry, kept, planes,
                              row_globals(runner, row));
}

int yo_net_runner_add(struct yo_net_runner *runner, const void *position, int symmetry) {
    if (runner->memory)
        yo_net_runner_put_kept(runner, runner->count, position, symmetry,
                               &(struct yo_net_kept){.memory = runner->memory});
    else
        yo_net_runner_put(runner, runner->count, position, symmetry);
    return runner->count++;
}

void yo_net_runner_want(struct yo_net_runner *runner, int row, const uint16_t *entries,
                        size_t count) {
    if (runner->program->game->picks)
        runner->wanted[row] = (struct yo_net_wanted){.entries = entries, .count = count};
}

static uint64_t mix(uint64_t hash, uint64_t word) {
    hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 29;
}

uint64_t yo_net_runner_hash(const struct yo_net_runner *runner, int row) {
    size_t words = plane_words(runner, runner->size);
    const uint64_t *planes = row_planes(runner, row);
    const float *globals = row_globals(runner, row);
    uint64_t hash = (uint64_t)runner->size;
    for (size_t i = 0; i < words; i++)
        hash = mix(hash, planes[i]);
    for (int i = 0; i < runner->program->net->graph.globals; i++) {
        uint32_t bits;
        memcpy(&bits, &globals[i], sizeof bits);
        hash = mix(hash, bits);
    }
    return hash;
}

void yo_net_runner_drop(struct yo_net_runner *runner) { runner->count--; }

void yo_net_runner_end_policy(struct yo_net_runner *runner) { runner->with_policy = runner->count; }

int yo_net_runner_count(const struct yo_net_runner *runner) { return runner->count; }

static bool is_wanted(enum yo_net_role role, unsigned wants) {
    switch (role) {
    case YO_NET_OUT_POLICY:
    case YO_NET_OUT_PASS:
        return wants & YO_EVAL_POLICY;
    case YO_NET_OUT_OWNERSHIP:
        return wants & YO_EVAL_OWNERSHIP;
    case YO_NET_OUT_VALUE:
    case YO_NET_OUT_SCORE:
        return wants & YO_EVAL_VALUE;
    case YO_NET_ROLES:
        break;
    }
    return false;
}

/* Whether no row wants a whole policy. */
static bool wants_entries(const struct yo_net_runner *runner) {
    for (int row = 0; row < runner->count && row < runner->with_policy; row++)
        if (!runner->wanted[row].entries) return false;
    return true;
}

enum yo_err yo_net_runner_run(struct yo_net_runner *runner, unsigned wants, struct yo_diag *diag) {
    runner->wants = wants;
    if (runner->count == 0) return YO_OK;
    struct yo_net_batch batch = {.count = runner->count,
                                 .size = runner->size,
                                 .planes = runner->planes,
                                 .globals = runner->globals,
                                 .left = runner->left,
                                 .picked = runner->picked};
    memset(runner->left, 0, sizeof runner->left);
    memset(runner->picked, 0, (size_t)runner->count * sizeof *runner->picked);
    if (wants_entries(runner)) batch.wanted = runner->wanted;
    for (int role = 0; role < YO_NET_ROLES; role++)
        if (is_wanted((enum yo_net_role)role, wants)) batch.out[role] = runner->out[role];
    if (runner->with_policy < runner->count)
        batch.without_policy = runner->count - runner->with_policy;
    return runner->program->backend->run(runner->worker, &batch, diag);
}

struct yo_net_raw yo_net_runner_raw(const struct yo_net_runner *runner, int row) {
    return yo_net_runner_raw_of(runner, row, runner->symmetry[row]);
}

struct yo_net_raw yo_net_runner_raw_of(const struct yo_net_runner *runner, int row, int symmetry) {
    const struct yo_net_graph *graph = &runner->program->net->graph;
    struct yo_net_raw raw = {.symmetry = symmetry};
    for (int role = 0; role < YO_NET_ROLES; role++) {
        if (!runner->out[role] || !is_wanted((enum yo_net_role)role, runner->wants)) continue;
        size_t floats = yo_net_tensor_floats(graph, graph->outputs[role], runner->size);
        const float *from = runner->left[role] ? runner->left[role] : runner->out[role];
        raw.out[role] = from + (size_t)row * floats;
    }
    raw.picked = runner->picked[row];
    if (raw.picked) raw.out[YO_NET_OUT_POLICY] = NULL;
    return raw;
}
