#include "eval/net/cuda/cudnn_plan.h"

#include "eval/net/graph.h"

#define WORKSPACE_MAX ((int64_t)32 << 20)
#define ALIGNMENT     16
enum { CONFIGS_MAX = 16, OPS_MAX = 8, NOTES_MAX = 64 };
/* What tensors are called in a plan; results between two operations have numbers from BETWEEN on.
 */
enum { IN = 1, WEIGHTS, BIAS, ADD, OUT, BETWEEN };

struct builder {
    const struct yo_cudnn *cudnn;
    void *handle;
    struct yo_cudnn_plan *plan;
    struct yo_cudnn_failure *failure;
    bool refused; /* cuDNN does not support what is being described */
    void *ops[OPS_MAX];
    int op_count, between;
};

bool yo_cudnn_has_activation(int activation) {
    return activation == YO_NET_IDENTITY || activation == YO_NET_RELU ||
           activation == YO_NET_MISH || activation == YO_NET_SWISH || activation == YO_NET_TANH;
}

/* ---- descriptors ---- */

static bool stopped(const struct builder *b) { return b->refused || b->failure->code; }

static bool check(struct yo_cudnn_failure *failure, int code, const char *doing) {
    if (code) *failure = (struct yo_cudnn_failure){code, doing};
    return !code;
}

static void *make_loose(struct builder *b, int type) {
    void *made = NULL;
    if (stopped(b) || !check(b->failure, b->cudnn->make(type, &made), "make")) return NULL;
    return made;
}

/* One that lives as long as the plan. */
static void *make(struct builder *b, int type) {
    struct yo_cudnn_plan *plan = b->plan;
    if (plan->part_count == YO_CUDNN_PARTS_MAX) b->refused = true;
    void *made = make_loose(b, type);
    if (made) plan->parts[plan->part_count++] = made;
    return made;
}

static void set(struct builder *b, void *descriptor, int name, int type, int64_t count,
                const void *values) {
    if (!stopped(b)) check(b->failure, b->cudnn->set(descriptor, name, type, count, values), "set");
}

static void set_int(struct builder *b, void *descriptor, int name, int type, int value) {
    set(b, descriptor, name, type, 1, &value);
}

static void set_part(struct builder *b, void *descriptor, int name, void *part) {
    set(b, descriptor, name, YO_CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, &part);
}

static bool try_finalize(struct builder *b, void *descriptor) {
    int code = b->cudnn->finalize(descriptor);
    if (code) b->plan->refusal = code;
    return !code;
}

static void finalize(struct builder *b, void *descriptor) {
    if (!stopped(b) && !try_finalize(b, descriptor)) b->refused = true;
}

/* Dimensions in cuDNN's order: boards or outputs, channels, rows, columns. The channels are
 * innermost in memory, `stride` of them at each place. */
static void *tensor(struct builder *b, int64_t id, const int64_t dims[4], int64_t stride,
                    bool between) {
    const int64_t strides[4] = {dims[2] * dims[3] * stride, 1, dims[3] * stride, stride};
    const int64_t alignment = ALIGNMENT;
    void *t = make(b, YO_CUDNN_BACKEND_TENSOR_DESCRIPTOR);
    set_int(b, t, YO_CUDNN_ATTR_TENSOR_DATA_TYPE, YO_CUDNN_TYPE_DATA_TYPE,
            between ? YO_CUDNN_DATA_FLOAT : YO_CUDNN_DATA_HALF);
    set(b, t, YO_CUDNN_ATTR_TENSOR_DIMENSIONS, YO_CUDNN_TYPE_INT64, 4, dims);
    set(b, t, YO_CUDNN_ATTR_TENSOR_STRIDES, YO_CUDNN_TYPE_INT64, 4, strides);
    set(b, t, YO_CUDNN_ATTR_TENSOR_UNIQUE_ID, YO_CUDNN_TYPE_INT64, 1, &id);
    set(b, t, YO_CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, YO_CUDNN_TYPE_INT64, 1, &alignment);
    if (between) set(b, t, YO_CUDNN_ATTR_TENSOR_IS_VIRTUAL, YO_CUDNN_TYPE_BOOLEAN, 1, &between);
    finalize(b, t);
    return t;
}

/* ---- operations ---- */

static const struct yo_cudnn_shape *shape_of(const struct builder *b) { return &b->plan->shape; }

static void *board_tensor(struct builder *b, int64_t id, int channels, int stride, bool between) {
    const struct yo_cudnn_shape *s = shape_of(b);
    return tensor(b, id, (int64_t[4]){s->count, channels, s->size, s->size}, stride, between);
}

