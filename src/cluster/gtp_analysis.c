#include "cluster/gtp_analysis.h"

#include "base/buf.h"
#include "base/diag.h"
#include "base/time.h"
#include "cluster/gtp_board.h"
#include "cluster/gtp_info.h"
#include "cluster/lines.h"

enum {
    STOP_MS = 5000, /* from the next command to its answer; longer is a hang */
    LOOK_MS = 20,
};

bool yo_peer_analysis_is_over(const struct yo_peer_analysis *a) {
    bool stopped = a->stop && atomic_load(a->stop);
    bool late = a->until_ms && yo_time_ms() >= a->until_ms;
    return stopped || late || (a->most && a->visits >= a->most);
}

static void take_info(struct yo_peer_analysis *a, const char *text) {
    struct yo_message_line lines[YO_MESSAGE_LINES_MAX];
    int64_t visits;
    size_t count = yo_gtp_info_read(text, lines, YO_MESSAGE_LINES_MAX, &visits);
    if (count == 0) return;
    a->visits = visits;
    if (a->heard) a->heard(a->user, lines, count, visits);
    if (a->has_best) yo_lines_free(&a->best, 1);
    a->best = lines[0];
    a->has_best = true;
    lines[0].pv = NULL;
    yo_lines_free(lines, count);
}

/* Any command ends an analysis; what comes before its answer is the rest of the analysis. */
static enum yo_err end_analysis(struct yo_peer *peer, struct yo_diag *diag) {
    struct yo_buf line = {0};
    int64_t until = yo_time_awake_ms() + STOP_MS;
    enum yo_err err = yo_peer_say(peer, "protocol_version", diag);
    while (!err && !(err = yo_peer_hear(peer, until, &line, diag)))
        if (yo_buf_text(&line)[0] == '=') break;
    if (!err) err = yo_peer_hear(peer, until, &line, diag); /* the empty line */
    yo_buf_free(&line);
    return err;
}

enum yo_err yo_peer_analysis_run(struct yo_peer *peer, const char *command,
                                 struct yo_peer_analysis *a, struct yo_diag *diag) {
    struct yo_buf line = {0};
    bool heard;
    enum yo_err err = yo_peer_say(peer, command, diag);
    if (!err) err = yo_peer_hear(peer, yo_time_awake_ms() + YO_PEER_GTP_READY_MS, &line, diag);
    if (!err && yo_buf_text(&line)[0] != '=')
        err = yo_peer_fail(peer, YO_PEER_NONSENSE, "it does not analyse", diag);
    while (!err && !yo_peer_analysis_is_over(a)) {
        err = yo_peer_hear_if(peer, yo_time_awake_ms() + LOOK_MS, &line, &heard, diag);
        if (!err && heard) take_info(a, yo_buf_text(&line));
    }
    yo_buf_free(&line);
    return err ? err : end_analysis(peer, diag);
}
