/* kata-raw-nn: the network's outputs for the position, as KataGo prints them. */
#include <string.h>

#include "eval/net/evaluator.h"
#include "eval/net/go_raw.h"
#include "protocol/gtp/internal.h"

static enum yo_err run(struct yo_gtp *gtp, const struct yo_net_program *program, int first,
                       int last, struct yo_buf *out, struct yo_diag *diag) {
    struct yo_go_position position;
    struct yo_net_go_raw raw;
    struct yo_net_runner *runner;
    enum yo_err err = yo_net_runner_new(program, 1, &runner, diag);
    if (err) return err;
    yo_go_position_from_game(gtp->game, &position);
    for (int symmetry = first; symmetry <= last && !err; symmetry++) {
        err = yo_net_go_raw(runner, &position, symmetry, &raw, diag);
        if (!err) yo_net_go_raw_text(&raw, out);
    }
    yo_net_runner_delete(runner);
    if (!err && out->len > 0) out->data[--out->len] = '\0'; /* the answer ends the last line */
    return err;
}

YO_GTP_HANDLER(kata_raw_nn) {
    int first = 0, last = 7;
    struct yo_eval net;
    if (strcmp(line->args[0], "all") != 0) {
        enum yo_err err = yo_gtp_arg_int(line, 0, 0, 7, &first, diag);
        if (err) return err;
        last = first;
    }
    enum yo_err err = yo_session_net(gtp->session, &net, diag);
    return err ? err : run(gtp, yo_net_eval_program(&net), first, last, out, diag);
}
