/* yomi version */
#include <stdio.h>

#include "cmd/command.h"
#include "yomi/version.h"

static enum yo_err run(const struct yo_options *options, struct yo_diag *diag) {
    (void)options, (void)diag;
    printf("yomi %s\n", yo_version());
    return YO_OK;
}

const struct yo_command yo_command_version = {
    .name = "version",
    .summary = "show the version",
    .run = run,
};
