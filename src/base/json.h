/* JSON by jansson, with limits for untrusted input, errors as struct yo_diag, and the heap of
 * base/alloc.h. A tree is jansson's json_t: the holder of a reference drops it with json_decref. */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

#define YO_JSON_DEPTH_MAX   64   /* levels of objects and arrays */
#define YO_JSON_MEMBERS_MAX 1024 /* names in one object */

/* Reads one value of any type. Rejects duplicate names in an object, text that is not UTF-8,
 * numbers outside int64_t and double, and input that exceeds the limits; diag then has the
 * column. */
enum yo_err yo_json_read(const char *bytes, size_t len, json_t **out, struct yo_diag *diag);
/* Writes one line; the members of objects are sorted by name. */
void yo_json_write(struct yo_buf *out, const json_t *value);
/* The same with the members as they were set. */
void yo_json_write_in_order(struct yo_buf *out, const json_t *value);

/* The text of a JSON string that contains no NUL; NULL for any other value, and for NULL. */
const char *yo_json_string(const json_t *value);

/* ---- building: start with one of the first two; NULL means no memory ---- */
json_t *yo_json_object(void);
json_t *yo_json_array(void);
/* Bytes that are not UTF-8 become U+FFFD. */
json_t *yo_json_text(const char *text, size_t len);
/* Rounded to six decimals; 0 for infinities and NaN, which JSON lacks. */
json_t *yo_json_real(double number);
/* These take over the value. A NULL object, array or value sets *failed, so that the caller checks
 * once after building the whole tree. */
void yo_json_set(json_t *object, const char *key, json_t *value, bool *failed);
void yo_json_append(json_t *array, json_t *value, bool *failed);
