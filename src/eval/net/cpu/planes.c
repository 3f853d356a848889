/* Convolutions of bit planes: for each point, the rows of weights of all bits under the kernel are
 * added up. Few bits are set, so this takes far fewer additions than the convolution has products.
 */
#include <string.h>

#include "base/alloc.h"
#include "eval/net/cpu/worker.h"

struct yo_net_planes {
    /* Full planes: [operation], each [plane][class y][class x][channel]. Points of one class see
     * the edges at the same distances. */
    float **full;
    float *base;   /* [class][channel]: of the planes that are full in a position */
    int32_t *rows; /* of weights, for one point */
    uint8_t count[YO_NET_MAX_POINTS];
    uint8_t active[YO_NET_MAX_POINTS][YO_NET_MAX_PLANES];
};

static int reach(int kernel, int dilation) { return kernel / 2 * dilation; }

static int classes(int size, int reach) { return size < 2 * reach + 1 ? size : 2 * reach + 1; }

static int class_of(int at, int size, int reach) {
    if (size < 2 * reach + 1 || at < reach) return at;
    return size - 1 - at < reach ? 2 * reach - (size - 1 - at) : reach;
}

static int class_count(const struct yo_net_op *op, int size) {
    return classes(size, reach(op->kernel_y, op->dilation_y)) *
           classes(size, reach(op->kernel_x, op->dilation_x));
}

static int point_class(const struct yo_net_op *op, int size, int y, int x) {
    int reach_x = reach(op->kernel_x, op->dilation_x);
    return class_of(y, size, reach(op->kernel_y, op->dilation_y)) * classes(size, reach_x) +
           class_of(x, size, reach_x);
}

/* Calls for each tap that is on the board: `tap` and the point under it. */
#define EACH_TAP(op, size, y, x, code)                                                             \
    for (int ky = 0, tap = 0; ky < (op)->kernel_y; ky++) {                                         \
        int in_y = (y) + (ky - (op)->kernel_y / 2) * (op)->dilation_y;                             \
        for (int kx = 0; kx < (op)->kernel_x; kx++, tap++) {                                       \
            int in_x = (x) + (kx - (op)->kernel_x / 2) * (op)->dilation_x;                         \
            if (in_y < 0 || in_y >= (size) || in_x < 0 || in_x >= (size)) continue;                \
            code                                                                                   \
        }                                                                                          \
    }

static void fill_full(const struct yo_net_op *op, const struct yo_net_layer *layer, int size,
                      float *full) {
    int outs = yo_net_padded(op->out_channels), count = class_count(op, size);
    for (int plane = 0; plane < op->in_channels; plane++)
        for (int y = 0; y < size; y++)
            for (int x = 0; x < size; x++) {
                float *sum = full + ((size_t)plane * count + point_class(op, size, y, x)) * outs;
                memset(sum, 0, outs * sizeof *sum);
                EACH_TAP(op, size, y, x, {
                    const float *row = layer->rows + ((size_t)tap * op->in_channels + plane) * outs;
                    for (int o = 0; o < outs; o++)
                        sum[o] += row[o];
                })
            }
}

enum yo_err yo_net_planes_new(const struct yo_net_cpu_program *program, int size,
                              struct yo_net_planes **planes) {
    const struct yo_net_graph *graph = program->graph;
    size_t most_rows = 1, most_base = 1;
    struct yo_net_planes *p = yo_alloc(1, sizeof *p);
    *planes = p;
    if (!p) return YO_ERR_NOMEM;
    p->full = yo_alloc(graph->op_count, sizeof *p->full);
    if (!p->full) return YO_ERR_NOMEM;
    for (int i = 0; i < graph->op_count; i++) {
        const struct yo_net_op *op = &graph->ops[i];
        if (program->layers[i].form != YO_NET_FORM_PLANES) continue;
        size_t rows = (size_t)op->kernel_y * op->kernel_x * op->in_channels;
        size_t base = (size_t)class_count(op, size) * yo_net_padded(op->out_channels);
        p->full[i] = yo_alloc_aligned(base * op->in_channels * sizeof(float));
        if (!p->full[i]) return YO_ERR_NOMEM;
        fill_full(op, &program->layers[i], size, p->full[i]);
        if (rows > most_rows) most_rows = rows;
        if (base > most_base) most_base = base;
    }
    p->rows = yo_alloc(most_rows, sizeof *p->rows);
    p->base = yo_alloc_aligned(most_base * sizeof *p->base);
    return p->rows && p->base ? YO_OK : YO_ERR_NOMEM;
}

