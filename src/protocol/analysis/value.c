/* Reads the values of fields and reports wrong ones. Messages are KataGo's where it has one, since
 * clients parse them. */
#include <limits.h>
#include <stdio.h>

#include "base/alloc.h"
#include "protocol/analysis/query.h"

bool yo_query_fail(const struct analysis_query *q, const char *field, const char *message) {
    yo_analysis_send_field(q->a, "error", q->id, field, message);
    return false;
}

bool yo_query_fail_with(const struct analysis_query *q, const char *field, const char *message,
                        const char *detail) {
    struct yo_buf text = {0};
    yo_buf_printf(&text, "%s%.200s", message, detail);
    yo_query_fail(q, field, yo_buf_text(&text));
    yo_buf_free(&text);
    return false;
}

void yo_query_warn(const struct analysis_query *q, const char *field, const char *message) {
    yo_analysis_send_field(q->a, "warning", q->id, field, message);
}

/* ---- kinds of values ---- */

bool yo_query_read_integer(const struct analysis_query *q, const char *field, json_t *value,
                           int64_t min, int64_t max, const char *message, int64_t *out) {
    json_int_t integer = json_integer_value(value);
    if (!json_is_integer(value) || integer < min || integer > max)
        return yo_query_fail(q, field, message);
    *out = integer;
    return true;
}

bool yo_query_read_real(const struct analysis_query *q, const char *field, json_t *value,
                        double min, double max, const char *message, double *out) {
    double number = json_number_value(value);
    if (!json_is_number(value) || !(number >= min && number <= max))
        return yo_query_fail(q, field, message);
    *out = number;
    return true;
}

bool yo_query_read_bool(const struct analysis_query *q, const char *field, json_t *value,
                        bool *out) {
    if (!json_is_boolean(value)) return yo_query_fail(q, field, "Must be a boolean");
    *out = json_is_true(value);
    return true;
}

bool yo_query_read_player(const struct analysis_query *q, const char *field, json_t *value,
                          enum yo_go_color *out) {
    const char *text = yo_json_string(value);
    if (text && yo_go_color_parse(text, out, NULL) == YO_OK) return true;
    return yo_query_fail(q, field, "Must be \"b\" or \"w\"");
}

/* "(3,4)": column and row, counted from the upper left corner, from 0. */
static bool read_coordinates(const char *text, int size, yo_go_point *out) {
    int x, y, len = 0;
    if (sscanf(text, "(%2d,%2d)%n", &x, &y, &len) != 2 || len == 0 || text[len]) return false;
    if (x < 0 || x >= size || y < 0 || y >= size) return false;
    *out = (yo_go_point)(y * size + x);
    return true;
}

bool yo_query_read_point(const struct analysis_query *q, const char *field, const char *text,
                         bool pass_ok, yo_go_point *out) {
    bool good = yo_go_point_parse(text, q->size, out, NULL) == YO_OK && *out != YO_GO_RESIGN &&
                (pass_ok || *out != YO_GO_PASS);
    if (!good) good = read_coordinates(text, q->size, out);
    return good || yo_query_fail_with(q, field, "Could not parse board location: ", text);
}

bool yo_query_read_pair(const struct analysis_query *q, const char *field, json_t *pair,
                        bool pass_ok, struct yo_go_played *out) {
    if (json_array_size(pair) != 2) return yo_query_fail(q, field, QUERY_PAIRS);
    const char *player = yo_json_string(json_array_get(pair, 0));
    const char *point = yo_json_string(json_array_get(pair, 1));
    if (!player || !point) return yo_query_fail(q, field, QUERY_PAIRS);
    if (yo_go_color_parse(player, &out->color, NULL))
        return yo_query_fail_with(q, field, "Could not parse player: ", player);
    return yo_query_read_point(q, field, point, pass_ok, &out->move);
}

bool yo_analysis_read_ints(json_t *value, int **out, size_t *count) {
    size_t i;
    json_t *v;
    if (!json_is_array(value)) return false;
    json_array_foreach(value, i, v) if (!json_is_integer(v) || json_integer_value(v) < INT_MIN ||
                                        json_integer_value(v) > INT_MAX) return false;
    *count = json_array_size(value);
    *out = yo_alloc(*count, sizeof **out);
    if (!*out) return false;
    json_array_foreach(value, i, v)(*out)[i] = (int)json_integer_value(v);
    return true;
}