/* The result of an operation: the last one's is stored. */
static void *result(struct builder *b, bool last) {
    int channels = shape_of(b)->out_channels;
    return board_tensor(b, last ? OUT : BETWEEN + b->between++, channels, channels, !last);
}

static void *convolution(struct builder *b) {
    const struct yo_cudnn_shape *s = shape_of(b);
    const int64_t dilations[2] = {s->dilation_y, s->dilation_x}, sides = 2, one[2] = {1, 1};
    const int64_t edge[2] = {s->kernel_y / 2 * s->dilation_y, s->kernel_x / 2 * s->dilation_x};
    void *c = make(b, YO_CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR);
    set_int(b, c, YO_CUDNN_ATTR_CONVOLUTION_COMP_TYPE, YO_CUDNN_TYPE_DATA_TYPE,
            YO_CUDNN_DATA_FLOAT);
    set_int(b, c, YO_CUDNN_ATTR_CONVOLUTION_CONV_MODE, YO_CUDNN_TYPE_CONVOLUTION_MODE,
            YO_CUDNN_CROSS_CORRELATION);
    set(b, c, YO_CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS, YO_CUDNN_TYPE_INT64, 1, &sides);
    set(b, c, YO_CUDNN_ATTR_CONVOLUTION_DILATIONS, YO_CUDNN_TYPE_INT64, 2, dilations);
    set(b, c, YO_CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES, YO_CUDNN_TYPE_INT64, 2, one);
    set(b, c, YO_CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, YO_CUDNN_TYPE_INT64, 2, edge);
    set(b, c, YO_CUDNN_ATTR_CONVOLUTION_POST_PADDINGS, YO_CUDNN_TYPE_INT64, 2, edge);
    finalize(b, c);
    return c;
}

static void add_op(struct builder *b, void *op) {
    finalize(b, op);
    b->ops[b->op_count++] = op;
}

static void *add_convolution(struct builder *b, bool last) {
    const struct yo_cudnn_shape *s = shape_of(b);
    const float alpha = 1, beta = 0;
    void *in = board_tensor(b, IN, s->in_channels, s->in_stride, false);
    void *weights =
        tensor(b, WEIGHTS, (int64_t[4]){s->out_channels, s->in_channels, s->kernel_y, s->kernel_x},
               s->in_channels, false);
    void *out = result(b, last), *how = convolution(b);
    void *op = make(b, YO_CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR);
    set_part(b, op, YO_CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_CONV_DESC, how);
    set_part(b, op, YO_CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X, in);
    set_part(b, op, YO_CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W, weights);
    set_part(b, op, YO_CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y, out);
    set(b, op, YO_CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_ALPHA, YO_CUDNN_TYPE_FLOAT, 1, &alpha);
    set(b, op, YO_CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_BETA, YO_CUDNN_TYPE_FLOAT, 1, &beta);
    add_op(b, op);
    return out;
}

/* y = mode(x) or, with another, mode(x, other). */
static void *add_pointwise(struct builder *b, int mode, void *x, void *other, bool last) {
    void *how = make(b, YO_CUDNN_BACKEND_POINTWISE_DESCRIPTOR);
    set_int(b, how, YO_CUDNN_ATTR_POINTWISE_MODE, YO_CUDNN_TYPE_POINTWISE_MODE, mode);
    set_int(b, how, YO_CUDNN_ATTR_POINTWISE_MATH_PREC, YO_CUDNN_TYPE_DATA_TYPE,
            YO_CUDNN_DATA_FLOAT);
    finalize(b, how);
    void *out = result(b, last), *op = make(b, YO_CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR);
    set_part(b, op, YO_CUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR, how);
    set_part(b, op, YO_CUDNN_ATTR_OPERATION_POINTWISE_XDESC, x);
    if (other) set_part(b, op, YO_CUDNN_ATTR_OPERATION_POINTWISE_BDESC, other);
    set_part(b, op, YO_CUDNN_ATTR_OPERATION_POINTWISE_YDESC, out);
    add_op(b, op);
    return out;
}

