/* An ONNX file as it is written: nodes, constants, inputs and outputs, all pointing into the bytes
 * of the file, which outlive it. What they mean is onnx.h's matter. */
#pragma once

#include "eval/net/protobuf.h"
#include "yomi/error.h"

enum {
    YO_ONNX_MAX_NODES = 4096,
    YO_ONNX_MAX_EDGES = 8,
    YO_ONNX_MAX_DIMS = 8,
    YO_ONNX_MAX_ATTRS = 16
};

struct yo_onnx_name {
    const char *at;
    size_t len;
};

/* A constant; shapes are constants too. */
struct yo_onnx_tensor {
    struct yo_onnx_name name;
    int dim_count;
    int64_t dims[YO_ONNX_MAX_DIMS];
    size_t count;      /* of numbers */
    int type;          /* 1 float, 7 int64, 10 float16, 11 double */
    struct yo_pb data; /* of that type, little-endian; or varints of int64_data */
    bool varints;
};

struct yo_onnx_attr {
    struct yo_onnx_name name;
    float f;
    int64_t i;
    struct yo_onnx_name s;
    int64_t ints[YO_ONNX_MAX_DIMS];
    int int_count;
    bool has_tensor;
    struct yo_onnx_tensor tensor;
};

struct yo_onnx_node {
    struct yo_onnx_name op, name;
    struct yo_onnx_name inputs[YO_ONNX_MAX_EDGES], outputs[YO_ONNX_MAX_EDGES];
    int input_count, output_count;
    struct yo_onnx_attr attrs[YO_ONNX_MAX_ATTRS];
    int attr_count;
};

/* An input or output of the whole: -1 for a dimension that is not given. */
struct yo_onnx_port {
    struct yo_onnx_name name;
    int dim_count;
    int64_t dims[YO_ONNX_MAX_DIMS];
};

struct yo_onnx_model {
    struct yo_onnx_node *nodes;
    int node_count, node_room;
    struct yo_onnx_tensor *tensors;
    int tensor_count, tensor_room;
    struct yo_onnx_port inputs[YO_ONNX_MAX_EDGES], outputs[YO_ONNX_MAX_EDGES];
    int input_count, output_count;
};

/* Errors say at which byte of the file. Free it also after a failure. */
enum yo_err yo_onnx_parse(const void *bytes, size_t len, struct yo_onnx_model *model,
                          struct yo_diag *diag);
void yo_onnx_free(struct yo_onnx_model *model);

bool yo_onnx_same(struct yo_onnx_name a, struct yo_onnx_name b);
bool yo_onnx_is(struct yo_onnx_name name, const char *text);
/* An attribute of a node, or NULL. */
const struct yo_onnx_attr *yo_onnx_attr(const struct yo_onnx_node *node, const char *name);
/* Number i of a tensor. */
double yo_onnx_number(const struct yo_onnx_tensor *tensor, size_t i);
/* All of them. */
void yo_onnx_floats(const struct yo_onnx_tensor *tensor, float *out);
