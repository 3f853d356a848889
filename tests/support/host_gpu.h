/* An NVIDIA driver for tests of the network backend cuda: its memory is the host's, and its
 * launches run the kernels' own source thread by thread. For one C++ source. */
#pragma once

extern "C" {
#include "eval/playout/cuda/gpu.h"
}
#include <map>
#include <set>

#include "support/simt_host.h"

extern "C" {
#include "eval/net/cuda/tower_plan.h"
}
#include "eval/net/cuda/layers.cuh"
#include "eval/net/cuda/tower_ops.cuh"

static int towers, launches; /* of the fused kernel; of all kernels */
static char handle;          /* what contexts and streams point to */
static long calls, fail_at;
static size_t bytes_out;                            /* copied to the host */
static void (*spoil)(float *numbers, size_t count); /* what the GPU gives back, if set */
static void (*meanwhile)();                         /* called once while a batch runs, if set */
static int major_number = 9;                        /* of the compute capability */

/* ---- the driver ---- */

static int fails() { return ++calls == fail_at ? 700 : 0; }

static int init(unsigned) { return fails(); }
static int version(int *v) { return *v = 13000, fails(); }
static int device_count(int *count) { return *count = 1, fails(); }
static int device_get(int *device, int) { return *device = 0, fails(); }
static int device_name(char *name, int length, int) {
    return snprintf(name, (size_t)length, "Host"), fails();
}
static int device_memory(size_t *bytes, int) { return *bytes = 1 << 30, fails(); }
static int device_attribute(int *value, int attribute, int) {
    *value = attribute == YO_CUDA_MAJOR              ? major_number
             : attribute == YO_CUDA_SHARED_BYTES_MAX ? 232448
             : attribute == YO_CUDA_PROCESSORS       ? 2
                                                     : 0;
    return fails();
}
static int context_retain(yo_cuda_handle *context, int) { return *context = &handle, fails(); }
static int context_release(int) { return fails(); }
static int context_set(yo_cuda_handle) { return fails(); }
static int module_load(yo_cuda_handle *module, const void *image) {
    return *module = (void *)image, fails();
}
static int module_unload(yo_cuda_handle) { return fails(); }
/* A function is its name, or for a fused kernel one of these. */
static const char *const names[] = {
#define X(id, name) name,
    YO_LAYER_KERNELS(X)
#undef X
};
static const char tower_functions[YO_TOWER_KERNEL_COUNT] = "";
static const char images[1 + YO_TOWER_KERNEL_COUNT] = "";
static const void *net_image(int number) { return &images[number]; }
static int module_function(yo_cuda_handle *function, yo_cuda_handle module, const char *name) {
    int number = (int)((const char *)module - images);
    *function = NULL;
    if (number > 0 && strcmp(name, "yo_tower") == 0)
        *function = (void *)&tower_functions[number - 1];
    for (int i = 0; number == 0 && i < YO_LAYER_KERNEL_COUNT; i++)
        if (strcmp(name, names[i]) == 0) *function = (void *)&names[i];
    if (!*function) abort();
    return fails();
}
static int function_set(yo_cuda_handle, int, int) { return fails(); }
static int occupancy(int *, yo_cuda_handle, int, size_t) { return fails(); }
static std::map<void *, size_t> blocks; /* taken and not freed, with their bytes */
static std::set<void *> host_blocks;
static void *take(size_t bytes) {
    void *memory = aligned_alloc(256, (bytes + 255) / 256 * 256);
    if (!memory) abort();
    memset(memory, 0x7e, bytes); /* no number */
    blocks[memory] = bytes;
    return memory;
}
static void give(void *memory) {
    if (!blocks.erase(memory)) abort();
    free(memory);
}
static int memory_alloc(yo_cuda_address *address, size_t bytes) {
    int code = fails();
    if (!code) *address = (yo_cuda_address)(uintptr_t)take(bytes);
    return code;
}
static int memory_free(yo_cuda_address address) { return give((void *)(uintptr_t)address), 0; }
static int host_alloc(void **memory, size_t bytes, unsigned) {
    int code = fails();
    if (!code) host_blocks.insert(*memory = take(bytes));
    return code;
}
static int host_free(void *memory) { return host_blocks.erase(memory), give(memory), 0; }
static int copy_in(yo_cuda_address to, const void *from, size_t bytes, yo_cuda_handle) {
    return memcpy((void *)(uintptr_t)to, from, bytes), fails();
}
static int copy_out(void *to, yo_cuda_address from, size_t bytes, yo_cuda_handle) {
    memcpy(to, (const void *)(uintptr_t)from, bytes);
    bytes_out += bytes;
    if (spoil) spoil((float *)to, bytes / sizeof(float));
    return fails();
}
static int clear(yo_cuda_address, unsigned, size_t, yo_cuda_handle) { return fails(); }
static int stream_create(yo_cuda_handle *stream, unsigned) { return *stream = &handle, fails(); }
static int stream_destroy(yo_cuda_handle) { return 0; }
static int stream_query(yo_cuda_handle) {
    void (*call)() = meanwhile;
    meanwhile = nullptr;
    if (call) call();
    return fails();
}
static int error_name(int, const char **name) { return *name = "CUDA_ERROR_HOST", 0; }

