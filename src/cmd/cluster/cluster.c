/* yomi cluster. */
#include <signal.h>
#include <string.h>

#include "base/diag.h"
#include "cluster/message.h"
#include "cluster/transport.h"
#include "cmd/cluster/simulate.h"
#include "cmd/cluster/up.h"
#include "cmd/command.h"

enum { UP, STATUS, STOP, SIMULATE };
static const char *const words[] = {
    [UP] = "up", [STATUS] = "status", [STOP] = "stop", [SIMULATE] = "simulate", NULL};

static enum yo_err check_server(const struct yo_options *options, struct yo_diag *diag) {
    const char *server = yo_options_text(options, "server");
    const char *name = yo_options_text(options, "cluster-name");
    if (!yo_message_is_name(name)) /* it becomes part of a path, too */
        return yo_diag_set(diag, YO_ERR_ARGUMENT,
                           "--cluster-name %.40s is no name: letters, digits, - and _", name);
    if (yo_transport_is_nats(server)) return yo_transport_check_port(server, diag);
    yo_diag_set(diag, YO_ERR_ARGUMENT, "--server %.60s is no address", server);
    yo_diag_hint(diag, "for example --server nats://HOST:4222");
    return YO_ERR_ARGUMENT;
}

static enum yo_err run(const struct yo_options *options, struct yo_diag *diag) {
    static const char *const not_simulate[] = {"server",      "cluster-name", "cluster-auth",
                                               "worker-auth", "options",      "broker-config",
                                               "folder",      "json",         NULL};
    static const char *const not_up[] = {"json", NULL};
    static const char *const not_status[] = {"workers", "worker-auth", "options", "broker-config",
                                             "folder",  "game",        NULL};
    static const char *const not_stop[] = {"workers", "worker-auth", "options", "broker-config",
                                           "json",    "game",        NULL};
    const char *word = yo_options_argument(options, 0);
    if (strcmp(word, words[SIMULATE]) == 0) {
        enum yo_err err = yo_options_refuse(options, not_simulate, "cluster simulate", diag);
        return err ? err : yo_cluster_simulate(options, diag);
    }
    enum yo_err err = yo_options_refuse(options, yo_simulate_keys, "a real cluster", diag);
    if (!err && yo_options_argument(options, 1))
        err = yo_diag_set(diag, YO_ERR_ARGUMENT, "only simulate takes a file");
    if (!err) err = check_server(options, diag);
    if (err) return err;
    signal(SIGPIPE, SIG_IGN); /* a lost broker is an error, not the end */
    if (strcmp(word, words[UP]) == 0) {
        err = yo_options_refuse(options, not_up, "cluster up", diag);
        return err ? err : yo_cluster_up(options, diag);
    }
    bool stop = strcmp(word, words[STOP]) == 0;
    err = yo_options_refuse(options, stop ? not_stop : not_status,
                            stop ? "cluster stop" : "cluster status", diag);
    if (err) return err;
    return stop ? yo_cluster_stop(options, diag) : yo_cluster_status(options, diag);
}

const struct yo_command yo_command_cluster = {
    .name = "cluster",
    .summary = "start, watch and simulate a cluster of workers",
    .description =
        "up: starts a broker (nats-server) on this machine and workers that connect to it, "
        "in the background. status: lists the workers, what each searches, and how fast. "
        "stop: ends all workers at the broker, and the broker if `up` started it and no other "
        "cluster uses it. "
        "docs/cluster.md describes it all.\n\n"
        "simulate: a cluster in virtual time. The plans are those of a real cluster; each "
        "worker searches --speed nodes a virtual second, one worker after the other, so that "
        "a laptop can simulate 64. The same options and seed give the same moves, faults "
        "included. Prints a line of JSON for each position of FILE (\"startpos moves 7g7f\", "
        "for Go \"E5 C3\"): the moves in their order as [move, centipawns, mate, depth]. "
        "With --against it plays games instead, against one machine whose threads share "
        "memory and which searches as many nodes as that many workers; with --rival against "
        "another cluster.",
    .examples = "yomi cluster up --workers 4\n"
                "yomi usi --cluster nats://127.0.0.1:4222\n"
                "yomi cluster status\n"
                "yomi cluster stop\n"
                "yomi cluster simulate --workers 8 --seconds 3 positions.txt\n"
                "yomi cluster simulate --workers 16 --against 4 --games 20 --seconds 3\n"
                "yomi cluster simulate --workers 16 --dies 0.05 --mutes 0.05 --trace",
    .options =
        (const struct yo_option[]){
            YO_INT("workers", YO_ON_CLI, "8", 1, 1024, "N", "up, simulate: how many workers"),
            YO_UP_ROWS,
            YO_SIMULATE_ROWS,
            YO_OPTIONS_END,
        },
    .arguments =
        (const struct yo_argument[]){
            {.name = "WHAT", .choices = words, .help = "what to do"},
            {.name = "FILE", .optional = true, .help = "simulate: positions, one a line"},
            {.name = NULL},
        },
    .run = run,
};
