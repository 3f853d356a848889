/* Settings by KataGo's names: kata-get-param, kata-set-param, and lists of them. */
#include "protocol/gtp/kata_param.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "protocol/gtp/internal.h"

/* Our --playouts would choose a search by playouts, so maxPlayouts, which limits what a network
 * evaluates, is not among them. */
static const struct {
    const char *name, *option;
    double none; /* of KataGo's values: from here on there is no limit, and the option is 0 */
} params[] = {
    {"maxVisits", "visits", 1e15},
    {"maxTime", "time", 1e6},
    {"lagBuffer", "lag", 0},
    {"numSearchThreads", "threads", 0},
    {"ponderingEnabled", "ponder", 0},
    {"cpuctExploration", "cpuct", 0},
    {"cpuctExplorationLog", "cpuct-log", 0},
    {"fpuReductionMax", "fpu-reduction", 0},
    {"rootFpuReductionMax", "root-fpu-reduction", 0},
    {"rootPolicyTemperature", "root-policy-temperature", 0},
    {"valueWeightExponent", "value-weight", 0},
    {"useLcbForSelection", "lcb", 0},
    {NULL, NULL, 0},
};

static size_t find(const char *name) {
    size_t i = 0;
    while (params[i].name && strcmp(params[i].name, name) != 0)
        i++;
    return i;
}

const char *yo_kata_param_option(const char *name) { return params[find(name)].option; }

bool yo_kata_param_is_human(const char *name) { return strncmp(name, "human", 5) == 0; }

static enum yo_err unknown(const char *name, struct yo_diag *diag) {
    char quoted[48];
    if (yo_kata_param_is_human(name))
        return yo_diag_set(diag, YO_ERR_UNSUPPORTED,
                           "networks of human play are not supported: '%s'",
                           yo_gtp_quote(name, quoted));
    yo_diag_set(diag, YO_ERR_UNKNOWN, "unknown or not settable parameter '%s'",
                yo_gtp_quote(name, quoted));
    yo_diag_hint(diag, "kata-list-params names them; yomi-param has all of ours");
    return YO_ERR_UNKNOWN;
}

/* The value as KataGo writes it: no limit is a huge number. */
static double number_of(const struct yo_options *options, size_t i, bool *is_flag) {
    const struct yo_option *row = yo_option_find(options->rows, ~0u, params[i].option);
    double value = 0;
    *is_flag = row->type == YO_OPTION_BOOL;
    if (*is_flag) return yo_options_bool(options, row->key);
    if (row->type == YO_OPTION_INT) value = (double)yo_options_int(options, row->key);
    if (row->type == YO_OPTION_REAL) value = yo_options_real(options, row->key);
    if (value != 0 || params[i].none == 0) return value;
    return row->type == YO_OPTION_INT ? 0x1p50 : 1e20;
}

/* With `trial` the value is set there alone, to see whether it can be. */
static enum yo_err set(struct yo_gtp *gtp, const char *name, const char *text,
                       struct yo_options *trial, struct yo_diag *diag) {
    size_t i = find(name);
    char *end;
    if (!params[i].name) return unknown(name, diag);
    double value = strtod(text, &end);
    bool unlimited = end != text && !*end && params[i].none > 0 && value >= params[i].none;
    if (unlimited) text = "0";
    if (trial) return yo_options_set(trial, YO_ON_GTP, params[i].option, text, diag);
    return yo_gtp_set(gtp, params[i].option, text, diag);
}

static bool is_whole(size_t i, const struct yo_options *options) {
    return yo_option_find(options->rows, ~0u, params[i].option)->type == YO_OPTION_INT;
}

YO_GTP_HANDLER(kata_list_params) {
    (void)gtp, (void)line, (void)diag;
    for (size_t i = 0; params[i].name; i++)
        yo_buf_printf(out, "%s%s", i ? " " : "", params[i].name);
    return YO_OK;
}

YO_GTP_HANDLER(kata_get_param) {
    size_t i = find(line->args[0]);
    bool is_flag;
    if (!params[i].name) return unknown(line->args[0], diag);
    double value = number_of(yo_session_options(gtp->session), i, &is_flag);
    if (is_flag)
        yo_buf_str(out, value != 0 ? "true" : "false");
    else if (is_whole(i, yo_session_options(gtp->session)))
        yo_buf_printf(out, "%" PRId64, (int64_t)value);
    else
        yo_buf_printf(out, "%.15g", value);
    return YO_OK;
}

YO_GTP_HANDLER(kata_set_param) {
    (void)out;
    return set(gtp, line->args[0], line->args[1], NULL, diag);
}

YO_GTP_HANDLER(kata_get_params) {
    (void)line;
    bool failed = false, is_flag;
    json_t *object = yo_json_object();
    const struct yo_options *options = yo_session_options(gtp->session);
    for (size_t i = 0; params[i].name; i++) {
        double value = number_of(options, i, &is_flag);
        json_t *json = is_flag                ? json_boolean(value != 0)
                       : is_whole(i, options) ? json_integer((json_int_t)value)
                                              : yo_json_real(value);
        yo_json_set(object, params[i].name, json, &failed);
    }
    yo_json_write(out, object);
    json_decref(object);
    return failed ? yo_diag_set(diag, YO_ERR_NOMEM, "out of memory for the answer") : YO_OK;
}

static enum yo_err set_each(struct yo_gtp *gtp, json_t *object, struct yo_options *trial,
                            struct yo_diag *diag) {
    const char *name;
    json_t *value;
    json_object_foreach(object, name, value) {
        struct yo_buf text = {0};
        const char *string = yo_json_string(value);
        if (!string) yo_json_write(&text, value);
        enum yo_err err = set(gtp, name, string ? string : yo_buf_text(&text), trial, diag);
        yo_buf_free(&text);
        if (err) return err;
    }
    return YO_OK;
}

/* All or none: all are tried on a copy first. */
static enum yo_err set_all(struct yo_gtp *gtp, json_t *object, struct yo_diag *diag) {
    const struct yo_options *options = yo_session_options(gtp->session);
    struct yo_options trial = {0};
    if (!json_is_object(object))
        return yo_diag_set(diag, YO_ERR_PARSE, "syntax error: a JSON object is wanted");
    enum yo_err err = yo_options_init(&trial, options->rows, NULL);
    if (!err) err = yo_options_copy(&trial, options);
    if (err)
        yo_diag_set(diag, err, "out of memory for the settings");
    else
        err = set_each(gtp, object, &trial, diag);
    yo_options_free(&trial);
    return err ? err : set_each(gtp, object, NULL, diag);
}

/* The JSON may have spaces, at which GTP has cut it. */
YO_GTP_HANDLER(kata_set_params) {
    (void)out;
    struct yo_buf text = {0};
    json_t *object;
    for (size_t i = 0; i < line->arg_count; i++)
        yo_buf_printf(&text, "%s%s", i ? " " : "", line->args[i]);
    enum yo_err err = yo_json_read(yo_buf_text(&text), text.len, &object, diag);
    if (!err) {
        err = set_all(gtp, object, diag);
        json_decref(object);
    }
    yo_buf_free(&text);
    return err;
}
