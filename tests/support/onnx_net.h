/* Small random shogi networks of dlshogi's shape: written as ONNX files in the ways that exporters
 * do, and computed layer by layer. The judge of the ONNX reader. */
#pragma once

#include <stdint.h>

#include "base/buf.h"

struct onnx_net {
    int planes1, planes2; /* 62 and 57, or 104 and 0 */
    int channels, blocks, value_channels, hidden;
    bool swish;      /* else relu */
    bool norms;      /* normalisations as nodes of their own; else folded into biases */
    bool matmul;     /* MatMul and Add, else Gemm */
    bool reshape;    /* Reshape, else Flatten */
    bool transpose;  /* dense weights and the board before them through a Transpose */
    bool half;       /* weights as float16 */
    bool identity;   /* some nodes that do nothing */
    bool no_sigmoid; /* the value is a logit */
    unsigned seed;

    /* Made: everything that is written, in order. */
    struct yo_buf nodes, tensors;
    float *numbers[256];
    int number_count;
};

void onnx_net_make(struct onnx_net *net);
void onnx_net_free(struct onnx_net *net);
void onnx_net_write(const struct onnx_net *net, struct yo_buf *out);
/* planes[plane][square]; policy has 27 * 81 entries. */
void onnx_net_eval(const struct onnx_net *net, const float *planes, double *policy, double *value);

/* For files that are odd on purpose. */
void onnx_put_int(struct yo_buf *out, int field, int64_t value);
void onnx_put_bytes(struct yo_buf *out, int field, const char *bytes, size_t len);
