#include "eval/playout/cuda/driver.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

#include "base/diag.h"
#include "yomi/go.h"

#define LIBRARY    "libcuda.so.1"
#define TIMEOUT_MS 30000 /* launches are sized to take well under a second */

#ifdef YOMI_CUDA_VERSION
/* Made by cmake/cuda.cmake: what nvcc compiled, one for each policy and board size. */
#define SIZES (YO_GO_SIZE_MAX - YO_GO_SIZE_MIN + 1)
extern const void *const yo_cuda_images[YO_PLAYOUT_MOGO + 1][SIZES];
static const void *image(enum yo_playout_policy policy, int size) {
    if (policy > YO_PLAYOUT_MOGO || size < YO_GO_SIZE_MIN || size > YO_GO_SIZE_MAX) return NULL;
    return yo_cuda_images[policy][size - YO_GO_SIZE_MIN];
}
extern const void *const yo_net_cuda_images[YO_CUDA_NET_IMAGES];
static const void *net_image(int number) {
    return number >= 0 && number < YO_CUDA_NET_IMAGES ? yo_net_cuda_images[number] : NULL;
}
#define BUILT_WITH YOMI_CUDA_VERSION
#else
static const void *image(enum yo_playout_policy policy, int size) {
    (void)policy, (void)size;
    return NULL;
}
static const void *net_image(int number) {
    (void)number;
    return NULL;
}
#define BUILT_WITH 0
#endif

int yo_cuda_built_with(void) { return BUILT_WITH; }

static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct yo_cuda_driver found = {
    .image = image, .net_image = net_image, .built_with = BUILT_WITH, .timeout_ms = TIMEOUT_MS};
static enum yo_err found_err;
static struct yo_diag found_diag;

/* POSIX allows a function's address in a void pointer; C requires the memcpy. */
static void find(void *library, const char *symbol, void *member) {
    void *address = dlsym(library, symbol);
    memcpy(member, &address, sizeof address);
    if (address || found_err) return;
    found_err =
        yo_diag_set(&found_diag, YO_ERR_UNSUPPORTED, "the NVIDIA driver is too old: no %s", symbol);
    yo_diag_hint(&found_diag, "install a newer driver");
}

static void load(void) {
    void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        found_err = yo_diag_set(&found_diag, YO_ERR_UNSUPPORTED,
                                "there is no NVIDIA driver (" LIBRARY " was not found)");
        return;
    }
#define X(member, symbol, parameters) find(library, #symbol, &found.member);
    YO_CUDA_FUNCTIONS(X)
#undef X
}

enum yo_err yo_cuda_driver_load(const struct yo_cuda_driver **driver, struct yo_diag *diag) {
    pthread_once(&once, load);
    if (found_err && diag) *diag = found_diag;
    *driver = found_err ? NULL : &found;
    return found_err;
}