static void add_activation(struct builder *b, void *x) {
    switch (shape_of(b)->activation) {
    case YO_NET_RELU:
        add_pointwise(b, YO_CUDNN_POINTWISE_RELU_FWD, x, NULL, true);
        break;
    case YO_NET_SWISH:
        add_pointwise(b, YO_CUDNN_POINTWISE_SWISH_FWD, x, NULL, true);
        break;
    case YO_NET_TANH:
        add_pointwise(b, YO_CUDNN_POINTWISE_TANH_FWD, x, NULL, true);
        break;
    case YO_NET_MISH: { /* x tanh(ln(1 + e^x)) */
        void *soft = add_pointwise(b, YO_CUDNN_POINTWISE_SOFTPLUS_FWD, x, NULL, false);
        void *gate = add_pointwise(b, YO_CUDNN_POINTWISE_TANH_FWD, soft, NULL, false);
        add_pointwise(b, YO_CUDNN_POINTWISE_MUL, x, gate, true);
    }
    }
}

/* The convolution, the sum before the bias, then the activation: the order of the one fused graph
 * for which cuDNN brings compiled kernels. */
static void *operation_graph(struct builder *b) {
    const struct yo_cudnn_shape *s = shape_of(b);
    const bool act = s->activation != YO_NET_IDENTITY;
    void *x = add_convolution(b, !s->add_stride && !s->has_bias && !act);
    if (s->add_stride) {
        void *other = board_tensor(b, ADD, s->out_channels, s->add_stride, false);
        x = add_pointwise(b, YO_CUDNN_POINTWISE_ADD, x, other, !s->has_bias && !act);
    }
    if (s->has_bias) {
        void *bias =
            tensor(b, BIAS, (int64_t[4]){1, s->out_channels, 1, 1}, s->out_channels, false);
        x = add_pointwise(b, YO_CUDNN_POINTWISE_ADD, x, bias, !act);
    }
    add_activation(b, x);
    void *graph = make(b, YO_CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR);
    set(b, graph, YO_CUDNN_ATTR_OPERATIONGRAPH_OPS, YO_CUDNN_TYPE_BACKEND_DESCRIPTOR, b->op_count,
        b->ops);
    set(b, graph, YO_CUDNN_ATTR_OPERATIONGRAPH_HANDLE, YO_CUDNN_TYPE_HANDLE, 1, &b->handle);
    finalize(b, graph);
    return graph;
}

/* ---- engines ---- */

static bool has_note(struct builder *b, void *engine, int name, int type, uint64_t notes) {
    int found[NOTES_MAX] = {0};
    int64_t count = 0;
    if (b->cudnn->get(engine, name, type, NOTES_MAX, &count, found)) return true;
    for (int64_t i = 0; i < count && i < NOTES_MAX; i++)
        if (found[i] >= 0 && found[i] < 64 && notes >> found[i] & 1) return true;
    return false;
}

/* Not those that lose precision, whose sums depend on chance, or that compile when they must not.
 */
static bool is_welcome(struct builder *b, void *config, bool compiled) {
    static const uint64_t numerical = UINT64_C(1)
                                          << YO_CUDNN_NUMERICAL_NOTE_REDUCED_PRECISION_REDUCTION |
                                      UINT64_C(1) << YO_CUDNN_NUMERICAL_NOTE_FFT |
                                      UINT64_C(1) << YO_CUDNN_NUMERICAL_NOTE_NONDETERMINISTIC |
                                      UINT64_C(1) << YO_CUDNN_NUMERICAL_NOTE_WINOGRAD |
                                      UINT64_C(1) << YO_CUDNN_NUMERICAL_NOTE_WINOGRAD_TILE_4x4 |
                                      UINT64_C(1) << YO_CUDNN_NUMERICAL_NOTE_WINOGRAD_TILE_6x6 |
                                      UINT64_C(1) << YO_CUDNN_NUMERICAL_NOTE_WINOGRAD_TILE_13x13;
    static const uint64_t behaviour = UINT64_C(1) << YO_CUDNN_BEHAVIOR_NOTE_RUNTIME_COMPILATION;
    int64_t count = 0;
    void *engine = make_loose(b, YO_CUDNN_BACKEND_ENGINE_DESCRIPTOR);
    if (!engine) return false;
    bool good = !b->cudnn->get(config, YO_CUDNN_ATTR_ENGINECFG_ENGINE,
                               YO_CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, &count, &engine) &&
                !has_note(b, engine, YO_CUDNN_ATTR_ENGINE_NUMERICAL_NOTE,
                          YO_CUDNN_TYPE_NUMERICAL_NOTE, numerical) &&
                (compiled || !has_note(b, engine, YO_CUDNN_ATTR_ENGINE_BEHAVIOR_NOTE,
                                       YO_CUDNN_TYPE_BEHAVIOR_NOTE, behaviour));
    b->cudnn->drop(engine);
    return good;
}

