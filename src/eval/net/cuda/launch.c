/* The launches of a batch: the fused kernel, and a kernel of cuDNN or our own for each operation
 * that it leaves. */
#include "eval/net/cuda/worker.h"

static bool launch(struct yo_net_cuda_worker *w, yo_cuda_handle function, unsigned blocks,
                   unsigned threads, unsigned shared_bytes, void *job) {
    void *arguments[] = {job};
    return YO_CUDA_TRY(w->program->gpu, launch, function, blocks, 1, 1, threads, 1, 1, shared_bytes,
                       w->stream, arguments, NULL);
}

static const void *vector(const struct yo_net_cuda_worker *w, int tensor) {
    if (tensor == 1) return (const void *)(w->in + yo_net_cuda_globals_at(w));
    return yo_net_cuda_place(w, tensor);
}

static int stride(const struct yo_net_cuda_worker *w, int tensor) {
    const struct yo_tower_plan *plan = &w->program->plan;
    if (w->fused && tensor == plan->output) return plan->channels;
    return yo_layer_stride(w->program->graph, tensor);
}

static struct yo_layer_job empty_job(const struct yo_net_cuda_worker *w, int count) {
    return (struct yo_layer_job){.count = count,
                                 .size = w->size,
                                 .points = w->size * w->size,
                                 .plane_words = yo_net_plane_words(w->size)};
}

static bool expand(struct yo_net_cuda_worker *w, int count) {
    const struct yo_net_cuda_program *p = w->program;
    struct yo_layer_job job = empty_job(w, count);
    job.in = (const void *)w->in;
    job.out = yo_net_cuda_place(w, 0);
    job.out_channels = p->graph->planes;
    job.out_stride = stride(w, 0);
    if (!job.out) return true; /* no operation reads it */
    return launch(w, p->layers[YO_LAYER_EXPAND],
                  yo_layer_blocks(YO_LAYER_EXPAND, &job, p->gpu->processors), YO_LAYER_THREADS, 0,
                  &job);
}

static bool run_tower(struct yo_net_cuda_worker *w, int count) {
    const struct yo_net_cuda_program *p = w->program;
    struct yo_tower_job job = yo_net_cuda_few(w, count) ? w->tower_few : w->tower;
    job.count = count;
    unsigned blocks = (unsigned)(count < p->gpu->processors ? count : p->gpu->processors);
    return launch(w, p->towers[job.kernel], blocks, (unsigned)(job.threads + YO_TOWER_WARPGROUP),
                  (unsigned)job.shared_bytes, &job);
}

static float *planar(const struct yo_net_cuda_worker *w, int tensor) {
    int role = yo_net_cuda_first_role(w->program->graph, tensor);
    return role < 0 ? NULL : (float *)(w->out + (size_t)w->room * w->out_at[role]);
}

static void fill_constants(const struct yo_net_cuda_worker *w, int index,
                           struct yo_layer_job *job) {
    const struct yo_net_cuda_program *p = w->program;
    const struct yo_layer_weights *at = &p->weights[index];
    if (at->weights != YO_LAYER_NOWHERE) job->weights = (const void *)(p->memory + at->weights);
    if (at->bias != YO_LAYER_NOWHERE) job->bias = (const float *)(p->memory + at->bias);
    job->padded_in = at->padded_in;
    job->padded_out = at->padded_out;
    job->first_channel = at->first_channel;
}

