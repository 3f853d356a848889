/* An ONNX file, parsed: nodes, constants, inputs and outputs, all pointing into the bytes of the
 * file, which must outlive it. onnx.h interprets them. */
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

/* An input or output of the model; dimensions that are not given are -1. */
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

/* Errors give the byte offset in the file. Free the model also after a failure. */
enum yo_err yo_onnx_parse(const void *bytes, size_t len, struct yo_onnx_model *model,
                          struct yo_diag *diag);
void yo_onnx_free(struct yo_onnx_model *model);

bool yo_onnx_same(struct yo_onnx_name a, struct yo_onnx_name b);
bool yo_onnx_is(struct yo_onnx_name name, const char *text);
/* An attribute of a node, or NULL. */
const struct yo_onnx_attr *yo_onnx_attr(const struct yo_onnx_node *node, const char *name);
/* Whether its numbers are floats of a size that is supported. */
bool yo_onnx_is_real(const struct yo_onnx_tensor *tensor);
/* Number i of a tensor. */
double yo_onnx_number(const struct yo_onnx_tensor *tensor, size_t i);
/* All numbers of a tensor. */
void yo_onnx_floats(const struct yo_onnx_tensor *tensor, float *out);
