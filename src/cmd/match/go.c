/* yomi match: the options of Go. */
#include <math.h>

#include "base/diag.h"
#include "cmd/command.h"
#include "cmd/match/match.h"
#include "engine/go_net.h"
#include "eval/net/evaluator.h"
#include "eval/playout/playouts.h"
#include "search/go/opinion.h"

const char *const yo_match_go_unused[] = {"nodes",         "nodes2",         "depth",   "depth2",
                                          "movetime",      "movetime2",      "byoyomi", "max-moves",
                                          "first-options", "second-options", NULL};

static enum yo_err read_clock(struct yo_match *m, const struct yo_options *o,
                              struct yo_diag *diag) {
    struct yo_clock_settings *c = &m->go.rules.clock;
    c->main_ms = 1000 * yo_options_int(o, "main-time");
    c->period_ms = 1000 * yo_options_int(o, "period");
    c->count = (int)yo_options_int(o, "stones");
    double increment = yo_options_real(o, "increment");
    int64_t increment_ms = 1000 * (int64_t)increment;
    if (increment != floor(increment)) /* GTP's time_left has whole seconds */
        return yo_diag_set(diag, YO_ERR_ARGUMENT, "--increment has whole seconds in Go");
    if (increment_ms > 0 && (c->period_ms > 0 || c->main_ms == 0))
        return yo_diag_set(diag, YO_ERR_ARGUMENT, "--increment goes with --main-time alone");
    if (increment_ms > 0) {
        c->kind = YO_CLOCK_FISCHER;
        c->period_ms = increment_ms;
        return YO_OK;
    }
    if (c->period_ms > 0 && c->count > 0)
        c->kind = YO_CLOCK_CANADIAN;
    else if (c->period_ms > 0)
        return yo_diag_set(diag, YO_ERR_ARGUMENT, "--period wants --stones to play in it");
    else if (c->count > 0)
        return yo_diag_set(diag, YO_ERR_ARGUMENT, "--stones wants a --period to play them in");
    else if (c->main_ms > 0)
        c->kind = YO_CLOCK_ABSOLUTE;
    return YO_OK;
}

static enum yo_err read_handicap(struct yo_match *m, const struct yo_options *o,
                                 struct yo_diag *diag) {
    yo_go_point points[9];
    int stones = m->go.rules.handicap = (int)yo_options_int(o, "handicap");
    if (stones == 0) return YO_OK;
    if (yo_options_text(o, "openings"))
        return yo_diag_set(diag, YO_ERR_ARGUMENT, "--handicap does not go with --openings");
    if (m->go.random_plies > 0)
        return yo_diag_set(diag, YO_ERR_ARGUMENT, "--handicap does not go with --random-plies");
    return yo_go_handicap_points(m->go.rules.size, stones, points, diag);
}

/* The referee's playouts, and a network if --judge-net names one. */
static enum yo_err open_judge(struct yo_match *m, const struct yo_options *o,
                              struct yo_diag *diag) {
    const struct yo_playout_env env = {.notices = yo_cmd_notices};
    const struct yo_net_eval_options wanted = {.threads = 1};
    const char *net = yo_options_text(o, "judge-net");
    if (net && m->go.rules.count != YO_MATCH_JUDGE)
        return yo_diag_set(diag, YO_ERR_ARGUMENT, "--judge-net goes with --count judge");
    enum yo_err err = yo_playouts_eval_open_with("auto", &env, 1, &m->go.judge.playouts, diag);
    if (err || !net) return err;
    err = yo_go_net_open_named(net, m->go.rules.size, &wanted, &m->go.judge.net, diag);
    if (err || yo_opinion_has_ownership(m->go.judge.net)) return err;
    yo_diag_set(diag, YO_ERR_UNSUPPORTED, "--judge-net: %.200s does not know who owns points", net);
    return YO_ERR_UNSUPPORTED;
}

enum yo_err yo_match_go_options(struct yo_match *m, const struct yo_options *o,
                                struct yo_diag *diag) {
    struct yo_match_rules *r = &m->go.rules;
    *r = (struct yo_match_rules){
        .size = (int)yo_options_int(o, "size"),
        .rules = yo_go_rules_default,
        .count = (enum yo_match_count)yo_options_choice(o, "count"),
        .grace_ms = (int64_t)(1000 * yo_options_real(o, "grace")),
        .timeout_ms = (int64_t)(1000 * yo_options_real(o, "timeout")),
    };
    r->move_limit = 3 * (size_t)(r->size * r->size);
    const char *rules = yo_options_text(o, "rules"), *komi = yo_options_text(o, "komi");
    enum yo_err err = rules ? yo_go_rules_parse(rules, &r->rules, diag) : YO_OK;
    if (!err && komi) err = yo_go_komi_parse(komi, &r->rules.komi2, diag);
    m->go.random_plies = (int)yo_options_int(o, "random-plies");
    if (!err) err = read_handicap(m, o, diag);
    if (!err) err = read_clock(m, o, diag);
    if (!err && m->go.random_plies > 0 && yo_options_text(o, "openings"))
        err = yo_diag_set(diag, YO_ERR_ARGUMENT, "--random-plies does not go with --openings");
    if (!err) err = yo_match_go_read_openings(m, diag);
    return err ? err : open_judge(m, o, diag);
}
