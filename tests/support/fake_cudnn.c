#include "support/fake_cudnn.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/fake_cudnn_parts.h"

struct fake_cudnn_state fake_cudnn_state;
#define state fake_cudnn_state

struct handle {
    void *stream;
};

/* ---- what there is: every attribute with its type and number of values ---- */

static const struct {
    int descriptor, name, type, least, most;
} known[] = {
#define ROW(descriptor, name, type, least, most)                                                   \
    {                                                                                              \
        YO_CUDNN_BACKEND_##descriptor##_DESCRIPTOR, YO_CUDNN_ATTR_##name, YO_CUDNN_TYPE_##type,    \
            least, most                                                                            \
    }
    ROW(TENSOR, TENSOR_BYTE_ALIGNMENT, INT64, 1, 1),
    ROW(TENSOR, TENSOR_DATA_TYPE, DATA_TYPE, 1, 1),
    ROW(TENSOR, TENSOR_DIMENSIONS, INT64, 4, 4),
    ROW(TENSOR, TENSOR_STRIDES, INT64, 4, 4),
    ROW(TENSOR, TENSOR_UNIQUE_ID, INT64, 1, 1),
    ROW(TENSOR, TENSOR_IS_VIRTUAL, BOOLEAN, 0, 1),
    ROW(CONVOLUTION, CONVOLUTION_COMP_TYPE, DATA_TYPE, 1, 1),
    ROW(CONVOLUTION, CONVOLUTION_CONV_MODE, CONVOLUTION_MODE, 1, 1),
    ROW(CONVOLUTION, CONVOLUTION_SPATIAL_DIMS, INT64, 1, 1),
    ROW(CONVOLUTION, CONVOLUTION_DILATIONS, INT64, 2, 2),
    ROW(CONVOLUTION, CONVOLUTION_FILTER_STRIDES, INT64, 2, 2),
    ROW(CONVOLUTION, CONVOLUTION_PRE_PADDINGS, INT64, 2, 2),
    ROW(CONVOLUTION, CONVOLUTION_POST_PADDINGS, INT64, 2, 2),
    ROW(POINTWISE, POINTWISE_MODE, POINTWISE_MODE, 1, 1),
    ROW(POINTWISE, POINTWISE_MATH_PREC, DATA_TYPE, 1, 1),
    ROW(OPERATION_CONVOLUTION_FORWARD, OPERATION_CONVOLUTION_FORWARD_ALPHA, FLOAT, 1, 1),
    ROW(OPERATION_CONVOLUTION_FORWARD, OPERATION_CONVOLUTION_FORWARD_BETA, FLOAT, 1, 1),
    ROW(OPERATION_CONVOLUTION_FORWARD, OPERATION_CONVOLUTION_FORWARD_CONV_DESC, BACKEND_DESCRIPTOR,
        1, 1),
    ROW(OPERATION_CONVOLUTION_FORWARD, OPERATION_CONVOLUTION_FORWARD_W, BACKEND_DESCRIPTOR, 1, 1),
    ROW(OPERATION_CONVOLUTION_FORWARD, OPERATION_CONVOLUTION_FORWARD_X, BACKEND_DESCRIPTOR, 1, 1),
    ROW(OPERATION_CONVOLUTION_FORWARD, OPERATION_CONVOLUTION_FORWARD_Y, BACKEND_DESCRIPTOR, 1, 1),
    ROW(OPERATION_POINTWISE, OPERATION_POINTWISE_PW_DESCRIPTOR, BACKEND_DESCRIPTOR, 1, 1),
    ROW(OPERATION_POINTWISE, OPERATION_POINTWISE_XDESC, BACKEND_DESCRIPTOR, 1, 1),
    ROW(OPERATION_POINTWISE, OPERATION_POINTWISE_BDESC, BACKEND_DESCRIPTOR, 0, 1),
    ROW(OPERATION_POINTWISE, OPERATION_POINTWISE_YDESC, BACKEND_DESCRIPTOR, 1, 1),
    ROW(OPERATIONGRAPH, OPERATIONGRAPH_HANDLE, HANDLE, 1, 1),
    ROW(OPERATIONGRAPH, OPERATIONGRAPH_OPS, BACKEND_DESCRIPTOR, 1, OPS_MAX),
    ROW(ENGINEHEUR, ENGINEHEUR_OPERATION_GRAPH, BACKEND_DESCRIPTOR, 1, 1),
    ROW(ENGINEHEUR, ENGINEHEUR_MODE, HEUR_MODE, 1, 1),
    ROW(EXECUTION_PLAN, EXECUTION_PLAN_HANDLE, HANDLE, 1, 1),
    ROW(EXECUTION_PLAN, EXECUTION_PLAN_ENGINE_CONFIG, BACKEND_DESCRIPTOR, 1, 1),
    ROW(VARIANT_PACK, VARIANT_PACK_UNIQUE_IDS, INT64, 1, VALUES_MAX),
    ROW(VARIANT_PACK, VARIANT_PACK_DATA_POINTERS, VOID_PTR, 1, VALUES_MAX),
    ROW(VARIANT_PACK, VARIANT_PACK_WORKSPACE, VOID_PTR, 1, 1),
};
enum { KNOWN = sizeof known / sizeof known[0] };

