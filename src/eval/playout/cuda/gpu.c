#include "eval/playout/cuda/gpu.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "base/diag.h"
#include "eval/playout/cuda/job.h"

#define OLDEST_MAJOR 7 /* compute capability 7.5 */
#define OLDEST_MINOR 5

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_uint lost; /* a bit for each GPU; read without the lock */
static struct {
    bool looked;
    const struct yo_cuda_driver *given; /* by a test */
    const struct yo_cuda_driver *driver;
    int version, count;
    char why[300];
    struct yo_cuda_gpu gpus[YO_CUDA_GPUS_MAX];
} all;

/* ---- detection; the lock is held ---- */

static const char *error_name(int code) {
    const char *name = NULL;
    return all.driver->error_name(code, &name) || !name ? "unknown error" : name;
}

static void look_at(struct yo_cuda_gpu *gpu, int index) {
    const struct yo_cuda_driver *driver = all.driver;
    int mode = 0, code = 0;
    size_t bytes = 0;
    *gpu = (struct yo_cuda_gpu){.index = index, .name = "unknown"};
    if (!code) code = driver->device_get(&gpu->device, index);
    if (!code) code = driver->device_name(gpu->name, (int)sizeof gpu->name, gpu->device);
    if (!code) code = driver->device_memory(&bytes, gpu->device);
    if (!code) code = driver->device_attribute(&gpu->major, YO_CUDA_MAJOR, gpu->device);
    if (!code) code = driver->device_attribute(&gpu->minor, YO_CUDA_MINOR, gpu->device);
    if (!code) code = driver->device_attribute(&gpu->processors, YO_CUDA_PROCESSORS, gpu->device);
    if (!code)
        code = driver->device_attribute(&gpu->shared_bytes, YO_CUDA_SHARED_BYTES_MAX, gpu->device);
    if (!code) code = driver->device_attribute(&mode, YO_CUDA_COMPUTE_MODE, gpu->device);
    gpu->memory = bytes;
    if (code)
        snprintf(gpu->why, sizeof gpu->why, "the driver could not describe it (%s)",
                 error_name(code));
    else if (gpu->major * 10 + gpu->minor < OLDEST_MAJOR * 10 + OLDEST_MINOR)
        snprintf(gpu->why, sizeof gpu->why, "compute capability %d.%d; Yomi needs %d.%d or more",
                 gpu->major, gpu->minor, OLDEST_MAJOR, OLDEST_MINOR);
    else if (mode == YO_CUDA_MODE_PROHIBITED)
        snprintf(gpu->why, sizeof gpu->why,
                 "its compute mode is prohibited (an administrator's setting)");
    gpu->usable = !gpu->why[0];
}

/* Sets the reason why the driver cannot be used, if any. */
static void look_at_driver(void) {
    struct yo_diag diag;
    all.driver = all.given;
    if (!all.driver && yo_cuda_driver_load(&all.driver, &diag)) {
        yo_diag_format(&diag, all.why, sizeof all.why);
        return;
    }
    if (!all.driver->built_with) {
        snprintf(all.why, sizeof all.why,
                 "this build has no kernels: nvcc was not found when Yomi was built");
        return;
    }
    if (all.driver->version(&all.version)) all.version = 0;
    int code = all.driver->init(0);
    if (code == YO_CUDA_NO_DEVICE)
        snprintf(all.why, sizeof all.why, "the NVIDIA driver finds no GPU");
    else if (code)
        snprintf(all.why, sizeof all.why, "the NVIDIA driver does not start (%s)",
                 error_name(code));
    else if (all.version / 1000 < all.driver->built_with / 1000)
        snprintf(all.why, sizeof all.why,
                 "the NVIDIA driver is for CUDA %d.%d and Yomi was built with %d.%d; install a "
                 "newer driver, or build with an older CUDA",
                 all.version / 1000, all.version % 1000 / 10, all.driver->built_with / 1000,
                 all.driver->built_with % 1000 / 10);
    else if ((code = all.driver->device_count(&all.count)))
        snprintf(all.why, sizeof all.why, "the NVIDIA driver cannot count the GPUs (%s)",
                 error_name(code));
}

