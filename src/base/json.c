#include "base/json.h"

#include <math.h>
#include <pthread.h>
#include <string.h>

#include "base/alloc.h"
#include "base/charset.h"

/* ---- jansson's heap is ours ---- */

/* jansson reports some failed allocations as an invalid token; this flag distinguishes them. */
static _Thread_local bool out_of_memory;

static void *alloc(size_t size) {
    void *block = yo_alloc(size, 1);
    if (!block) out_of_memory = true;
    return block;
}

static void set_up(void) { json_set_alloc_funcs(alloc, yo_free); }

static void set_up_once(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, set_up);
}

/* ---- reading ---- */

/* The first limit that is exceeded, or NULL. jansson nests at most 2,048 levels deep, which bounds
 * this recursion. */
static const char *exceeded(json_t *value, int depth) {
    const char *limit = NULL, *key;
    json_t *inner;
    size_t i;
    if (!json_is_array(value) && !json_is_object(value)) return NULL;
    if (depth == YO_JSON_DEPTH_MAX) return "too many levels";
    if (json_object_size(value) > YO_JSON_MEMBERS_MAX) return "too many names";
    json_array_foreach(value, i, inner) if ((limit = exceeded(inner, depth + 1))) return limit;
    json_object_foreach(value, key, inner) if ((limit = exceeded(inner, depth + 1))) return limit;
    return NULL;
}

enum yo_err yo_json_read(const char *bytes, size_t len, json_t **out, struct yo_diag *diag) {
    json_error_t error;
    set_up_once();
    out_of_memory = false;
    *out =
        json_loadb(bytes, len, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY | JSON_ALLOW_NUL, &error);
    if (!*out && out_of_memory) return yo_diag_set(diag, YO_ERR_NOMEM, "no memory to read JSON");
    const char *limit = *out ? exceeded(*out, 0) : error.text;
    if (!limit) return YO_OK;
    yo_diag_set(diag, YO_ERR_PARSE, "%s", limit);
    /* Jansson counts the characters read of a line: none where a text ends after a newline. */
    int line = *out || error.line < 1 ? 1 : error.line;
    int column = *out || error.column < 1 ? 1 : error.column;
    yo_diag_where(diag, "", line, column);
    json_decref(*out);
    *out = NULL;
    return YO_ERR_PARSE;
}

const char *yo_json_string(const json_t *value) {
    const char *text = json_string_value(value);
    return text && strlen(text) == json_string_length(value) ? text : NULL;
}

/* ---- writing ---- */

static int add(const char *bytes, size_t len, void *out) {
    yo_buf_add(out, bytes, len);
    return 0;
}

/* 15 significant digits: every double holds as many, so that rounded numbers stay short. */
static void write(struct yo_buf *out, const json_t *value, size_t order) {
    size_t flags = order | JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(15);
    if (!value || json_dump_callback(value, add, out, flags)) out->failed = true;
}

void yo_json_write(struct yo_buf *out, const json_t *value) { write(out, value, JSON_SORT_KEYS); }

void yo_json_write_in_order(struct yo_buf *out, const json_t *value) {
    write(out, value, JSON_PRESERVE_ORDER);
}

/* ---- building ---- */

json_t *yo_json_object(void) {
    set_up_once();
    return json_object();
}

json_t *yo_json_array(void) {
    set_up_once();
    return json_array();
}

json_t *yo_json_text(const char *text, size_t len) {
    struct yo_buf clean = {0};
    for (size_t i = 0; i < len;) {
        size_t bytes = yo_utf8_length(text + i, len - i);
        if (bytes)
            yo_buf_add(&clean, text + i, bytes);
        else
            yo_buf_str(&clean, "\xef\xbf\xbd");
        i += bytes ? bytes : 1;
    }
    json_t *value = clean.failed ? NULL : json_stringn(yo_buf_text(&clean), clean.len);
    yo_buf_free(&clean);
    return value;
}

json_t *yo_json_real(double number) {
    double rounded = fabs(number) < 1e9 ? round(number * 1e6) / 1e6 : number;
    return json_real(isfinite(rounded) ? rounded + 0.0 : 0);
}

void yo_json_set(json_t *object, const char *key, json_t *value, bool *failed) {
    if (json_object_set_new(object, key, value)) *failed = true;
}

void yo_json_append(json_t *array, json_t *value, bool *failed) {
    if (json_array_append_new(array, value)) *failed = true;
}
