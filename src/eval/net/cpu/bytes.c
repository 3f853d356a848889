/* 3x3 convolutions in bytes (yo_net_kernels.bytes). */
#include <string.h>

#include "eval/net/cpu/worker.h"

static int result_rows(int size) {
    int rows = size * (size + 1);
    return (rows + YO_NET_BYTES_ROWS - 1) / YO_NET_BYTES_ROWS * YO_NET_BYTES_ROWS;
}

void yo_net_bytes_needs(const struct yo_net_op *op, int size, size_t *board, size_t *products) {
    int rows = result_rows(size);
    /* Up to the end of the last read, by the last part of the kernel's last row. */
    *board = (size_t)(rows + 2 * (size + 1) + 3) * yo_net_padded(op->in_channels) + YO_NET_BYTES_K;
    *products = (size_t)rows * yo_net_padded(op->out_channels);
}

/* Quantises the position onto the board, with zeros around it. Returns the quantisation step. */
static float fill_board(struct yo_net_cpu_worker *w, const struct yo_net_op *op, int position,
                        float limit) {
    const float *in = yo_net_cpu_worker_tensor(w, op->in, position);
    int step = yo_net_cpu_worker_step(w, op->in), channels = yo_net_padded(op->in_channels);
    int size = w->size, pitch = size + 1;
    float most = yo_net_cpu_worker_largest(w, op->in, position);
    uint8_t *board = w->inputs;
    memset(board, 0, (size_t)(pitch + 1) * channels);
    memset(board + (size_t)(size + 1) * pitch * channels, 0, (size_t)(pitch + 1) * channels);
    for (int y = 0; y < size; y++) {
        uint8_t *row = board + (size_t)((y + 1) * pitch + 1) * channels;
        struct yo_net_quantise q = {.in = in + (ptrdiff_t)y * size * step + op->first_channel,
                                    .in_step = step,
                                    .scale = most > 0 ? limit / most : 0.0f,
                                    .out = row,
                                    .out_step = channels,
                                    .points = size,
                                    .channels = channels};
        w->program->kernels->quantise_b(&q);
        memset(row + (size_t)size * channels, 0, channels);
    }
    return most / limit;
}

/* Scale, bias, sum and activation, row by row of the board. */
static void finish_rows(struct yo_net_cpu_worker *w, int i, int position) {
    const struct yo_net_op *op = &w->program->graph->ops[i];
    int outs = yo_net_padded(op->out_channels);
    yo_net_cpu_worker_begin(w, i, position);
    for (int y = 0; y < w->size; y++) {
        ptrdiff_t to = (ptrdiff_t)y * w->size * outs;
        struct yo_net_finish f = {
            .in = (int32_t *)w->products + (ptrdiff_t)y * (w->size + 1) * outs,
            .in_step = outs,
            .scale = w->scale,
            .out_step = outs,
            .points = w->size,
            .channels = outs,
            .after = yo_net_cpu_worker_after(w, i, position, to),
        };
        w->program->kernels->finish_i(&f);
    }
}

void yo_net_run_bytes(struct yo_net_cpu_worker *w, int i, int position) {
    const struct yo_net_op *op = &w->program->graph->ops[i];
    const struct yo_net_packed *packed = &w->program->layers[i].direct;
    int outs = yo_net_padded(op->out_channels);
    float step = fill_board(w, op, position, packed->limit);
    struct yo_net_bytes b = {
        .board = w->inputs,
        .is_signed = packed->limit < UINT8_MAX,
        .pitch = w->size + 1,
        .channels = yo_net_padded(op->in_channels),
        .rows = result_rows(w->size),
        .weights = packed->weights,
        .outs = outs,
        .out = w->products,
    };
    w->program->kernels->bytes(&b);
    for (int o = 0; o < outs; o++)
        w->scale[o] = packed->scales[o] * step;
    finish_rows(w, i, position);
}
