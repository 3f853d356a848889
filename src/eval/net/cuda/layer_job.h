/* The parameters of the kernels that run a network one operation at a time (layers.cuh). Plain C,
 * read by both sides.
 *
 * A spatial tensor is fp16 [count][points][stride], its channels rounded up to a stride that is a
 * multiple of 8; a vector is float [count][stride] with as many channels. */
#pragma once

#include <stdint.h>

enum {
    YO_LAYER_THREADS = 256,
    YO_LAYER_ROWS = 128,   /* of a block of a convolution: points of boards */
    YO_LAYER_OUTPUTS = 64, /* of such a block: channels */
    YO_LAYER_INPUTS = 32,  /* channels read at a time */
    YO_DENSE_BOARDS = 32,  /* of a block of a dense layer */
    YO_DENSE_OUTPUTS = 64,
};

struct yo_layer_job {
    int32_t count, size, points; /* boards, and their side and points */
    int32_t in_channels, in_stride, out_channels, out_stride;
    int32_t activation; /* enum yo_net_activation */
    const void *in;
    /* The result: as tensors are kept, or NULL; and as float [count][channels][points], or NULL. */
    void *out;
    float *planar;
    /* the epilogue: what is NULL is left out */
    const float *bias, *vector; /* [channels], [count][vector_stride] */
    const void *add;            /* a tensor like the result */
    int32_t vector_stride, add_stride;
    /* CONV: fp16 [tap][outputs rounded up to YO_LAYER_OUTPUTS][padded_in]. DENSE: float
     * [in_channels][padded_out]. AFFINE: the scale, or NULL. */
    const void *weights;
    int32_t padded_in, padded_out;
    int32_t first_channel; /* CONV: a multiple of 8. DENSE: any */
    int32_t kernel_y, kernel_x, dilation_y, dilation_x;
    int32_t pool;        /* enum yo_net_pool */
    int32_t plane_words; /* EXPAND: 64-bit words of a plane */
    int32_t spatial;     /* AFFINE */
    /* PICK: what is wanted of a board's in_stride floats, the entries of all boards one behind the
     * other; those of a board begin at starts[board] and end at starts[board + 1]. */
    const uint32_t *starts;
    const uint16_t *entries;
};

/* The kernels, by name; one job each. */
#define YO_LAYER_KERNELS(X)                                                                        \
    X(YO_LAYER_EXPAND, "yo_layer_expand")                                                          \
    X(YO_LAYER_CONV, "yo_layer_conv")                                                              \
    X(YO_LAYER_AFFINE, "yo_layer_affine")                                                          \
    X(YO_LAYER_POOL, "yo_layer_pool")                                                              \
    X(YO_LAYER_DENSE, "yo_layer_dense")                                                            \
    X(YO_LAYER_FLATTEN, "yo_layer_flatten")                                                        \
    X(YO_LAYER_PLANAR, "yo_layer_planar")                                                          \
    X(YO_LAYER_PICK, "yo_layer_pick")
enum yo_layer_kernel {
#define X(id, name) id,
    YO_LAYER_KERNELS(X)
#undef X
        YO_LAYER_KERNEL_COUNT
};
