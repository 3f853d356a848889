/* yomi analysis: KataGo's analysis engine, over standard input and output. */
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
#include "protocol/analysis/analysis.h"

static const struct yo_option options[] = {
    YO_INT("playouts", YO_ON_CLI, "500", 0, 9e15, "N",
           "playouts for each position, where the query has no maxVisits; 0: the limit is "
           "--time. If given without --net, search by playouts"),
    YO_INT("visits", YO_ON_CLI, "0", 0, 9e15, "N",
           "visits of each position, in place of --playouts, with or without a network; 0: the "
           "limit is --playouts"),
    YO_REAL("time", YO_ON_CLI, "0", 0, 1e6, "SECONDS", "time for each position; 0: no limit"),
    YO_INT("threads", YO_ON_CLI, "0", 0, 1024, "N", "threads in all; 0: one for each core"),
    YO_INT("positions", YO_ON_CLI, "0", 0, 1024, "N",
           "positions searched at the same time, which share the threads; 0: as many as threads"),
    YO_CHOICE("report-as", YO_ON_CLI, "black", yo_analysis_views, "SIDE",
              "whose win rates, scores and points are reported"),
    YO_BOOL("wait", YO_ON_CLI, "true", "finish the queries at the end of input"),
    YO_INT("seed", YO_ON_CLI, "1", 0, 9e15, "N", "start of the random numbers"),
    YO_STRING("backend", YO_ON_CLI, "auto", "NAME",
              "what plays the playouts that judge dead stones; `yomi devices` lists them"),
    YO_CLUSTER_ROWS,
    YO_ENGINE_OPTION_ROWS,
    YO_PATTERNS_ROW,
    YO_LOG_ROW,
    YO_OPTIONS_END,
};

static void notice(void *user, const char *text) {
    yo_log_line(user, YO_LOG_NOTE, text);
    yo_cmd_notices.notify(NULL, text);
}

static enum yo_err run(const struct yo_options *o, struct yo_diag *diag) {
    struct yo_analysis_config config;
    struct yo_analysis *analysis;
    yo_analysis_config_init(&config);
    enum yo_err err = yo_playout_choose_check(yo_options_text(o, "backend"), diag);
    if (!err) err = yo_cluster_check(o, diag);
    if (err) return yo_command_usage(err);
    config.playouts = (uint64_t)yo_options_int(o, "playouts");
    if (yo_options_int(o, "visits")) config.playouts = (uint64_t)yo_options_int(o, "visits");
    config.time_ms = (int64_t)(1000 * yo_options_real(o, "time"));
    config.threads = (int)yo_options_int(o, "threads");
    config.positions = (int)yo_options_int(o, "positions");
    config.view = (enum yo_analysis_view)yo_options_choice(o, "report-as");
    config.options = o;
    config.kinds = yo_cluster_kinds;
    if (yo_options_text(o, "cluster")) config.positions = 1; /* each would have its own cluster */
    if (!config.playouts && !config.time_ms) {
        yo_diag_set(diag, YO_ERR_ARGUMENT, "without any limit a position would never be finished");
        yo_diag_hint(diag, "give --playouts, --visits or --time");
        return YO_ERR_ARGUMENT;
    }
    struct yo_go_patterns *patterns;
    err = yo_patterns_option(o, &patterns, diag);
    if (!err) err = yo_log_option(o, "analysis", &config.log, diag);
    if (err) {
        yo_free(patterns);
        return err;
    }
    config.patterns = patterns;
    config.notices = (struct yo_notices){.notify = notice, .user = config.log};
    signal(SIGPIPE, SIG_IGN); /* a closed connection is the end, not an error */
    err = yo_analysis_new(&config, &analysis, diag);
    if (!err) {
        /* KataGo's message, which scripts wait for. */
        fprintf(stderr, "yomi analysis: started, ready to begin handling requests\n");
        err = yo_analysis_serve(analysis, STDIN_FILENO, STDOUT_FILENO, yo_options_bool(o, "wait"),
                                diag);
        yo_analysis_delete(analysis);
    }
    yo_free(patterns);
    return yo_log_end(config.log, err, diag);
}

static const char *const usual[] = {"playouts",  "visits",  "time", "threads", "positions",
                                    "report-as", "wait",    "net",  "search",  "memory",
                                    "seed",      "cluster", NULL};

const struct yo_command yo_command_analysis = {
    .name = "analysis",
    .summary = "analyse positions for a program that speaks KataGo's JSON: KaTrain and others",
    .description =
        "Reads queries, a line of JSON each, on standard input and answers them on standard "
        "output, many positions at once, until the end of input. docs/analysis.md says what is "
        "understood and how to attach it to KaTrain. To analyse a game record yourself, see "
        "`yomi help analyze`.",
    .examples = "yomi analysis --playouts 2000\n"
                "yomi analysis --positions 1 --threads 4 --memory 2000",
    .options = options,
    .usual = usual,
    .run = run,
};
