/* NVIDIA's library cuDNN, version 9, as far as Yomi calls its graph interface: the functions as a
 * table, and the numbers of its enums. It is loaded at run time: neither building nor starting the
 * program needs it. Tests replace the table; tests/gpu/cudnn_header.c compares the numbers with
 * NVIDIA's header. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* X(member, symbol in the library, what it returns, parameters). Handles and descriptors are
 * pointers, enums are int. Zero is success. */
#define YO_CUDNN_FUNCTIONS(X)                                                                      \
    X(version, cudnnGetVersion, size_t, (void))                                                    \
    X(error_text, cudnnGetErrorString, const char *, (int code))                                   \
    X(create, cudnnCreate, int, (void **handle))                                                   \
    X(destroy, cudnnDestroy, int, (void *handle))                                                  \
    X(set_stream, cudnnSetStream, int, (void *handle, void *stream))                               \
    X(make, cudnnBackendCreateDescriptor, int, (int type, void **descriptor))                      \
    X(drop, cudnnBackendDestroyDescriptor, int, (void *descriptor))                                \
    X(set, cudnnBackendSetAttribute, int,                                                          \
      (void *descriptor, int name, int type, int64_t count, const void *values))                   \
    X(get, cudnnBackendGetAttribute, int,                                                          \
      (void *descriptor, int name, int type, int64_t room, int64_t *count, void *values))          \
    X(finalize, cudnnBackendFinalize, int, (void *descriptor))                                     \
    X(execute, cudnnBackendExecute, int, (void *handle, void *plan, void *pack))

struct yo_cudnn {
#define X(member, symbol, result, parameters) result(*member) parameters;
    YO_CUDNN_FUNCTIONS(X)
#undef X
};

