#include "eval/net/cpu/pack.h"

#include <math.h>

#include "base/alloc.h"

/* The transform of the weights along one axis, for the points of winograd.h. */
static const double transform_3[5][3] = {{1.0 / 2, 0, 0},
                                         {-1.0 / 2, -1.0 / 2, -1.0 / 2},
                                         {-1.0 / 6, 1.0 / 6, -1.0 / 6},
                                         {1.0 / 6, 1.0 / 3, 2.0 / 3},
                                         {0, 0, 1}};
static const double transform_4[6][3] = {{1.0 / 4, 0, 0},
                                         {-1.0 / 6, -1.0 / 6, -1.0 / 6},
                                         {-1.0 / 6, 1.0 / 6, -1.0 / 6},
                                         {1.0 / 24, 1.0 / 12, 1.0 / 6},
                                         {1.0 / 24, -1.0 / 12, 1.0 / 6},
                                         {0, 0, 1}};

/* How much the transform of the inputs can enlarge them: for any signs the largest sum of absolute
 * coefficients of a tile point, (2 + 1 + 2 + 1)^2 and (4 + 5 + 1)^2. Inputs that are never negative
 * cannot add up positive and negative coefficients: 3 * 3 + 3 * 3 and 8 * 8 + 2 * 2. */
static double winograd_gain(int outs, bool inputs_signed) {
    if (outs == 3) return inputs_signed ? 36 : 18;
    return inputs_signed ? 100 : 68;
}

/* A matrix before it is packed: [tap * inputs + input][output], all outputs padded. */
struct matrix {
    double *values;
    int taps, inputs, outputs;
};

static enum yo_err packed_alloc(struct yo_net_arena *arena, struct yo_net_packed *packed,
                                int matrices, int taps, int inputs, int outputs, bool integers) {
    size_t width = integers ? sizeof(int16_t) : sizeof(float);
    packed->matrix_size = (size_t)taps * (integers ? (inputs + 1) / 2 * 2 : inputs) * outputs;
    packed->scales = yo_net_arena_alloc(arena, (size_t)matrices * outputs * sizeof(float));
    packed->weights = yo_net_arena_alloc(arena, matrices * packed->matrix_size * width);
    if (packed->weights && packed->scales) return YO_OK;
    *packed = (struct yo_net_packed){0};
    return YO_ERR_NOMEM;
}

/* Where weight (tap, k) of an output lies, counting outputs; `depth` is the number of k. */
static size_t panel_place(const struct matrix *m, int panel, int depth, int tap, int k,
                          int output) {
    int first = output / panel * panel;
    int width = m->outputs - first < panel ? m->outputs - first : panel;
    return (size_t)first * m->taps * depth + ((size_t)tap * depth + k) * width + (output - first);
}

static void pack_floats(const struct matrix *m, int panel, float *to) {
    for (int tap = 0; tap < m->taps; tap++)
        for (int k = 0; k < m->inputs; k++)
            for (int o = 0; o < m->outputs; o++)
                to[panel_place(m, panel, m->inputs, tap, k, o)] =
                    (float)m->values[((size_t)tap * m->inputs + k) * m->outputs + o];
}

/* The size of one step of an output's weights: the sum of their magnitudes, each up to half a step
 * too large, times the largest input must fit 31 bits. */
static double weight_step(const struct matrix *m, int output) {
    double sum = 0, most = 0;
    for (int i = 0; i < m->taps * m->inputs; i++) {
        double size = fabs(m->values[(size_t)i * m->outputs + output]);
        sum += size;
        most = fmax(most, size);
    }
    double room = (double)INT32_MAX / INT16_MAX - 0.5 * m->taps * m->inputs;
    return fmax(most / INT16_MAX, sum / room);
}

static void pack_integers(const struct matrix *m, int panel, int16_t *to, float *scales) {
    int pairs = (m->inputs + 1) / 2;
    for (int o = 0; o < m->outputs; o++) {
        double step = weight_step(m, o);
        scales[o] = (float)step;
        if (step == 0) continue;
        for (int tap = 0; tap < m->taps; tap++)
            for (int i = 0; i < m->inputs; i++) {
                double value = m->values[((size_t)tap * m->inputs + i) * m->outputs + o];
                size_t place = panel_place(m, panel, pairs, tap, i / 2, o);
                to[2 * place + i % 2] = (int16_t)lrint(value / step);
            }
    }
}

