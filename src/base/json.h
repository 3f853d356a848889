/* JSON as RFC 8259 has it, read strictly into a tree, and the small parts of writing it. The tree
 * is one struct yo_json_doc's; everything in it lives until yo_json_free. Not more than
 * YO_JSON_DEPTH_MAX levels and YO_JSON_MEMBERS_MAX names in an object, no name twice, UTF-8 only.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

#define YO_JSON_DEPTH_MAX   64
#define YO_JSON_MEMBERS_MAX 1024

enum yo_json_type {
    YO_JSON_NULL,
    YO_JSON_BOOL,
    YO_JSON_NUMBER,
    YO_JSON_STRING,
    YO_JSON_ARRAY,
    YO_JSON_OBJECT,
};

struct yo_json {
    enum yo_json_type type;
    bool flag;       /* BOOL */
    bool is_integer; /* NUMBER without fraction and exponent that fits `integer` */
    int64_t integer;
    double number;
    const char *text;            /* STRING decoded, NUMBER as written; NUL-terminated */
    size_t len;                  /* of text, which may hold NULs of its own */
    size_t count;                /* ARRAY and OBJECT: how many there are inside */
    const struct yo_json *first; /* and the first of them */
    const struct yo_json *next;  /* the next one in the same array or object */
    const char *key;             /* inside an object: its name, NUL-terminated */
    size_t key_len;
};

struct yo_json_doc {
    struct yo_json *values;
    char *text;
    const struct yo_json *root;
};

/* On failure diag has the column, and doc holds nothing. */
enum yo_err yo_json_parse(const char *bytes, size_t len, struct yo_json_doc *doc,
                          struct yo_diag *diag);
void yo_json_free(struct yo_json_doc *doc);

/* The member of that name, or NULL; also NULL for what is no object. */
const struct yo_json *yo_json_find(const struct yo_json *object, const char *key);
/* A string without NULs inside, or NULL. */
const char *yo_json_string(const struct yo_json *value);

/* With the members of objects in the order of their names, on one line. */
void yo_json_write(struct yo_buf *out, const struct yo_json *value);
/* In quotation marks, escaped; what is no UTF-8 becomes U+FFFD. */
void yo_json_put_string(struct yo_buf *out, const char *text, size_t len);
/* With at most six decimals, and one at least, so that all readers see a real number. */
void yo_json_put_real(struct yo_buf *out, double number);
