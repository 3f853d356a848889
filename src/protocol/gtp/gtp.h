/* The Go Text Protocol, version 2: an engine that takes lines of text and answers them. It can be
 * fed line by line in-process, or serve a pair of file descriptors. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/option.h"
#include "base/split.h"
#include "yomi/go.h"

struct yo_search_kind;

struct yo_gtp_config {
    int size;
    struct yo_go_rules rules; /* komi among them */
    /* What a session begins with (engine/options.h): a table that has rows of these names, copied;
     * NULL for the defaults. */
    const struct yo_options *options;
    const struct yo_search_kind *kinds;    /* as a session's */
    const struct yo_go_patterns *patterns; /* as a session's */
    bool no_files;                         /* loadsgf and printsgf may not touch files */
    /* Told, once, what a person may want to know, such as which backend was chosen; may be NULL.
     */
    void (*notice)(void *user, const char *text);
    void *user;
};

struct yo_gtp;

void yo_gtp_config_init(struct yo_gtp_config *config);
enum yo_err yo_gtp_new(const struct yo_gtp_config *config, struct yo_gtp **gtp,
                       struct yo_diag *diag);
void yo_gtp_delete(struct yo_gtp *gtp);
/* An option of the session, as yomi-param does. */
enum yo_err yo_gtp_set(struct yo_gtp *gtp, const char *key, const char *value,
                       struct yo_diag *diag);

/* One line in, its whole answer appended to reply: nothing for an empty line or a comment. */
void yo_gtp_feed(struct yo_gtp *gtp, const char *line, size_t len, struct yo_buf *reply);
/* Has `quit` been answered? */
bool yo_gtp_done(const struct yo_gtp *gtp);
/* Cuts the thinking of the command that runs short; from any thread. */
void yo_gtp_interrupt(struct yo_gtp *gtp);

/* Answers what comes from in_fd on out_fd until quit, the end of input, or nobody reads the
 * answers any more (which is no error; SIGPIPE must be ignored). Input is read by a thread of its
 * own, so that an interrupt is heard while a command runs. A client that dies ends the thinking. */
enum yo_err yo_gtp_serve(struct yo_gtp *gtp, int in_fd, int out_fd, struct yo_diag *diag);

/* The table of commands: name, the arguments it takes, what it does; NULL past the last. Rows of
 * one topic stand together. */
struct yo_gtp_command_info {
    const char *topic, *name, *usage, *help;
};
const char *yo_gtp_command_info(size_t i, struct yo_gtp_command_info *info);
