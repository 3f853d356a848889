#include "eval/net/cuda/cudnn_worker.h"

#include <stdio.h>

#include "base/alloc.h"
#include "eval/net/cuda/cudnn_net.h"
#include "eval/net/cuda/worker.h"

enum {
    SMALLEST = 8, /* boards of a plan; more are rounded up to a power of two */
    SIZES_MAX = 32,
};

struct run { /* of an operation with one batch size */
    const struct yo_cudnn_plan *plan;
    void *pack;
    bool rest; /* the epilogue is not in the plan */
};

struct yo_cudnn_worker {
    struct yo_net_cuda_worker *worker;
    struct yo_cudnn_net *net;
    void *handle;
    yo_cuda_address workspace;
    int sizes[SIZES_MAX], size_count; /* boards of plans, increasing; the last is the room */
    struct run *runs;                 /* [operation][size] */
};

/* Batches of other sizes are computed as the next larger of these. */
static void choose_sizes(struct yo_cudnn_worker *c) {
    int room = c->worker->room;
    /* A kernel that is compiled takes a second: one for each shape is enough. */
    for (int64_t size = SMALLEST; size < room && !c->net->program->cudnn_compiles; size *= 2)
        c->sizes[c->size_count++] = (int)size;
    c->sizes[c->size_count++] = room;
}

static struct run *run_at(const struct yo_cudnn_worker *c, int op, int size) {
    return &c->runs[(size_t)op * (size_t)c->size_count + (size_t)size];
}

/* Whether cuDNN can have this operation; tensors that only the caller sees are not kept. */
static bool fits(const struct yo_cudnn_worker *c, const struct yo_net_op *op) {
    return op->kind == YO_NET_CONV && yo_net_cuda_place(c->worker, op->in) &&
           yo_net_cuda_place(c->worker, op->out);
}

/* A vector for each board, the caller's copy and the sigmoid, which is not zero in channels past
 * the last, are left to a kernel of ours. */
static void find_run(struct yo_cudnn_worker *c, int index, int size) {
    const struct yo_net_graph *graph = c->net->program->graph;
    const struct yo_net_op *op = &graph->ops[index];
    struct run *run = run_at(c, index, size);
    struct yo_cudnn_shape products = {.count = c->sizes[size],
                                      .size = c->worker->size,
                                      .in_channels = yo_cudnn_channels(op),
                                      .in_stride = yo_layer_stride(graph, op->in),
                                      .out_channels = yo_layer_stride(graph, op->out),
                                      .kernel_y = op->kernel_y,
                                      .kernel_x = op->kernel_x,
                                      .dilation_y = op->dilation_y,
                                      .dilation_x = op->dilation_x,
                                      .activation = YO_NET_IDENTITY};
    struct yo_cudnn_shape all = products;
    all.has_bias = op->bias != NULL;
    all.add_stride = op->add == YO_NET_NONE ? 0 : yo_layer_stride(graph, op->add);
    all.activation = (int)op->activation;
    if (op->add_vector == YO_NET_NONE && yo_net_cuda_first_role(graph, op->out) < 0 &&
        yo_cudnn_has_activation(all.activation))
        run->plan = yo_cudnn_net_plan(c->net, &all);
    if (run->plan && run->plan->plan) return;
    run->plan = yo_cudnn_net_plan(c->net, &products);
    run->rest = true;
}

/* One for all plans: a worker runs one after the other. */
static bool take_workspace(struct yo_cudnn_worker *c) {
    int64_t most = 0;
    size_t runs = (size_t)c->net->program->graph->op_count * (size_t)c->size_count;
    for (size_t i = 0; i < runs; i++)
        if (c->runs[i].plan && c->runs[i].plan->plan && c->runs[i].plan->workspace > most)
            most = c->runs[i].plan->workspace;
    if (!yo_cuda_driver()->memory_alloc(&c->workspace, (size_t)most + 256)) return true;
    yo_cudnn_net_fail(c->net, "not enough GPU memory for its workspace", "");
    return false;
}

static void make_pack(struct yo_cudnn_worker *c, int index, int size) {
    const struct yo_cudnn_net *net = c->net;
    const struct yo_net_op *op = &net->program->graph->ops[index];
    struct run *run = run_at(c, index, size);
    if (!run->plan || !run->plan->plan) return;
    struct yo_cudnn_failure failure = {0};
    struct yo_cudnn_tensors tensors = {
        .in = (uint16_t *)yo_net_cuda_place(c->worker, op->in) + yo_cudnn_first(op),
        .weights = (void *)(net->memory + net->at[index].weights),
        .bias = (void *)(net->memory + net->at[index].bias),
        .add = op->add == YO_NET_NONE ? NULL : yo_net_cuda_place(c->worker, op->add),
        .out = yo_net_cuda_place(c->worker, op->out)};
    run->pack = yo_cudnn_pack(run->plan, net->cudnn, &tensors, (void *)c->workspace, &failure);
    if (failure.code) yo_cudnn_net_fail_by(c->net, &failure);
}

