/* The Go Text Protocol, version 2: an engine that takes lines of text and answers them. It can be
 * fed line by line in-process, or serve a pair of file descriptors. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/log.h"
#include "base/option.h"
#include "base/split.h"
#include "yomi/go.h"

struct yo_search_kind;

struct yo_gtp_config {
    int size;
    struct yo_go_rules rules; /* komi included */
    /* Initial options of the session (engine/options.h), copied by name; NULL for the defaults. */
    const struct yo_options *options;
    const struct yo_search_kind *kinds;    /* as in a session's configuration */
    const struct yo_go_patterns *patterns; /* as in a session's configuration */
    struct yo_log *log;                    /* what yo_gtp_serve hears and says; may be NULL */
    bool no_files;                         /* loadsgf and printsgf may not touch files */
    /* Called once with a message for the user, such as the chosen backend; may be NULL. */
    void (*notice)(void *user, const char *text);
    void *user;
};

struct yo_gtp;

void yo_gtp_config_init(struct yo_gtp_config *config);
enum yo_err yo_gtp_new(const struct yo_gtp_config *config, struct yo_gtp **gtp,
                       struct yo_diag *diag);
void yo_gtp_delete(struct yo_gtp *gtp);
/* Sets an option of the session, as yomi-param does. */
enum yo_err yo_gtp_set(struct yo_gtp *gtp, const char *key, const char *value,
                       struct yo_diag *diag);

/* Handles a line and appends its whole answer to reply; nothing for an empty line or comment. */
void yo_gtp_feed(struct yo_gtp *gtp, const char *line, size_t len, struct yo_buf *reply);
/* Whether `quit` has been answered. */
bool yo_gtp_done(const struct yo_gtp *gtp);
/* Stops the search of the running command. May be called from any thread. */
void yo_gtp_interrupt(struct yo_gtp *gtp);

/* Reads commands from in_fd and writes answers to out_fd until quit, the end of input, or until the
 * client closes out_fd (which is no error; SIGPIPE must be ignored). A separate thread reads the
 * input, so that an interrupt works while a command runs. The search stops if the client dies. */
enum yo_err yo_gtp_serve(struct yo_gtp *gtp, int in_fd, int out_fd, struct yo_diag *diag);

/* The table of commands: name, arguments, description; NULL past the last. Rows are grouped by
 * topic. */
struct yo_gtp_command_info {
    const char *topic, *name, *usage, *help;
};
const char *yo_gtp_command_info(size_t i, struct yo_gtp_command_info *info);
