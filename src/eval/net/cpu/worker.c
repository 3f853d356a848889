#include "eval/net/cpu/worker.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/diag.h"

/* Tiles that are transformed together: each weight read is used so many times. */
enum { TILES_AT_ONCE = 27 };

/* The largest of each kind over all operations. */
struct needs {
    int in_channels, out_channels, border, taps;
    size_t inputs, products, pooled; /* elements */
};

static void need(size_t *most, size_t value) {
    if (value > *most) *most = value;
}

static void need_int(int *most, int value) {
    if (value > *most) *most = value;
}

static void add_needs(const struct yo_net_cpu_worker *w, int i, struct needs *n) {
    const struct yo_net_op *op = &w->program->graph->ops[i];
    int in = yo_net_wide(op->in_channels), out = yo_net_padded(op->out_channels);
    need_int(&n->out_channels, out);
    need(&n->products, op->kind == YO_NET_CONV ? (size_t)w->points * out : (size_t)out);
    if (op->kind == YO_NET_POOL) need(&n->pooled, 2 * (size_t)yo_net_cpu_worker_step(w, op->in));
    if (op->kind != YO_NET_CONV || op->in == 0) return;
    need_int(&n->in_channels, in);
    need_int(&n->taps, op->kernel_y * op->kernel_x);
    need_int(&n->border, op->kernel_y / 2 * op->dilation_y);
    need_int(&n->border, op->kernel_x / 2 * op->dilation_x);
    need(&n->inputs, (size_t)w->points * in);
    if (w->program->layers[i].form != YO_NET_FORM_WINOGRAD) return;
    size_t side = w->tile_outs + 2, tiles = (size_t)w->group * w->tiles * w->tiles;
    need(&n->inputs, side * side * (tiles * in + 2 * YO_NET_PAD));
    need(&n->products, side * side * (tiles * out + YO_NET_PAD));
}

static struct needs all_needs(const struct yo_net_cpu_worker *w) {
    struct needs n = {.border = 1, .taps = 1, .in_channels = YO_NET_PAD};
    for (int i = 0; i < w->program->graph->op_count; i++)
        add_needs(w, i, &n);
    return n;
}

/* Blocks have a vector more than their data, since the last channels of a part of a tensor are read
 * in whole vectors. */
static void *block(size_t elements, size_t size) {
    return yo_alloc_aligned((elements + 4 * YO_NET_PAD) * size);
}

static enum yo_err worker_memory(struct yo_net_cpu_worker *w) {
    const struct yo_net_cpu_program *p = w->program;
    struct needs n = all_needs(w);
    size_t width = sizeof(float);
    int tiled = w->tiles * w->tile_outs;
    w->border = n.border;
    w->pitch = n.border + (tiled > w->size ? tiled : w->size) + n.border;
    w->board_channels = n.in_channels;
    w->slots = yo_alloc(p->slot_count + 1, sizeof *w->slots);
    if (!w->slots) return YO_ERR_NOMEM;
    for (int slot = 0; slot < p->slot_count; slot++) {
        w->slots[slot] = block((size_t)w->group * w->points * p->slot_channels[slot], width);
        if (!w->slots[slot]) return YO_ERR_NOMEM;
    }
    w->vectors = block(w->group * p->vector_floats, width);
    w->board = block((size_t)w->pitch * w->pitch * w->board_channels, width);
    w->inputs = block(n.inputs, width);
    w->products = block(n.products, width);
    w->pooled = block(n.pooled, width);
    w->base = block(n.out_channels, width);
    w->scale = block(n.out_channels, width);
    w->position_scale = block(w->group, width);
    w->most = block((size_t)p->graph->tensor_count * w->group * YO_NET_PAD, width);
    w->taps = yo_alloc(n.taps, sizeof *w->taps);
    if (!w->vectors || !w->board || !w->inputs || !w->products || !w->pooled || !w->base ||
        !w->scale || !w->position_scale || !w->most || !w->taps)
        return YO_ERR_NOMEM;
    enum yo_err err = yo_net_byte_boards_new(w);
    return err == YO_OK ? yo_net_planes_new(p, w->size, &w->planes) : err;
}

enum yo_err yo_net_cpu_worker_new(void *program, int size, int max_batch, void **worker,
                                  struct yo_diag *diag) {
    struct yo_net_cpu_worker *w = yo_alloc(1, sizeof *w);
    if (!w) return yo_diag_set(diag, YO_ERR_NOMEM, "no memory for a thread of the network");
    w->program = program;
    w->size = size;
    w->points = size * size;
    w->tile_outs = yo_net_tile_outs(size, &w->tiles);
    w->group = TILES_AT_ONCE / (w->tiles * w->tiles);
    /* Weights in bytes fit the second-level cache, so nothing is gained from reading them once for
     * several positions. */
    if (w->group < 1 || w->program->numbers == YO_NET_INT8) w->group = 1;
    if (w->group > max_batch) w->group = max_batch;
    enum yo_err err = yo_net_cpu_program_tiles(w->program, w->tile_outs);
    if (err == YO_OK) err = worker_memory(w);
    if (err == YO_OK)
        *worker = w;
    else {
        yo_net_cpu_worker_delete(w);
        yo_diag_set(diag, err, "no memory for a thread of the network");
    }
    return err;
}

