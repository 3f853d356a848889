#include "eval/net/cpu/program.h"

#include <limits.h>
#include <string.h>

#include "base/alloc.h"
#include "base/diag.h"

/* With sums of so many products in 32 bits, weights keep about 8 bits. */
enum { MOST_INTEGER_INPUTS = 1 << 14 };
/* So many products of 255 * 127 fit 31 bits. */
enum { MOST_BYTE_INPUTS = 9 * 4096 };

int yo_net_tile_outs(int size, int *tiles) {
    int with_3 = (size + 2) / 3, with_4 = (size + 3) / 4;
    int products_3 = with_3 * with_3 * 25, products_4 = with_4 * with_4 * 36;
    int outs = products_3 * 10 <= products_4 * 11 ? 3 : 4;
    *tiles = outs == 3 ? with_3 : with_4;
    return outs;
}

/* Whether the tensor may hold negative numbers. */
static bool is_signed(const struct yo_net_graph *graph, int tensor) {
    for (int i = 0; i < graph->op_count; i++)
        if (graph->ops[i].out == tensor)
            return graph->ops[i].activation != YO_NET_RELU &&
                   graph->ops[i].activation != YO_NET_SIGMOID;
    return true;
}

static bool is_winograd(const struct yo_net_op *op) {
    return op->kernel_y == 3 && op->kernel_x == 3 && op->dilation_y == 1 && op->dilation_x == 1;
}

/* Any square kernel on bit planes; on tensors 3x3, since others are rare. */
static bool fits_bytes(const struct yo_net_op *op) {
    bool square = op->kernel_y == op->kernel_x && op->dilation_y == 1 && op->dilation_x == 1;
    return square && op->kernel_y * op->kernel_x * op->in_channels <= MOST_BYTE_INPUTS &&
           (op->in == 0 || op->kernel_y == 3);
}

static bool fits_split(const struct yo_net_op *op) {
    return op->in > 0 && op->kernel_y * op->kernel_x == 1 && op->in_channels <= MOST_INTEGER_INPUTS;
}

static enum yo_net_form form_of(const struct yo_net_op *op, const struct yo_net_kernels *kernels,
                                enum yo_net_numbers numbers) {
    if (op->kind == YO_NET_DENSE) return YO_NET_FORM_DIRECT;
    if (op->kind != YO_NET_CONV) return YO_NET_FORM_OTHER;
    if (numbers == YO_NET_INT8 && fits_bytes(op)) return YO_NET_FORM_BYTES;
    if (numbers == YO_NET_INT8 && kernels->split && fits_split(op)) return YO_NET_FORM_SPLIT;
    if (op->in == 0) return YO_NET_FORM_PLANES;
    return is_winograd(op) ? YO_NET_FORM_WINOGRAD : YO_NET_FORM_DIRECT;
}

/* ---- layers ---- */

/* `from` may be NULL: zeros. */
static enum yo_err padded_copy(struct yo_net_cpu_program *p, const float *from, int count,
                               float **to) {
    /* A vector more: who reads the last channels of a part reads whole vectors. */
    *to = yo_net_arena_alloc(&p->weights, (yo_net_padded(count) + YO_NET_PAD) * sizeof **to);
    if (!*to) return YO_ERR_NOMEM;
    if (from) memcpy(*to, from, count * sizeof **to);
    return YO_OK;
}

/* Rows of weights for bit planes; a plane without weights is left out of the sums. */
static enum yo_err plane_rows(struct yo_net_cpu_program *p, const struct yo_net_op *op,
                              struct yo_net_layer *layer) {
    int taps = op->kernel_y * op->kernel_x, outs = yo_net_padded(op->out_channels);
    layer->rows =
        yo_net_arena_alloc(&p->weights, (size_t)taps * op->in_channels * outs * sizeof(float));
    if (!layer->rows) return YO_ERR_NOMEM;
    for (int o = 0; o < op->out_channels; o++)
        for (int i = 0; i < op->in_channels; i++)
            for (int tap = 0; tap < taps; tap++) {
                float w = op->weights[((size_t)o * op->in_channels + i) * taps + tap];
                layer->rows[((size_t)tap * op->in_channels + i) * outs + o] = w;
                if (w != 0) layer->planes_used[i / 64] |= UINT64_C(1) << i % 64;
            }
    return YO_OK;
}

