#include "base/buf.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"

void yo_buf_free(struct yo_buf *buf) {
    yo_free(buf->data);
    memset(buf, 0, sizeof *buf);
}

void yo_buf_clear(struct yo_buf *buf) {
    buf->len = 0;
    buf->failed = false;
    if (buf->data) buf->data[0] = '\0';
}

static bool reserve(struct yo_buf *buf, size_t more) {
    if (buf->failed || more > (size_t)-1 / 4 - buf->len) {
        buf->failed = true;
        return false;
    }
    size_t need = buf->len + more + 1;
    if (need <= buf->cap) return true;
    size_t cap = buf->cap ? buf->cap : 64;
    while (cap < need)
        cap *= 2;
    char *data = yo_realloc(buf->data, cap, 1);
    if (!data) {
        buf->failed = true;
        return false;
    }
    buf->data = data;
    buf->cap = cap;
    return true;
}

void yo_buf_add(struct yo_buf *buf, const char *bytes, size_t len) {
    if (!reserve(buf, len)) return;
    if (len) memcpy(buf->data + buf->len, bytes, len);
    buf->len += len;
    buf->data[buf->len] = '\0';
}

void yo_buf_str(struct yo_buf *buf, const char *text) { yo_buf_add(buf, text, strlen(text)); }

void yo_buf_char(struct yo_buf *buf, char c) { yo_buf_add(buf, &c, 1); }

void yo_buf_printf(struct yo_buf *buf, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    int len = vsnprintf(NULL, 0, fmt, args);
    va_end(args);
    if (len < 0) buf->failed = true;
    if (len < 0 || !reserve(buf, (size_t)len)) return;
    va_start(args, fmt);
    vsnprintf(buf->data + buf->len, (size_t)len + 1, fmt, args);
    va_end(args);
    buf->len += (size_t)len;
}

const char *yo_buf_text(const struct yo_buf *buf) { return buf->data ? buf->data : ""; }

enum yo_err yo_buf_status(const struct yo_buf *buf) { return buf->failed ? YO_ERR_NOMEM : YO_OK; }
