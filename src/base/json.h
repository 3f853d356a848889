/* JSON by jansson, with the limits that input from strangers needs, our errors, and the heap of
 * base/alloc.h. A tree is jansson's json_t: whoever holds a reference drops it with json_decref. */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

#define YO_JSON_DEPTH_MAX   64   /* levels of objects and arrays */
#define YO_JSON_MEMBERS_MAX 1024 /* names in one object */

/* Reads one value of any type. Refuses a name given twice, text that is not UTF-8, numbers that no
 * int64_t or double holds, and whatever exceeds the limits; diag then has the column. */
enum yo_err yo_json_read(const char *bytes, size_t len, json_t **out, struct yo_diag *diag);
/* On one line, the members of objects in the order of their names. */
void yo_json_write(struct yo_buf *out, const json_t *value);

/* A string without NULs inside; NULL for anything else, and for NULL. */
const char *yo_json_string(const json_t *value);

/* ---- building: start with one of the first two; NULL means no memory ---- */
json_t *yo_json_object(void);
json_t *yo_json_array(void);
/* Bytes that are not UTF-8 become U+FFFD. */
json_t *yo_json_text(const char *text, size_t len);
/* Rounded to six decimals; 0 for what JSON cannot express. */
json_t *yo_json_real(double number);
/* These take the value. A NULL on either side sets *failed, so that an object is built without a
 * check on every line and judged once at the end. */
void yo_json_set(json_t *object, const char *key, json_t *value, bool *failed);
void yo_json_append(json_t *array, json_t *value, bool *failed);