static bool run_layer(struct yo_net_cuda_worker *w, int index, int count) {
    const struct yo_net_cuda_program *p = w->program;
    const struct yo_net_op *op = &p->graph->ops[index];
    struct yo_layer_job job = empty_job(w, count);
    job.in = op->in == 1 ? vector(w, 1) : yo_net_cuda_place(w, op->in);
    job.in_stride = stride(w, op->in);
    job.in_channels = p->graph->tensors[op->in].channels;
    if (op->kind == YO_NET_DENSE) job.in_channels = op->in_channels;
    job.out = yo_net_cuda_place(w, op->out);
    job.planar = planar(w, op->out);
    job.out_channels = op->out_channels;
    job.out_stride = stride(w, op->out);
    job.activation = (int32_t)op->activation;
    job.spatial = p->graph->tensors[op->out].spatial;
    job.kernel_y = op->kernel_y, job.kernel_x = op->kernel_x;
    job.dilation_y = op->dilation_y, job.dilation_x = op->dilation_x;
    job.pool = (int32_t)op->pool;
    fill_constants(w, index, &job);
    if (op->add_vector != YO_NET_NONE) {
        job.vector = vector(w, op->add_vector);
        job.vector_stride = stride(w, op->add_vector);
    }
    if (op->add != YO_NET_NONE) {
        job.add = op->add == 1 ? vector(w, 1) : yo_net_cuda_place(w, op->add);
        job.add_stride = stride(w, op->add);
    }
    if (!job.out && !job.planar) return true; /* no operation reads it */
    if (yo_layer_reads_board(p->graph, op)) {
        /* A convolution over boards of one point, whose result is a vector of floats. */
        job.in_stride *= job.points;
        job.size = job.points = job.kernel_y = job.kernel_x = job.dilation_y = job.dilation_x = 1;
        job.planar = job.out, job.out = NULL;
        job.out_stride = (job.out_channels + 7) / 8 * 8;
    }
    enum yo_layer_kernel kernel = yo_layer_kernel_of(p->graph, op);
    switch (yo_cudnn_run(w->cudnn, index, count)) {
    case YO_CUDNN_ALL:
        return true;
    case YO_CUDNN_PRODUCTS: /* what follows, in place */
        kernel = YO_LAYER_AFFINE;
        job.in = job.out;
        job.in_stride = job.out_stride;
        job.weights = NULL;
        break;
    case YO_CUDNN_NOTHING:
        break;
    }
    return launch(w, p->layers[kernel], yo_layer_blocks(kernel, &job, p->gpu->processors),
                  YO_LAYER_THREADS, 0, &job);
}

/* The fused kernel's last tensor, where that is an output itself. */
static bool run_planar(struct yo_net_cuda_worker *w, int count) {
    const struct yo_net_cuda_program *p = w->program;
    struct yo_layer_job job = empty_job(w, count);
    int tensor = w->fused ? p->plan.output : YO_NET_NONE;
    if (tensor == YO_NET_NONE || !(job.planar = planar(w, tensor))) return true;
    job.in = yo_net_cuda_place(w, tensor);
    job.in_stride = stride(w, tensor);
    job.out_channels = p->graph->tensors[tensor].channels;
    return launch(w, p->layers[YO_LAYER_PLANAR],
                  yo_layer_blocks(YO_LAYER_PLANAR, &job, p->gpu->processors), YO_LAYER_THREADS, 0,
                  &job);
}

bool yo_net_cuda_launch_all(struct yo_net_cuda_worker *w, int count) {
    const struct yo_net_cuda_program *p = w->program;
    if (!expand(w, count) || (w->fused && !run_tower(w, count)) || !run_planar(w, count))
        return false;
    for (int i = 0; i < p->graph->op_count; i++)
        if (!(w->fused && p->plan.done[i]) && !run_layer(w, i, count)) return false;
    return true;
}

bool yo_net_cuda_launch_pick(struct yo_net_cuda_worker *w, int count, size_t entries_at) {
    const struct yo_net_cuda_program *p = w->program;
    struct yo_layer_job job = empty_job(w, count);
    int tensor = p->graph->outputs[YO_NET_OUT_POLICY];
    job.in = planar(w, tensor);
    job.in_stride = (int32_t)yo_net_tensor_floats(p->graph, tensor, w->size);
    job.starts = (const uint32_t *)(w->in + yo_net_cuda_wanted_at(w));
    job.entries = (const uint16_t *)(w->in + entries_at);
    job.out = (void *)(w->out + yo_net_cuda_picked_at(w));
    return launch(w, p->layers[YO_LAYER_PICK],
                  yo_layer_blocks(YO_LAYER_PICK, &job, p->gpu->processors), YO_LAYER_THREADS, 0,
                  &job);
}
