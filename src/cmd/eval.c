/* yomi eval: static evaluation of shogi positions. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "base/file.h"
#include "cmd/command.h"
#include "eval/shogi/net_eval.h"
#include "eval/shogi/net_open.h"
#include "game/shogi/text.h"

static enum yo_err eval_file(FILE *file, const char *name, const struct yo_shogi_eval *eval,
                             void *state, struct yo_diag *diag) {
    char *line = NULL;
    size_t cap = 0;
    enum yo_err err = YO_OK;
    for (int number = 1; getline(&line, &cap, file) >= 0; number++) {
        struct yo_shogi_position pos;
        line[strcspn(line, "\r\n")] = '\0';
        if (line[0] == '#' || line[strspn(line, " \t")] == '\0') continue;
        if ((err = yo_shogi_sfen_parse(line, &pos, diag))) {
            yo_diag_where(diag, name, number, diag->column);
            break;
        }
        if (eval->root) eval->root(eval->net, &pos, state);
        printf("%d\t%s\n", eval->value(eval->net, &pos, state), line);
    }
    if (!err) err = yo_file_ended(file, name, diag);
    free(line);
    return err;
}

static enum yo_err run(const struct yo_options *options, struct yo_diag *diag) {
    const char *path = yo_options_argument(options, 0);
    bool standard = strcmp(path, "-") == 0;
    FILE *file = standard ? stdin : fopen(path, "r");
    if (!file) return yo_diag_set(diag, YO_ERR_IO, "cannot open %.150s: %s", path, strerror(errno));
    struct yo_shogi_net *net = NULL;
    enum yo_err err = yo_shogi_net_open(yo_options_text(options, "eval"), &net, diag);
    if (!err && net) net->scale = (int)yo_options_int(options, "scale");
    struct yo_shogi_eval eval = yo_shogi_net_eval(net);
    void *state = NULL;
    if (!err && eval.state_size && !(state = yo_alloc_aligned(eval.state_size)))
        err = yo_diag_set(diag, YO_ERR_NOMEM, "not enough memory");
    if (!err) err = eval_file(file, standard ? "-" : path, &eval, state, diag);
    yo_free_aligned(state);
    yo_shogi_net_delete(net);
    if (!standard) fclose(file);
    return err;
}

const struct yo_command yo_command_eval = {
    .name = "eval",
    .summary = "evaluate shogi positions, without a search",
    .description = "Reads positions, one SFEN a line, and prints for each its value for the side "
                   "to move, in hundredths of a pawn, and the position. Empty lines and those "
                   "that begin with # are skipped.",
    .examples = "echo '4k4/9/9/9/9/9/9/9/4K4 b RB 1' | yomi eval -\n"
                "yomi eval positions.txt --eval nn.bin --scale 20",
    .options =
        (const struct yo_option[]){
            YO_STRING("eval", YO_ON_CLI, YO_SHOGI_EVAL_DEFAULT, "FILE",
                      "the network, a file of YaneuraOu's format; or builtin, or material"),
            YO_INT("scale", YO_ON_CLI, "16", 1, 128, "N",
                   "the network's output that makes a hundredth of a pawn"),
            YO_OPTIONS_END,
        },
    .arguments =
        (const struct yo_argument[]){
            {.name = "FILE", .help = "the positions; - for standard input"},
            {.name = NULL},
        },
    .run = run,
};
