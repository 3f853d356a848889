/* A worker: a stream with buffers on host and device. A batch is copied in, run as a sequence of
 * launches, and copied out, without allocation. A small one that a single launch computes is read
 * and written by it in the host's memory: each copy takes longer than that. */
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "base/time.h"
#include "eval/net/cuda/cuda.h"
#include "eval/net/cuda/pick.h"
#include "eval/net/cuda/worker.h"

#define MEMORY_MAX ((size_t)4 << 30) /* bytes of tensors: larger batches are cut */
#define SPIN_NS    1000000           /* a wait shorter than this costs no sleep */
#define DOZE_NS    200000            /* a launch that takes at least this long is slept on */

/* ---- memory ---- */

void yo_net_cuda_worker_delete(void *ctx) {
    struct yo_net_cuda_worker *w = ctx;
    if (!w) return;
    const struct yo_net_cuda_program *p = w->program;
    bool reachable = !w->hung && yo_cuda_gpu_open(p->gpu);
    yo_cudnn_worker_delete(w->cudnn, reachable && yo_cuda_gpu_usable(p->gpu));
    if (reachable) {
        const struct yo_cuda_driver *driver = yo_cuda_driver();
        if (w->in) driver->memory_free(w->in);
        if (w->out) driver->memory_free(w->out);
        if (w->tensors) driver->memory_free(w->tensors);
        if (w->slots) driver->memory_free(w->slots);
        if (w->host_in) driver->host_free(w->host_in);
        if (w->host_out) driver->host_free(w->host_out);
        if (w->stream) driver->stream_destroy(w->stream);
    }
    if (w->spare) p->spare->worker_delete(w->spare);
    yo_net_sample_delete(w->sample);
    yo_layer_places_free(&w->places);
    yo_free(w);
}

static void place_outputs(struct yo_net_cuda_worker *w) {
    const struct yo_net_graph *graph = w->program->graph;
    for (int role = 0; role < YO_NET_ROLES; role++) {
        int tensor = graph->outputs[role];
        w->out_at[role] = w->out_bytes;
        if (tensor == YO_NET_NONE || yo_net_cuda_first_role(graph, tensor) != role) continue;
        w->out_bytes +=
            (yo_net_tensor_floats(graph, tensor, w->size) * sizeof(float) + 15) / 16 * 16;
    }
}

static bool take_memory(struct yo_net_cuda_worker *w) {
    struct yo_cuda_gpu *gpu = w->program->gpu;
    size_t in = yo_net_cuda_wanted_at(w) + yo_net_cuda_wanted_bytes(w) + 16;
    size_t out = yo_net_cuda_picked_at(w) + w->pick_room * sizeof(float) + 16;
    return YO_CUDA_TRY(gpu, stream_create, &w->stream, YO_CUDA_STREAM_NON_BLOCKING) &&
           YO_CUDA_TRY(gpu, host_alloc, (void **)&w->host_in, in, 0) &&
           YO_CUDA_TRY(gpu, host_alloc, (void **)&w->host_out, out, 0) &&
           YO_CUDA_TRY(gpu, memory_alloc, &w->in, in) &&
           YO_CUDA_TRY(gpu, memory_alloc, &w->out, out) &&
           YO_CUDA_TRY(gpu, memory_alloc, &w->tensors, (size_t)w->room * w->places.bytes + 16);
}

static void prepare_tower(const struct yo_net_cuda_worker *w, struct yo_tower_job *job,
                          const uint8_t *in, uint8_t *out) {
    const struct yo_net_cuda_program *p = w->program;
    job->planes = (const uint64_t *)in;
    job->globals = (const float *)(in + yo_net_cuda_globals_at(w));
    job->steps = (const struct yo_tower_step *)(p->memory + p->tower_steps);
    job->constants = (const float *)(p->memory + p->tower_constants);
    job->ops = (const struct yo_tower_op *)(p->memory + p->tower_ops);
    job->out = p->plan.output == YO_NET_NONE ? NULL : yo_net_cuda_place(w, p->plan.output);
    for (int role = 0; role < YO_NET_ROLES; role++)
        job->outputs[role] = (float *)(out + (size_t)w->room * w->out_at[role]);
    for (int i = 0; i < p->plan.kept_count; i++) {
        job->kept[i] = yo_net_cuda_place(w, p->plan.kept[i]);
        job->kept_strides[i] = yo_layer_stride(p->graph, p->plan.kept[i]);
    }
    job->input_planes = p->graph->planes;
    job->global_count = p->graph->globals;
    job->step_count = p->plan.step_count;
}

