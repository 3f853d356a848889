/* --patterns, of the commands that play Go: a file in place of the built-in 3x3 patterns. */
#pragma once

#include "cmd/command.h"
#include "game/go/patterns.h"

#define YO_PATTERNS_ROW                                                                            \
    YO_STRING(                                                                                     \
        "patterns", YO_ON_CLI, NULL, "FILE",                                                       \
        "Go: 3x3 patterns for playouts and the tree in place of MoGo's; docs/playout.md says "     \
        "how they are written")

/* NULL without the option; release with yo_free. */
static inline enum yo_err yo_patterns_option(const struct yo_options *options,
                                             struct yo_go_patterns **patterns,
                                             struct yo_diag *diag) {
    const char *path = yo_options_text(options, "patterns");
    *patterns = NULL;
    return path ? yo_command_usage(yo_go_patterns_load(path, patterns, diag)) : YO_OK;
}