static void pack_matrix(const struct matrix *m, int panel, bool integers, int number,
                        struct yo_net_packed *packed) {
    if (integers)
        pack_integers(m, panel, (int16_t *)packed->weights + number * packed->matrix_size,
                      packed->scales + (size_t)number * m->outputs);
    else
        pack_floats(m, panel, (float *)packed->weights + number * packed->matrix_size);
}

/* Point (y, x) of a tile of the transformed weights. */
static double transformed(const float *w, const double *gy, const double *gx) {
    double sum = 0;
    for (int y = 0; y < 3; y++)
        for (int x = 0; x < 3; x++)
            sum += gy[y] * gx[x] * w[3 * y + x];
    return sum;
}

enum yo_err yo_net_pack_winograd(const struct yo_net_op *op, const struct yo_net_kernels *kernels,
                                 int outs, bool integers, bool inputs_signed,
                                 struct yo_net_arena *arena, struct yo_net_packed *packed) {
    const double(*g)[3] = outs == 3 ? transform_3 : transform_4;
    int side = outs + 2;
    struct matrix m = {
        .taps = 1, .inputs = op->in_channels, .outputs = yo_net_padded(op->out_channels)};
    *packed = (struct yo_net_packed){0};
    m.values = yo_alloc((size_t)m.inputs * m.outputs, sizeof *m.values);
    if (!m.values) return YO_ERR_NOMEM;
    enum yo_err err = packed_alloc(arena, packed, side * side, 1, m.inputs, m.outputs, integers);
    for (int point = 0; err == YO_OK && point < side * side; point++) {
        for (int o = 0; o < op->out_channels; o++)
            for (int i = 0; i < m.inputs; i++)
                m.values[(size_t)i * m.outputs + o] = transformed(
                    op->weights + ((size_t)o * m.inputs + i) * 9, g[point / side], g[point % side]);
        pack_matrix(&m, kernels->panel, integers, point, packed);
    }
    packed->limit = (float)floor(INT16_MAX / winograd_gain(outs, inputs_signed));
    yo_free(m.values);
    return err;
}

/* The weights of an operation, taps in the order of the kernel. */
static enum yo_err matrix_init(const struct yo_net_op *op, struct matrix *m) {
    int taps = op->kind == YO_NET_CONV ? op->kernel_y * op->kernel_x : 1;
    *m = (struct matrix){
        .taps = taps, .inputs = op->in_channels, .outputs = yo_net_padded(op->out_channels)};
    m->values = yo_alloc((size_t)taps * m->inputs * m->outputs, sizeof *m->values);
    if (!m->values) return YO_ERR_NOMEM;
    for (int o = 0; o < op->out_channels; o++)
        for (int i = 0; i < m->inputs; i++)
            for (int tap = 0; tap < taps; tap++)
                m->values[((size_t)tap * m->inputs + i) * m->outputs + o] =
                    op->weights[((size_t)o * m->inputs + i) * taps + tap];
    return YO_OK;
}

enum yo_err yo_net_pack_direct(const struct yo_net_op *op, const struct yo_net_kernels *kernels,
                               bool integers, struct yo_net_arena *arena,
                               struct yo_net_packed *packed) {
    struct matrix m;
    *packed = (struct yo_net_packed){0};
    enum yo_err err = matrix_init(op, &m);
    if (err == YO_OK) err = packed_alloc(arena, packed, 1, m.taps, m.inputs, m.outputs, integers);
    if (err == YO_OK) pack_matrix(&m, kernels->panel, integers, 0, packed);
    packed->limit = INT16_MAX;
    yo_free(m.values);
    return err;
}

enum yo_err yo_net_pack_split(const struct yo_net_op *op, struct yo_net_arena *arena,
                              struct yo_net_packed *packed) {
    enum { TILE = 16 * YO_NET_BYTES_K };
    struct matrix m;
    int half = yo_net_split_half(op->in_channels), parts = half / YO_NET_BYTES_K;
    *packed = (struct yo_net_packed){.limit = INT16_MAX};
    enum yo_err err = matrix_init(op, &m);
    if (err != YO_OK) return err;
    packed->scales = yo_net_arena_alloc(arena, m.outputs * sizeof(float));
    packed->weights = yo_net_arena_alloc(arena, (size_t)m.outputs * 2 * half);
    uint8_t *to = packed->weights;
    if (!to || !packed->scales) err = YO_ERR_NOMEM;
    for (int o = 0; err == YO_OK && o < m.outputs; o++) {
        double step = weight_step(&m, o);
        packed->scales[o] = (float)step;
        for (int k = 0; step > 0 && k < m.inputs; k++) {
            int value = (int)lrint(m.values[(size_t)k * m.outputs + o] / step);
            size_t tile = ((size_t)(o / 16) * parts + k / YO_NET_BYTES_K) * 2;
            size_t at = tile * TILE + k % YO_NET_BYTES_K / 4 * 64 + o % 16 * 4 + k % 4;
            to[at] = (uint8_t)(value >> 8);
            to[at + TILE] = (uint8_t)value;
        }
    }
    yo_free(m.values);
    return err;
}

