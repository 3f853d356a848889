/* Time settings and remaining time. */
#include <string.h>

#include "engine/options.h"
#include "protocol/gtp/internal.h"

/* Workers need seconds to start, which are the first move's if nobody has waited for them. What is
 * wrong with them is told there, too. */
static void wait_for_workers(struct yo_gtp *gtp) {
    if (!yo_session_text(yo_session_options(gtp->session), "cluster")) return;
    yo_session_stop(gtp->session);
    yo_session_prepare(gtp->session, NULL);
}

static void start(struct yo_gtp *gtp, enum yo_clock_kind kind, int64_t main_ms, int64_t period_ms,
                  int count) {
    struct yo_clock_settings settings = {kind, main_ms, period_ms, count};
    yo_clock_start(yo_session_clock(gtp->session), &settings);
    if (kind != YO_CLOCK_NONE) wait_for_workers(gtp);
}

/* Refuses negative times: time_left may send one after a flag fell, time settings may not. */
static enum yo_err arg_span(const struct yo_gtp_line *line, size_t i, int64_t *ms,
                            struct yo_diag *diag) {
    char quoted[48];
    enum yo_err err = yo_gtp_arg_ms(line, i, ms, diag);
    if (err || line->args[i][0] != '-') return err;
    return yo_diag_set(diag, YO_ERR_RANGE, "'%s' is out of range: 0 or more seconds are allowed",
                       yo_gtp_quote(line->args[i], quoted));
}

/* GTP's standard command: Canadian overtime. A period with 0 stones means no limit. So do 0 main
 * time and 0 period, since no game could be played with them. */
YO_GTP_HANDLER(time_settings) {
    (void)out;
    int64_t main_ms, period_ms;
    int stones;
    enum yo_err err = arg_span(line, 0, &main_ms, diag);
    if (!err) err = arg_span(line, 1, &period_ms, diag);
    if (!err) err = yo_gtp_arg_int(line, 2, 0, 1000000, &stones, diag);
    if (err) return err;
    if (period_ms == 0)
        start(gtp, main_ms ? YO_CLOCK_ABSOLUTE : YO_CLOCK_NONE, main_ms, 0, 0);
    else
        start(gtp, stones ? YO_CLOCK_CANADIAN : YO_CLOCK_NONE, main_ms, period_ms, stones);
    return YO_OK;
}

YO_GTP_HANDLER(time_left) {
    (void)out;
    enum yo_go_color color;
    int64_t left_ms;
    int count;
    enum yo_err err = yo_gtp_arg_color(line, 0, &color, diag);
    if (!err) err = yo_gtp_arg_ms(line, 1, &left_ms, diag);
    if (!err) err = yo_gtp_arg_int(line, 2, 0, 1000000, &count, diag);
    if (!err)
        yo_clock_set_left(yo_session_clock(gtp->session), color == YO_GO_WHITE, left_ms, count);
    return err;
}

static const struct {
    const char *name;
    enum yo_clock_kind kind;
    size_t args;
} kinds[] = {
    {"none", YO_CLOCK_NONE, 0},       {"absolute", YO_CLOCK_ABSOLUTE, 1},
    {"byoyomi", YO_CLOCK_BYOYOMI, 3}, {"canadian", YO_CLOCK_CANADIAN, 3},
    {"fischer", YO_CLOCK_FISCHER, 2},
};

/* KGS's command and KataGo's, which has one more kind. */
YO_GTP_HANDLER(kgs_time_settings) {
    (void)out;
    char quoted[48];
    int64_t main_ms = 0, period_ms = 0;
    int count = 0;
    enum yo_err err = YO_OK;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (strcmp(line->args[0], kinds[i].name) != 0) continue;
        if (line->arg_count < 1 + kinds[i].args)
            return yo_diag_set(diag, YO_ERR_PARSE, "syntax error: %s time wants %zu numbers",
                               kinds[i].name, kinds[i].args);
        if (kinds[i].args >= 1) err = arg_span(line, 1, &main_ms, diag);
        if (!err && kinds[i].args >= 2) err = arg_span(line, 2, &period_ms, diag);
        if (!err && kinds[i].args >= 3) err = yo_gtp_arg_int(line, 3, 1, 1000000, &count, diag);
        if (!err) start(gtp, kinds[i].kind, main_ms, period_ms, count);
        return err;
    }
    yo_diag_set(diag, YO_ERR_UNKNOWN, "unknown kind of time '%s'",
                yo_gtp_quote(line->args[0], quoted));
    yo_diag_hint(diag, "kinds are none, absolute, byoyomi, canadian, fischer");
    return YO_ERR_UNKNOWN;
}

YO_GTP_HANDLER(kata_list_time_settings) {
    (void)gtp, (void)line, (void)diag;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        yo_buf_printf(out, "%s%s", i ? " " : "", kinds[i].name);
    return YO_OK;
}
