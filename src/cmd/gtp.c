/* yomi gtp: the engine for Go clients, over standard input and output. */
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "cluster/master.h"
#include "cmd/command.h"
#include "cmd/log_option.h"
#include "cmd/patterns_option.h"
#include "engine/options.h"
#include "eval/playout/backend.h"
#include "game/go/rules.h"
#include "protocol/gtp/gtp.h"

static const struct yo_option options[] = {
    YO_GO_ROWS,
    YO_PATTERNS_ROW,
    YO_LOG_ROW,
    YO_INT("size", YO_ON_CLI, "19", YO_GO_SIZE_MIN, YO_GO_SIZE_MAX, "N",
           "board size to begin with"),
    YO_STRING("komi", YO_ON_CLI, NULL, "POINTS",
              "komi to begin with; as the rules have it if not given"),
    YO_STRING("rules", YO_ON_CLI, NULL, "RULES",
              "rules to begin with: tromp-taylor, chinese, japanese, aga, new-zealand and others, "
              "or a JSON object in KataGo's form; if not given: area scoring, positional superko, "
              "no suicide"),
    YO_BOOL("files", YO_ON_CLI, "true",
            "let loadsgf and printsgf read and write files; turn it off for clients you do not "
            "trust"),
    YO_OPTIONS_END,
};

static void notice(void *user, const char *text) {
    yo_log_line(user, YO_LOG_NOTE, text);
    fprintf(stderr, "yomi gtp: %s\n", text);
}

static enum yo_err read_rules(const struct yo_options *o, struct yo_go_rules *rules,
                              struct yo_diag *diag) {
    const char *name = yo_options_text(o, "rules"), *komi = yo_options_text(o, "komi");
    enum yo_err err = name ? yo_go_rules_parse(name, rules, diag) : YO_OK;
    if (!err) rules->komi2 = yo_go_rules_usual_komi2(rules);
    if (!err && komi) err = yo_go_komi_parse(komi, &rules->komi2, diag);
    return yo_command_usage(err);
}

/* Reports a wrong backend name at the start, not at the first move. */
static enum yo_err check_backend(const char *name, struct yo_diag *diag) {
    return yo_command_usage(yo_playout_choose_check(name, diag));
}

static enum yo_err run(const struct yo_options *o, struct yo_diag *diag) {
    struct yo_gtp_config config;
    yo_gtp_config_init(&config);
    enum yo_err err = check_backend(yo_options_text(o, "backend"), diag);
    if (!err) err = yo_command_usage(yo_book_check_go(yo_session_text(o, "book"), diag));
    struct yo_uct_go_options search = {0};
    yo_uct_go_options_read(o, &search);
    if (!err) err = yo_uct_go_options_check(&search, diag);
    if (!err) err = yo_cluster_check(o, diag);
    if (!err) err = read_rules(o, &config.rules, diag);
    struct yo_go_patterns *patterns = NULL;
    if (!err) err = yo_patterns_option(o, &patterns, diag);
    if (!err) err = yo_log_option(o, "gtp", &config.log, diag);
    if (err) {
        yo_free(patterns);
        return err;
    }
    config.patterns = patterns;
    config.size = (int)yo_options_int(o, "size");
    config.options = o;
    config.kinds = yo_cluster_kinds;
    config.no_files = !yo_options_bool(o, "files");
    config.notice = notice;
    config.user = config.log;
    signal(SIGPIPE, SIG_IGN); /* a closed connection is the end, not an error */
    struct yo_gtp *gtp;
    err = yo_gtp_new(&config, &gtp, diag);
    if (!err) {
        err = yo_gtp_serve(gtp, STDIN_FILENO, STDOUT_FILENO, diag);
        yo_gtp_delete(gtp);
    }
    yo_free(patterns);
    return yo_log_end(config.log, err, diag);
}

static const char *const usual[] = {"size",   "komi",   "rules",   "time",    "playouts", "visits",
                                    "level",  "resign", "ponder",  "threads", "net",      "search",
                                    "memory", "seed",   "cluster", "log",     NULL};

const struct yo_command yo_command_gtp = {
    .name = "gtp",
    .summary = "play Go in a client that speaks GTP: Sabaki, GoGui, KGS, CGOS",
    .description = "Answers the Go Text Protocol, version 2, on standard input and output until "
                   "quit or the end of input. docs/gtp.md lists the commands and says how to "
                   "attach it to the usual clients.\n\n"
                   "It searches with the built-in network where the CPU or a GPU is fast with it, "
                   "and with playouts where it is not or where options ask for them; a line on "
                   "standard error says which.",
    .examples = "yomi gtp --time 5\n"
                "yomi gtp --net g170-b6c96.bin.gz --visits 800\n"
                "yomi gtp --size 9 --playouts 20000 --rules tromp-taylor\n"
                "yomi gtp --log gtp.log",
    .options = options,
    .usual = usual,
    .run = run,
};