/* The weights of a convolution in bytes: one for each byte under the kernel. */
struct byte_matrix {
    int8_t *to;
    int kernel, channels;
};

/* See struct yo_net_bytes. */
static void byte_put(const struct byte_matrix *m, int tap, int channel, int output, int value) {
    int k = tap % m->kernel * m->channels + channel;
    int parts = yo_net_bytes_parts(m->kernel, m->channels);
    size_t tile =
        ((size_t)(output / 16) * m->kernel + tap / m->kernel) * parts + k / YO_NET_BYTES_K;
    m->to[tile * 16 * YO_NET_BYTES_K + k % YO_NET_BYTES_K / 4 * 64 + output % 16 * 4 + k % 4] =
        (int8_t)value;
}

static enum yo_err byte_alloc(const struct yo_net_op *op, struct yo_net_arena *arena, int channels,
                              struct yo_net_packed *packed, struct byte_matrix *m) {
    int outs = yo_net_padded(op->out_channels), parts = yo_net_bytes_parts(op->kernel_y, channels);
    packed->scales = yo_net_arena_alloc(arena, outs * sizeof(float));
    packed->weights =
        yo_net_arena_alloc(arena, (size_t)outs * op->kernel_y * parts * YO_NET_BYTES_K);
    *m = (struct byte_matrix){packed->weights, op->kernel_y, channels};
    return packed->weights && packed->scales ? YO_OK : YO_ERR_NOMEM;
}

static float largest(const float *values, int count) {
    float most = 0;
    for (int i = 0; i < count; i++)
        most = fmaxf(most, fabsf(values[i]));
    return most;
}

enum yo_err yo_net_pack_bytes(const struct yo_net_op *op, bool inputs_signed,
                              struct yo_net_arena *arena, struct yo_net_packed *packed) {
    struct byte_matrix m;
    int taps = op->kernel_y * op->kernel_x, count = op->in_channels * taps;
    *packed = (struct yo_net_packed){.limit = inputs_signed ? INT8_MAX : UINT8_MAX};
    enum yo_err err = byte_alloc(op, arena, yo_net_padded(op->in_channels), packed, &m);
    for (int o = 0; err == YO_OK && o < op->out_channels; o++) {
        const float *w = op->weights + (size_t)o * count;
        float step = packed->scales[o] = largest(w, count) / INT8_MAX;
        for (int j = 0; step > 0 && j < count; j++)
            byte_put(&m, j % taps, j / taps, o, (int)lrintf(w[j] / step));
    }
    return err;
}

enum yo_err yo_net_pack_plane_bytes(const struct yo_net_op *op, struct yo_net_arena *arena,
                                    struct yo_net_packed *packed) {
    const float most = YO_NET_HIGH * INT8_MAX;
    struct byte_matrix m;
    int taps = op->kernel_y * op->kernel_x, count = op->in_channels * taps;
    int half = yo_net_plane_half(op->in_channels);
    *packed = (struct yo_net_packed){.limit = UINT8_MAX};
    enum yo_err err = byte_alloc(op, arena, 2 * half, packed, &m);
    for (int o = 0; err == YO_OK && o < op->out_channels; o++) {
        const float *w = op->weights + (size_t)o * count;
        float step = packed->scales[o] = largest(w, count) / most;
        for (int j = 0; step > 0 && j < count; j++) {
            int value = (int)lrintf(w[j] / step);
            int high = (int)lrintf((float)value / (float)YO_NET_HIGH);
            byte_put(&m, j % taps, j / taps, o, value - high * YO_NET_HIGH);
            byte_put(&m, j % taps, half + j / taps, o, high);
        }
    }
    return err;
}
