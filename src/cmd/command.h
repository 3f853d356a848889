/* A subcommand of the yomi program. Each has its own file, which exports one constant struct, and
 * one row in the list below. Help, the man page and shell completion are made from the list. */
#pragma once

#include "base/notice.h"
#include "base/option.h"

struct yo_command {
    const char *name;
    const char *summary;     /* one line, lower case, no full stop */
    const char *description; /* paragraphs separated by an empty line; NULL for none */
    const char *examples;    /* one command per line, not indented; NULL for none */
    const struct yo_option *options;
    const char *const *usual; /* keys of the options that help shows, ending with NULL; NULL: all */
    const struct yo_argument *arguments;
    /* Writes results to stdout. On failure fills diag; main prints it on stderr and exits with 1,
     * with 2 for YO_ERR_ARGUMENT (a wrong command line), or with 130 for YO_ERR_CANCELLED. */
    enum yo_err (*run)(const struct yo_options *options, struct yo_diag *diag);
    bool no_config; /* the user's configuration (config.h) is not read */
};

/* In the order of the help text: commands for new users first. Each by its C name and as typed. */
#define YO_COMMAND_LIST(X)                                                                         \
    X(play, "play")                                                                                \
    X(web, "web")                                                                                  \
    X(analyze, "analyze")                                                                          \
    X(gtp, "gtp")                                                                                  \
    X(usi, "usi")                                                                                  \
    X(analysis, "analysis")                                                                        \
    X(match, "match")                                                                              \
    X(worker, "worker")                                                                            \
    X(selfplay, "selfplay")                                                                        \
    X(cluster, "cluster")                                                                          \
    X(bench, "bench")                                                                              \
    X(net, "net")                                                                                  \
    X(eval, "eval")                                                                                \
    X(convert, "convert")                                                                          \
    X(mate, "mate")                                                                                \
    X(book, "book")                                                                                \
    X(learn, "learn")                                                                              \
    X(perft, "perft")                                                                              \
    X(hw_server, "hw-server")                                                                      \
    X(devices, "devices")                                                                          \
    X(doctor, "doctor")                                                                            \
    X(completion, "completion")                                                                    \
    X(man, "man")                                                                                  \
    X(version, "version")                                                                          \
    X(help, "help")

#define X(name, typed) extern const struct yo_command yo_command_##name;
YO_COMMAND_LIST(X)
#undef X

/* All of them, ending with NULL. */
extern const struct yo_command *const yo_commands[];

/* Prints notices on standard error. */
extern const struct yo_notices yo_cmd_notices;

/* Maps an error in reading options to the code that a command returns. A file that cannot be read,
 * or a feature that this machine lacks, is not a command line error; all other errors are. */
static inline enum yo_err yo_command_usage(enum yo_err err) {
    bool not_usage =
        err == YO_OK || err == YO_ERR_IO || err == YO_ERR_NOMEM || err == YO_ERR_UNSUPPORTED;
    return not_usage ? err : YO_ERR_ARGUMENT;
}
/* The same where files that options name are read: what is wrong in them is none, either. */
static inline enum yo_err yo_command_usage_of_files(enum yo_err err) {
    return err == YO_ERR_PARSE || err == YO_ERR_ILLEGAL ? err : yo_command_usage(err);
}

const struct yo_command *yo_command_find(const char *name);
/* Fills diag with "there is no command ...", naming the nearest. */
enum yo_err yo_command_unknown(const char *name, struct yo_diag *diag);
