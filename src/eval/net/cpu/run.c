/* Runs a batch: the operations one after the other, a few positions at a time. */
#include <string.h>
#include <time.h>

#include "base/diag.h"
#include "eval/net/cpu/worker.h"

void yo_net_cpu_worker_set_times(void *worker, struct yo_net_times *times) {
    ((struct yo_net_cpu_worker *)worker)->times = times;
}

/* YO_NET_PARTS: begins the first lap. */
void yo_net_cpu_worker_clock(struct yo_net_cpu_worker *w, enum yo_net_part part) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    double now = (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
    if (part < YO_NET_PARTS) w->times->seconds[part] += now - w->lap_began;
    w->lap_began = now;
}

static void run_pool(struct yo_net_cpu_worker *w, int i, int position) {
    const struct yo_net_op *op = &w->program->graph->ops[i];
    int channels = w->program->graph->tensors[op->in].channels, padded = yo_net_padded(channels);
    float *out = w->products, *sum = w->pooled, *max = sum + padded;
    w->program->kernels->pool(yo_net_cpu_worker_tensor(w, op->in, position), padded, w->points,
                              padded, sum, max);
    float off = (float)(w->size - 14);
    float square = off * off / 100.0f - 0.1f;
    for (int c = 0; c < channels; c++) {
        float mean = sum[c] / (float)w->points;
        out[c] = mean;
        out[channels + c] = mean * (off / 10.0f);
        out[2 * channels + c] = op->pool == YO_NET_POOL_TRUNK ? max[c] : mean * square;
    }
    for (int c = 3 * channels; c < yo_net_padded(3 * channels); c++)
        out[c] = 0.0f;
    yo_net_cpu_worker_finish(w, i, position, out, false, NULL);
}

/* Copies a spatial tensor to the graph's order: a channel's points together. */
static void by_channel(const struct yo_net_cpu_worker *w, int tensor, int position, float *out) {
    const float *in = yo_net_cpu_worker_tensor(w, tensor, position);
    int channels = w->program->graph->tensors[tensor].channels, step = yo_net_padded(channels);
    for (int c = 0; c < channels; c++)
        for (int p = 0; p < w->points; p++)
            out[(size_t)c * w->points + p] = in[(size_t)p * step + c];
}

/* Operations without a matrix. */
static void run_other(struct yo_net_cpu_worker *w, int i, int position) {
    const struct yo_net_op *op = &w->program->graph->ops[i];
    if (op->kind == YO_NET_AFFINE)
        yo_net_cpu_worker_finish(w, i, position, yo_net_cpu_worker_tensor(w, op->in, position),
                                 false, w->program->layers[i].scale);
    else if (op->kind == YO_NET_POOL)
        run_pool(w, i, position);
    else
        by_channel(w, op->in, position, yo_net_cpu_worker_tensor(w, op->out, position));
    yo_net_cpu_worker_lap(w, YO_NET_PART_REST);
}

static void run_op(struct yo_net_cpu_worker *w, int i, int positions, const uint64_t *planes) {
    const struct yo_net_cpu_program *program = w->program;
    const struct yo_net_layer *layer = &program->layers[i];
    size_t words = (size_t)program->graph->planes * yo_net_plane_words(w->size);
    if (layer->done) return;
    if (layer->form == YO_NET_FORM_WINOGRAD)
        yo_net_run_winograd(w, i, positions);
    else if (layer->form == YO_NET_FORM_DIRECT)
        yo_net_run_direct(w, i, positions);
    else
        for (int position = 0; position < positions; position++) {
            if (layer->form == YO_NET_FORM_PLANES)
                yo_net_run_planes(w, i, position, planes + position * words);
            else if (layer->form == YO_NET_FORM_BYTES || layer->form == YO_NET_FORM_SPLIT)
                yo_net_run_bytes(w, i, position, planes + position * words);
            else
                run_other(w, i, position);
        }
}

static void load_inputs(struct yo_net_cpu_worker *w, const uint64_t *planes, const float *globals,
                        int position) {
    const struct yo_net_graph *graph = w->program->graph;
    if (graph->globals > 0)
        memcpy(yo_net_cpu_worker_tensor(w, 1, position), globals, graph->globals * sizeof *globals);
    if (!w->program->planes_as_tensor) return;
    float *out = yo_net_cpu_worker_tensor(w, 0, position);
    int step = yo_net_padded(graph->planes), words = yo_net_plane_words(w->size);
    memset(out, 0, (size_t)w->points * step * sizeof *out);
    for (int plane = 0; plane < graph->planes; plane++)
        for (int p = 0; p < w->points; p++)
            out[(size_t)p * step + plane] = (float)(planes[plane * words + p / 64] >> p % 64 & 1);
}

static void store_outputs(const struct yo_net_cpu_worker *w, const struct yo_net_batch *batch,
                          int first, int position) {
    const struct yo_net_graph *graph = w->program->graph;
    for (int role = 0; role < YO_NET_ROLES; role++) {
        int tensor = graph->outputs[role];
        if (tensor == YO_NET_NONE || !batch->out[role]) continue;
        size_t floats = yo_net_tensor_floats(graph, tensor, w->size);
        float *out = batch->out[role] + (size_t)(first + position) * floats;
        if (graph->tensors[tensor].spatial)
            by_channel(w, tensor, position, out);
        else
            memcpy(out, yo_net_cpu_worker_tensor(w, tensor, position), floats * sizeof *out);
    }
}

enum yo_err yo_net_cpu_worker_run(void *worker, const struct yo_net_batch *batch,
                                  struct yo_diag *diag) {
    struct yo_net_cpu_worker *w = worker;
    const struct yo_net_graph *graph = w->program->graph;
    if (batch->size != w->size)
        return yo_diag_set(diag, YO_ERR_ARGUMENT, "a batch of %dx%d for a thread of %dx%d",
                           batch->size, batch->size, w->size, w->size);
    size_t words = (size_t)graph->planes * yo_net_plane_words(w->size);
    const struct yo_net_kernels *kernels = w->program->kernels;
    if (kernels->begin) kernels->begin();
    for (int first = 0; first < batch->count; first += w->group) {
        int positions = batch->count - first < w->group ? batch->count - first : w->group;
        const uint64_t *planes = batch->planes + first * words;
        yo_net_cpu_worker_lap(w, YO_NET_PARTS);
        for (int position = 0; position < positions; position++)
            load_inputs(w, planes + position * words,
                        batch->globals + (size_t)(first + position) * graph->globals, position);
        w->inputs_hold = YO_NET_NONE;
        yo_net_byte_boards_reset(w);
        for (int i = 0; i < graph->op_count; i++)
            run_op(w, i, positions, planes);
        for (int position = 0; position < positions; position++)
            store_outputs(w, batch, first, position);
        yo_net_cpu_worker_lap(w, YO_NET_PART_REST);
    }
    if (kernels->end) kernels->end();
    return YO_OK;
}