int fake_cudnn_wrong(const char *what) {
    if (!state.wrong[0]) snprintf(state.wrong, sizeof state.wrong, "%s", what);
    return BAD;
}

static int fails(void) {
    if (!state.fails || !state.fails()) return 0;
    state.failed++;
    return BROKEN;
}

static size_t bytes_of(int type) {
    switch (type) {
    case YO_CUDNN_TYPE_BOOLEAN:
        return sizeof(bool);
    case YO_CUDNN_TYPE_INT64:
        return sizeof(int64_t);
    case YO_CUDNN_TYPE_FLOAT:
        return sizeof(float);
    case YO_CUDNN_TYPE_HANDLE:
    case YO_CUDNN_TYPE_VOID_PTR:
    case YO_CUDNN_TYPE_BACKEND_DESCRIPTOR:
        return sizeof(void *);
    default:
        return sizeof(int);
    }
}

/* ---- the functions ---- */

static size_t version(void) { return 91400; }
static const char *error_text(int code) { return code == BROKEN ? "broken" : "wrong"; }

static int create(void **handle) {
    int code = fails();
    if (code) return code;
    if (!(*handle = calloc(1, sizeof(struct handle)))) abort();
    state.alive++;
    return 0;
}
static int destroy(void *handle) {
    free(handle);
    state.alive--;
    return 0;
}
static int set_stream(void *handle, void *stream) {
    ((struct handle *)handle)->stream = stream;
    return fails();
}

static int make(int type, void **descriptor) {
    int code = fails();
    if (code) return code;
    struct descriptor *d = calloc(1, sizeof *d);
    if (!d) abort();
    d->type = type;
    state.alive++;
    *descriptor = d;
    return 0;
}
static int drop(void *descriptor) {
    free(descriptor);
    state.alive--;
    return 0;
}

static int set(void *descriptor, int name, int type, int64_t count, const void *values) {
    struct descriptor *d = descriptor;
    if (d->final) return fake_cudnn_wrong("an attribute is set too late");
    for (int i = 0; i < KNOWN; i++) {
        if (known[i].descriptor != d->type || known[i].name != name) continue;
        if (known[i].type != type) return fake_cudnn_wrong("an attribute of another type");
        if (count < 1 || count > known[i].most)
            return fake_cudnn_wrong("an attribute's number of values");
        for (int k = 0; k < d->count; k++)
            if (d->attributes[k].name == name) return fake_cudnn_wrong("an attribute is set twice");
        struct attribute *a = &d->attributes[d->count++];
        a->name = name, a->count = (int)count;
        memcpy(&a->values, values, (size_t)count * bytes_of(type));
        return fails();
    }
    return fake_cudnn_wrong("an unknown attribute");
}