static enum yo_err layer_init(struct yo_net_cpu_program *p, int i) {
    const struct yo_net_op *op = &p->graph->ops[i];
    struct yo_net_layer *layer = &p->layers[i];
    layer->form = form_of(op, p->kernels, p->numbers);
    int products = op->in_channels;
    if (op->kind == YO_NET_CONV && layer->form == YO_NET_FORM_DIRECT)
        products *= op->kernel_y * op->kernel_x;
    layer->integers =
        p->numbers != YO_NET_FLOATS && op->kind == YO_NET_CONV && products <= MOST_INTEGER_INPUTS;
    if (op->kind == YO_NET_FLATTEN) return YO_OK;
    enum yo_err err = padded_copy(p, op->bias, op->out_channels, &layer->bias);
    if (err == YO_OK && op->kind == YO_NET_AFFINE && op->scale)
        err = padded_copy(p, op->scale, op->out_channels, &layer->scale);
    if (err == YO_OK && layer->form == YO_NET_FORM_PLANES) err = plane_rows(p, op, layer);
    if (err == YO_OK && layer->form == YO_NET_FORM_DIRECT)
        err = yo_net_pack_direct(op, p->kernels, layer->integers, &p->weights, &layer->direct);
    if (err == YO_OK && layer->form == YO_NET_FORM_SPLIT)
        err = yo_net_pack_split(op, &p->weights, &layer->direct);
    if (err == YO_OK && layer->form == YO_NET_FORM_BYTES)
        err = op->in == 0
                  ? yo_net_pack_plane_bytes(op, &p->weights, &layer->direct)
                  : yo_net_pack_bytes(op, is_signed(p->graph, op->in), &p->weights, &layer->direct);
    return err;
}

enum yo_err yo_net_cpu_program_tiles(struct yo_net_cpu_program *p, int outs) {
    enum yo_err err = YO_OK;
    pthread_mutex_lock(&p->lock);
    for (int i = 0; err == YO_OK && i < p->graph->op_count; i++) {
        const struct yo_net_op *op = &p->graph->ops[i];
        struct yo_net_packed *packed = &p->layers[i].tiles[outs - 3];
        if (p->layers[i].form == YO_NET_FORM_WINOGRAD && !packed->weights)
            err = yo_net_pack_winograd(op, p->kernels, outs, p->layers[i].integers,
                                       is_signed(p->graph, op->in), &p->weights, packed);
    }
    pthread_mutex_unlock(&p->lock);
    return err;
}

static bool is_read_by_convolution(const struct yo_net_graph *graph, int tensor) {
    for (int i = 0; i < graph->op_count; i++)
        if (graph->ops[i].kind == YO_NET_CONV && graph->ops[i].in == tensor) return true;
    return false;
}

/* KataGo's blocks begin with a scale and relu of a sum that a convolution has just written. The
 * convolution writes both. The largest value is known of the last result only, and convolutions
 * need it to quantise their input. */
static void join_affine(struct yo_net_cpu_program *p, int i) {
    const struct yo_net_graph *graph = p->graph;
    const struct yo_net_op *op = &graph->ops[i];
    p->layers[i].then = YO_NET_NONE;
    if (p->layers[i].done || (op->kind != YO_NET_CONV && op->kind != YO_NET_AFFINE)) return;
    if (is_read_by_convolution(graph, op->out)) return;
    for (int j = i + 1; j < graph->op_count && p->layers[i].then == YO_NET_NONE; j++) {
        const struct yo_net_op *next = &graph->ops[j];
        if (next->kind == YO_NET_AFFINE && next->in == op->out && next->scale &&
            next->add == YO_NET_NONE && next->add_vector == YO_NET_NONE &&
            (next->activation == YO_NET_IDENTITY || next->activation == YO_NET_RELU)) {
            p->layers[i].then = j;
            p->layers[j].done = true;
        }
    }
}