static void run_layer(int kernel, const yo_layer_job &job, uint8_t *memory) {
    switch (kernel) {
    case YO_LAYER_EXPAND:
        layers::expand(job);
        break;
    case YO_LAYER_AFFINE:
        layers::affine(job);
        break;
    case YO_LAYER_POOL:
        layers::pool(job);
        break;
    case YO_LAYER_FLATTEN:
        layers::flatten(job);
        break;
    case YO_LAYER_PLANAR:
        layers::planar(job);
        break;
    case YO_LAYER_PICK:
        layers::pick(job);
        break;
    case YO_LAYER_DENSE:
        layers::dense::run(job, (float *)memory);
        break;
    case YO_LAYER_CONV: {
        layers::conv here(job, (uint16_t *)memory);
        here.run();
    }
    }
}

static void run_tower(int kernel, const yo_tower_job &job, uint8_t *memory) {
    int number = 0;
    if (kernel != job.kernel) abort();
#define X(c, t, w, s)                                                                              \
    if (number++ == kernel) {                                                                      \
        tower<tower_kind<c, t, w, s>> here(job, memory);                                           \
        here.run();                                                                                \
    }
    YO_TOWER_KERNELS(X)
#undef X
}

/* The kernel may write its outputs to the host's memory itself. */
static void spoil_outputs(const yo_tower_job &job) {
    for (auto &[memory, bytes] : blocks)
        if (spoil && host_blocks.count(memory) && (uint8_t *)job.outputs[0] >= (uint8_t *)memory &&
            (uint8_t *)job.outputs[0] < (uint8_t *)memory + bytes)
            spoil((float *)memory, bytes / sizeof(float));
}

static int launch(yo_cuda_handle function, unsigned blocks, unsigned, unsigned, unsigned threads,
                  unsigned, unsigned, unsigned shared_bytes, yo_cuda_handle, void **arguments,
                  void **) {
    int code = fails();
    if (code) return code;
    simt::now.late = ++launches % 2 == 0;
    const char *one = (const char *)function;
    if (one >= tower_functions && one < tower_functions + YO_TOWER_KERNEL_COUNT) {
        towers++;
        simt::launch((int)blocks, (int)threads, shared_bytes, [&](uint8_t *memory) {
            run_tower((int)(one - tower_functions), *(const yo_tower_job *)arguments[0], memory);
        });
        spoil_outputs(*(const yo_tower_job *)arguments[0]);
    } else {
        int kernel = (int)((const char *const *)function - names);
        simt::launch((int)blocks, (int)threads, 48 * 1024, [&](uint8_t *memory) {
            run_layer(kernel, *(const yo_layer_job *)arguments[0], memory);
        });
    }
    return 0;
}

static struct yo_cuda_driver table() {
    struct yo_cuda_driver t = {};
#define X(member, symbol, parameters) t.member = member;
    YO_CUDA_FUNCTIONS(X)
#undef X
    t.net_image = net_image;
    t.built_with = 13000;
    t.timeout_ms = 50;
    return t;
}
static const struct yo_cuda_driver driver = table();
