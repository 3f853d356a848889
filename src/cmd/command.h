/* A subcommand of the yomi program. Each lives in a file of its own that exports one constant
 * struct, and is named once in the list below; help, the man page and shell completion follow. */
#pragma once

#include "base/notice.h"
#include "base/option.h"

struct yo_command {
    const char *name;
    const char *summary;     /* one line, lower case, no full stop */
    const char *description; /* paragraphs separated by an empty line; NULL for none */
    const char *examples;    /* command lines without indent, one a line; NULL for none */
    const struct yo_option *options;
    const struct yo_argument *arguments;
    /* Writes results to stdout. A failure is returned with diag filled in, and main says it on
     * stderr and exits with 1; with 2 for YO_ERR_ARGUMENT, which means that the command line was at
     * fault, and with 130 for YO_ERR_CANCELLED. */
    enum yo_err (*run)(const struct yo_options *options, struct yo_diag *diag);
};

/* The order in which help lists them: what a newcomer wants first. Each as in C and as typed. */
#define YO_COMMAND_LIST(X)                                                                         \
    X(play, "play")                                                                                \
    X(analyze, "analyze")                                                                          \
    X(gtp, "gtp")                                                                                  \
    X(usi, "usi")                                                                                  \
    X(analysis, "analysis")                                                                        \
    X(match, "match")                                                                              \
    X(selfplay, "selfplay")                                                                        \
    X(bench, "bench")                                                                              \
    X(net, "net")                                                                                  \
    X(eval, "eval")                                                                                \
    X(convert, "convert")                                                                          \
    X(mate, "mate")                                                                                \
    X(learn, "learn")                                                                              \
    X(perft, "perft")                                                                              \
    X(hw_server, "hw-server")                                                                      \
    X(devices, "devices")                                                                          \
    X(completion, "completion")                                                                    \
    X(man, "man")                                                                                  \
    X(version, "version")                                                                          \
    X(help, "help")

#define X(name, typed) extern const struct yo_command yo_command_##name;
YO_COMMAND_LIST(X)
#undef X

/* All of them, ending with NULL. */
extern const struct yo_command *const yo_commands[];

/* On standard error. */
extern const struct yo_notices yo_cmd_notices;

/* What went wrong while options were read, as a command returns it: a file that cannot be read, or
 * something that this machine does not have, is no mistake in the command line; all else is. */
static inline enum yo_err yo_command_usage(enum yo_err err) {
    bool not_usage =
        err == YO_OK || err == YO_ERR_IO || err == YO_ERR_NOMEM || err == YO_ERR_UNSUPPORTED;
    return not_usage ? err : YO_ERR_ARGUMENT;
}

const struct yo_command *yo_command_find(const char *name);
/* Fills diag with "there is no command ...", naming the nearest. */
enum yo_err yo_command_unknown(const char *name, struct yo_diag *diag);