/* Whether all that read the tensor quantise it. */
static bool is_only_quantised(const struct yo_net_cpu_program *p, int tensor) {
    const struct yo_net_graph *graph = p->graph;
    for (int role = 0; role < YO_NET_ROLES; role++)
        if (graph->outputs[role] == tensor) return false;
    for (int i = 0; i < graph->op_count; i++) {
        const struct yo_net_op *op = &graph->ops[i];
        if (op->add == tensor || op->add_vector == tensor) return false;
        if (op->in == tensor && (op->kind != YO_NET_CONV || !p->layers[i].integers)) return false;
    }
    return true;
}

static void inline_affine(struct yo_net_cpu_program *p, int i) {
    const struct yo_net_op *op = &p->graph->ops[i];
    p->layers[i].inlined = p->layers[i].done && is_only_quantised(p, op->out);
    if (p->layers[i].inlined) p->made_by[op->out] = i;
}

/* ---- where tensors lie ---- */

/* Who reads an inlined tensor reads the one that it is made from. */
static void read_by(const struct yo_net_cpu_program *p, int tensor, int op, int *last) {
    if (tensor >= 0 && p->made_by[tensor] != YO_NET_NONE)
        tensor = p->graph->ops[p->made_by[tensor]].in;
    if (tensor >= 0 && op > last[tensor]) last[tensor] = op;
}

static void last_readers(const struct yo_net_cpu_program *p, int *last) {
    const struct yo_net_graph *graph = p->graph;
    for (int t = 0; t < graph->tensor_count; t++)
        last[t] = -1;
    for (int i = 0; i < graph->op_count; i++) {
        read_by(p, graph->ops[i].in, i, last);
        read_by(p, graph->ops[i].add, i, last);
        read_by(p, graph->ops[i].add_vector, i, last);
    }
    for (int role = 0; role < YO_NET_ROLES; role++)
        read_by(p, graph->outputs[role], INT_MAX, last);
}

/* A sum may take the place of the tensor that is added, point by point, if nothing reads that
 * afterwards. Convolutions of bit planes write each point more than once. */
static int slot_of_sum(const struct yo_net_cpu_program *p, int i, const int *last) {
    const struct yo_net_op *op = &p->graph->ops[i];
    bool may = op->add > 0 && op->add != op->in && last[op->add] <= i;
    return may && p->layers[i].form != YO_NET_FORM_PLANES ? p->slot[op->add] : YO_NET_NONE;
}

/* `slot`, or the first that no live tensor has. The output's slot is taken before the inputs' slots
 * are freed, so no operation overwrites its input. */
static void take_slot(struct yo_net_cpu_program *p, int tensor, int slot, int *taken) {
    int channels = yo_net_padded(p->graph->tensors[tensor].channels);
    if (slot == YO_NET_NONE)
        for (slot = 0; slot < p->slot_count && taken[slot] >= 0;)
            slot++;
    if (slot == p->slot_count) p->slot_count++;
    taken[slot] = tensor;
    p->slot[tensor] = slot;
    if (channels > p->slot_channels[slot]) p->slot_channels[slot] = channels;
}

