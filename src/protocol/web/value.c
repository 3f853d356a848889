/* Reads members of requests, and builds answers. */
#include <math.h>
#include <string.h>

#include "base/nearest.h"
#include "protocol/web/internal.h"

/* ---- Answers ---- */

void yo_web_put(json_t *object, const char *key, const char *text, bool *failed) {
    yo_json_set(object, key, yo_json_text(text, strlen(text)), failed);
}

void yo_web_put_int(json_t *object, const char *key, int64_t number, bool *failed) {
    yo_json_set(object, key, json_integer(number), failed);
}

json_t *yo_web_real(double number, int digits) {
    double scale = pow(10, digits);
    return yo_json_real(isfinite(number) ? round(number * scale) / scale : 0);
}

void yo_web_put_real(json_t *object, const char *key, double number, bool *failed) {
    yo_json_set(object, key, yo_web_real(number, 4), failed);
}

void yo_web_put_bool(json_t *object, const char *key, bool value, bool *failed) {
    yo_json_set(object, key, json_boolean(value), failed);
}

json_t *yo_web_answer(const char *type, json_int_t id, bool *failed) {
    json_t *message = yo_json_object();
    yo_web_put(message, "type", type, failed);
    yo_web_put_int(message, "id", id, failed);
    return message;
}

void yo_web_send(struct yo_web *web, json_t *message, bool failed, bool report) {
    static const char lost[] =
        "{\"code\":\"memory\",\"id\":null,\"message\":\"no memory for an answer\","
        "\"type\":\"error\"}";
    struct yo_buf text = {0};
    if (message) yo_json_write(&text, message);
    failed = failed || !message || text.failed;
    pthread_mutex_lock(&web->out_lock);
    if (failed)
        web->config.send(web->config.user, lost, sizeof lost - 1, false);
    else
        web->config.send(web->config.user, text.data, text.len, report);
    pthread_mutex_unlock(&web->out_lock);
    yo_buf_free(&text);
    json_decref(message);
}

static const char *code_of(enum yo_err err) {
    switch (err) {
    case YO_ERR_NOMEM:
        return "memory";
    case YO_ERR_PARSE:
        return "parse";
    case YO_ERR_RANGE:
        return "range";
    case YO_ERR_ILLEGAL:
        return "illegal";
    case YO_ERR_UNKNOWN:
        return "unknown";
    case YO_ERR_ARGUMENT: /* the search cannot do this */
    case YO_ERR_UNSUPPORTED:
        return "unsupported";
    case YO_ERR_STATE:
        return "state";
    case YO_ERR_CANCELLED:
        return "busy";
    default:
        return "internal";
    }
}

void yo_web_send_error(struct yo_web *web, const json_int_t *id, const struct yo_diag *diag,
                       int index) {
    bool failed = false;
    char text[512];
    struct yo_diag bare = *diag;
    bare.hint[0] = '\0';
    yo_diag_format(&bare, text, sizeof text);
    json_t *message = yo_json_object();
    yo_web_put(message, "type", "error", &failed);
    yo_json_set(message, "id", id ? json_integer(*id) : json_null(), &failed);
    yo_web_put(message, "code", code_of(diag->err), &failed);
    yo_web_put(message, "message", text[0] ? text : yo_err_text(diag->err), &failed);
    if (diag->hint[0]) yo_web_put(message, "hint", diag->hint, &failed);
    if (index >= 0) yo_web_put_int(message, "index", index, &failed);
    yo_web_send(web, message, failed, false);
}

/* ---- Members ---- */

enum yo_err yo_web_take_int(const json_t *object, const char *key, int64_t min, int64_t max,
                            int64_t *out, struct yo_diag *diag) {
    const json_t *value = json_object_get(object, key);
    if (!value) return YO_OK;
    if (!json_is_integer(value))
        return yo_diag_set(diag, YO_ERR_PARSE, "%s must be an integer", key);
    if (json_integer_value(value) < min || json_integer_value(value) > max)
        return yo_diag_set(diag, YO_ERR_RANGE, "%s must be from %lld to %lld", key, (long long)min,
                           (long long)max);
    *out = json_integer_value(value);
    return YO_OK;
}

enum yo_err yo_web_take_bool(const json_t *object, const char *key, bool *out,
                             struct yo_diag *diag) {
    const json_t *value = json_object_get(object, key);
    if (!value) return YO_OK;
    if (!json_is_boolean(value))
        return yo_diag_set(diag, YO_ERR_PARSE, "%s must be true or false", key);
    *out = json_is_true(value);
    return YO_OK;
}

enum yo_err yo_web_take_text(const json_t *object, const char *key, const char **out,
                             struct yo_diag *diag) {
    const json_t *value = json_object_get(object, key);
    if (!value) return YO_OK;
    *out = yo_json_string(value);
    return *out ? YO_OK : yo_diag_set(diag, YO_ERR_PARSE, "%s must be a text", key);
}

enum yo_err yo_web_take_object(const json_t *object, const char *key, json_t **out,
                               struct yo_diag *diag) {
    *out = json_object_get(object, key);
    if (!*out || json_is_object(*out)) return YO_OK;
    return yo_diag_set(diag, YO_ERR_PARSE, "%s must be an object", key);
}

enum yo_err yo_web_take_array(const json_t *object, const char *key, size_t max, json_t **out,
                              struct yo_diag *diag) {
    *out = json_object_get(object, key);
    if (!*out) return YO_OK;
    if (!json_is_array(*out)) return yo_diag_set(diag, YO_ERR_PARSE, "%s must be a list", key);
    if (json_array_size(*out) > max)
        return yo_diag_set(diag, YO_ERR_RANGE, "%s may have %zu entries at most", key, max);
    return YO_OK;
}

static bool is_word_of(const char *words, const char *word) {
    size_t len = strlen(word);
    for (const char *p = words; *p; p += *p == ' ') {
        size_t n = strcspn(p, " ");
        if (n == len && memcmp(p, word, len) == 0) return true;
        p += n;
    }
    return false;
}

enum yo_err yo_web_check_members(const json_t *object, const char *what, const char *known,
                                 struct yo_diag *diag) {
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)object, key, value) {
        if (is_word_of(known, key)) continue;
        yo_diag_set(diag, YO_ERR_UNKNOWN, "%s has no member '%.60s'", what, key);
        yo_diag_hint(diag, "it has %s", known);
        return YO_ERR_UNKNOWN;
    }
    return YO_OK;
}
