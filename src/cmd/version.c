/* yomi version */
#include "yomi/version.h"
#include "cmd/libraries.h"
#include "cmd/text.h"

static enum yo_err run(const struct yo_options *options, struct yo_diag *diag) {
    (void)options;
    struct yo_buf out = {0};
    yo_buf_printf(&out, "yomi %s\n", yo_version());
    yo_libraries_add(&out);
    return yo_text_print(&out, diag);
}

const struct yo_command yo_command_version = {
    .name = "version",
    .summary = "show the version, and the libraries that are built in",
    .run = run,
};