static void place_tensors(struct yo_net_cpu_program *p, const int *last, int *taken) {
    const struct yo_net_graph *graph = p->graph;
    if (p->planes_as_tensor) take_slot(p, 0, YO_NET_NONE, taken);
    for (int i = 0; i < graph->op_count; i++) {
        int then = p->layers[i].then;
        if (!p->layers[i].done && graph->tensors[graph->ops[i].out].spatial) {
            take_slot(p, graph->ops[i].out, slot_of_sum(p, i, last), taken);
            if (then != YO_NET_NONE && !p->layers[then].inlined)
                take_slot(p, graph->ops[then].out, YO_NET_NONE, taken);
        }
        for (int slot = 0; slot < p->slot_count; slot++)
            if (taken[slot] >= 0 && last[taken[slot]] <= i) taken[slot] = -1;
    }
    for (int t = 0; t < graph->tensor_count; t++)
        if (!graph->tensors[t].spatial) {
            p->vector_at[t] = p->vector_floats;
            p->vector_floats += yo_net_padded(graph->tensors[t].channels) + YO_NET_PAD;
        }
}

static enum yo_err plan_memory(struct yo_net_cpu_program *p) {
    int count = p->graph->tensor_count;
    int *last = yo_alloc(count, sizeof *last), *taken = yo_alloc(count, sizeof *taken);
    p->slot = yo_alloc(count, sizeof *p->slot);
    p->slot_channels = yo_alloc(count, sizeof *p->slot_channels);
    p->vector_at = yo_alloc(count, sizeof *p->vector_at);
    enum yo_err err = YO_ERR_NOMEM;
    if (last && taken && p->slot && p->slot_channels && p->vector_at) {
        for (int i = 0; i < count; i++)
            taken[i] = -1;
        last_readers(p, last);
        place_tensors(p, last, taken);
        err = YO_OK;
    }
    yo_free(last);
    yo_free(taken);
    return err;
}

/* ---- the whole ---- */

static enum yo_err program_fill(struct yo_net_cpu_program *p) {
    const struct yo_net_graph *graph = p->graph;
    p->layers = yo_alloc(graph->op_count, sizeof *p->layers);
    p->made_by = yo_alloc(graph->tensor_count, sizeof *p->made_by);
    if (!p->layers || !p->made_by) return YO_ERR_NOMEM;
    for (int t = 0; t < graph->tensor_count; t++)
        p->made_by[t] = YO_NET_NONE;
    enum yo_err err = YO_OK;
    for (int i = 0; err == YO_OK && i < graph->op_count; i++) {
        const struct yo_net_op *op = &graph->ops[i];
        if ((op->in == 0 && op->kind != YO_NET_CONV) || op->add == 0) p->planes_as_tensor = true;
        err = layer_init(p, i);
    }
    for (int role = 0; role < YO_NET_ROLES; role++)
        if (graph->outputs[role] == 0) p->planes_as_tensor = true;
    for (int i = 0; err == YO_OK && i < graph->op_count; i++)
        join_affine(p, i);
    for (int i = 0; err == YO_OK && i < graph->op_count; i++)
        inline_affine(p, i);
    return err == YO_OK ? plan_memory(p) : err;
}

enum yo_err yo_net_cpu_program_new(const struct yo_net_graph *graph,
                                   const struct yo_net_kernels *kernels,
                                   enum yo_net_numbers numbers, struct yo_net_cpu_program **program,
                                   struct yo_diag *diag) {
    struct yo_net_cpu_program *p = yo_alloc(1, sizeof *p);
    if (!p) return yo_diag_set(diag, YO_ERR_NOMEM, "no memory for the network");
    p->graph = graph;
    p->kernels = kernels;
    p->numbers = numbers;
    pthread_mutex_init(&p->lock, NULL);
    enum yo_err err = program_fill(p);
    if (err == YO_OK)
        *program = p;
    else {
        yo_net_cpu_program_delete(p);
        yo_diag_set(diag, err, "no memory for the network's weights");
    }
    return err;
}

void yo_net_cpu_program_delete(void *program) {
    struct yo_net_cpu_program *p = program;
    if (!p) return;
    yo_net_arena_free(&p->weights);
    yo_free(p->layers);
    yo_free(p->made_by);
    yo_free(p->slot);
    yo_free(p->slot_channels);
    yo_free(p->vector_at);
    pthread_mutex_destroy(&p->lock);
    yo_free(p);
}
