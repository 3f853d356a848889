/* yomi gtp: the engine for Go clients, over standard input and output. */
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "cmd/command.h"
#include "protocol/gtp.h"
#include "search/engine.h"

static const struct yo_option options[] = {
    YO_INT("playouts", YO_ON_CLI, "0", 0, 9e15, "N",
           "Playouts for each move; 0 for no limit. With this, one thread and no time limit, the "
           "same game is played again for the same seed."),
    YO_REAL("time", YO_ON_CLI, "0", 0, 1e6, "S",
            "Seconds for each move; 0 for no limit. Without any limit, and no clock set by the "
            "client: 2 seconds."),
    YO_INT("threads", YO_ON_CLI, "0", 0, 1024, "T", "Threads that play; 0 for one for each core."),
    YO_INT("seed", YO_ON_CLI, "1", 0, 9e15, "S", "Names the stream of random numbers."),
    YO_ENGINE_OPTION_ROWS,
    YO_INT("size", YO_ON_CLI, "19", YO_GO_SIZE_MIN, YO_GO_SIZE_MAX, "N",
           "Board size to begin with."),
    YO_STRING("komi", YO_ON_CLI, NULL, "K", "Komi to begin with; unset: what the rules say."),
    YO_STRING("rules", YO_ON_CLI, NULL, "NAME",
              "Rules to begin with: chinese, japanese, tromp-taylor, aga, new-zealand or a JSON "
              "object as KataGo writes it; unset: area scoring, positional superko, komi 7.5."),
    YO_STRING("backend", YO_ON_CLI, "auto", "NAME", "What plays the playouts; see yomi devices."),
    YO_REAL("resign", YO_ON_CLI, "0", 0, 1, "P",
            "Resign when the chance to win falls below this; 0 for never."),
    YO_REAL("lag", YO_ON_CLI, "0.2", 0, 60, "S",
            "Seconds kept back from each move when a clock runs."),
    YO_BOOL("files", YO_ON_CLI, "true",
            "Let loadsgf and printsgf read and write files; turn it off for clients you do not "
            "trust."),
    YO_OPTIONS_END,
};

static void notice(void *user, const char *text) {
    (void)user;
    fprintf(stderr, "yomi gtp: %s\n", text);
}

static enum yo_err read_rules(const struct yo_options *o, struct yo_go_rules *rules,
                              struct yo_diag *diag) {
    enum yo_err err = YO_OK;
    if (yo_options_text(o, "rules"))
        err = yo_go_rules_parse(yo_options_text(o, "rules"), rules, diag);
    if (!err && yo_options_text(o, "komi"))
        err = yo_go_komi_parse(yo_options_text(o, "komi"), &rules->komi2, diag);
    return err ? YO_ERR_ARGUMENT : YO_OK;
}

static enum yo_err run(const struct yo_options *o, struct yo_diag *diag) {
    struct yo_gtp_config config;
    yo_gtp_config_init(&config);
    enum yo_err err = read_rules(o, &config.rules, diag);
    if (err) return err;
    config.size = (int)yo_options_int(o, "size");
    config.playouts = (uint64_t)yo_options_int(o, "playouts");
    config.time_ms = (int64_t)(1000 * yo_options_real(o, "time"));
    config.threads = (int)yo_options_int(o, "threads");
    config.seed = (uint64_t)yo_options_int(o, "seed");
    config.search = o;
    config.backend = yo_options_text(o, "backend");
    config.resign_below = yo_options_real(o, "resign");
    config.lag_ms = (int64_t)(1000 * yo_options_real(o, "lag"));
    config.no_files = !yo_options_bool(o, "files");
    config.notice = notice;
    signal(SIGPIPE, SIG_IGN); /* a client that went away is the end, not a failure */
    struct yo_gtp *gtp;
    err = yo_gtp_new(&config, &gtp, diag);
    if (err) return err;
    err = yo_gtp_serve(gtp, STDIN_FILENO, STDOUT_FILENO, diag);
    yo_gtp_delete(gtp);
    return err;
}

const struct yo_command yo_command_gtp = {
    .name = "gtp",
    .summary = "play Go in a client that speaks GTP: Sabaki, GoGui, KGS, CGOS",
    .description = "Answers the Go Text Protocol, version 2, on standard input and output until "
                   "quit or the end of input. docs/gtp.md lists the commands and says how to "
                   "attach it to the usual clients.",
    .examples = "yomi gtp --time 5\n"
                "yomi gtp --size 9 --playouts 20000 --rules tromp-taylor\n"
                "yomi gtp --search flat --threads 1",
    .options = options,
    .run = run,
};
