/* The fields of a query about the search: limits, reports, moves to avoid or allow, settings. */
#include <string.h>
#include <strings.h>

#include "protocol/analysis/query.h"
#include "protocol/gtp/kata_param.h"

#define DICTS "Must be a list of dicts with subfields 'player', 'moves', 'untilDepth'"

/* ---- limits and reports ---- */

static bool take_count(struct analysis_query *q, const char *field, json_t *value,
                       uint64_t *count) {
    int64_t read;
    if (!value) return true;
    if (!yo_query_read_integer(q, field, value, 1, (int64_t)1 << 50,
                               "Must be an integer from 1 to 2^50", &read))
        return false;
    *count = (uint64_t)read;
    return true;
}

YO_QUERY_TAKER(visits) { return take_count(q, field, value, &q->wants.playouts); }

static YO_QUERY_TAKER(playouts) { return take_count(q, field, value, &q->wants.most_playouts); }

YO_QUERY_TAKER(pv_len) {
    int64_t len;
    if (!value) return true;
    if (!yo_query_read_integer(q, field, value, 1, ANALYSIS_PV_MAX,
                               "Must be an integer from 1 to 1000", &len))
        return false;
    q->wants.pv_len = (size_t)len;
    return true;
}

static bool take_seconds(struct analysis_query *q, const char *field, json_t *value,
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

YO_QUERY_TAKER(ownership_stdev) {
    return !value || yo_query_read_bool(q, field, value, &q->wants.ownership_stdev);
}

YO_QUERY_TAKER(moves_ownership_stdev) {
    return !value || yo_query_read_bool(q, field, value, &q->wants.moves_ownership_stdev);
}

YO_QUERY_TAKER(no_result) {
    return !value || yo_query_read_bool(q, field, value, &q->wants.no_result);
}

YO_QUERY_TAKER(policy) { return !value || yo_query_read_bool(q, field, value, &q->wants.policy); }

YO_QUERY_TAKER(pv_visits) {
    return !value || yo_query_read_bool(q, field, value, &q->wants.pv_visits);
}

/* ---- avoidMoves and allowMoves ---- */

static bool take_avoid_entry(struct analysis_query *q, const char *field, json_t *entry,
                             bool allow) {
    json_t *player = json_object_get(entry, "player");
    json_t *moves = json_object_get(entry, "moves");
    json_t *until = json_object_get(entry, "untilDepth"), *v;
    size_t i;
    enum yo_go_color color;
    int64_t depth;
    if (!player || !moves || !until) return yo_query_fail(q, field, DICTS);
    if (!yo_query_read_player(q, "player", player, &color)) return false;
    if (!json_is_array(moves))
        return yo_query_fail(q, "moves", "Must be an array of GTP board vertices");
    if (!yo_query_read_integer(q, "untilDepth", until, 1, 1000000000, "Must be a positive integer",
                               &depth))
        return false;
    if (allow) q->allows[color] = true;
    json_array_foreach(moves, i, v) {
        yo_go_point point;
        const char *text = yo_json_string(v);
        if (!text) return yo_query_fail(q, "moves", "Must be an array of GTP board vertices");
        if (!yo_query_read_point(q, "moves", text, true, &point)) return false;
        bool *named = allow ? q->allow[color] : q->avoid[color];
        named[point == YO_GO_PASS ? QUERY_PASS : point] = true;
    }
    if (depth > 1 && !q->avoid_warned) {
        yo_query_warn(q, field,
                      "Only moves at the root are kept from the search: untilDepth counts as 1");
        q->avoid_warned = true;
    }
    return true;
}

static bool take_avoid_list(struct analysis_query *q, const char *field, json_t *value,
                            bool allow) {
    if (!value) return true;
    json_t *entry;
    size_t i;
    if (!json_is_array(value)) return yo_query_fail(q, field, DICTS);
    json_array_foreach(value, i, entry) if (!take_avoid_entry(q, field, entry, allow)) return false;
    return true;
}

YO_QUERY_TAKER(allow) {
    if (value && json_object_get(q->json, "avoidMoves"))
        return yo_query_fail(q, field, "Cannot specify both allowMoves and avoidMoves");
    return take_avoid_list(q, field, value, true);
}

YO_QUERY_TAKER(avoid) { return take_avoid_list(q, field, value, false); }

/* ---- settings ---- */

/* Sets an option of the search. One that only a search on a network reads has no effect on
 * another. */
static bool set_option(struct analysis_query *q, const char *field, const char *key,
                       json_t *value) {
    struct yo_buf text = {0};
    struct yo_diag diag = {0};
    const char *string = yo_json_string(value);
    if (!string) yo_json_write(&text, value);
    enum yo_err err = yo_options_set(&q->options, YO_EVERYWHERE, key,
                                     string ? string : yo_buf_text(&text), &diag);
    yo_buf_free(&text);
    return !err || yo_query_fail_with(q, field, "Could not set settings: ", diag.what);
}

static bool set_root_option(struct analysis_query *q, const char *field, const char *key,
                            json_t *value) {
    double ignored;
    if (!value) return true;
    if (!yo_query_read_real(q, field, value, 0, 100, "Must be a number from 0 to 100", &ignored))
        return false;
    if (q->a->model.version >= 0) return set_option(q, field, key, value);
    yo_query_warn(q, field, "Has no effect without a network");
    return true;
}

YO_QUERY_TAKER(root_temperature) {
    return set_root_option(q, field, "root-policy-temperature", value);
}

YO_QUERY_TAKER(root_fpu) { return set_root_option(q, field, "root-fpu-reduction", value); }

static bool take_view(struct analysis_query *q, const char *field, json_t *value) {
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

static bool take_max_time(struct analysis_query *q, const char *field, json_t *value) {
    double seconds;
    if (!yo_query_read_real(q, field, value, 0, 1e20,
                            "Could not set settings: maxTime must be seconds", &seconds))
        return false;
    q->wants.time_ms = seconds > 1e12 ? 0 : (int64_t)(1000 * seconds) + (seconds < 0.001);
    return true;
}

/* Reads a KataGo setting that applies here, or an option of our search by its name. *known: whether
 * it is one of these. Settings of networks of human play are refused, since an answer without
 * humanPrior would be taken for one with it. */
static bool take_setting(struct analysis_query *q, const char *field, const char *name,
                         json_t *value, bool *known) {
    static const struct {
        const char *name;
        yo_query_take_fn take;
    } settings[] = {{"maxVisits", yo_query_take_visits},
                    {"maxPlayouts", yo_query_take_playouts},
                    {"maxTime", take_max_time},
                    {"analysisPVLen", yo_query_take_pv_len},
                    {"rootPolicyTemperature", yo_query_take_root_temperature},
                    {"rootFpuReductionMax", yo_query_take_root_fpu},
                    {"reportAnalysisWinratesAs", take_view}};
    *known = true;
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++)
        if (strcmp(name, settings[i].name) == 0) return settings[i].take(q, field, value);
    if (yo_kata_param_is_human(name))
        return yo_query_fail_with(q, field, "Networks of human play are not supported: ", name);
    const char *key = yo_kata_param_option(name);
    if (!key) key = name;
    *known = yo_option_find(q->options.rows, YO_ON_JSON, key) != NULL;
    return !*known || set_option(q, field, key, value);
}

YO_QUERY_TAKER(settings) {
    struct yo_buf unknown = {0};
    bool good = true;
    if (!value) return true;
    if (!json_is_object(value)) return yo_query_fail(q, field, "Must be an object");
    const char *name;
    json_t *v;
    json_object_foreach(value, name, v) {
        bool known;
        good = take_setting(q, field, name, v, &known);
        if (!good) break;
        if (known) continue;
        yo_buf_str(&unknown, unknown.len ? "," : "Unknown config params: ");
        yo_buf_str(&unknown, name);
    }
    if (good && unknown.len) yo_query_warn(q, field, yo_buf_text(&unknown));
    yo_buf_free(&unknown);
    return good;
}
