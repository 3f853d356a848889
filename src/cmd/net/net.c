/* yomi net: describes a network file, evaluates positions with it, and checks its outputs. */
#include "cmd/net/net.h"

#include <string.h>

#include "base/diag.h"
#include "cmd/command.h"
#include "engine/go_net.h"
#include "eval/net/choice.h"

enum yo_err yo_net_load(const struct yo_options *options, int size, struct yo_net_loaded *loaded,
                        struct yo_diag *diag) {
    *loaded = (struct yo_net_loaded){0};
    enum yo_err err = yo_go_net_load(yo_options_argument(options, 1), size, &loaded->net, diag);
    if (err) return err;
    const struct yo_net_backend *backend =
        yo_net_choose_named(&loaded->net->graph, yo_options_text(options, "backend"), diag);
    if (!backend)
        err = YO_ERR_ARGUMENT;
    else
        err = yo_net_program_init(&loaded->program, loaded->net, backend, diag);
    if (!err) err = yo_net_runner_new(&loaded->program, 1, &loaded->runner, diag);
    if (err) yo_net_unload(loaded);
    return err;
}

void yo_net_unload(struct yo_net_loaded *loaded) {
    yo_net_runner_delete(loaded->runner);
    yo_net_program_free(&loaded->program);
    yo_net_delete(loaded->net);
    *loaded = (struct yo_net_loaded){0};
}

/* ---- the command ---- */

enum { INFO, EVAL, CHECK };
static const char *const what[] = {[INFO] = "info", [EVAL] = "eval", [CHECK] = "check", NULL};

/* Where there is no position, --size names one of the built-in networks, and nothing else. */
static enum yo_err refuse_size(const struct yo_options *options, const char *command,
                               struct yo_diag *diag) {
    static const char *const size[] = {"size", NULL};
    if (yo_go_net_names_builtin(yo_options_argument(options, 1))) return YO_OK;
    return yo_options_refuse(options, size, command, diag);
}

static enum yo_err run(const struct yo_options *options, struct yo_diag *diag) {
    static const char *const not_info[] = {
        "move",        "rules",           "komi", "symmetry", "chance-error",
        "point-error", "ownership-error", "raw",  NULL};
    static const char *const not_eval[] = {"chance-error", "point-error", "ownership-error",
                                           "speed", NULL};
    static const char *const not_check[] = {"move",  "rules", "komi", "symmetry",
                                            "speed", "json",  "raw",  NULL};
    const char *word = yo_options_argument(options, 0);
    enum yo_err err;
    if (strcmp(word, what[INFO]) == 0) {
        err = yo_options_refuse(options, not_info, "net info", diag);
        if (!err) err = refuse_size(options, "net info", diag);
        return err ? err : yo_net_info(options, diag);
    }
    if (strcmp(word, what[EVAL]) == 0) {
        err = yo_options_refuse(options, not_eval, "net eval", diag);
        return err ? err : yo_net_show(options, diag);
    }
    err = yo_options_refuse(options, not_check, "net check", diag);
    if (!err) err = refuse_size(options, "net check", diag);
    return err ? err : yo_net_check(options, diag);
}

static const char *const symmetries[] = {"0", "1", "2", "3", "4", "5", "6", "7", NULL};

const struct yo_command yo_command_net = {
    .name = "net",
    .summary = "show what a network file contains, or how it evaluates a position",
    .description =
        "info: the network's game, inputs, outputs, size and cost, and how fast each backend "
        "runs it here.\n\n"
        "eval: how the network evaluates a position, without a search: chances, points, the "
        "policy and the ownership on the board. The position is an SGF file, or moves such "
        "as \"D4 Q16 pass\", Black first; the empty board if there is none. For shogi it is "
        "a SFEN, or \"startpos moves 7g7f\".\n\n"
        "check: the network's answers against those of a file, as KataGo gave them by "
        "kata-raw-nn; docs/networks.md describes the file. Fails if one differs by more than "
        "is allowed.\n\n"
        "Boards up to 9x9 and larger ones have different built-in networks: eval takes that "
        "of the position, info and check that of --size.",
    .examples = "yomi net info g170-b6c96.bin.gz\n"
                "yomi net info builtin --size 9\n"
                "yomi net eval g170-b6c96.bin.gz game.sgf --move 40\n"
                "yomi net eval g170-b6c96.bin.gz \"D4 Q16\" --size 19 --json\n"
                "yomi net check g170-b6c96.bin.gz answers.txt --backend reference",
    .options =
        (const struct yo_option[]){
            YO_STRING("backend", YO_ON_CLI, "auto", "NAME",
                      "what runs the network; auto for the fastest"),
            YO_INT(
                "size", YO_ON_CLI, "19", YO_NET_MIN_SIZE, YO_NET_MAX_SIZE, "N",
                "eval: board size, if the position is a list of moves; info, check: the board size "
                "of the built-in network"),
            YO_STRING("rules", YO_ON_CLI, "chinese", "RULES", "eval: the rules, likewise"),
            YO_STRING("komi", YO_ON_CLI, "7.5", "K", "eval: komi, likewise"),
            YO_INT("move", YO_ON_CLI, "0", 0, 100000, "N",
                   "eval: the position before this move of the record; 0 for its end"),
            YO_CHOICE("symmetry", YO_ON_CLI, "0", symmetries, "N",
                      "eval: how the board is turned for the network"),
            YO_REAL("chance-error", YO_ON_CLI, "1e-4", 0, 1, "X",
                    "check: by how much chances and probabilities may differ"),
            YO_REAL("point-error", YO_ON_CLI, "0.01", 0, 400, "X",
                    "check: by how much points may differ"),
            YO_REAL("ownership-error", YO_ON_CLI, "1e-3", 0, 2, "X",
                    "check: by how much ownership may differ"),
            YO_BOOL("speed", YO_ON_CLI, "true", "info: measure how fast it is here"),
            YO_BOOL("raw", YO_ON_CLI, "false", "eval: print what KataGo's kata-raw-nn prints"),
            YO_BOOL("json", YO_ON_CLI, "false", "info, eval: print JSON"),
            YO_OPTIONS_END,
        },
    .arguments =
        (const struct yo_argument[]){
            {.name = "WHAT", .choices = what, .help = "what to do"},
            {.name = "FILE",
             .help = "the network; or builtin, for those of Go that are part of the program"},
            {.name = "POSITION",
             .optional = true,
             .help = "eval: the position; check: the file of answers"},
            {.name = NULL},
        },
    .run = run,
};
