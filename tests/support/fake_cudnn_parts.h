/* The parts of fake_cudnn: descriptors, what they must hold, and the arithmetic of a graph. */
#pragma once

#include <stddef.h>

#include "support/fake_cudnn.h"

enum { BAD = 2000, UNSUPPORTED = 3000, BROKEN = 5000 };
enum { VALUES_MAX = 16, ATTRIBUTES_MAX = 16, OPS_MAX = 8 };
enum engine { LOSSY, COMPILES, DOES_NOT_WORK, LARGE, GOOD, ENGINES };

struct attribute {
    int name, count;
    union {
        int64_t ints[VALUES_MAX];
        void *pointers[VALUES_MAX];
        int number;
        float real;
        bool flag;
    } values;
};

struct descriptor {
    int type;
    bool final;
    struct attribute attributes[ATTRIBUTES_MAX];
    int count;
    enum engine engine;       /* of engines and configurations */
    struct descriptor *graph; /* of a configuration */
};

/* Notes the caller's mistake; returns the code for it. */
int fake_cudnn_wrong(const char *what);
/* What is not right in a descriptor that is to be finalized: zero, or a code. */
int fake_cudnn_check(const struct descriptor *d);
/* Runs the operations of a graph on the addresses of a pack. */
int fake_cudnn_run(const struct descriptor *graph, const struct descriptor *pack);

static inline const struct attribute *find(const struct descriptor *d, int name) {
    static const struct attribute none;
    for (int i = 0; i < d->count; i++)
        if (d->attributes[i].name == name) return &d->attributes[i];
    return &none;
}
static inline int64_t int_of(const struct descriptor *d, int name, int i) {
    return find(d, name)->values.ints[i];
}
static inline int number_of(const struct descriptor *d, int name) {
    return find(d, name)->values.number;
}
static inline struct descriptor *part_of(const struct descriptor *d, int name) {
    return find(d, name)->values.pointers[0];
}
static inline int64_t dim(const struct descriptor *tensor, int i) {
    return int_of(tensor, YO_CUDNN_ATTR_TENSOR_DIMENSIONS, i);
}
static inline int64_t stride(const struct descriptor *tensor, int i) {
    return int_of(tensor, YO_CUDNN_ATTR_TENSOR_STRIDES, i);
}
static inline int64_t id_of(const struct descriptor *tensor) {
    return int_of(tensor, YO_CUDNN_ATTR_TENSOR_UNIQUE_ID, 0);
}
static inline bool is_virtual(const struct descriptor *tensor) {
    return find(tensor, YO_CUDNN_ATTR_TENSOR_IS_VIRTUAL)->values.flag;
}

static inline bool is_conv(const struct descriptor *op) {
    return op->type == YO_CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR;
}

/* The tensors of an operation: the result last. Returns how many. */
static inline int tensors_of(const struct descriptor *op, struct descriptor *tensors[3]) {
    int count = 0;
    if (is_conv(op)) {
        tensors[count++] = part_of(op, YO_CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X);
        tensors[count++] = part_of(op, YO_CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W);
        tensors[count++] = part_of(op, YO_CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y);
        return count;
    }
    tensors[count++] = part_of(op, YO_CUDNN_ATTR_OPERATION_POINTWISE_XDESC);
    if (part_of(op, YO_CUDNN_ATTR_OPERATION_POINTWISE_BDESC))
        tensors[count++] = part_of(op, YO_CUDNN_ATTR_OPERATION_POINTWISE_BDESC);
    tensors[count++] = part_of(op, YO_CUDNN_ATTR_OPERATION_POINTWISE_YDESC);
    return count;
}

static inline struct descriptor *op_at(const struct descriptor *graph, int i) {
    return find(graph, YO_CUDNN_ATTR_OPERATIONGRAPH_OPS)->values.pointers[i];
}
static inline int op_count(const struct descriptor *graph) {
    return find(graph, YO_CUDNN_ATTR_OPERATIONGRAPH_OPS)->count;
}
