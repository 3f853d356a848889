#include "eval/net/cuda/cudnn_net.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "eval/net/cuda/half.h"

/* ---- failures ---- */

void yo_cudnn_net_fail(struct yo_cudnn_net *net, const char *why, const char *doing) {
    if (atomic_load(&net->failed)) return;
    snprintf(net->why, sizeof net->why, "%s%s%s", why, *doing ? ", " : "", doing);
    atomic_store(&net->failed, true);
}

void yo_cudnn_net_fail_by(struct yo_cudnn_net *net, const struct yo_cudnn_failure *failure) {
    const char *text = net->cudnn->error_text(failure->code);
    yo_cudnn_net_fail(net, text ? text : "unknown error", failure->doing);
}

void yo_cudnn_net_notify(struct yo_cudnn_net *net, const struct yo_notices *notices) {
    if (!net || !atomic_load(&net->failed)) return;
    pthread_mutex_lock(&net->lock);
    bool news = !net->told;
    net->told = true;
    pthread_mutex_unlock(&net->lock);
    if (news)
        yo_notice(notices, "cuDNN is not used for this network: %s; Yomi's own kernels go on",
                  net->why);
}

/* ---- weights ---- */

static int padded(int channels) { return (channels + 7) / 8 * 8; }

static enum yo_err put(struct yo_layer_blob *blob, const struct yo_net_op *op,
                       struct yo_layer_weights *at) {
    size_t in = (size_t)yo_cudnn_channels(op), taps = (size_t)(op->kernel_y * op->kernel_x);
    size_t outputs = (size_t)padded(op->out_channels), all = outputs * taps * in + outputs;
    size_t inside = (size_t)(op->first_channel - yo_cudnn_first(op)),
           given = (size_t)op->in_channels;
    uint16_t *halves = blob->bytes ? yo_alloc(all, sizeof *halves) : NULL;
    if (blob->bytes && !halves) return YO_ERR_NOMEM;
    uint16_t *bias = halves + outputs * taps * in;
    for (size_t o = 0; halves && o < (size_t)op->out_channels; o++) {
        for (size_t i = 0; i < given; i++)
            for (size_t tap = 0; tap < taps; tap++)
                halves[(o * taps + tap) * in + inside + i] =
                    yo_half_from(op->weights[(o * given + i) * taps + tap]);
        if (op->bias) bias[o] = yo_half_from(op->bias[o]);
    }
    at->weights = yo_layer_blob_put(blob, halves, outputs * taps * in * sizeof *halves);
    at->bias = yo_layer_blob_put(blob, bias, outputs * sizeof *bias);
    yo_free(halves);
    return YO_OK;
}

static enum yo_err put_all(struct yo_cudnn_net *net, struct yo_layer_blob *blob) {
    const struct yo_net_graph *graph = net->program->graph;
    enum yo_err err = YO_OK;
    for (int i = 0; !err && i < graph->op_count; i++)
        if (graph->ops[i].kind == YO_NET_CONV) err = put(blob, &graph->ops[i], &net->at[i]);
    return err;
}

/* The GPU is not given up if it has no memory for this. */
static void upload(struct yo_cudnn_net *net) {
    const struct yo_cuda_driver *driver = yo_cuda_driver();
    struct yo_layer_blob blob = {0};
    enum yo_err err = put_all(net, &blob);
    size_t bytes = blob.count;
    if (!err && !(blob.bytes = yo_alloc(bytes + 1, 1))) err = YO_ERR_NOMEM;
    blob.count = 0;
    if (!err) err = put_all(net, &blob);
    if (err)
        yo_cudnn_net_fail(net, "not enough memory", "");
    else if (driver->memory_alloc(&net->memory, bytes + 16) ||
             driver->copy_in(net->memory, blob.bytes, bytes, NULL))
        yo_cudnn_net_fail(net, "not enough GPU memory for its weights", "");
    else
        while (driver->stream_query(NULL) == YO_CUDA_NOT_READY)
            ;
    yo_free(blob.bytes);
}

/* ---- of a program ---- */

void yo_cudnn_net_delete(struct yo_cudnn_net *net) {
    if (!net) return;
    bool reachable = yo_cuda_gpu_usable(net->program->gpu) && yo_cuda_gpu_open(net->program->gpu);
    while (net->plans) {
        struct yo_cudnn_kept_plan *plan = net->plans;
        net->plans = plan->next;
        if (reachable) yo_cudnn_plan_free(&plan->plan, net->cudnn);
        yo_free(plan);
    }
    if (reachable && net->memory) yo_cuda_driver()->memory_free(net->memory);
    if (reachable && net->handle) net->cudnn->destroy(net->handle);
    pthread_mutex_destroy(&net->lock);
    yo_free(net->at);
    yo_free(net);
}

static struct yo_cudnn_net *net_new(struct yo_net_cuda_program *program,
                                    const struct yo_cudnn *cudnn) {
    struct yo_cudnn_net *net = yo_alloc(1, sizeof *net);
    if (!net) return NULL;
    net->program = program;
    net->cudnn = cudnn;
    pthread_mutex_init(&net->lock, NULL);
    net->at = yo_alloc((size_t)program->graph->op_count + 1, sizeof *net->at);
    struct yo_cudnn_failure failure = {cudnn->create(&net->handle), "create"};
    if (!net->at)
        yo_cudnn_net_fail(net, "not enough memory", "");
    else if (failure.code)
        yo_cudnn_net_fail_by(net, &failure);
    else
        upload(net);
    return net;
}

struct yo_cudnn_net *yo_cudnn_net_of(struct yo_net_cuda_program *program) {
    const struct yo_cudnn *cudnn = program->cudnn_wanted ? yo_cudnn_load(NULL) : NULL;
    if (!cudnn) return NULL;
    pthread_mutex_lock(&program->lock);
    if (!program->cudnn) program->cudnn = net_new(program, cudnn);
    struct yo_cudnn_net *net = program->cudnn;
    pthread_mutex_unlock(&program->lock);
    return net && !atomic_load(&net->failed) ? net : NULL;
}

const struct yo_cudnn_plan *yo_cudnn_net_plan(struct yo_cudnn_net *net,
                                              const struct yo_cudnn_shape *shape) {
    for (struct yo_cudnn_kept_plan *p = net->plans; p; p = p->next)
        if (memcmp(&p->plan.shape, shape, sizeof *shape) == 0) return &p->plan;
    struct yo_cudnn_failure failure = {0};
    struct yo_cudnn_kept_plan *made = yo_alloc(1, sizeof *made);
    if (!made) {
        yo_cudnn_net_fail(net, "not enough memory", "");
        return NULL;
    }
    yo_cudnn_plan_init(&made->plan, net->cudnn, net->handle, shape, net->program->cudnn_compiles,
                       &failure);
    if (failure.code) yo_cudnn_net_fail_by(net, &failure);
    made->next = net->plans;
    net->plans = made;
    return &made->plan;
}