/* If cuDNN has no kernel for any convolution, it is given up, with a notice. */
static void check_plans(struct yo_cudnn_worker *c) {
    int asked = 0, refusal = 0;
    size_t runs = (size_t)c->net->program->graph->op_count * (size_t)c->size_count;
    for (size_t i = 0; i < runs; i++) {
        if (c->runs[i].pack) return;
        if (!c->runs[i].plan) continue;
        asked++;
        if (c->runs[i].plan->refusal) refusal = c->runs[i].plan->refusal;
    }
    const char *text = refusal ? c->net->cudnn->error_text(refusal) : NULL;
    if (asked) yo_cudnn_net_fail(c->net, "it has no kernels for it", text ? text : "");
}

static void prepare(struct yo_cudnn_worker *c) {
    const struct yo_net_graph *graph = c->net->program->graph;
    struct yo_cudnn_failure failure = {c->net->cudnn->create(&c->handle), "create"};
    if (!failure.code)
        failure = (struct yo_cudnn_failure){c->net->cudnn->set_stream(c->handle, c->worker->stream),
                                            "set_stream"};
    if (failure.code) yo_cudnn_net_fail_by(c->net, &failure);
    for (int i = 0; i < graph->op_count; i++)
        for (int s = 0; s < c->size_count && fits(c, &graph->ops[i]); s++)
            if (!atomic_load(&c->net->failed)) find_run(c, i, s);
    if (atomic_load(&c->net->failed) || !take_workspace(c)) return;
    for (int i = 0; i < graph->op_count; i++)
        for (int s = 0; s < c->size_count; s++)
            if (!atomic_load(&c->net->failed)) make_pack(c, i, s);
    check_plans(c);
}

struct yo_cudnn_worker *yo_cudnn_worker_new(struct yo_net_cuda_worker *worker) {
    struct yo_cudnn_net *net = yo_cudnn_net_of(worker->program);
    struct yo_cudnn_worker *c = net ? yo_alloc(1, sizeof *c) : NULL;
    if (!c) return NULL;
    *c = (struct yo_cudnn_worker){.worker = worker, .net = net};
    choose_sizes(c);
    c->runs = yo_alloc((size_t)net->program->graph->op_count * (size_t)c->size_count + 1,
                       sizeof *c->runs);
    pthread_mutex_lock(&net->lock);
    if (c->runs)
        prepare(c);
    else
        yo_cudnn_net_fail(net, "not enough memory", "");
    pthread_mutex_unlock(&net->lock);
    return c;
}

void yo_cudnn_worker_delete(struct yo_cudnn_worker *c, bool reachable) {
    if (!c) return;
    const struct yo_cudnn *cudnn = c->net->cudnn;
    size_t runs = (size_t)c->net->program->graph->op_count * (size_t)c->size_count;
    pthread_mutex_lock(&c->net->lock);
    for (size_t i = 0; reachable && c->runs && i < runs; i++)
        if (c->runs[i].pack) cudnn->drop(c->runs[i].pack);
    if (reachable && c->workspace) yo_cuda_driver()->memory_free(c->workspace);
    if (reachable && c->handle) cudnn->destroy(c->handle);
    pthread_mutex_unlock(&c->net->lock);
    yo_free(c->runs);
    yo_free(c);
}

void yo_cudnn_worker_give_up(struct yo_cudnn_worker *c, const char *why) {
    pthread_mutex_lock(&c->net->lock);
    yo_cudnn_net_fail(c->net, why, "");
    pthread_mutex_unlock(&c->net->lock);
}

bool yo_cudnn_in_use(const struct yo_cudnn_worker *c) { return c && !atomic_load(&c->net->failed); }

void yo_cudnn_describe(const struct yo_cudnn_worker *c, struct yo_buf *out) {
    const struct yo_net_graph *graph = c->net->program->graph;
    int all = 0, whole = 0, part = 0, plans = 0;
    char version[32];
    for (int i = 0; i < graph->op_count; i++) {
        const struct run *run = run_at(c, i, c->size_count - 1);
        all += graph->ops[i].kind == YO_NET_CONV;
        whole += run->pack && !run->rest;
        part += run->pack && run->rest;
    }
    pthread_mutex_lock(&c->net->lock);
    for (const struct yo_cudnn_kept_plan *p = c->net->plans; p; p = p->next)
        plans += p->plan.plan != NULL;
    pthread_mutex_unlock(&c->net->lock);
    yo_cudnn_version_text(c->net->cudnn, version, sizeof version);
    yo_buf_printf(out,
                  "cuDNN %s: %d of %d convolutions, %d of them with all that follows; %d plans",
                  version, whole + part, all, whole, plans);
}

enum yo_cudnn_done yo_cudnn_run(const struct yo_cudnn_worker *c, int op, int count) {
    if (!yo_cudnn_in_use(c)) return YO_CUDNN_NOTHING;
    int size = 0;
    while (c->sizes[size] < count)
        size++;
    const struct run *run = run_at(c, op, size);
    if (!run->pack) return YO_CUDNN_NOTHING;
    pthread_mutex_lock(&c->net->lock);
    struct yo_cudnn_failure failure = {
        c->net->cudnn->execute(c->handle, run->plan->plan, run->pack), "execute"};
    if (failure.code) yo_cudnn_net_fail_by(c->net, &failure);
    pthread_mutex_unlock(&c->net->lock);
    if (failure.code) return YO_CUDNN_NOTHING;
    return run->rest ? YO_CUDNN_PRODUCTS : YO_CUDNN_ALL;
}
