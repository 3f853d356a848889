/* Who the engine is, what it knows, and its settings. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/nearest.h"
#include "protocol/gtp_internal.h"
#include "yomi/version.h"

YO_GTP_HANDLER(protocol_version) {
    (void)gtp, (void)line, (void)diag;
    yo_buf_str(out, "2");
    return YO_OK;
}

YO_GTP_HANDLER(name) {
    (void)gtp, (void)line, (void)diag;
    yo_buf_str(out, "Yomi");
    return YO_OK;
}

YO_GTP_HANDLER(version) {
    (void)gtp, (void)line, (void)diag;
    yo_buf_str(out, yo_version());
    return YO_OK;
}

YO_GTP_HANDLER(known_command) {
    (void)gtp, (void)diag;
    yo_buf_str(out, yo_gtp_command_find(line->args[0]) ? "true" : "false");
    return YO_OK;
}

YO_GTP_HANDLER(list_commands) {
    (void)gtp, (void)line, (void)diag;
    for (const struct yo_gtp_command *c = yo_gtp_commands; c->name; c++)
        yo_buf_printf(out, "%s%s", out->len ? "\n" : "", c->name);
    return YO_OK;
}

YO_GTP_HANDLER(quit) {
    (void)line, (void)out, (void)diag;
    gtp->quit = true;
    return YO_OK;
}

YO_GTP_HANDLER(echo) {
    (void)gtp, (void)diag;
    yo_buf_str(out, line->rest);
    return YO_OK;
}

YO_GTP_HANDLER(cputime) {
    (void)gtp, (void)line, (void)diag;
    struct timespec used;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    yo_buf_printf(out, "%.3f", (double)used.tv_sec + (double)used.tv_nsec / 1e9);
    return YO_OK;
}

YO_GTP_HANDLER(clear_cache) {
    (void)line, (void)out, (void)diag;
    if (gtp->search.ops) gtp->search.ops->clear(gtp->search.ctx);
    return YO_OK;
}

/* ---- Settings, in GoGui's form for parameters ---- */

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

static enum yo_err parse_setting(struct yo_gtp *gtp, const char *key, const char *text,
                                 struct yo_diag *diag) {
    char quoted[48], *end;
    struct yo_nearest nearest = {.text = key};
    for (size_t i = 0; i < SETTING_COUNT; i++) {
        yo_nearest_offer(&nearest, settings[i].key);
        if (strcmp(settings[i].key, key) != 0) continue;
        double value = strtod(text, &end);
        if (*end || end == text || !(value >= settings[i].min && value <= settings[i].max))
            return yo_diag_set(diag, YO_ERR_RANGE, "%s cannot be '%s': %g to %g is allowed", key,
                               yo_gtp_quote(text, quoted), settings[i].min, settings[i].max);
        set_setting(gtp, i, value);
        return YO_OK;
    }
    yo_diag_set(diag, YO_ERR_UNKNOWN, "unknown parameter '%s'", yo_gtp_quote(key, quoted));
    if (nearest.best) yo_diag_hint(diag, "did you mean %s?", nearest.best);
    return YO_ERR_UNKNOWN;
}

YO_GTP_HANDLER(yomi_param) {
    if (line->arg_count == 2) return parse_setting(gtp, line->args[0], line->args[1], diag);
    for (size_t i = 0; i < SETTING_COUNT; i++) {
        if (line->arg_count == 1 && strcmp(settings[i].key, line->args[0]) != 0) continue;
        yo_buf_printf(out, "%s[string] %s %.15g", out->len ? "\n" : "", settings[i].key,
                      get_setting(&gtp->config, i));
    }
    if (out->len == 0) return parse_setting(gtp, line->args[0], "", diag); /* says what is wrong */
    return YO_OK;
}

YO_GTP_HANDLER(get_random_seed) {
    (void)line, (void)diag;
    yo_buf_printf(out, "%" PRIu64, gtp->config.seed);
    return YO_OK;
}

YO_GTP_HANDLER(set_random_seed) {
    (void)out;
    return parse_setting(gtp, "seed", line->args[0], diag);
}
