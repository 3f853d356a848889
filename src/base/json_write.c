/* Writing JSON. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/charset.h"
#include "base/json.h"

static void put_char(struct yo_buf *out, unsigned char c) {
    static const char meanings[] = "\"\\\b\f\n\r\t", names[] = "\"\\bfnrt";
    const char *found = c ? strchr(meanings, c) : NULL;
    if (found)
        yo_buf_printf(out, "\\%c", names[found - meanings]);
    else if (c < ' ' || c == 127)
        yo_buf_printf(out, "\\u%04x", c);
    else
        yo_buf_char(out, (char)c);
}

void yo_json_put_string(struct yo_buf *out, const char *text, size_t len) {
    yo_buf_char(out, '"');
    for (size_t i = 0; i < len;) {
        size_t bytes = yo_utf8_length(text + i, len - i);
        if (bytes == 1)
            put_char(out, (unsigned char)text[i]);
        else if (bytes == 0)
            yo_buf_str(out, "\xef\xbf\xbd");
        else
            yo_buf_add(out, text + i, bytes);
        i += bytes ? bytes : 1;
    }
    yo_buf_char(out, '"');
}

void yo_json_put_real(struct yo_buf *out, double number) {
    char text[400];
    if (!isfinite(number)) number = 0; /* JSON has no word for it */
    snprintf(text, sizeof text, "%.6f", number);
    size_t len = strlen(text);
    while (text[len - 1] == '0' && text[len - 2] != '.')
        len--;
    text[len] = '\0';
    yo_buf_str(out, strcmp(text, "-0.0") == 0 ? "0.0" : text);
}

static int by_key(const void *a, const void *b) {
    const struct yo_json *x = *(const struct yo_json *const *)a;
    const struct yo_json *y = *(const struct yo_json *const *)b;
    size_t len = x->key_len < y->key_len ? x->key_len : y->key_len;
    int order = memcmp(x->key, y->key, len);
    if (order != 0) return order;
    return x->key_len < y->key_len ? -1 : x->key_len > y->key_len;
}

static void write_inside(struct yo_buf *out, const struct yo_json *value) {
    const struct yo_json **sorted = yo_alloc(value->count, sizeof(void *));
    size_t i = 0;
    if (!sorted) {
        out->failed = true;
        return;
    }
    for (const struct yo_json *inner = value->first; inner; inner = inner->next)
        sorted[i++] = inner;
    if (value->type == YO_JSON_OBJECT) qsort(sorted, value->count, sizeof(void *), by_key);
    for (i = 0; i < value->count; i++) {
        if (i) yo_buf_char(out, ',');
        if (value->type == YO_JSON_OBJECT) {
            yo_json_put_string(out, sorted[i]->key, sorted[i]->key_len);
            yo_buf_char(out, ':');
        }
        yo_json_write(out, sorted[i]);
    }
    yo_free(sorted);
}

void yo_json_write(struct yo_buf *out, const struct yo_json *value) {
    switch (value->type) {
    case YO_JSON_NULL:
        yo_buf_str(out, "null");
        break;
    case YO_JSON_BOOL:
        yo_buf_str(out, value->flag ? "true" : "false");
        break;
    case YO_JSON_NUMBER:
        yo_buf_add(out, value->text, value->len);
        break;
    case YO_JSON_STRING:
        yo_json_put_string(out, value->text, value->len);
        break;
    case YO_JSON_ARRAY:
    case YO_JSON_OBJECT:
        yo_buf_char(out, value->type == YO_JSON_ARRAY ? '[' : '{');
        write_inside(out, value);
        yo_buf_char(out, value->type == YO_JSON_ARRAY ? ']' : '}');
        break;
    }
}
