/* The GPUs of this machine: a list, whether each is usable or why not, and the kernels loaded on
 * them. The list is made once, at the first call; a GPU that fails is not used again. All functions
 * may be called from any thread.
 *
 * The list is the process's, not an engine's: CUDA itself has one primary context a GPU and
 * process, and after a fault every later call in that context fails, whoever makes it. It holds no
 * state of a search. What an engine was told about the list is the engine's (`told`, below). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/notice.h"
#include "eval/playout/cuda/driver.h"
#include "yomi/go.h"

#define YO_CUDA_GPUS_MAX 16

/* How one of the kernels is launched. */
struct yo_cuda_shape {
    yo_cuda_handle function;
    unsigned warps;  /* most warps of a block */
    unsigned blocks; /* such blocks that fit on the GPU at a time */
};

struct yo_cuda_kernels { /* of a policy for a board size */
    bool loaded;
    enum yo_playout_policy policy;
    yo_cuda_handle module;
    struct yo_cuda_shape one, many; /* items of a launch */
};

struct yo_cuda_gpu {
    int index;
    char name[96];
    int major, minor; /* compute capability */
    int processors;
    uint64_t memory;  /* bytes */
    int shared_bytes; /* that a block may have */
    bool usable;      /* under the lock, as all that follows; use yo_cuda_gpu_usable */
    char why[200];    /* not usable */
    int device;       /* the driver's number */
    bool open;
    yo_cuda_handle context;
    struct yo_cuda_kernels kernels[YO_PLAYOUT_POLICIES][YO_GO_SIZE_MAX + 1];
};

/* How many there are, usable or not. */
int yo_cuda_gpu_count(void);
/* Copies the description of a GPU; false if there is no such GPU. */
bool yo_cuda_gpu_describe(int index, struct yo_cuda_gpu *gpu);
/* Why the driver cannot be used, or ""; and the driver's CUDA version, or 0. */
void yo_cuda_state(char *why, size_t size, int *driver_version);
struct yo_cuda_gpu *yo_cuda_gpu_at(int index); /* NULL past the last */
bool yo_cuda_gpu_usable(struct yo_cuda_gpu *gpu);

/* The table in use; valid only after yo_cuda_gpu_count returned more than zero. */
const struct yo_cuda_driver *yo_cuda_driver(void);
/* Makes the GPU's context current in the calling thread; false: the GPU failed. */
bool yo_cuda_gpu_open(struct yo_cuda_gpu *gpu);
/* The same, and loads the kernels of a policy for a board size if that
 * was not done yet. NULL: it failed. */
const struct yo_cuda_kernels *yo_cuda_gpu_enter(struct yo_cuda_gpu *gpu,
                                                enum yo_playout_policy policy, int size);
/* True if the driver's code is success. Otherwise marks the GPU as failed. */
bool yo_cuda_ok(struct yo_cuda_gpu *gpu, int code, const char *doing);
void yo_cuda_give_up(struct yo_cuda_gpu *gpu, const char *why);
/* Sets of GPUs: a bit each. */
#define YO_CUDA_ALL_GPUS ~0u
/* Reports the GPUs of a set that were lost, each once for a listener: *told has those that it knows
 * of, and is read and written under this module's lock; NULL: nothing is reported. */
void yo_cuda_notify_losses(unsigned set, unsigned *told, const struct yo_notices *notices);
/* The GPUs lost so far: the first value of *told. */
unsigned yo_cuda_lost(void);
#define YO_CUDA_TRY(gpu, member, ...)                                                              \
    yo_cuda_ok(gpu, yo_cuda_driver()->member(__VA_ARGS__), #member)

/* For tests: resets everything and starts again with another table; NULL: the machine's driver. No
 * playouts may be in progress. Streams must be closed. */
void yo_cuda_gpus_restart(const struct yo_cuda_driver *driver);
