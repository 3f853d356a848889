/* yomi cluster. */
#include "base/diag.h"
#include "cmd/cluster/simulate.h"
#include "cmd/command.h"

static const char *const words[] = {"simulate", NULL};

static enum yo_err run(const struct yo_options *options, struct yo_diag *diag) {
    return yo_cluster_simulate(options, diag);
}

const struct yo_command yo_command_cluster = {
    .name = "cluster",
    .summary = "one game tree over many machines",
    .description =
        "simulate: a cluster in virtual time. The plans are those of a real cluster; its workers "
        "search so many nodes a virtual second, one after the other, so that 64 of them can be "
        "studied on a laptop. The same options and seed give the same moves, faults included. "
        "Prints a line of JSON for each position of FILE (\"startpos moves 7g7f\", for Go \"E5 "
        "C3\"): the moves in their order as [move, centipawns, mate, depth]. With --against it "
        "plays games instead, against one machine whose threads share memory and which searches "
        "as many nodes as that many workers.",
    .examples = "yomi cluster simulate --workers 8 --seconds 3 positions.txt\n"
                "yomi cluster simulate --workers 16 --against 4 --games 20 --seconds 3\n"
                "yomi cluster simulate --workers 16 --dies 0.05 --mutes 0.05 --trace",
    .options =
        (const struct yo_option[]){
            YO_INT("workers", YO_ON_CLI, "8", 1, 1024, "N", "how many workers"),
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