void yo_net_cpu_worker_delete(void *worker) {
    struct yo_net_cpu_worker *w = worker;
    if (!w) return;
    for (int slot = 0; w->slots && slot < w->program->slot_count; slot++)
        yo_free_aligned(w->slots[slot]);
    yo_free(w->slots);
    yo_free_aligned(w->vectors);
    yo_free_aligned(w->board);
    yo_free_aligned(w->inputs);
    yo_free_aligned(w->products);
    yo_free_aligned(w->pooled);
    yo_net_byte_boards_delete(w);
    yo_free_aligned(w->base);
    yo_free_aligned(w->scale);
    yo_free_aligned(w->position_scale);
    yo_free_aligned(w->most);
    yo_free(w->taps);
    yo_net_planes_delete(w->planes, w->program);
    yo_free(w);
}

void yo_net_cpu_worker_base(struct yo_net_cpu_worker *w, int i, int position) {
    const struct yo_net_op *op = &w->program->graph->ops[i];
    const float *bias = w->program->layers[i].bias;
    int outs = yo_net_padded(op->out_channels);
    memcpy(w->base, bias, outs * sizeof *bias);
    if (op->add_vector == YO_NET_NONE) return;
    const float *vector = yo_net_cpu_worker_tensor(w, op->add_vector, position);
    for (int o = 0; o < outs; o++)
        w->base[o] += vector[o];
}

/* The tensor that the epilogue of an operation computes last. */
static int last_result(const struct yo_net_cpu_worker *w, int i) {
    int then = w->program->layers[i].then;
    return w->program->graph->ops[then == YO_NET_NONE ? i : then].out;
}

static float *most_of(const struct yo_net_cpu_worker *w, int tensor, int position) {
    return w->most + ((size_t)tensor * w->group + position) * YO_NET_PAD;
}

void yo_net_cpu_worker_begin(struct yo_net_cpu_worker *w, int i, int position) {
    yo_net_cpu_worker_base(w, i, position);
    memset(most_of(w, last_result(w, i), position), 0, YO_NET_PAD * sizeof *w->most);
}

float yo_net_cpu_worker_largest(const struct yo_net_cpu_worker *w, int tensor, int position) {
    const float *most = most_of(w, tensor, position);
    float largest = 0.0f;
    for (int i = 0; i < YO_NET_PAD; i++)
        largest = most[i] > largest ? most[i] : largest;
    return largest;
}

struct yo_net_epilogue yo_net_cpu_worker_after(const struct yo_net_cpu_worker *w, int i,
                                               int position, ptrdiff_t at) {
    const struct yo_net_graph *graph = w->program->graph;
    const struct yo_net_op *op = &graph->ops[i];
    int then = w->program->layers[i].then;
    struct yo_net_epilogue e = {
        .base = w->base,
        .add = op->add == YO_NET_NONE ? NULL : yo_net_cpu_worker_tensor(w, op->add, position) + at,
        .activation = op->activation,
        .out = yo_net_cpu_worker_tensor(w, op->out, position) + at,
        .most = most_of(w, last_result(w, i), position),
    };
    if (then == YO_NET_NONE) return e;
    if (!w->program->layers[then].inlined)
        e.then_out = yo_net_cpu_worker_tensor(w, graph->ops[then].out, position) + at;
    e.then_scale = w->program->layers[then].scale;
    e.then_base = w->program->layers[then].bias;
    e.then_floor = graph->ops[then].activation == YO_NET_RELU ? 0.0f : -INFINITY;
    return e;
}

struct yo_net_quantise yo_net_cpu_worker_quantise(const struct yo_net_cpu_worker *w, int i,
                                                  int position, float limit) {
    const struct yo_net_cpu_program *p = w->program;
    const struct yo_net_op *op = &p->graph->ops[i];
    int made_by = p->made_by[op->in];
    int stored = made_by == YO_NET_NONE ? op->in : p->graph->ops[made_by].in;
    float most = yo_net_cpu_worker_largest(w, op->in, position);
    struct yo_net_quantise q = {
        .in = yo_net_cpu_worker_tensor(w, stored, position) + op->first_channel,
        .in_step = yo_net_cpu_worker_step(w, stored),
        .scale = most > 0 ? limit / most : 0.0f,
        .channels = yo_net_padded(op->in_channels),
    };
    if (made_by == YO_NET_NONE) return q;
    q.then_scale = p->layers[made_by].scale + op->first_channel;
    q.then_base = p->layers[made_by].bias + op->first_channel;
    q.then_floor = p->graph->ops[made_by].activation == YO_NET_RELU ? 0.0f : -INFINITY;
    return q;
}

void yo_net_cpu_worker_finish(struct yo_net_cpu_worker *w, int i, int position, const void *in,
                              bool integers, const float *scale) {
    const struct yo_net_op *op = &w->program->graph->ops[i];
    int outs = yo_net_padded(op->out_channels);
    yo_net_cpu_worker_begin(w, i, position);
    struct yo_net_finish f = {
        .in = in,
        .in_step = outs,
        .out_step = outs,
        .scale = scale,
        .points = w->program->graph->tensors[op->out].spatial ? w->points : 1,
        .channels = outs,
        .after = yo_net_cpu_worker_after(w, i, position, 0),
    };
    (integers ? w->program->kernels->finish_i : w->program->kernels->finish_f)(&f);
}
