/* The session's options, which can change while the engine runs, in GoGui's form for parameters. */
#include <inttypes.h>

#include "base/nearest.h"
#include "protocol/gtp/internal.h"

/* The option itself reports a wrong value. GoGui calls options parameters, hence the message for an
 * unknown name. */
static enum yo_err set(struct yo_gtp *gtp, const char *key, const char *text,
                       struct yo_diag *diag) {
    char quoted[48];
    const struct yo_option *rows = yo_session_options(gtp->session)->rows;
    if (yo_option_find(rows, YO_ON_GTP, key)) return yo_gtp_set(gtp, key, text, diag);
    struct yo_nearest nearest = {.text = key};
    for (const struct yo_option *row = rows; row->key; row++)
        if (row->places & YO_ON_GTP) yo_nearest_offer(&nearest, row->key);
    yo_diag_set(diag, YO_ERR_UNKNOWN, "unknown parameter '%s'", yo_gtp_quote(key, quoted));
    if (nearest.best) yo_diag_hint(diag, "did you mean %s?", nearest.best);
    return YO_ERR_UNKNOWN;
}

/* ---- listing options ---- */

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
    case YO_OPTION_STRING:
        put_setting(out, "string", row->key);
        yo_buf_str(out,
                   yo_options_text(options, row->key) ? yo_options_text(options, row->key) : "");
        break;
    }
}

YO_GTP_HANDLER(yomi_param) {
    const char *wanted = line->arg_count > 0 ? line->args[0] : NULL;
    const struct yo_options *options = yo_session_options(gtp->session);
    if (line->arg_count == 2) return set(gtp, wanted, line->args[1], diag);
    const struct yo_option *only = wanted ? yo_option_find(options->rows, YO_ON_GTP, wanted) : NULL;
    if (wanted && !only) return set(gtp, wanted, "", diag); /* fills diag */
    for (const struct yo_option *row = options->rows; row->key; row++)
        if ((row->places & YO_ON_GTP) && (!only || row == only)) put_option(options, row, out);
    return YO_OK;
}

YO_GTP_HANDLER(get_random_seed) {
    (void)line, (void)diag;
    yo_buf_printf(out, "%" PRId64, yo_options_int(yo_session_options(gtp->session), "seed"));
    return YO_OK;
}

YO_GTP_HANDLER(set_random_seed) {
    (void)out;
    return set(gtp, "seed", line->args[0], diag);
}