static void look(void) {
    if (all.looked) return;
    all.looked = true;
    look_at_driver();
    if (all.why[0]) all.count = 0;
    if (all.count > YO_CUDA_GPUS_MAX) all.count = YO_CUDA_GPUS_MAX;
    for (int i = 0; i < all.count; i++)
        look_at(&all.gpus[i], i);
}

/* ---- queries ---- */

int yo_cuda_gpu_count(void) {
    pthread_mutex_lock(&lock);
    look();
    int count = all.count;
    pthread_mutex_unlock(&lock);
    return count;
}

struct yo_cuda_gpu *yo_cuda_gpu_at(int index) {
    return index >= 0 && index < yo_cuda_gpu_count() ? &all.gpus[index] : NULL;
}

bool yo_cuda_gpu_describe(int index, struct yo_cuda_gpu *gpu) {
    const struct yo_cuda_gpu *found = yo_cuda_gpu_at(index);
    if (!found) return false;
    pthread_mutex_lock(&lock);
    *gpu = *found;
    pthread_mutex_unlock(&lock);
    return true;
}

void yo_cuda_state(char *why, size_t size, int *driver_version) {
    yo_cuda_gpu_count();
    pthread_mutex_lock(&lock);
    snprintf(why, size, "%s", all.why);
    *driver_version = all.version;
    pthread_mutex_unlock(&lock);
}

bool yo_cuda_gpu_usable(struct yo_cuda_gpu *gpu) {
    pthread_mutex_lock(&lock);
    bool usable = gpu->usable;
    pthread_mutex_unlock(&lock);
    return usable;
}

/* Set before a caller can hold a GPU, and constant while one does. */
const struct yo_cuda_driver *yo_cuda_driver(void) { return all.driver; }

/* ---- failures ---- */

static void give_up_locked(struct yo_cuda_gpu *gpu, const char *why) {
    bool news = gpu->usable;
    gpu->usable = false;
    if (news) snprintf(gpu->why, sizeof gpu->why, "%s", why);
    if (news) atomic_fetch_or(&lost, 1u << gpu->index);
}

void yo_cuda_give_up(struct yo_cuda_gpu *gpu, const char *why) {
    pthread_mutex_lock(&lock);
    give_up_locked(gpu, why);
    pthread_mutex_unlock(&lock);
}

unsigned yo_cuda_lost(void) { return atomic_load(&lost); }

void yo_cuda_notify_losses(unsigned set, unsigned *told, const struct yo_notices *notices) {
    unsigned now = yo_cuda_lost() & set;
    if (!told || !now) return;
    pthread_mutex_lock(&lock);
    unsigned news = now & ~*told;
    *told |= now;
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < YO_CUDA_GPUS_MAX; i++) {
        struct yo_cuda_gpu gpu;
        if (news >> i & 1 && yo_cuda_gpu_describe(i, &gpu))
            yo_notice(notices, "GPU %d (%s) is not used any more: %s; the CPU goes on", i, gpu.name,
                      gpu.why);
    }
}

bool yo_cuda_ok(struct yo_cuda_gpu *gpu, int code, const char *doing) {
    if (code == YO_CUDA_SUCCESS) return true;
    char why[200];
    snprintf(why, sizeof why, "%s (%s, %s)",
             code == YO_CUDA_OUT_OF_MEMORY ? "out of GPU memory" : "it failed", error_name(code),
             doing);
    yo_cuda_give_up(gpu, why);
    return false;
}

/* ---- kernels ---- */