/* Whether the fused kernel computes all that there is. */
static bool whole_network(const struct yo_net_cuda_program *p) {
    for (int i = 0; i < p->graph->op_count; i++)
        if (!p->plan.done[i]) return false;
    return p->plan.output == YO_NET_NONE && p->plan.kept_count == 0;
}

static bool finish(struct yo_net_cuda_worker *w) {
    const struct yo_cuda_driver *driver = yo_cuda_driver();
    int64_t begun = yo_time_ns(), limit = driver->timeout_ms * 1000000;
    for (;;) {
        int code = driver->stream_query(w->stream);
        if (code != YO_CUDA_NOT_READY) return yo_cuda_ok(w->program->gpu, code, "stream_query");
        int64_t waited = yo_time_ns() - begun;
        if (waited > limit) {
            char why[80];
            snprintf(why, sizeof why, "a network batch did not end in %lld ms",
                     (long long)driver->timeout_ms);
            w->hung = true;
            yo_cuda_give_up(w->program->gpu, why);
            return false;
        }
        if (waited > SPIN_NS)
            nanosleep(&(struct timespec){.tv_nsec = waited / 16 < 1000000 ? waited / 16 : 1000000},
                      NULL);
    }
}

/* A launch takes about as long as the last one of as many positions: half of that is slept, which
 * leaves the core to others, as in self-play, where batches are always full. */
static bool finish_batch(struct yo_net_cuda_worker *w, int count) {
    int64_t begun = yo_time_ns();
    if (count == w->last_count && w->last_ns >= DOZE_NS && w->last_ns < 1000000000)
        nanosleep(&(struct timespec){.tv_nsec = w->last_ns / 2}, NULL);
    if (!finish(w)) return false;
    w->last_count = count;
    w->last_ns = yo_time_ns() - begun;
    return true;
}

/* The weights of the fused kernel, for each of its shapes. */
static enum yo_err upload_slots(struct yo_net_cuda_worker *w) {
    const struct yo_tower_plan *plan = &w->program->plan;
    struct yo_cuda_gpu *gpu = w->program->gpu;
    size_t bytes = yo_tower_slot_bytes(&w->tower), all = bytes + yo_tower_slot_bytes(&w->tower_few);
    uint8_t *slots = yo_alloc(all, 1);
    if (!slots) return YO_ERR_NOMEM;
    yo_tower_resolve(plan, &w->tower, slots);
    yo_tower_resolve(plan, &w->tower_few, slots + bytes);
    if (YO_CUDA_TRY(gpu, memory_alloc, &w->slots, all) &&
        YO_CUDA_TRY(gpu, copy_in, w->slots, slots, all, w->stream))
        finish(w);
    w->tower.slots = (const uint8_t *)w->slots;
    w->tower_few.slots = (const uint8_t *)(w->slots + bytes);
    yo_free(slots);
    return YO_OK;
}

static enum yo_err place_tensors(struct yo_net_cuda_worker *w) {
    const struct yo_net_cuda_program *p = w->program;
    const struct yo_tower_plan *plan = &p->plan;
    if (!w->fused) return yo_layer_places_init(&w->places, p->graph, w->size, NULL, NULL, 0, 0);
    bool trunk = plan->output != YO_NET_NONE;
    return yo_layer_places_init(&w->places, p->graph, w->size, plan->done,
                                trunk ? &plan->output : plan->kept, trunk ? 1 : plan->kept_count,
                                trunk ? plan->channels : 0);
}

