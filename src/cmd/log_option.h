/* --log, of the commands that speak a protocol. */
#pragma once

#include <stdio.h>

#include "base/log.h"
#include "cmd/command.h"
#include "yomi/version.h"

#define YO_LOG_ROW                                                                                 \
    YO_STRING("log", YO_ON_CLI, NULL, "FILE",                                                      \
              "append input (>), output (<) and notices (#), with their times")

/* NULL without the option. */
static inline enum yo_err yo_log_option(const struct yo_options *options, const char *command,
                                        struct yo_log **log, struct yo_diag *diag) {
    char who[64];
    snprintf(who, sizeof who, "yomi %s %s", command, yo_version());
    return yo_log_open(yo_options_text(options, "log"), who, log, diag);
}

/* Closes it after the command; its own error is reported if the command has none. */
static inline enum yo_err yo_log_end(struct yo_log *log, enum yo_err err, struct yo_diag *diag) {
    enum yo_err closed = yo_log_close(log, err ? NULL : diag);
    return err ? err : closed;
}
