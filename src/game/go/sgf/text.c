#include "game/go/sgf/text.h"

#include <string.h>

static bool is_break(char c) { return c == '\n' || c == '\r'; }

static bool is_blank(char c) { return c == '\t' || c == '\v' || c == '\f'; }

bool yo_sgf_text_is_plain(const char *raw, size_t len) {
    for (size_t i = 0; i < len; i++)
        if (raw[i] == '\\' || is_break(raw[i]) || is_blank(raw[i])) return false;
    return true;
}

/* CR LF and LF CR are one break. */
static size_t break_length(const char *p, size_t left) {
    return left > 1 && is_break(p[1]) && p[1] != p[0] ? 2 : 1;
}

void yo_sgf_text_decode(const char *raw, size_t len, bool simple, struct yo_buf *out) {
    for (size_t i = 0; i < len;) {
        bool escaped = raw[i] == '\\' && i + 1 < len;
        if (escaped) i++;
        if (is_break(raw[i])) {
            if (!escaped) yo_buf_char(out, simple ? ' ' : '\n');
            i += break_length(raw + i, len - i);
        } else {
            yo_buf_char(out, is_blank(raw[i]) ? ' ' : raw[i]);
            i++;
        }
    }
}

void yo_sgf_text_escape(const char *text, struct yo_buf *out) {
    for (; *text; text++) {
        if (*text == ']' || *text == '\\') yo_buf_char(out, '\\');
        yo_buf_char(out, *text);
    }
}
