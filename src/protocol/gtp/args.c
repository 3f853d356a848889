/* Reads arguments of GTP commands and writes points and colours into answers. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "protocol/gtp/internal.h"

char *yo_gtp_quote(const char *text, char out[48]) {
    size_t n = 0;
    for (; n < 40 && text[n]; n++)
        out[n] = text[n] >= ' ' && text[n] < 0x7f ? text[n] : '?';
    strcpy(out + n, text[n] ? "..." : "");
    return out;
}

enum yo_err yo_gtp_prefix(struct yo_diag *diag, const char *prefix) {
    char what[sizeof diag->what];
    memcpy(what, diag->what, sizeof what);
    snprintf(diag->what, sizeof diag->what, "%.40s: %.200s", prefix, what);
    return diag->err;
}

enum yo_err yo_gtp_arg_int(const struct yo_gtp_line *line, size_t i, int min, int max, int *value,
                           struct yo_diag *diag) {
    char quoted[48], *end;
    errno = 0;
    long n = strtol(line->args[i], &end, 10);
    if (*end || end == line->args[i]) {
        return yo_diag_set(diag, YO_ERR_PARSE, "syntax error: '%s' is not a whole number",
                           yo_gtp_quote(line->args[i], quoted));
    }
    if (errno || n < min || n > max)
        return yo_diag_set(diag, YO_ERR_RANGE, "%s is out of range: %d to %d is allowed",
                           yo_gtp_quote(line->args[i], quoted), min, max);
    *value = (int)n;
    return YO_OK;
}

enum yo_err yo_gtp_arg_ms(const struct yo_gtp_line *line, size_t i, int64_t *ms,
                          struct yo_diag *diag) {
    char quoted[48], *end;
    double seconds = strtod(line->args[i], &end);
    if (*end || end == line->args[i] || !isfinite(seconds))
        return yo_diag_set(diag, YO_ERR_PARSE, "syntax error: '%s' is not a number of seconds",
                           yo_gtp_quote(line->args[i], quoted));
    if (seconds > 1e9) seconds = 1e9; /* thirty years: in effect no limit */
    if (seconds < 0) seconds = 0;     /* a server may send this after a flag fell */
    *ms = (int64_t)(seconds * 1000);
    return YO_OK;
}

enum yo_err yo_gtp_arg_color(const struct yo_gtp_line *line, size_t i, enum yo_go_color *color,
                             struct yo_diag *diag) {
    char quoted[48];
    if (yo_go_color_parse(line->args[i], color, NULL) == YO_OK) return YO_OK;
    yo_diag_set(diag, YO_ERR_PARSE, "syntax error: '%s' is not a colour",
                yo_gtp_quote(line->args[i], quoted));
    yo_diag_hint(diag, "colours are b, w, black, white");
    return YO_ERR_PARSE;
}

enum yo_err yo_gtp_arg_move(const struct yo_gtp *gtp, const struct yo_gtp_line *line, size_t i,
                            yo_go_point *move, struct yo_diag *diag) {
    char quoted[48];
    enum yo_err err = yo_go_point_parse(yo_gtp_quote(line->args[i], quoted),
                                        yo_go_game_size(gtp->game), move, diag);
    if (err) return yo_gtp_prefix(diag, "syntax error");
    if (*move == YO_GO_RESIGN) {
        err = yo_diag_set(diag, YO_ERR_ILLEGAL, "illegal move: resign ends a game, it is no move");
        yo_diag_hint(diag, "clear_board begins a new game");
    }
    return err;
}

enum yo_err yo_gtp_arg_point(const struct yo_gtp *gtp, const struct yo_gtp_line *line, size_t i,
                             yo_go_point *point, struct yo_diag *diag) {
    enum yo_err err = yo_gtp_arg_move(gtp, line, i, point, diag);
    if (!err && *point == YO_GO_PASS)
        err = yo_diag_set(diag, YO_ERR_ARGUMENT, "a point of the board is wanted, not a pass");
    return err;
}

void yo_gtp_put_point(const struct yo_gtp *gtp, struct yo_buf *out, yo_go_point point) {
    char text[8];
    yo_buf_str(out, yo_go_point_format(point, yo_go_game_size(gtp->game), text));
}

void yo_gtp_put_listed(const struct yo_gtp *gtp, struct yo_buf *out, yo_go_point point) {
    if (out->len > 0) yo_buf_char(out, ' ');
    yo_gtp_put_point(gtp, out, point);
}

const char *yo_gtp_color_name(enum yo_go_color color) {
    static const char *const names[] = {"empty", "black", "white", "off"};
    return names[color];
}
