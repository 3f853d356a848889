/* yomi usi: the engine for shogi clients. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/split.h"
#include "cluster/master.h"
#include "cmd/command.h"
#include "cmd/log_option.h"
#include "engine/options.h"
#include "protocol/gtp/gtp.h"
#include "protocol/usi/usi.h"

struct session {
    struct yo_usi *usi;
    struct yo_log *log;
    bool open; /* no quit yet */
};

static void write_line(void *user, const char *line) {
    const struct session *s = user;
    yo_log_line(s->log, YO_LOG_OUT, line);
    puts(line);
    fflush(stdout);
}

/* Refuses very long lines, so that they cannot use up memory; no position comes near the limit. */
static void take_line(void *user, const char *line, size_t len) {
    struct session *s = user;
    if (!s->open) return;
    if (len > YO_LINE_MAX)
        write_line(s, "info string a line of more than a megabyte was passed over");
    else
        s->open = yo_usi_line(s->usi, line);
}

static enum yo_err read_all(struct session *s, struct yo_diag *diag) {
    struct yo_split split = {.emit = take_line, .user = s};
    char bytes[1 << 14];
    ssize_t got = 1;
    while (s->open && got != 0) {
        got = read(STDIN_FILENO, bytes, sizeof bytes);
        if (got < 0 && errno != EINTR) break;
        if (got > 0) yo_log_bytes(s->log, YO_LOG_IN, bytes, (size_t)got);
        if (got > 0) yo_split_add(&split, bytes, (size_t)got);
    }
    int why = errno;
    yo_split_end(&split);
    if (got >= 0) return YO_OK;
    return yo_diag_set(diag, YO_ERR_IO, "cannot read commands: %s", strerror(why));
}

/* A client may set the options of searches that it does not use; a command line should not. */
static enum yo_err check_nets(const struct yo_options *o, struct yo_diag *diag) {
    const char *search = yo_shogi_search_name(o);
    enum yo_err err = yo_shogi_check_eval(o, diag);
    if (err || !yo_shogi_guide_name(o) || yo_shogi_search_has_net(search)) return err;
    yo_diag_set(diag, YO_ERR_ARGUMENT, "--search %s does not use --net", search);
    yo_diag_hint(diag, "leave one of them out, or give --search puct or mcss");
    return YO_ERR_ARGUMENT;
}

static enum yo_err run(const struct yo_options *o, struct yo_diag *diag) {
    struct session session = {.open = true};
    struct yo_usi_config config = {.write = write_line,
                                   .user = &session,
                                   .options = o,
                                   .kinds = yo_cluster_kinds,
                                   .tune = yo_options_bool(o, "tune")};
    enum yo_err err = check_nets(o, diag);
    if (!err) err = yo_log_option(o, "usi", &session.log, diag);
    if (!err) err = yo_cluster_check(o, diag);
    if (!err) err = yo_command_usage_of_files(yo_usi_new(&config, &session.usi, diag));
    if (err) return yo_log_end(session.log, err, diag);
    err = read_all(&session, diag);
    if (session.open)
        yo_usi_wait(session.usi); /* after the end of input the client still gets its answer */
    yo_usi_delete(session.usi);
    return yo_log_end(session.log, err, diag);
}

static const struct yo_option options[] = {
    YO_SHOGI_ROWS,
    YO_LOG_ROW,
    YO_BOOL("tune", YO_ON_CLI, "no",
            "offer the margins of the search as options, for tuning by matches"),
    YO_OPTIONS_END,
};

static const char *const usual[] = {
    "level",    "threads",  "memory",  "eval",         "net",
    "search",   "multi-pv", "book",    "resign-value", "entering-king-rule",
    "playouts", "visits",   "cluster", "log",          NULL};

const struct yo_command yo_command_usi = {
    .name = "usi",
    .summary = "play shogi in a client that speaks USI: ShogiHome, ShogiGUI",
    .description = "Speaks USI, the protocol of ShogiHome, ShogiGUI, Shogidokoro and others, on "
                   "standard input and output.",
    .examples = "printf 'usi\\nposition startpos moves 7g7f\\ngo depth 5\\n' | yomi usi\n"
                "yomi usi --search mcss --net network.onnx",
    .options = options,
    .usual = usual,
    .run = run,
};
