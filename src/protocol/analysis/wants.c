/* The fields of a query that say what is wanted of the search: limits, reports, moves to leave out,
 * settings. */
#include <string.h>
#include <strings.h>

#include "protocol/analysis/query.h"

#define DICTS "Must be a list of dicts with subfields 'player', 'moves', 'untilDepth'"

/* ---- limits and reports ---- */

YO_QUERY_TAKER(visits) {
    int64_t visits;
    if (!value) return true;
    if (!yo_query_read_integer(q, field, value, 1, (int64_t)1 << 50,
                               "Must be an integer from 1 to 2^50", &visits))
        return false;
    q->wants.playouts = (uint64_t)visits;
    return true;
}

YO_QUERY_TAKER(pv_len) {
    int64_t len;
    if (!value) return true;
    if (!yo_query_read_integer(q, field, value, 1, ANALYSIS_PV_MAX,
                               "Must be an integer from 1 to 1000", &len))
        return false;
    q->wants.pv_len = (size_t)len;
    return true;
}

static bool take_seconds(struct analysis_query *q, const char *field, const struct yo_json *value,
                         int64_t *out_ms) {
    double seconds;
    if (!yo_query_read_real(q, field, value, 0.001, 1e6,
                            "Must be number of seconds from 0.001 to 1000000.0", &seconds))
        return false;
    *out_ms = (int64_t)(1000 * seconds);
    return true;
}

YO_QUERY_TAKER(report_every) {
    if (!value) return true;
    bool good = take_seconds(q, field, value, &q->wants.report_every_ms);
    q->wants.first_report_ms = q->wants.report_every_ms;
    return good;
}

YO_QUERY_TAKER(first_report) {
    return !value || take_seconds(q, field, value, &q->wants.first_report_ms);
}

YO_QUERY_TAKER(ownership) {
    return !value || yo_query_read_bool(q, field, value, &q->wants.ownership);
}

YO_QUERY_TAKER(moves_ownership) {
    return !value || yo_query_read_bool(q, field, value, &q->wants.moves_ownership);
}

YO_QUERY_TAKER(policy) { return !value || yo_query_read_bool(q, field, value, &q->wants.policy); }

YO_QUERY_TAKER(pv_visits) {
    return !value || yo_query_read_bool(q, field, value, &q->wants.pv_visits);
}

/* ---- moves that are not to be looked at, or alone ---- */

static bool take_avoid_entry(struct analysis_query *q, const char *field,
                             const struct yo_json *entry, bool allow) {
    const struct yo_json *player = yo_json_find(entry, "player");
    const struct yo_json *moves = yo_json_find(entry, "moves");
    const struct yo_json *until = yo_json_find(entry, "untilDepth");
    enum yo_go_color color;
    int64_t depth;
    if (!player || !moves || !until) return yo_query_fail(q, field, DICTS);
    if (!yo_query_read_player(q, "player", player, &color)) return false;
    if (moves->type != YO_JSON_ARRAY)
        return yo_query_fail(q, "moves", "Must be an array of GTP board vertices");
    if (!yo_query_read_integer(q, "untilDepth", until, 1, 1000000000, "Must be a positive integer",
                               &depth))
        return false;
    memset(q->avoid[color], allow, allow ? sizeof q->avoid[color] : 0);
    for (const struct yo_json *v = moves->first; v; v = v->next) {
        yo_go_point point;
        const char *text = yo_json_string(v);
        if (!text) return yo_query_fail(q, "moves", "Must be an array of GTP board vertices");
        if (!yo_query_read_point(q, "moves", text, true, &point)) return false;
        q->avoid[color][point == YO_GO_PASS ? QUERY_PASS : point] = !allow;
    }
    if (depth > 1 && !q->avoid_warned) {
        yo_query_warn(q, field,
                      "Only moves at the root are kept from the search: untilDepth counts as 1");
        q->avoid_warned = true;
    }
    return true;
}

static bool take_avoid_list(struct analysis_query *q, const char *field,
                            const struct yo_json *value, bool allow) {
    if (!value) return true;
    if (value->type != YO_JSON_ARRAY) return yo_query_fail(q, field, DICTS);
    if (allow && value->count > 1)
        return yo_query_fail(q, field, "Currently allowMoves only allows one entry");
    for (const struct yo_json *entry = value->first; entry; entry = entry->next)
        if (!take_avoid_entry(q, field, entry, allow)) return false;
    return true;
}

YO_QUERY_TAKER(allow) {
    if (value && yo_json_find(q->json, "avoidMoves"))
        return yo_query_fail(q, field, "Cannot specify both allowMoves and avoidMoves");
    return take_avoid_list(q, field, value, true);
}

YO_QUERY_TAKER(avoid) { return take_avoid_list(q, field, value, false); }

/* ---- settings ---- */

static bool take_view(struct analysis_query *q, const char *field, const struct yo_json *value) {
    const char *text = yo_json_string(value);
    for (int i = 0; text && yo_analysis_views[i]; i++) {
        if (strcasecmp(text, yo_analysis_views[i]) != 0) continue;
        q->wants.view = (enum yo_analysis_view)i;
        return true;
    }
    return yo_query_fail(q, field,
                         "Could not set settings: reportAnalysisWinratesAs must be BLACK, WHITE or "
                         "SIDETOMOVE");
}

static bool take_max_time(struct analysis_query *q, const char *field,
                          const struct yo_json *value) {
    double seconds;
    if (!yo_query_read_real(q, field, value, 0, 1e20,
                            "Could not set settings: maxTime must be seconds", &seconds))
        return false;
    q->wants.time_ms = seconds > 1e12 ? 0 : (int64_t)(1000 * seconds) + (seconds < 0.001);
    return true;
}

/* A setting of KataGo's that means something here, or an option of our search by its name.
 * *known: whether it is one. */
static bool take_setting(struct analysis_query *q, const char *field, const struct yo_json *value,
                         bool *known) {
    static const struct {
        const char *name;
        yo_query_take_fn take;
    } settings[] = {{"maxVisits", yo_query_take_visits},
                    {"maxPlayouts", yo_query_take_visits},
                    {"maxTime", take_max_time},
                    {"analysisPVLen", yo_query_take_pv_len},
                    {"reportAnalysisWinratesAs", take_view}};
    *known = true;
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++)
        if (strcmp(value->key, settings[i].name) == 0) return settings[i].take(q, field, value);
    *known = yo_option_find(q->options.rows, YO_ON_JSON, value->key) != NULL;
    if (!*known) return true;
    struct yo_buf text = {0};
    struct yo_diag diag = {0};
    const char *string = yo_json_string(value);
    if (!string) yo_json_write(&text, value);
    enum yo_err err = yo_options_set(&q->options, YO_ON_JSON, value->key,
                                     string ? string : yo_buf_text(&text), &diag);
    yo_buf_free(&text);
    return !err || yo_query_fail_with(q, field, "Could not set settings: ", diag.what);
}

YO_QUERY_TAKER(settings) {
    struct yo_buf unknown = {0};
    bool good = true;
    if (!value) return true;
    if (value->type != YO_JSON_OBJECT) return yo_query_fail(q, field, "Must be an object");
    for (const struct yo_json *v = value->first; v && good; v = v->next) {
        bool known;
        good = take_setting(q, field, v, &known);
        if (known) continue;
        yo_buf_str(&unknown, unknown.len ? "," : "Unknown config params: ");
        yo_buf_str(&unknown, v->key);
    }
    if (good && unknown.len) yo_query_warn(q, field, yo_buf_text(&unknown));
    yo_buf_free(&unknown);
    return good;
}
