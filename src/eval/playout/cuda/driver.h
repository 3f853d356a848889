/* The functions of NVIDIA's driver that Yomi calls, as a table, and the built-in kernels. The
 * driver is loaded at run time: neither starting the program nor compiling this file needs CUDA.
 * Tests replace the table. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "yomi/error.h"
#include "yomi/playout.h"

/* Handles are pointers or plain numbers in the driver's binary interface. */
typedef void *yo_cuda_handle;
typedef uint64_t yo_cuda_address; /* in a device's memory */

enum yo_cuda_code { /* the driver's return codes; all others are errors */
                    YO_CUDA_SUCCESS = 0,
                    YO_CUDA_OUT_OF_MEMORY = 2,
                    YO_CUDA_NO_DEVICE = 100,
                    YO_CUDA_NOT_READY = 600,
};
enum yo_cuda_attribute {
    YO_CUDA_PROCESSORS = 16,
    YO_CUDA_COMPUTE_MODE = 20,
    YO_CUDA_MAJOR = 75,
    YO_CUDA_MINOR = 76,
    YO_CUDA_SHARED_BYTES_MAX = 97, /* the most a block can opt in to */
};
#define YO_CUDA_MODE_PROHIBITED     2
#define YO_CUDA_FUNC_SHARED_BYTES   8 /* shared memory that a launch may request */
#define YO_CUDA_STREAM_NON_BLOCKING 1

/* X(member, symbol in the driver's library, parameters) */
#define YO_CUDA_FUNCTIONS(X)                                                                       \
    X(init, cuInit, (unsigned flags))                                                              \
    X(version, cuDriverGetVersion, (int *version))                                                 \
    X(device_count, cuDeviceGetCount, (int *count))                                                \
    X(device_get, cuDeviceGet, (int *device, int ordinal))                                         \
    X(device_name, cuDeviceGetName, (char *name, int length, int device))                          \
    X(device_memory, cuDeviceTotalMem_v2, (size_t * bytes, int device))                            \
    X(device_attribute, cuDeviceGetAttribute, (int *value, int attribute, int device))             \
    X(context_retain, cuDevicePrimaryCtxRetain, (yo_cuda_handle * context, int device))            \
    X(context_release, cuDevicePrimaryCtxRelease_v2, (int device))                                 \
    X(context_set, cuCtxSetCurrent, (yo_cuda_handle context))                                      \
    X(module_load, cuModuleLoadData, (yo_cuda_handle * module, const void *image))                 \
    X(module_unload, cuModuleUnload, (yo_cuda_handle module))                                      \
    X(module_function, cuModuleGetFunction,                                                        \
      (yo_cuda_handle * function, yo_cuda_handle module, const char *name))                        \
    X(function_set, cuFuncSetAttribute, (yo_cuda_handle function, int attribute, int value))       \
    X(occupancy, cuOccupancyMaxActiveBlocksPerMultiprocessor,                                      \
      (int *blocks, yo_cuda_handle function, int threads, size_t shared_bytes))                    \
    X(memory_alloc, cuMemAlloc_v2, (yo_cuda_address * address, size_t bytes))                      \
    X(memory_free, cuMemFree_v2, (yo_cuda_address address))                                        \
    X(host_alloc, cuMemHostAlloc, (void **memory, size_t bytes, unsigned flags))                   \
    X(host_free, cuMemFreeHost, (void *memory))                                                    \
    X(copy_in, cuMemcpyHtoDAsync_v2,                                                               \
      (yo_cuda_address to, const void *from, size_t bytes, yo_cuda_handle stream))                 \
    X(copy_out, cuMemcpyDtoHAsync_v2,                                                              \
      (void *to, yo_cuda_address from, size_t bytes, yo_cuda_handle stream))                       \
    X(clear, cuMemsetD32Async,                                                                     \
      (yo_cuda_address to, unsigned value, size_t words, yo_cuda_handle stream))                   \
    X(stream_create, cuStreamCreate, (yo_cuda_handle * stream, unsigned flags))                    \
    X(stream_destroy, cuStreamDestroy_v2, (yo_cuda_handle stream))                                 \
    X(stream_query, cuStreamQuery, (yo_cuda_handle stream))                                        \
    X(launch, cuLaunchKernel,                                                                      \
      (yo_cuda_handle function, unsigned grid_x, unsigned grid_y, unsigned grid_z,                 \
       unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,                \
       yo_cuda_handle stream, void **arguments, void **extra))                                     \
    X(error_name, cuGetErrorName, (int code, const char **name))

enum { YO_CUDA_NET_IMAGES = 7 }; /* kernels of networks that are built in */

struct yo_cuda_driver {
#define X(member, symbol, parameters) int(*member) parameters;
    YO_CUDA_FUNCTIONS(X)
#undef X
    /* The kernels of a policy for a board size, for module_load; NULL: not built in. */
    const void *(*image)(enum yo_playout_policy policy, int size);
    /* The kernels of networks: number 0 runs single operations, 1 and on are the fused ones
     * (eval/net/cuda/). NULL: not built in. */
    const void *(*net_image)(int number);
    int built_with;     /* the CUDA version behind the kernels: 13000 is 13.0; 0: no kernels */
    int64_t timeout_ms; /* a launch that takes longer counts as failed */
};

/* Loads the machine's driver. On failure the diag names what is missing. The table is never freed.
 */
enum yo_err yo_cuda_driver_load(const struct yo_cuda_driver **driver, struct yo_diag *diag);
/* The CUDA version that compiled the kernels that are built in, 12040 for 12.4; 0 for none. */
int yo_cuda_built_with(void);