/* A plan of this configuration, if it works and its workspace is modest. */
static bool take_config(struct builder *b, void *config) {
    struct yo_cudnn_plan *plan = b->plan;
    int64_t count = 0;
    void *made = make_loose(b, YO_CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR);
    set(b, made, YO_CUDNN_ATTR_EXECUTION_PLAN_HANDLE, YO_CUDNN_TYPE_HANDLE, 1, &b->handle);
    set_part(b, made, YO_CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG, config);
    if (!stopped(b) && try_finalize(b, made) &&
        !b->cudnn->get(made, YO_CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE, YO_CUDNN_TYPE_INT64, 1,
                       &count, &plan->workspace) &&
        plan->workspace >= 0 && plan->workspace <= WORKSPACE_MAX) {
        plan->plan = made;
        return true;
    }
    if (made) b->cudnn->drop(made);
    return false;
}

/* The first that works of those that cuDNN expects to be fast, the fastest first. */
static void choose_engine(struct builder *b, void *graph, bool compiled) {
    void *configs[CONFIGS_MAX] = {0}, *taken = NULL;
    int64_t count = 0;
    void *list = make(b, YO_CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR);
    set_part(b, list, YO_CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH, graph);
    set_int(b, list, YO_CUDNN_ATTR_ENGINEHEUR_MODE, YO_CUDNN_TYPE_HEUR_MODE, YO_CUDNN_HEUR_MODE_A);
    finalize(b, list);
    for (int i = 0; i < CONFIGS_MAX; i++)
        configs[i] = make_loose(b, YO_CUDNN_BACKEND_ENGINECFG_DESCRIPTOR);
    if (!stopped(b))
        check(b->failure,
              b->cudnn->get(list, YO_CUDNN_ATTR_ENGINEHEUR_RESULTS,
                            YO_CUDNN_TYPE_BACKEND_DESCRIPTOR, CONFIGS_MAX, &count, configs),
              "get");
    for (int i = 0; i < CONFIGS_MAX && i < count && !taken && !stopped(b); i++)
        if (is_welcome(b, configs[i], compiled) && take_config(b, configs[i])) taken = configs[i];
    for (int i = 0; i < CONFIGS_MAX; i++)
        if (configs[i] && configs[i] != taken) b->cudnn->drop(configs[i]);
    if (taken) b->plan->parts[b->plan->part_count++] = taken;
}

/* ---- plans ---- */

void yo_cudnn_plan_init(struct yo_cudnn_plan *plan, const struct yo_cudnn *cudnn, void *handle,
                        const struct yo_cudnn_shape *shape, bool compiled,
                        struct yo_cudnn_failure *failure) {
    struct builder b = {.cudnn = cudnn, .handle = handle, .plan = plan, .failure = failure};
    *plan = (struct yo_cudnn_plan){.shape = *shape};
    choose_engine(&b, operation_graph(&b), compiled);
    if (!plan->plan) yo_cudnn_plan_free(plan, cudnn);
}

void yo_cudnn_plan_free(struct yo_cudnn_plan *plan, const struct yo_cudnn *cudnn) {
    if (plan->plan) cudnn->drop(plan->plan);
    while (plan->part_count > 0)
        cudnn->drop(plan->parts[--plan->part_count]);
    plan->plan = NULL;
}

void *yo_cudnn_pack(const struct yo_cudnn_plan *plan, const struct yo_cudnn *cudnn,
                    const struct yo_cudnn_tensors *tensors, void *workspace,
                    struct yo_cudnn_failure *failure) {
    int64_t ids[5] = {IN, WEIGHTS, OUT}, count = 3;
    void *addresses[5] = {tensors->in, tensors->weights, tensors->out}, *pack = NULL;
    if (plan->shape.has_bias) ids[count] = BIAS, addresses[count++] = tensors->bias;
    if (plan->shape.add_stride) ids[count] = ADD, addresses[count++] = tensors->add;
    if (check(failure, cudnn->make(YO_CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR, &pack), "make") &&
        check(failure,
              cudnn->set(pack, YO_CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, YO_CUDNN_TYPE_INT64, count,
                         ids),
              "set") &&
        check(failure,
              cudnn->set(pack, YO_CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS, YO_CUDNN_TYPE_VOID_PTR,
                         count, addresses),
              "set") &&
        check(failure,
              cudnn->set(pack, YO_CUDNN_ATTR_VARIANT_PACK_WORKSPACE, YO_CUDNN_TYPE_VOID_PTR, 1,
                         &workspace),
              "set") &&
        check(failure, cudnn->finalize(pack), "finalize"))
        return pack;
    if (pack) cudnn->drop(pack);
    return NULL;
}
