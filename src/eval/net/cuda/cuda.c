#include "eval/net/cuda/cuda.h"

#include <string.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "eval/net/cuda/cudnn.h"
#include "eval/net/cuda/cudnn_net.h"
#include "eval/net/cuda/program.h"

/* ---- the GPU ---- */

static struct yo_cuda_gpu *choose_gpu(void) {
    for (int i = 0; i < yo_cuda_gpu_count(); i++) {
        struct yo_cuda_gpu *gpu = yo_cuda_gpu_at(i);
        if (yo_cuda_gpu_usable(gpu)) return gpu;
    }
    return NULL;
}

static bool available(void) {
    return choose_gpu() && yo_cuda_driver()->net_image && yo_cuda_driver()->net_image(0);
}

static bool available_cudnn(void) { return available() && yo_cudnn_load(NULL); }

static bool load_layers(struct yo_net_cuda_program *p) {
    static const char *const names[] = {
#define X(id, name) name,
        YO_LAYER_KERNELS(X)
#undef X
    };
    if (!YO_CUDA_TRY(p->gpu, module_load, &p->layer_module, yo_cuda_driver()->net_image(0)))
        return false;
    for (int i = 0; i < YO_LAYER_KERNEL_COUNT; i++)
        if (!YO_CUDA_TRY(p->gpu, module_function, &p->layers[i], p->layer_module, names[i]))
            return false;
    return true;
}

/* The fused kernel is for compute capability 9.0 alone. */
_Static_assert(1 + YO_TOWER_KERNEL_COUNT == YO_CUDA_NET_IMAGES, "a kernel that is not built in");
static bool load_tower(struct yo_net_cuda_program *p) {
    for (int i = 0; i < YO_TOWER_KERNEL_COUNT; i++) {
        if (yo_tower_kernel_channels(i) != p->plan.channels) continue;
        const void *image = yo_cuda_driver()->net_image(1 + i);
        if (!image || !YO_CUDA_TRY(p->gpu, module_load, &p->tower_modules[i], image) ||
            !YO_CUDA_TRY(p->gpu, module_function, &p->towers[i], p->tower_modules[i], "yo_tower") ||
            !YO_CUDA_TRY(p->gpu, function_set, p->towers[i], YO_CUDA_FUNC_SHARED_BYTES,
                         p->gpu->shared_bytes))
            return false;
    }
    return true;
}

/* ---- weights ---- */

static enum yo_err fill_blob(struct yo_net_cuda_program *p, struct yo_layer_blob *blob) {
    enum yo_err err = YO_OK;
    for (int i = 0; !err && i < p->graph->op_count; i++)
        err = yo_layer_put(blob, p->graph, &p->graph->ops[i], &p->weights[i]);
    if (err || !p->has_tower) return err;
    const struct yo_tower_plan *plan = &p->plan;
    p->tower_steps =
        yo_layer_blob_put(blob, plan->steps, (size_t)plan->step_count * sizeof *plan->steps);
    p->tower_constants =
        yo_layer_blob_put(blob, plan->constants, plan->constant_count * sizeof *plan->constants);
    p->tower_ops = yo_layer_blob_put(blob, plan->ops, (size_t)plan->op_count * sizeof *plan->ops);
    return YO_OK;
}

static enum yo_err failed(struct yo_diag *diag) {
    return yo_diag_set(diag, YO_ERR_STATE, "the GPU failed while the network was loaded");
}

/* Copies through the default stream: done when the copy returns, as the memory is not page-locked.
 */
static enum yo_err upload(struct yo_net_cuda_program *p, struct yo_diag *diag) {
    struct yo_layer_blob blob = {0};
    enum yo_err err = fill_blob(p, &blob);
    size_t bytes = blob.count;
    if (!err && !(blob.bytes = yo_alloc(bytes, 1))) err = YO_ERR_NOMEM;
    blob.count = 0;
    if (!err) err = fill_blob(p, &blob);
    if (err) {
        yo_free(blob.bytes);
        return yo_diag_set(diag, err, "not enough memory for the network");
    }
    bool good = YO_CUDA_TRY(p->gpu, memory_alloc, &p->memory, bytes) &&
                YO_CUDA_TRY(p->gpu, copy_in, p->memory, blob.bytes, bytes, NULL);
    while (good && yo_cuda_driver()->stream_query(NULL) == YO_CUDA_NOT_READY)
        ;
    yo_free(blob.bytes);
    return good ? YO_OK : failed(diag);
}