/* Older GPUs have less shared memory: their blocks have fewer warps. */
static int load_shape(const struct yo_cuda_gpu *gpu, const struct yo_cuda_kernels *kernels,
                      int size, bool many, struct yo_cuda_shape *shape, const char **doing) {
    const struct yo_cuda_driver *driver = all.driver;
    const enum yo_playout_policy policy = kernels->policy;
    int blocks = 0, code;
    shape->warps = YO_CUDA_WARPS_MAX;
    while (shape->warps > 1 &&
           YO_CUDA_SHARED_BYTES(policy, size, many, (int)shape->warps) > gpu->shared_bytes)
        shape->warps /= 2;
    int shared_bytes = YO_CUDA_SHARED_BYTES(policy, size, many, (int)shape->warps);
    *doing = "module_function";
    code = driver->module_function(&shape->function, kernels->module,
                                   many ? YO_CUDA_KERNEL_MANY : YO_CUDA_KERNEL_ONE);
    if (code) return code;
    *doing = "function_set";
    code = driver->function_set(shape->function, YO_CUDA_FUNC_SHARED_BYTES, shared_bytes);
    if (code) return code;
    *doing = "occupancy";
    code =
        driver->occupancy(&blocks, shape->function, 32 * (int)shape->warps, (size_t)shared_bytes);
    shape->blocks = (unsigned)((blocks > 0 ? blocks : 1) * gpu->processors);
    return code;
}

static int load_kernels(struct yo_cuda_gpu *gpu, struct yo_cuda_kernels *kernels, int size,
                        const char **doing) {
    *doing = "module_load";
    int code = all.driver->module_load(&kernels->module, all.driver->image(kernels->policy, size));
    if (!code) code = load_shape(gpu, kernels, size, false, &kernels->one, doing);
    if (!code) code = load_shape(gpu, kernels, size, true, &kernels->many, doing);
    kernels->loaded = !code;
    return code;
}

/* The lock is held. */
static int open_locked(struct yo_cuda_gpu *gpu, const char **doing) {
    *doing = "context_retain";
    int code = gpu->open ? YO_CUDA_SUCCESS : all.driver->context_retain(&gpu->context, gpu->device);
    if (code) return code;
    gpu->open = true;
    *doing = "context_set";
    return all.driver->context_set(gpu->context);
}

bool yo_cuda_gpu_open(struct yo_cuda_gpu *gpu) {
    const char *doing;
    pthread_mutex_lock(&lock);
    int code = open_locked(gpu, &doing);
    pthread_mutex_unlock(&lock);
    return yo_cuda_ok(gpu, code, doing);
}

const struct yo_cuda_kernels *yo_cuda_gpu_enter(struct yo_cuda_gpu *gpu,
                                                enum yo_playout_policy policy, int size) {
    const char *doing;
    struct yo_cuda_kernels *kernels = &gpu->kernels[policy][size];
    pthread_mutex_lock(&lock);
    int code = open_locked(gpu, &doing);
    if (!code && !kernels->loaded) { /* once it is, threads read it without the lock */
        kernels->policy = policy;
        code = load_kernels(gpu, kernels, size, &doing);
    }
    pthread_mutex_unlock(&lock);
    return yo_cuda_ok(gpu, code, doing) ? kernels : NULL;
}

void yo_cuda_gpus_restart(const struct yo_cuda_driver *driver) {
    pthread_mutex_lock(&lock);
    for (int i = 0; i < all.count; i++) {
        struct yo_cuda_gpu *gpu = &all.gpus[i];
        for (int policy = 0; policy < YO_PLAYOUT_POLICIES; policy++)
            for (int size = 0; size <= YO_GO_SIZE_MAX; size++) {
                yo_cuda_handle module = gpu->kernels[policy][size].module;
                if (module) all.driver->module_unload(module);
            }
        if (gpu->open) all.driver->context_release(gpu->device);
    }
    memset(&all, 0, sizeof all);
    atomic_store(&lost, 0);
    all.given = driver;
    pthread_mutex_unlock(&lock);
}
