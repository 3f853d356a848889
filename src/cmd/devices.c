/* yomi devices: what this machine has, and what would be used of it and why. */
#include "base/cpu.h"
#include "cmd/text.h"
#include "eval/playout/backend.h"

enum { WIDTH = 80 };

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

static void add_backends(struct yo_buf *out) {
    const struct yo_playout_backend *backend;
    yo_buf_str(out, "\nPlayout backends, fastest first:\n");
    for (size_t i = 0; (backend = yo_playout_backend_at(i)); i++) {
        bool here = backend->available();
        yo_buf_printf(out, "  %-8s %-13s ", backend->name, here ? "available" : "not here");
        struct yo_buf why = {0};
        if (here)
            yo_buf_str(&why, backend->summary);
        else
            yo_buf_printf(&why, "needs %s", backend->needs);
        yo_text_wrap(out, yo_buf_text(&why), 25, 25, WIDTH);
        yo_buf_free(&why);
    }
    const char *absent, *why;
    for (size_t i = 0; (absent = yo_playout_backend_absent(i, &why)); i++) {
        yo_buf_printf(out, "  %-8s not built in%s", absent, *why ? "  " : "\n");
        if (*why) yo_text_wrap(out, why, 25, 25, WIDTH);
    }
}

/* "light    avx2 up to 13x13, scalar up to 19x19"; just the name where it is the same for all. */
static void add_choice(struct yo_buf *out, enum yo_playout_policy policy) {
    yo_buf_printf(out, "  %-8s", yo_playout_policy_name(policy));
    for (int size = YO_GO_SIZE_MIN, first = size; size <= YO_GO_SIZE_MAX; size++) {
        const struct yo_playout_backend *best = yo_playout_backend_best(policy, size);
        bool last = size == YO_GO_SIZE_MAX || yo_playout_backend_best(policy, size + 1) != best;
        if (!last) continue;
        yo_buf_printf(out, "%s %s", first == YO_GO_SIZE_MIN ? "" : ",", best->name);
        if (first != YO_GO_SIZE_MIN || size != YO_GO_SIZE_MAX)
            yo_buf_printf(out, " up to %dx%d", size, size);
        first = size + 1;
    }
    yo_buf_char(out, '\n');
}

static enum yo_err run(const struct yo_options *options, struct yo_diag *diag) {
    (void)options;
    struct yo_buf out = {0};
    add_cpu(&out);
    add_backends(&out);
    yo_buf_str(&out, "\nUsed where none is named, by policy: the first above that is available and "
                     "plays it:\n");
    for (int policy = 0; policy < YO_PLAYOUT_POLICIES; policy++)
        add_choice(&out, (enum yo_playout_policy)policy);
    return yo_text_print(&out, diag);
}

const struct yo_command yo_command_devices = {
    .name = "devices",
    .summary = "show the processor, the backends, and which would be used",
    .description =
        "Shows what the processor can do, every backend that can play playouts with whether it can "
        "run here (and what it needs where it cannot), and the one that is used for each playout "
        "policy when none is named.",
    .run = run,
};