static int finalize(void *descriptor) {
    struct descriptor *d = descriptor;
    int code = fails();
    if (code) return code;
    if (d->final) return fake_cudnn_wrong("finalized twice");
    for (int i = 0; i < KNOWN; i++)
        if (known[i].descriptor == d->type && find(d, known[i].name)->count < known[i].least)
            return fake_cudnn_wrong("an attribute is missing");
    code = fake_cudnn_check(d);
    d->final = !code;
    return code;
}

/* What can be asked: engines of a graph, the engine of a configuration, its notes, a workspace. */
static int get(void *descriptor, int name, int type, int64_t room, int64_t *count, void *values) {
    struct descriptor *d = descriptor, **parts = values;
    int code = fails();
    if (code) return code;
    if (room < 1) return fake_cudnn_wrong("nothing is asked for");
    if (name == YO_CUDNN_ATTR_ENGINEHEUR_RESULTS && d->final &&
        d->type == YO_CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR &&
        type == YO_CUDNN_TYPE_BACKEND_DESCRIPTOR && room >= ENGINES) {
        for (int i = 0; i < ENGINES; i++) {
            if (parts[i]->type != YO_CUDNN_BACKEND_ENGINECFG_DESCRIPTOR)
                return fake_cudnn_wrong("not a configuration");
            parts[i]->engine = (enum engine)i;
            parts[i]->graph = part_of(d, YO_CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH);
        }
        return *count = ENGINES, 0;
    }
    if (name == YO_CUDNN_ATTR_ENGINECFG_ENGINE && d->graph &&
        type == YO_CUDNN_TYPE_BACKEND_DESCRIPTOR &&
        parts[0]->type == YO_CUDNN_BACKEND_ENGINE_DESCRIPTOR) {
        parts[0]->engine = d->engine;
        return *count = 1, 0;
    }
    if (name == YO_CUDNN_ATTR_ENGINE_NUMERICAL_NOTE && type == YO_CUDNN_TYPE_NUMERICAL_NOTE &&
        d->type == YO_CUDNN_BACKEND_ENGINE_DESCRIPTOR) {
        int notes[2] = {0 /* tensor cores */, YO_CUDNN_NUMERICAL_NOTE_WINOGRAD};
        memcpy(values, notes, sizeof notes);
        return *count = d->engine == LOSSY ? 2 : 1, 0;
    }
    if (name == YO_CUDNN_ATTR_ENGINE_BEHAVIOR_NOTE && type == YO_CUDNN_TYPE_BEHAVIOR_NOTE &&
        d->type == YO_CUDNN_BACKEND_ENGINE_DESCRIPTOR) {
        *(int *)values = YO_CUDNN_BEHAVIOR_NOTE_RUNTIME_COMPILATION;
        return *count = d->engine == COMPILES, 0;
    }
    if (name == YO_CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE && type == YO_CUDNN_TYPE_INT64 &&
        d->final) {
        enum engine engine = part_of(d, YO_CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG)->engine;
        *(int64_t *)values = engine == LARGE ? (int64_t)1 << 32 : 1000;
        return *count = 1, 0;
    }
    return fake_cudnn_wrong("an unknown question");
}

static int execute(void *handle, void *plan, void *pack) {
    const struct descriptor *d = plan;
    const struct descriptor *bound = pack;
    int code = fails();
    if (code) return code;
    if (!((struct handle *)handle)->stream) return fake_cudnn_wrong("a handle without a stream");
    if (!d->final || d->type != YO_CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR || !bound->final ||
        bound->type != YO_CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR)
        return fake_cudnn_wrong("not a plan and a pack");
    if (!part_of(bound, YO_CUDNN_ATTR_VARIANT_PACK_WORKSPACE))
        return fake_cudnn_wrong("no workspace");
    const struct descriptor *config = part_of(d, YO_CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG);
    if (config->engine != GOOD && config->engine != COMPILES)
        return fake_cudnn_wrong("an engine that must not be taken");
    state.executions++;
    state.fused += op_count(config->graph) > 1;
    return fake_cudnn_run(config->graph, bound);
}

const struct yo_cudnn fake_cudnn = {
#define X(member, symbol, result, parameters) .member = member,
    YO_CUDNN_FUNCTIONS(X)
#undef X
};
