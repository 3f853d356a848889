/* Convolutions of tensors and dense layers, as matrix products. */
#include <string.h>

#include "eval/net/cpu/worker.h"

/* The quantisation step of the input. */
static float input_step(const struct yo_net_cpu_worker *w, const struct yo_net_op *op, int position,
                        float limit) {
    return yo_net_cpu_worker_largest(w, op->in, position) / limit;
}

static void *element(const void *array, bool integers, ptrdiff_t at) {
    return (char *)array + at * (ptrdiff_t)(integers ? sizeof(int16_t) : sizeof(float));
}

/* Copies the input onto the board with a border of zeros. */
static void fill_board(struct yo_net_cpu_worker *w, int i, int position, float limit) {
    const struct yo_net_op *op = &w->program->graph->ops[i];
    bool integers = w->program->layers[i].integers;
    if (integers) w->position_scale[position] = input_step(w, op, position, limit);
    struct yo_net_quantise q = yo_net_cpu_worker_quantise(w, i, position, limit);
    q.out_step = w->board_channels;
    q.points = w->size;
    for (int y = 0; y < w->size; y++, q.in += w->size * q.in_step) {
        ptrdiff_t at = ((ptrdiff_t)(w->border + y) * w->pitch + w->border) * w->board_channels;
        q.out = element(w->board, integers, at);
        if (integers)
            w->program->kernels->quantise_h(&q);
        else
            for (int x = 0; x < w->size; x++)
                memcpy((float *)q.out + x * q.out_step, q.in + x * q.in_step,
                       op->in_channels * sizeof(float));
    }
}

/* ---- Winograd ---- */

/* What the steps of one convolution share. */
struct tiling {
    int outs, side, across, count; /* results and inputs a side; tiles a side and a board */
    bool integers;
    int in_channels;             /* from tile to tile */
    ptrdiff_t in_step, out_step; /* from tile point to tile point */
};

/* Between tile points lies a cache line more than their data: distances of 4096 bytes would put all
 * points of a tile into one set of the cache. */
static struct tiling tiling_of(const struct yo_net_cpu_worker *w, int i, int positions) {
    const struct yo_net_op *op = &w->program->graph->ops[i];
    struct tiling t = {.outs = w->tile_outs,
                       .side = w->tile_outs + 2,
                       .across = w->tiles,
                       .count = w->tiles * w->tiles,
                       .integers = w->program->layers[i].integers};
    t.in_channels = yo_net_wide(op->in_channels);
    t.in_step = (ptrdiff_t)positions * t.count * t.in_channels + 2 * YO_NET_PAD;
    t.out_step = (ptrdiff_t)positions * t.count * yo_net_padded(op->out_channels) + YO_NET_PAD;
    return t;
}

static void tiles_in(struct yo_net_cpu_worker *w, int i, int position, const struct tiling *t) {
    const struct yo_net_kernels *kernels = w->program->kernels;
    for (int tile = 0; tile < t->count; tile++) {
        int y = tile / t->across * t->outs, x = tile % t->across * t->outs;
        ptrdiff_t from =
            ((ptrdiff_t)(w->border - 1 + y) * w->pitch + w->border - 1 + x) * w->board_channels;
        ptrdiff_t to = ((ptrdiff_t)position * t->count + tile) * t->in_channels;
        struct yo_net_tile_in in = {
            .outs = t->outs,
            .in = element(w->board, t->integers, from),
            .row_step = (ptrdiff_t)w->pitch * w->board_channels,
            .point_step = w->board_channels,
            .channels = yo_net_padded(w->program->graph->ops[i].in_channels),
            .out = element(w->inputs, t->integers, to),
            .tile_step = t->in_step,
        };
        (t->integers ? kernels->tile_in_h : kernels->tile_in_f)(&in);
    }
}

static void tile_products(struct yo_net_cpu_worker *w, int i, int positions,
                          const struct tiling *t) {
    const struct yo_net_op *op = &w->program->graph->ops[i];
    const struct yo_net_packed *packed = &w->program->layers[i].tiles[t->outs - 3];
    const ptrdiff_t no_offset = 0;
    struct yo_net_gemm g = {
        .a_step = t->in_channels,
        .taps = &no_offset,
        .tap_count = 1,
        .k = t->integers ? (op->in_channels + 1) / 2 : op->in_channels,
        .rows = positions * t->count,
        .outs = yo_net_padded(op->out_channels),
    };
    g.out_step = g.outs;
    for (int point = 0; point < t->side * t->side; point++) {
        g.a = element(w->inputs, t->integers, point * t->in_step);
        g.weights = element(packed->weights, t->integers, point * (ptrdiff_t)packed->matrix_size);
        g.out = (float *)w->products + point * t->out_step;
        (t->integers ? w->program->kernels->gemm_h : w->program->kernels->gemm_f)(&g);
    }
}

static void tiles_out(struct yo_net_cpu_worker *w, int i, int position, const struct tiling *t) {
    const struct yo_net_kernels *kernels = w->program->kernels;
    const struct yo_net_op *op = &w->program->graph->ops[i];
    int outs = yo_net_padded(op->out_channels);
    yo_net_cpu_worker_begin(w, i, position);
    for (int tile = 0; tile < t->count; tile++) {
        int y = tile / t->across * t->outs, x = tile % t->across * t->outs;
        ptrdiff_t to = ((ptrdiff_t)y * w->size + x) * outs;
        struct yo_net_tile_out out = {
            .outs = t->outs,
            .in = (float *)w->products + ((ptrdiff_t)position * t->count + tile) * outs,
            .tile_step = t->out_step,
            .scales = w->program->layers[i].tiles[t->outs - 3].scales,
            .scale = w->position_scale[position],
            .row_step = (ptrdiff_t)w->size * outs,
            .point_step = outs,
            .rows = w->size - y < t->outs ? w->size - y : t->outs,
            .columns = w->size - x < t->outs ? w->size - x : t->outs,
            .channels = outs,
            .after = yo_net_cpu_worker_after(w, i, position, to),
        };
        (t->integers ? kernels->tile_out_i : kernels->tile_out_f)(&out);
    }
}

