/* yomi match: the options of shogi. */
#include "base/diag.h"
#include "cmd/match/match.h"

const char *const yo_match_shogi_unused[] = {"size",      "komi",   "handicap", "rules", "count",
                                             "judge-net", "period", "stones",   NULL};

#define RANDOM_PLIES 8 /* if nothing else is asked for */

static int64_t milliseconds(const struct yo_options *o, const char *name) {
    return (int64_t)(1000 * yo_options_real(o, name) + 0.5);
}

static void read_limits(struct yo_usi_match_rules *r, const struct yo_options *o) {
    for (int i = 0; i < 2; i++) {
        const char *nodes = i && yo_options_given(o, "nodes2") ? "nodes2" : "nodes";
        const char *depth = i && yo_options_given(o, "depth2") ? "depth2" : "depth";
        const char *movetime = i && yo_options_given(o, "movetime2") ? "movetime2" : "movetime";
        r->nodes[i] = (uint64_t)yo_options_int(o, nodes);
        r->depth[i] = (int)yo_options_int(o, depth);
        r->movetime_ms[i] = milliseconds(o, movetime);
    }
}

enum yo_err yo_match_shogi_options(struct yo_match *m, const struct yo_options *o,
                                   struct yo_diag *diag) {
    struct yo_usi_match_rules *r = &m->shogi.rules;
    *r = (struct yo_usi_match_rules){
        .rules = yo_shogi_rules_default,
        .main_ms = 1000 * yo_options_int(o, "main-time"),
        .byoyomi_ms = milliseconds(o, "byoyomi"),
        .increment_ms = milliseconds(o, "increment"),
        .grace_ms = milliseconds(o, "grace"),
        .timeout_ms = milliseconds(o, "timeout"),
    };
    r->rules.max_moves = (int)yo_options_int(o, "max-moves");
    read_limits(r, o);
    m->shogi.options[0] = yo_options_text(o, "first-options");
    m->shogi.options[1] = yo_options_text(o, "second-options");
    m->shogi.random_plies =
        yo_options_given(o, "random-plies") ? (int)yo_options_int(o, "random-plies") : RANDOM_PLIES;
    bool clock = r->main_ms || r->byoyomi_ms || r->increment_ms;
    for (int i = 0; i < 2; i++)
        if (!clock && !r->nodes[i] && !r->depth[i] && !r->movetime_ms[i]) {
            yo_diag_set(diag, YO_ERR_ARGUMENT, "nothing says how long a move may take");
            yo_diag_hint(diag, "give --byoyomi, --main-time, --movetime, --nodes or --depth");
            return YO_ERR_ARGUMENT;
        }
    return yo_match_shogi_read_openings(m, diag);
}