/* X(name in NVIDIA's header, its number). */
#define YO_CUDNN_NUMBERS(X)                                                                        \
    X(CUDNN_DATA_FLOAT, 0)                                                                         \
    X(CUDNN_DATA_HALF, 2)                                                                          \
    X(CUDNN_CROSS_CORRELATION, 1)                                                                  \
    X(CUDNN_POINTWISE_ADD, 0)                                                                      \
    X(CUDNN_POINTWISE_MUL, 1)                                                                      \
    X(CUDNN_POINTWISE_RELU_FWD, 100)                                                               \
    X(CUDNN_POINTWISE_TANH_FWD, 101)                                                               \
    X(CUDNN_POINTWISE_SOFTPLUS_FWD, 105)                                                           \
    X(CUDNN_POINTWISE_SWISH_FWD, 106)                                                              \
    X(CUDNN_HEUR_MODE_A, 3)                                                                        \
    X(CUDNN_BEHAVIOR_NOTE_RUNTIME_COMPILATION, 0)                                                  \
    X(CUDNN_NUMERICAL_NOTE_REDUCED_PRECISION_REDUCTION, 2)                                         \
    X(CUDNN_NUMERICAL_NOTE_FFT, 3)                                                                 \
    X(CUDNN_NUMERICAL_NOTE_NONDETERMINISTIC, 4)                                                    \
    X(CUDNN_NUMERICAL_NOTE_WINOGRAD, 5)                                                            \
    X(CUDNN_NUMERICAL_NOTE_WINOGRAD_TILE_4x4, 6)                                                   \
    X(CUDNN_NUMERICAL_NOTE_WINOGRAD_TILE_6x6, 7)                                                   \
    X(CUDNN_NUMERICAL_NOTE_WINOGRAD_TILE_13x13, 8)                                                 \
    X(CUDNN_TYPE_HANDLE, 0)                                                                        \
    X(CUDNN_TYPE_DATA_TYPE, 1)                                                                     \
    X(CUDNN_TYPE_BOOLEAN, 2)                                                                       \
    X(CUDNN_TYPE_INT64, 3)                                                                         \
    X(CUDNN_TYPE_FLOAT, 4)                                                                         \
    X(CUDNN_TYPE_VOID_PTR, 6)                                                                      \
    X(CUDNN_TYPE_CONVOLUTION_MODE, 7)                                                              \
    X(CUDNN_TYPE_HEUR_MODE, 8)                                                                     \
    X(CUDNN_TYPE_NUMERICAL_NOTE, 11)                                                               \
    X(CUDNN_TYPE_POINTWISE_MODE, 14)                                                               \
    X(CUDNN_TYPE_BACKEND_DESCRIPTOR, 15)                                                           \
    X(CUDNN_TYPE_BEHAVIOR_NOTE, 19)                                                                \
    X(CUDNN_BACKEND_POINTWISE_DESCRIPTOR, 0)                                                       \
    X(CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR, 1)                                                     \
    X(CUDNN_BACKEND_ENGINE_DESCRIPTOR, 2)                                                          \
    X(CUDNN_BACKEND_ENGINECFG_DESCRIPTOR, 3)                                                       \
    X(CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR, 4)                                                      \
    X(CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR, 5)                                                  \
    X(CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR, 10)                                  \
    X(CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR, 13)                                            \
    X(CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR, 15)                                                 \
    X(CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR, 16)                                                   \
    X(CUDNN_BACKEND_TENSOR_DESCRIPTOR, 17)                                                         \
    X(CUDNN_ATTR_POINTWISE_MODE, 0)                                                                \
    X(CUDNN_ATTR_POINTWISE_MATH_PREC, 1)                                                           \
    X(CUDNN_ATTR_CONVOLUTION_COMP_TYPE, 100)                                                       \
    X(CUDNN_ATTR_CONVOLUTION_CONV_MODE, 101)                                                       \
    X(CUDNN_ATTR_CONVOLUTION_DILATIONS, 102)                                                       \
    X(CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES, 103)                                                  \
    X(CUDNN_ATTR_CONVOLUTION_POST_PADDINGS, 104)                                                   \
    X(CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, 105)                                                    \
    X(CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS, 106)                                                    \
    X(CUDNN_ATTR_ENGINEHEUR_MODE, 200)                                                             \
    X(CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH, 201)                                                  \
    X(CUDNN_ATTR_ENGINEHEUR_RESULTS, 202)                                                          \
    X(CUDNN_ATTR_ENGINECFG_ENGINE, 300)                                                            \
    X(CUDNN_ATTR_EXECUTION_PLAN_HANDLE, 400)                                                       \
    X(CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG, 401)                                                \
    X(CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE, 402)                                               \
    X(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_ALPHA, 700)                                         \
    X(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_BETA, 701)                                          \
    X(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_CONV_DESC, 702)                                     \
    X(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W, 703)                                             \
    X(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X, 704)                                             \
    X(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y, 705)                                             \
    X(CUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR, 750)                                           \
    X(CUDNN_ATTR_OPERATION_POINTWISE_XDESC, 751)                                                   \
    X(CUDNN_ATTR_OPERATION_POINTWISE_BDESC, 752)                                                   \
    X(CUDNN_ATTR_OPERATION_POINTWISE_YDESC, 753)                                                   \
    X(CUDNN_ATTR_OPERATIONGRAPH_HANDLE, 800)                                                       \
    X(CUDNN_ATTR_OPERATIONGRAPH_OPS, 801)                                                          \
    X(CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, 900)                                                       \
    X(CUDNN_ATTR_TENSOR_DATA_TYPE, 901)                                                            \
    X(CUDNN_ATTR_TENSOR_DIMENSIONS, 902)                                                           \
    X(CUDNN_ATTR_TENSOR_STRIDES, 903)                                                              \
    X(CUDNN_ATTR_TENSOR_UNIQUE_ID, 906)                                                            \
    X(CUDNN_ATTR_TENSOR_IS_VIRTUAL, 907)                                                           \
    X(CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, 1000)                                                    \
    X(CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS, 1001)                                                 \
    X(CUDNN_ATTR_VARIANT_PACK_WORKSPACE, 1003)                                                     \
    X(CUDNN_ATTR_ENGINE_NUMERICAL_NOTE, 1303)                                                      \
    X(CUDNN_ATTR_ENGINE_BEHAVIOR_NOTE, 1305)
enum {
#define X(name, number) YO_##name = number,
    YO_CUDNN_NUMBERS(X)
#undef X
};

/* The machine's library, or NULL: `why`, if it is not NULL, then names what is missing. The table
 * is never freed. */
const struct yo_cudnn *yo_cudnn_load(const char **why);
/* Its version as people write it: 9.14.0. */
void yo_cudnn_version_text(const struct yo_cudnn *cudnn, char *text, size_t size);
/* For tests: another table from now on; NULL: the machine's library; yo_cudnn_none: nothing. */
void yo_cudnn_replace(const struct yo_cudnn *cudnn);
extern const struct yo_cudnn yo_cudnn_none;