void yo_net_run_winograd(struct yo_net_cpu_worker *w, int i, int positions) {
    struct tiling t = tiling_of(w, i, positions);
    w->inputs_hold = YO_NET_NONE;
    for (int position = 0; position < positions; position++) {
        fill_board(w, i, position, w->program->layers[i].tiles[t.outs - 3].limit);
        tiles_in(w, i, position, &t);
    }
    yo_net_cpu_worker_lap(w, YO_NET_PART_INPUTS);
    tile_products(w, i, positions, &t);
    yo_net_cpu_worker_lap(w, YO_NET_PART_PRODUCTS);
    for (int position = 0; position < positions; position++)
        tiles_out(w, i, position, &t);
    yo_net_cpu_worker_lap(w, YO_NET_PART_FINISH);
}

/* ---- one product for each tap ---- */

static void list_taps(struct yo_net_cpu_worker *w, const struct yo_net_op *op) {
    for (int ky = 0, tap = 0; ky < op->kernel_y; ky++)
        for (int kx = 0; kx < op->kernel_x; kx++, tap++) {
            int y = (ky - op->kernel_y / 2) * op->dilation_y;
            int x = (kx - op->kernel_x / 2) * op->dilation_x;
            w->taps[tap] = ((ptrdiff_t)y * w->pitch + x) * w->board_channels;
        }
}

/* Products of the rows of a board with a border. */
static void board_products(struct yo_net_cpu_worker *w, int i, int position, struct yo_net_gemm g) {
    const struct yo_net_layer *layer = &w->program->layers[i];
    const struct yo_net_op *op = &w->program->graph->ops[i];
    fill_board(w, i, position, layer->direct.limit);
    list_taps(w, op);
    g.taps = w->taps;
    g.tap_count = op->kernel_y * op->kernel_x;
    g.a_step = w->board_channels;
    g.rows = w->size;
    for (int y = 0; y < w->size; y++) {
        ptrdiff_t at = ((ptrdiff_t)(w->border + y) * w->pitch + w->border) * w->board_channels;
        g.a = element(w->board, layer->integers, at);
        g.out = (float *)w->products + (ptrdiff_t)y * w->size * g.outs;
        (layer->integers ? w->program->kernels->gemm_h : w->program->kernels->gemm_f)(&g);
    }
}

/* Quantises the points of a position, unless the convolution before has read the same. */
static void quantise_points(struct yo_net_cpu_worker *w, int i, int position, float limit) {
    const struct yo_net_op *op = &w->program->graph->ops[i];
    struct yo_net_quantise q = yo_net_cpu_worker_quantise(w, i, position, limit);
    bool whole = op->in_channels == w->program->graph->tensors[op->in].channels && w->group == 1;
    w->position_scale[position] = input_step(w, op, position, limit);
    if (whole && w->inputs_hold == op->in) return;
    w->inputs_hold = whole ? op->in : YO_NET_NONE;
    q.out = w->inputs;
    q.out_step = yo_net_wide(op->in_channels);
    q.points = w->points;
    w->program->kernels->quantise_h(&q);
}

/* Products for each point alone (1x1); the vector of a dense layer is one point. */
static void point_products(struct yo_net_cpu_worker *w, int i, int position, struct yo_net_gemm g) {
    const struct yo_net_layer *layer = &w->program->layers[i];
    const struct yo_net_op *op = &w->program->graph->ops[i];
    const ptrdiff_t no_offset = 0;
    g.taps = &no_offset;
    g.tap_count = 1;
    g.rows = op->kind == YO_NET_CONV ? w->points : 1;
    g.out = w->products;
    if (layer->integers) {
        quantise_points(w, i, position, layer->direct.limit);
        g.a = w->inputs;
        g.a_step = yo_net_wide(op->in_channels);
    } else {
        g.a = yo_net_cpu_worker_tensor(w, op->in, position) + op->first_channel;
        g.a_step = yo_net_cpu_worker_step(w, op->in);
    }
    (layer->integers ? w->program->kernels->gemm_h : w->program->kernels->gemm_f)(&g);
}

void yo_net_run_direct(struct yo_net_cpu_worker *w, int i, int positions) {
    const struct yo_net_layer *layer = &w->program->layers[i];
    const struct yo_net_op *op = &w->program->graph->ops[i];
    struct yo_net_gemm g = {
        .k = layer->integers ? (op->in_channels + 1) / 2 : op->in_channels,
        .weights = layer->direct.weights,
        .outs = yo_net_padded(op->out_channels),
    };
    g.out_step = g.outs;
    bool points = op->kind == YO_NET_DENSE || op->kernel_y * op->kernel_x == 1;
    for (int position = 0; position < positions; position++) {
        (points ? point_products : board_products)(w, i, position, g);
        if (layer->integers)
            for (int o = 0; o < g.outs; o++)
                w->scale[o] = layer->direct.scales[o] * w->position_scale[position];
        yo_net_cpu_worker_finish(w, i, position, w->products, layer->integers,
                                 layer->integers ? w->scale : NULL);
    }
    yo_net_cpu_worker_lap(w, op->kind == YO_NET_DENSE ? YO_NET_PART_DENSE
                             : points                 ? YO_NET_PART_POINTS
                                                      : YO_NET_PART_PRODUCTS);
}