/* ---- programs ---- */

static void program_delete(void *program) {
    struct yo_net_cuda_program *p = program;
    if (!p) return;
    yo_cudnn_net_delete(p->cudnn);
    if (yo_cuda_gpu_usable(p->gpu) && yo_cuda_gpu_open(p->gpu)) {
        if (p->memory) yo_cuda_driver()->memory_free(p->memory);
        if (p->layer_module) yo_cuda_driver()->module_unload(p->layer_module);
        for (int i = 0; i < YO_TOWER_KERNEL_COUNT; i++)
            if (p->tower_modules[i]) yo_cuda_driver()->module_unload(p->tower_modules[i]);
    }
    if (p->spare) p->spare->program_delete(p->spare_program);
    if (p->has_tower) yo_tower_plan_free(&p->plan);
    yo_free(p->weights);
    yo_free(p->own.ops);
    pthread_mutex_destroy(&p->lock);
    yo_free(p);
}

/* What the fused kernel computes; without it, what cuDNN does. */
enum how { LAYERS, CUDNN, CUDNN_COMPILED, TRUNK, WHOLE };

/* A dense layer that reads the fused kernel's output board needs the board's stride to match its
 * weights. Where it does not, which is rare, the network runs as single operations. */
static void check_tower(struct yo_net_cuda_program *p) {
    for (int i = 0; p->has_tower && i < p->graph->op_count; i++) {
        const struct yo_net_op *op = &p->graph->ops[i];
        if (op->in != p->plan.output || !yo_layer_reads_board(p->graph, op) ||
            p->plan.channels == yo_layer_stride(p->graph, op->in))
            continue;
        yo_tower_plan_free(&p->plan);
        p->has_tower = false;
    }
}

static enum yo_err compile_for(struct yo_net_cuda_program *p, enum how how, struct yo_diag *diag) {
    enum yo_err err = yo_layer_graph(p->original, &p->own);
    p->graph = &p->own;
    p->cudnn_wanted = how == CUDNN || how == CUDNN_COMPILED;
    p->cudnn_compiles = how == CUDNN_COMPILED;
    if (!err && how >= TRUNK && p->gpu->major == 9 && p->gpu->minor == 0)
        err = yo_tower_plan_init(&p->plan, p->graph, how == WHOLE, &p->has_tower);
    check_tower(p);
    if (!err) p->weights = yo_alloc((size_t)p->graph->op_count + 1, sizeof *p->weights);
    if (err || !p->weights)
        return yo_diag_set(diag, YO_ERR_NOMEM, "not enough memory for the network");
    if (!yo_cuda_gpu_open(p->gpu) || !load_layers(p) || (p->has_tower && !load_tower(p)))
        return failed(diag);
    return upload(p, diag);
}

static enum yo_err compile_any(const struct yo_net_graph *graph, enum how how, void **program,
                               struct yo_diag *diag) {
    struct yo_cuda_gpu *gpu = choose_gpu();
    if (!gpu) return yo_diag_set(diag, YO_ERR_UNSUPPORTED, "there is no GPU that can be used");
    for (int role = 0; role < YO_NET_ROLES; role++)
        if (graph->outputs[role] == 0 || graph->outputs[role] == 1)
            return yo_diag_set(diag, YO_ERR_UNSUPPORTED, "an input of the network is its output");
    struct yo_net_cuda_program *p = yo_alloc(1, sizeof *p);
    if (!p) return yo_diag_set(diag, YO_ERR_NOMEM, "not enough memory for the network");
    p->original = graph;
    p->gpu = gpu;
    pthread_mutex_init(&p->lock, NULL);
    enum yo_err err = compile_for(p, how, diag);
    if (err)
        program_delete(p);
    else
        *program = p;
    return err;
}

