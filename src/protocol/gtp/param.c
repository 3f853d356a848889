/* Settings that can change while the engine runs, shown in GoGui's form for parameters: the limits
 * and habits of the GTP engine, and every option of the search. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "protocol/gtp/internal.h"

enum { PLAYOUTS, TIME, SEED, RESIGN, LAG, JUDGE, SETTING_COUNT };

static const struct {
    const char *key;
    double min, max;
} settings[SETTING_COUNT] = {
    [PLAYOUTS] = {"playouts", 0, 9e15}, [TIME] = {"time", 0, 1e6}, [SEED] = {"seed", 0, 9e15},
    [RESIGN] = {"resign", 0, 1},        [LAG] = {"lag", 0, 60},    [JUDGE] = {"judge", 2, 1e7},
};

static double get_setting(const struct yo_gtp_config *config, size_t i) {
    const double values[SETTING_COUNT] = {
        [PLAYOUTS] = (double)config->playouts, [TIME] = (double)config->time_ms / 1000,
        [SEED] = (double)config->seed,         [RESIGN] = config->resign_below,
        [LAG] = (double)config->lag_ms / 1000, [JUDGE] = (double)config->judge_games,
    };
    return values[i];
}

static void set_setting(struct yo_gtp *gtp, size_t i, double value) {
    struct yo_gtp_config *config = &gtp->config;
    if (i == PLAYOUTS) config->playouts = (uint64_t)value;
    if (i == TIME) config->time_ms = (int64_t)(value * 1000);
    if (i == RESIGN) config->resign_below = value;
    if (i == LAG) config->lag_ms = (int64_t)(value * 1000);
    if (i == JUDGE) config->judge_games = (uint64_t)value;
    if (i == SEED) {
        config->seed = (uint64_t)value;
        yo_gtp_engine_stop(gtp); /* the search has the old one; it is made again when needed */
    }
}

static enum yo_err parse_setting(struct yo_gtp *gtp, size_t i, const char *text,
                                 struct yo_diag *diag) {
    char quoted[48], *end;
    double value = strtod(text, &end);
    if (*end || end == text || !(value >= settings[i].min && value <= settings[i].max))
        return yo_diag_set(diag, YO_ERR_RANGE, "%s cannot be '%s': %.16g to %.16g is allowed",
                           settings[i].key, yo_gtp_quote(text, quoted), settings[i].min,
                           settings[i].max);
    set_setting(gtp, i, value);
    return YO_OK;
}

static enum yo_err parse(struct yo_gtp *gtp, const char *key, const char *text,
                         struct yo_diag *diag) {
    char quoted[48];
    struct yo_nearest nearest = {.text = key};
    for (size_t i = 0; i < SETTING_COUNT; i++) {
        yo_nearest_offer(&nearest, settings[i].key);
        if (strcmp(settings[i].key, key) == 0) return parse_setting(gtp, i, text, diag);
    }
    if (yo_option_find(yo_engine_options, YO_ON_GTP, key)) {
        enum yo_err err = yo_options_set(&gtp->search_options, YO_ON_GTP, key, text, diag);
        if (!err) yo_gtp_engine_stop(gtp); /* made again, with the new value, when it is needed */
        return err;
    }
    for (const struct yo_option *row = yo_engine_options; row->key; row++)
        yo_nearest_offer(&nearest, row->key);
    yo_diag_set(diag, YO_ERR_UNKNOWN, "unknown parameter '%s'", yo_gtp_quote(key, quoted));
    if (nearest.best) yo_diag_hint(diag, "did you mean %s?", nearest.best);
    return YO_ERR_UNKNOWN;
}

/* ---- showing them ---- */

static void put_setting(struct yo_buf *out, const char *type, const char *key) {
    yo_buf_printf(out, "%s[%s] %s ", out->len ? "\n" : "", type, key);
}

static void put_option(const struct yo_options *options, const struct yo_option *row,
                       struct yo_buf *out) {
    switch (row->type) {
    case YO_OPTION_BOOL:
        put_setting(out, "bool", row->key);
        yo_buf_char(out, yo_options_bool(options, row->key) ? '1' : '0');
        break;
    case YO_OPTION_CHOICE:
        yo_buf_printf(out, "%s[list", out->len ? "\n" : "");
        for (const char *const *c = row->choices; *c; c++)
            yo_buf_printf(out, "/%s", *c);
        yo_buf_printf(out, "] %s %s", row->key, yo_options_text(options, row->key));
        break;
    case YO_OPTION_INT:
        put_setting(out, "string", row->key);
        yo_buf_printf(out, "%" PRId64, yo_options_int(options, row->key));
        break;
    case YO_OPTION_REAL:
        put_setting(out, "string", row->key);
        yo_buf_printf(out, "%.15g", yo_options_real(options, row->key));
        break;
    case YO_OPTION_STRING: /* the search has none */
        break;
    }
}

YO_GTP_HANDLER(yomi_param) {
    const char *wanted = line->arg_count > 0 ? line->args[0] : NULL;
    if (line->arg_count == 2) return parse(gtp, wanted, line->args[1], diag);
    for (size_t i = 0; i < SETTING_COUNT; i++) {
        if (wanted && strcmp(settings[i].key, wanted) != 0) continue;
        put_setting(out, "string", settings[i].key);
        yo_buf_printf(out, "%.15g", get_setting(&gtp->config, i));
    }
    for (const struct yo_option *row = yo_engine_options; row->key; row++)
        if (!wanted || strcmp(row->key, wanted) == 0) put_option(&gtp->search_options, row, out);
    if (out->len == 0) return parse(gtp, wanted, "", diag); /* says what is wrong */
    return YO_OK;
}

YO_GTP_HANDLER(get_random_seed) {
    (void)line, (void)diag;
    yo_buf_printf(out, "%" PRIu64, gtp->config.seed);
    return YO_OK;
}

YO_GTP_HANDLER(set_random_seed) {
    (void)out;
    return parse(gtp, "seed", line->args[0], diag);
}
