#include "eval/net/backend.h"

#include <string.h>

#include "base/diag.h"
#include "base/nearest.h"
#include "eval/net/cpu/cpu.h"
#include "eval/net/cuda/cuda.h"
#include "eval/net/reference.h"

/* AMX comes after the slower 16-bit integers: with bytes the best move agrees with floats too
 * rarely for a default (docs/net-cpu.md). */
static const struct yo_net_backend *const backends[] = {
    &yo_net_cuda,         &yo_net_cuda_cudnn,
#if defined(YOMI_X86)
    &yo_net_vnni_int16,   &yo_net_amx_int8,   &yo_net_avx512_int16, &yo_net_avx2_int16,
    &yo_net_avx512_float, &yo_net_avx2_float,
#endif
    &yo_net_plain_int16,  &yo_net_plain_int8, &yo_net_plain_float,  &yo_net_reference,
};
/* Only by name: no command measures or tests it along with the others. */
static const struct yo_net_backend *const named[] = {&yo_net_cuda_layers};
enum {
    COUNT = sizeof backends / sizeof backends[0],
    NAMED = sizeof named / sizeof named[0],
    PORTABLE = 4, /* the last ones run on any machine, and are slow */
};

const struct yo_net_backend *const *yo_net_backends(int *count) {
    *count = COUNT;
    return backends;
}

const char *yo_net_part_name(enum yo_net_part part) {
    static const char *const names[YO_NET_PARTS] = {"stem",   "inputs", "products", "finish",
                                                    "points", "dense",  "rest"};
    return names[part];
}

bool yo_net_has_fast_backend(void) {
    for (int i = 0; i < COUNT - PORTABLE; i++)
        if (backends[i]->available()) return true;
    return false;
}

const struct yo_net_backend *yo_net_backend_find(const char *name, struct yo_diag *diag) {
    struct yo_nearest nearest = {.text = name};
    for (int i = 0; i < COUNT + NAMED; i++) {
        const struct yo_net_backend *backend = i < COUNT ? backends[i] : named[i - COUNT];
        yo_nearest_offer(&nearest, backend->name);
        if (strcmp(name, "auto") == 0 && backend->available()) return backend;
        if (strcmp(name, backend->name) != 0) continue;
        if (backend->available()) return backend;
        yo_diag_set(diag, YO_ERR_UNSUPPORTED, "this machine cannot run the network backend %s",
                    name);
        yo_diag_hint(diag, "`yomi devices` lists those that it can run");
        return NULL;
    }
    yo_diag_set(diag, YO_ERR_UNKNOWN, "there is no network backend '%.40s'", name);
    if (nearest.best)
        yo_diag_hint(diag, "did you mean %s?", nearest.best);
    else
        yo_diag_hint(diag, "auto chooses one");
    return NULL;
}
