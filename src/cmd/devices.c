/* yomi devices: what this machine has, and what would be used of it. */
#include "base/cpu.h"
#include "cmd/text.h"

static void add_cpu(struct yo_buf *out) {
    int cores = yo_cpu_count();
    yo_buf_printf(out, "CPU        %s, %d core%s usable\n", yo_cpu_get()->model, cores,
                  cores == 1 ? "" : "s");
    struct yo_buf features = {0};
    const char *name;
    bool present;
    for (size_t i = 0; (name = yo_cpu_feature(i, &present)); i++)
        if (present) yo_buf_printf(&features, "%s ", name);
    yo_buf_str(out, "features   ");
    yo_text_wrap(out, features.len ? yo_buf_text(&features) : "none of those asked for", 11, 11,
                 80);
    yo_buf_free(&features);
}

static enum yo_err run(const struct yo_options *options, struct yo_diag *diag) {
    (void)options;
    struct yo_buf out = {0};
    add_cpu(&out);
    return yo_text_print(&out, diag);
}

const struct yo_command yo_command_devices = {
    .name = "devices",
    .summary = "show the processors and backends there are, and which would be used",
    .run = run,
};
