/* A convolution as cuDNN runs it: an execution plan for one shape and number of boards. Tensors are
 * those of layer_job.h, fp16 with channels innermost; sums are floats. A plan may be used by one
 * thread at a time. */
#pragma once

#include "eval/net/cuda/cudnn.h"

/* All int, so that shapes can be compared byte by byte. Channels and strides are multiples of 8. */
struct yo_cudnn_shape {
    int count, size; /* boards, and their side */
    int in_channels, in_stride, out_channels;
    int kernel_y, kernel_x, dilation_y, dilation_x;
    /* The epilogue, as far as the plan has it. */
    int has_bias, add_stride; /* 0: nothing is added */
    int activation;           /* enum yo_net_activation */
};
/* Whether a plan can have this activation. */
bool yo_cudnn_has_activation(int activation);

/* The tensors that a plan is given: weights fp16 [out_channels][kernel_y][kernel_x][in_channels],
 * bias fp16 [out_channels]. */
struct yo_cudnn_tensors {
    void *in, *weights, *bias, *add, *out;
};

enum { YO_CUDNN_PARTS_MAX = 32 };
struct yo_cudnn_plan {
    struct yo_cudnn_shape shape;
    void *plan;        /* NULL: cuDNN has no kernel for this shape */
    int refusal;       /* its last code for what it does not support, or 0 */
    int64_t workspace; /* bytes it needs */
    /* Descriptors that the plan refers to. */
    void *parts[YO_CUDNN_PARTS_MAX];
    int part_count;
};

/* A call that failed: its code, and which it was. 0: none failed. */
struct yo_cudnn_failure {
    int code;
    const char *doing;
};

/* Makes a plan; one without a kernel is no failure. `compiled` allows kernels that cuDNN compiles
 * now, which takes about a second each. */
void yo_cudnn_plan_init(struct yo_cudnn_plan *plan, const struct yo_cudnn *cudnn, void *handle,
                        const struct yo_cudnn_shape *shape, bool compiled,
                        struct yo_cudnn_failure *failure);
void yo_cudnn_plan_free(struct yo_cudnn_plan *plan, const struct yo_cudnn *cudnn);
/* The addresses for a plan's run, made once; release with cudnn->drop. NULL: it failed. */
void *yo_cudnn_pack(const struct yo_cudnn_plan *plan, const struct yo_cudnn *cudnn,
                    const struct yo_cudnn_tensors *tensors, void *workspace,
                    struct yo_cudnn_failure *failure);