void yo_net_planes_delete(struct yo_net_planes *planes, const struct yo_net_cpu_program *program) {
    if (!planes) return;
    for (int i = 0; planes->full && i < program->graph->op_count; i++)
        yo_free_aligned(planes->full[i]);
    yo_free(planes->full);
    yo_free_aligned(planes->base);
    yo_free(planes->rows);
    yo_free(planes);
}

static bool is_full(const uint64_t *bits, int points) {
    for (; points >= 64; points -= 64)
        if (*bits++ != UINT64_MAX) return false;
    return points == 0 || (*bits & ((UINT64_C(1) << points) - 1)) == (UINT64_C(1) << points) - 1;
}

static void add_active(struct yo_net_planes *p, const uint64_t *bits, int points, int plane) {
    for (int first = 0; first < points; first += 64)
        for (uint64_t word = bits[first / 64]; word; word &= word - 1) {
            int point = first + __builtin_ctzll(word);
            if (point < points) p->active[point][p->count[point]++] = (uint8_t)plane;
        }
}

/* Reads the planes: adds full ones to the sums of each class, lists the bits of the others. */
static void read_planes(struct yo_net_cpu_worker *w, int i, const uint64_t *bits) {
    struct yo_net_planes *p = w->planes;
    const struct yo_net_op *op = &w->program->graph->ops[i];
    const struct yo_net_layer *layer = &w->program->layers[i];
    int outs = yo_net_padded(op->out_channels), count = class_count(op, w->size);
    for (int class = 0; class < count; class ++)
        memcpy(p->base + (size_t) class * outs, w->base, outs * sizeof *w->base);
    memset(p->count, 0, sizeof p->count);
    for (int plane = 0; plane < op->in_channels; plane++) {
        if (!(layer->planes_used[plane / 64] >> plane % 64 & 1)) continue;
        const uint64_t *words =
            bits + (size_t)(op->first_channel + plane) * yo_net_plane_words(w->size);
        if (!is_full(words, w->points))
            add_active(p, words, w->points, plane);
        else {
            const float *full = p->full[i] + (size_t)plane * count * outs;
            for (int j = 0; j < count * outs; j++)
                p->base[j] += full[j];
        }
    }
}

static int list_rows(struct yo_net_cpu_worker *w, const struct yo_net_op *op, int y, int x) {
    struct yo_net_planes *p = w->planes;
    int count = 0;
    EACH_TAP(op, w->size, y, x, {
        int point = in_y * w->size + in_x;
        for (int j = 0; j < p->count[point]; j++)
            p->rows[count++] = tap * op->in_channels + p->active[point][j];
    })
    return count;
}

void yo_net_run_planes(struct yo_net_cpu_worker *w, int i, int position, const uint64_t *bits) {
    const struct yo_net_op *op = &w->program->graph->ops[i];
    int outs = yo_net_padded(op->out_channels);
    float *out = yo_net_cpu_worker_tensor(w, op->out, position);
    yo_net_cpu_worker_begin(w, i, position);
    read_planes(w, i, bits);
    for (int y = 0; y < w->size; y++)
        for (int x = 0; x < w->size; x++) {
            struct yo_net_gather g = {
                .weights = w->program->layers[i].rows,
                .rows = w->planes->rows,
                .row_count = list_rows(w, op, y, x),
                .base = w->planes->base + (size_t)point_class(op, w->size, y, x) * outs,
                .out = out + ((size_t)y * w->size + x) * outs,
                .channels = outs,
            };
            w->program->kernels->gather(&g);
        }
    /* The base is in the sums already. */
    memset(w->base, 0, outs * sizeof *w->base);
    struct yo_net_finish f = {
        .in = out,
        .in_step = outs,
        .out_step = outs,
        .points = w->points,
        .channels = outs,
        .after = yo_net_cpu_worker_after(w, i, position, 0),
    };
    w->program->kernels->finish_f(&f);
    yo_net_cpu_worker_lap(w, YO_NET_PART_STEM);
}