static enum yo_err compile(const struct yo_net_graph *graph, void **program, struct yo_diag *diag) {
    return compile_any(graph, WHOLE, program, diag);
}

static enum yo_err compile_trunk(const struct yo_net_graph *graph, void **program,
                                 struct yo_diag *diag) {
    return compile_any(graph, TRUNK, program, diag);
}

static enum yo_err compile_layers(const struct yo_net_graph *graph, void **program,
                                  struct yo_diag *diag) {
    return compile_any(graph, LAYERS, program, diag);
}

static enum yo_err compile_cudnn(const struct yo_net_graph *graph, void **program,
                                 struct yo_diag *diag) {
    return compile_any(graph, CUDNN, program, diag);
}

static enum yo_err compile_cudnn_compiled(const struct yo_net_graph *graph, void **program,
                                          struct yo_diag *diag) {
    return compile_any(graph, CUDNN_COMPILED, program, diag);
}

enum yo_err yo_net_cuda_spare(struct yo_net_cuda_program *p, struct yo_diag *diag) {
    enum yo_err err = YO_OK;
    pthread_mutex_lock(&p->lock);
    if (!p->spare) {
        int count;
        const struct yo_net_backend *const *all = yo_net_backends(&count);
        const struct yo_net_backend *spare = NULL;
        for (int i = 0; i < count && !spare; i++)
            if (strncmp(all[i]->name, "cuda", 4) != 0 && all[i]->available()) spare = all[i];
        err = spare ? spare->compile(p->original, &p->spare_program, diag)
                    : yo_diag_set(diag, YO_ERR_UNSUPPORTED, "no other backend can take over");
        if (!err) p->spare = spare;
    }
    pthread_mutex_unlock(&p->lock);
    return err;
}

static void notify_loss(void *program, const struct yo_notices *notices) {
    struct yo_net_cuda_program *p = program;
    yo_cuda_notify_losses(1u << p->gpu->index, &p->told, notices);
    pthread_mutex_lock(&p->lock);
    struct yo_cudnn_net *cudnn = p->cudnn;
    pthread_mutex_unlock(&p->lock);
    if (yo_cuda_gpu_usable(p->gpu)) yo_cudnn_net_notify(cudnn, notices);
}

#define BACKEND(id, title, about, kind, here, compiler)                                            \
    const struct yo_net_backend id = {                                                             \
        .name = title,                                                                             \
        .summary = about,                                                                          \
        .family = kind,                                                                            \
        .batch = 16,                                                                               \
        .available = here,                                                                         \
        .compile = compiler,                                                                       \
        .program_delete = program_delete,                                                          \
        .worker_new = yo_net_cuda_worker_new,                                                      \
        .worker_delete = yo_net_cuda_worker_delete,                                                \
        .run = yo_net_cuda_run,                                                                    \
        .notify = notify_loss,                                                                     \
        .describe = yo_net_cuda_describe,                                                          \
    }
BACKEND(yo_net_cuda, "cuda", "an NVIDIA GPU, fp16; in one kernel what fits", YO_NET_FAMILY_GPU,
        available, compile);
BACKEND(yo_net_cuda_trunk, "cuda-trunk", "the same, heads one operation at a time",
        YO_NET_ON_REQUEST, available, compile_trunk);
BACKEND(yo_net_cuda_cudnn, "cuda-cudnn", "the same, convolutions by cuDNN", YO_NET_FAMILY_CUDNN,
        available_cudnn, compile_cudnn);
BACKEND(yo_net_cuda_cudnn_compiled, "cuda-cudnn-compiled",
        "the same, also by kernels that cuDNN compiles when a network is loaded", YO_NET_ON_REQUEST,
        available_cudnn, compile_cudnn_compiled);
BACKEND(yo_net_cuda_layers, "cuda-layers", "the same, one operation at a time by our own kernels",
        YO_NET_ON_REQUEST, available, compile_layers);
