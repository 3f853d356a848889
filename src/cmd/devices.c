/* yomi devices: shows CPU, GPU and the backends in use, and why. */
#include <inttypes.h>

#include "base/cpu.h"
#include "cmd/libraries.h"
#include "cmd/text.h"
#include "eval/net/backend.h"
#include "eval/playout/backend.h"
#include "eval/playout/cuda/gpu.h"

enum { WIDTH = 80 };
#define ENV (&yo_playout_env_default)

static void add_cpu(struct yo_buf *out) {
    int cores = yo_cpu_count();
    yo_buf_printf(out, "CPU: %s", yo_cpu_get()->model);
    if (yo_cpu_get()->level > 0) yo_buf_printf(out, " (x86-64-v%d)", yo_cpu_get()->level);
    yo_buf_printf(out, ", %d core%s usable\n  ", cores, cores == 1 ? "" : "s");
    struct yo_buf features = {0};
    const char *name;
    bool present;
    for (size_t i = 0; (name = yo_cpu_feature(i, &present)); i++)
        if (present) yo_buf_printf(&features, "%s ", name);
    yo_text_wrap(out, features.len ? yo_buf_text(&features) : "none of the features looked for", 2,
                 2, WIDTH);
    yo_buf_free(&features);
}

static void add_gpu(struct yo_buf *out, const struct yo_cuda_gpu *gpu, int version) {
    struct yo_buf text = {0};
    yo_buf_printf(&text,
                  "GPU %d: %s, %d multiprocessors, %.1f GiB, compute capability %d.%d, driver for "
                  "CUDA %d.%d; ",
                  gpu->index, gpu->name, gpu->processors, (double)gpu->memory / (1 << 30),
                  gpu->major, gpu->minor, version / 1000, version % 1000 / 10);
    yo_buf_printf(&text, gpu->usable ? "usable" : "not usable: %s", gpu->why);
    yo_text_wrap(out, yo_buf_text(&text), 0, 2, WIDTH);
    yo_buf_free(&text);
}

static void add_gpus(struct yo_buf *out) {
    char why[300];
    int version;
    struct yo_cuda_gpu gpu;
    yo_cuda_state(why, sizeof why, &version);
    for (int i = 0; yo_cuda_gpu_describe(i, &gpu); i++)
        add_gpu(out, &gpu, version);
    if (!why[0]) return;
    struct yo_buf text = {0};
    yo_buf_printf(&text, "GPU: none; %s", why);
    yo_text_wrap(out, yo_buf_text(&text), 0, 2, WIDTH);
    yo_buf_free(&text);
}

static void add_backends(struct yo_buf *out) {
    const struct yo_playout_backend *backend;
    yo_buf_str(out, "\nPlayout backends, fastest first:\n");
    for (size_t i = 0; (backend = yo_playout_backend_at(i)); i++) {
        bool here = yo_playout_available(backend);
        yo_buf_printf(out, "  %-8s %-13s ", backend->name, here ? "available" : "not here");
        struct yo_buf why = {0};
        if (here)
            yo_buf_str(&why, backend->ops->summary);
        else
            yo_buf_printf(&why, "needs %s", backend->ops->needs);
        yo_text_wrap(out, yo_buf_text(&why), 25, 25, WIDTH);
        yo_buf_free(&why);
    }
}

/* "avx2 up to 13x13, scalar up to 19x19"; just the name if it is the same for all sizes. */
static void add_by_size(struct yo_buf *out, enum yo_playout_policy policy, uint64_t games) {
    for (int size = YO_GO_SIZE_MIN, first = size; size <= YO_GO_SIZE_MAX; size++) {
        const struct yo_playout_backend *best = yo_playout_backend_best(ENV, policy, size, games);
        if (size < YO_GO_SIZE_MAX && yo_playout_backend_best(ENV, policy, size + 1, games) == best)
            continue;
        yo_buf_printf(out, "%s%s", first == YO_GO_SIZE_MIN ? "" : ", ", best->name);
        if (first != YO_GO_SIZE_MIN || size != YO_GO_SIZE_MAX)
            yo_buf_printf(out, " up to %dx%d", size, size);
        first = size + 1;
    }
}

/* A GPU is fast only with many games at once. */
static void add_choice(struct yo_buf *out, enum yo_playout_policy policy) {
    const struct yo_playout_backend *best = yo_playout_backend_best(ENV, policy, 9, UINT64_MAX);
    uint64_t worth = yo_playout_backend_cut(best, 9).worth;
    yo_buf_printf(out, "  %-8s ", yo_playout_policy_name(policy));
    add_by_size(out, policy, UINT64_MAX);
    if (worth > 0) {
        yo_buf_printf(out, " for batches of %" PRIu64 " playouts or more, else ", worth);
        add_by_size(out, policy, 0);
    }
    yo_buf_char(out, '\n');
}

static void add_net_backends(struct yo_buf *out) {
    int count;
    const struct yo_net_backend *const *all = yo_net_backends(&count);
    yo_buf_str(out, "\nNetwork backends, the first that is available is used:\n");
    for (int i = 0; i < count; i++) {
        yo_buf_printf(out, "  %-14s %-13s ", all[i]->name,
                      all[i]->available() ? "available" : "not here");
        yo_text_wrap(out, all[i]->summary, 31, 31, WIDTH);
    }
}

static enum yo_err run(const struct yo_options *options, struct yo_diag *diag) {
    (void)options;
    struct yo_buf out = {0};
    add_cpu(&out);
    add_gpus(&out);
    add_backends(&out);
    yo_buf_str(&out, "\nUsed where none is named, by policy: the first above that is available and "
                     "plays it:\n");
    for (int policy = 0; policy < YO_PLAYOUT_POLICIES; policy++)
        add_choice(&out, (enum yo_playout_policy)policy);
    add_net_backends(&out);
    yo_buf_str(&out, "\nBuilt with:\n");
    yo_libraries_add(&out);
    return yo_text_print(&out, diag);
}

const struct yo_command yo_command_devices = {
    .name = "devices",
    .summary = "show the processor, the GPUs, the backends, and which would be used",
    .description =
        "Shows what the processor can do, the GPUs there are and why one cannot be used, every "
        "backend that can play playouts with whether it can "
        "run here (and what it needs where it cannot), and the one that is used for each playout "
        "policy when none is named; and the optional parts that are built in.",
    .run = run,
};
