/* A growing byte string for building text. A failed append sets `failed`, which the caller checks
 * once at the end with yo_buf_status. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/diag.h"

struct yo_buf {
    char *data; /* NUL-terminated once anything was appended */
    size_t len;
    size_t cap;
    bool failed;
};

void yo_buf_free(struct yo_buf *buf);
void yo_buf_clear(struct yo_buf *buf);
void yo_buf_add(struct yo_buf *buf, const char *bytes, size_t len);
void yo_buf_str(struct yo_buf *buf, const char *text);
void yo_buf_char(struct yo_buf *buf, char c);
void yo_buf_printf(struct yo_buf *buf, const char *fmt, ...) YO_PRINTF(2, 3);
/* The text, never NULL. */
const char *yo_buf_text(const struct yo_buf *buf);
/* YO_OK, or YO_ERR_NOMEM if any append failed. */
enum yo_err yo_buf_status(const struct yo_buf *buf);
