#include "eval/net/cuda/cudnn.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#define OLDEST 90000 /* 9.0.0: the numbers in the header are those of version 9 */

const struct yo_cudnn yo_cudnn_none;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct yo_cudnn found;
static const char *missing;                       /* why it cannot be used */
static _Atomic(const struct yo_cudnn *) replaced; /* by a test */

/* POSIX allows a function's address in a void pointer; C requires the memcpy. */
static void find(void *library, const char *symbol, void *member) {
    void *address = dlsym(library, symbol);
    memcpy(member, &address, sizeof address);
    if (!address) missing = "this cuDNN lacks functions of version 9";
}

static void load(void) {
    static const char *const names[] = {"libcudnn.so.9", "libcudnn.so", "libcudnn_graph.so.9"};
    void *library = NULL;
    for (size_t i = 0; !library && i < sizeof names / sizeof names[0]; i++)
        library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        missing = "cuDNN was not found (libcudnn.so.9)";
        return;
    }
#define X(member, symbol, result, parameters) find(library, #symbol, &found.member);
    YO_CUDNN_FUNCTIONS(X)
#undef X
    if (!missing && found.version() < OLDEST) missing = "this cuDNN is older than version 9";
}

const struct yo_cudnn *yo_cudnn_load(const char **why) {
    const struct yo_cudnn *given = atomic_load(&replaced);
    if (given && why) *why = "cuDNN was replaced by nothing";
    if (given) return given == &yo_cudnn_none ? NULL : given;
    pthread_once(&once, load);
    if (why) *why = missing;
    return missing ? NULL : &found;
}

void yo_cudnn_version_text(const struct yo_cudnn *cudnn, char *text, size_t size) {
    unsigned version = (unsigned)cudnn->version();
    snprintf(text, size, "%u.%u.%u", version / 10000, version / 100 % 100, version % 100);
}

void yo_cudnn_replace(const struct yo_cudnn *cudnn) { atomic_store(&replaced, cudnn); }