enum yo_err yo_net_cuda_worker_new(void *program, int size, int max_batch, void **out,
                                   struct yo_diag *diag) {
    struct yo_net_cuda_program *p = program;
    const struct yo_net_graph *graph = p->graph;
    struct yo_net_cuda_worker *w = yo_alloc(1, sizeof *w);
    if (!w) return yo_diag_set(diag, YO_ERR_NOMEM, "not enough memory to run the network");
    w->program = p;
    w->size = size;
    w->fused = p->has_tower &&
               yo_tower_shape(&p->plan, size, INT_MAX, p->gpu->shared_bytes, &w->tower) &&
               yo_tower_shape(&p->plan, size, 1, p->gpu->shared_bytes, &w->tower_few);
    w->plane_bytes = (size_t)graph->planes * (size_t)yo_net_plane_words(size) * sizeof(uint64_t);
    w->global_bytes = (size_t)graph->globals * sizeof(float);
    place_outputs(w);
    enum yo_err err = place_tensors(w);
    if (err) {
        yo_net_cuda_worker_delete(w);
        return yo_diag_set(diag, err, "not enough memory to run the network");
    }
    size_t most = w->places.bytes ? MEMORY_MAX / w->places.bytes : (size_t)max_batch;
    w->room = (size_t)max_batch < most ? max_batch : most > 0 ? (int)most : 1;
    w->pick_room = yo_net_cuda_pick_room(w);
    /* A GPU that fails here is reported, and batches run on the CPU. */
    bool ready = yo_cuda_gpu_open(p->gpu) && take_memory(w);
    if (ready && !w->fused) w->cudnn = yo_cudnn_worker_new(w);
    if (ready && w->fused) {
        w->direct = whole_network(p);
        prepare_tower(w, &w->tower, (const uint8_t *)w->in, (uint8_t *)w->out);
        prepare_tower(w, &w->tower_few, w->direct ? w->host_in : (const uint8_t *)w->in,
                      w->direct ? w->host_out : (uint8_t *)w->out);
        err = upload_slots(w);
    }
    if (err)
        yo_diag_set(diag, err, "not enough memory to run the network");
    else
        err = yo_net_sample_new(p, size, &w->sample, diag);
    if (err)
        yo_net_cuda_worker_delete(w);
    else
        *out = w;
    return err;
}

/* ---- batches ---- */

static bool send(struct yo_net_cuda_worker *w, const struct yo_net_batch *batch, int first,
                 int count) {
    size_t skip = (size_t)first, n = (size_t)count, at = yo_net_cuda_globals_at(w);
    memcpy(w->host_in, (const uint8_t *)batch->planes + skip * w->plane_bytes, n * w->plane_bytes);
    if (w->global_bytes)
        memcpy(w->host_in + at, (const uint8_t *)batch->globals + skip * w->global_bytes,
               n * w->global_bytes);
    if (w->direct && yo_net_cuda_few(w, count)) return true;
    return YO_CUDA_TRY(w->program->gpu, copy_in, w->in, w->host_in, n * w->plane_bytes,
                       w->stream) &&
           (w->global_bytes == 0 || YO_CUDA_TRY(w->program->gpu, copy_in, w->in + at,
                                                w->host_in + at, n * w->global_bytes, w->stream));
}

static size_t role_floats(const struct yo_net_cuda_worker *w, int role) {
    return yo_net_tensor_floats(w->program->graph, w->program->graph->outputs[role], w->size);
}

/* How many positions of a part have this output, as a whole. */
static int rows_given(const struct yo_net_cuda_worker *w, const struct yo_net_batch *batch,
                      int role, int first, int count) {
    if (w->program->graph->outputs[role] == YO_NET_NONE) return 0;
    if (role == YO_NET_OUT_POLICY && w->picks) return 0;
    return yo_net_batch_rows(batch, role, first, count);
}

static bool fetch(struct yo_net_cuda_worker *w, const struct yo_net_batch *batch, int first,
                  int count) {
    const struct yo_net_graph *graph = w->program->graph;
    for (int role = 0; role < YO_NET_ROLES && !(w->direct && yo_net_cuda_few(w, count)); role++) {
        int rows = rows_given(w, batch, role, first, count);
        if (rows == 0) continue;
        size_t at =
            (size_t)w->room * w->out_at[yo_net_cuda_first_role(graph, graph->outputs[role])];
        if (!YO_CUDA_TRY(w->program->gpu, copy_out, w->host_out + at, w->out + at,
                         (size_t)rows * role_floats(w, role) * sizeof(float), w->stream))
            return false;
    }
    return true;
}

/* A batch that is in the worker's memory as a whole may stay there. */
static void give(const struct yo_net_cuda_worker *w, const struct yo_net_batch *batch, int first,
                 int count) {
    const struct yo_net_graph *graph = w->program->graph;
    const bool stays = batch->left && count == batch->count;
    for (int role = 0; role < YO_NET_ROLES; role++) {
        int rows = rows_given(w, batch, role, first, count);
        if (rows == 0) continue;
        size_t floats = role_floats(w, role);
        size_t at =
            (size_t)w->room * w->out_at[yo_net_cuda_first_role(graph, graph->outputs[role])];
        if (stays)
            batch->left[role] = (const float *)(w->host_out + at);
        else
            memcpy(batch->out[role] + (size_t)first * floats, w->host_out + at,
                   (size_t)rows * floats * sizeof(float));
    }
}

static bool run_part(struct yo_net_cuda_worker *w, const struct yo_net_batch *batch, int first,
                     int count) {
    struct yo_cuda_gpu *gpu = w->program->gpu;
    /* Asked before the launches: another worker may give cuDNN up before this batch ends. */
    const bool by_cudnn = yo_cudnn_in_use(w->cudnn);
    if (!yo_cuda_gpu_usable(gpu) || !yo_cuda_gpu_open(gpu) || !send(w, batch, first, count) ||
        !yo_net_cuda_launch_all(w, count) || !yo_net_cuda_pick(w, batch, count) ||
        !fetch(w, batch, first, count) || !finish_batch(w, count))
        return false;
    give(w, batch, first, count);
    if (w->picks) yo_net_cuda_give_picked(w, batch);
    w->sampled = (w->sampled * 5 + 3) % 1021;
    if (yo_net_sample_agrees(w->sample, batch, first + (int)w->sampled % count)) return true;
    if (by_cudnn) { /* once more without it, and that is compared too */
        yo_cudnn_worker_give_up(w->cudnn, "it computed the network wrongly");
        yo_net_sample_again(w->sample);
        return run_part(w, batch, first, count);
    }
    yo_cuda_give_up(gpu, "it computed a network wrongly");
    return false;
}

/* The rest of a batch, on the CPU. */
static enum yo_err run_spare(struct yo_net_cuda_worker *w, const struct yo_net_batch *batch,
                             int first, struct yo_diag *diag) {
    struct yo_net_cuda_program *p = w->program;
    enum yo_err err = yo_net_cuda_spare(p, diag);
    if (batch->left) memset(batch->left, 0, YO_NET_ROLES * sizeof *batch->left);
    if (batch->picked) memset(batch->picked, 0, (size_t)batch->count * sizeof *batch->picked);
    if (!err && !w->spare)
        err = p->spare->worker_new(p->spare_program, w->size, w->room, &w->spare, diag);
    for (int at = first; !err && at < batch->count; at += w->room) {
        struct yo_net_batch part = *batch;
        part.count = batch->count - at < w->room ? batch->count - at : w->room;
        part.without_policy = 0;
        part.left = part.picked = NULL;
        part.wanted = NULL;
        part.planes += (size_t)at * (w->plane_bytes / sizeof *part.planes);
        if (part.globals) part.globals += (size_t)at * (size_t)p->graph->globals;
        for (int role = 0; role < YO_NET_ROLES; role++)
            if (part.out[role] && p->graph->outputs[role] != YO_NET_NONE)
                part.out[role] += (size_t)at * role_floats(w, role);
        err = p->spare->run(w->spare, &part, diag);
    }
    return err;
}

enum yo_err yo_net_cuda_run(void *ctx, const struct yo_net_batch *batch, struct yo_diag *diag) {
    struct yo_net_cuda_worker *w = ctx;
    for (int first = 0; first < batch->count; first += w->room) {
        int count = batch->count - first < w->room ? batch->count - first : w->room;
        if (!run_part(w, batch, first, count)) return run_spare(w, batch, first, diag);
    }
    return YO_OK;
}

void yo_net_cuda_describe(void *ctx, struct yo_buf *out) {
    const struct yo_net_cuda_worker *w = ctx;
    if (!yo_cuda_gpu_usable(w->program->gpu))
        yo_buf_str(out, "the CPU");
    else if (w->fused)
        yo_buf_printf(out, "the fused kernel%s",
                      w->direct ? "" : ", and a kernel for each operation left");
    else if (yo_cudnn_in_use(w->cudnn))
        yo_cudnn_describe(w->cudnn, out);
    else
        yo_buf_str(out, "a kernel for each operation");
}

bool yo_net_cuda_repeat(void *ctx, int count, int rounds) {
    struct yo_net_cuda_worker *w = ctx;
    if (count > w->room || !yo_cuda_gpu_usable(w->program->gpu) ||
        !yo_cuda_gpu_open(w->program->gpu))
        return false;
    for (int i = 0; i < rounds; i++)
        if (!yo_net_cuda_launch_all(w, count)) return false;
    return finish(w);
}
