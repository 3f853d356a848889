#include "game/go/sgf_text.h"

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

static bool is_tail(const char *p) { return ((unsigned char)*p & 0xc0) == 0x80; }

size_t yo_utf8_length(const char *p, size_t left) {
    unsigned char lead = (unsigned char)p[0];
    if (lead < 0x80) return 1;
    size_t need = lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;
    if (need == 0 || need > left) return 0;
    for (size_t i = 1; i < need; i++)
        if (!is_tail(p + i)) return 0;
    unsigned char second = (unsigned char)p[1];
    bool overlong = (lead == 0xe0 && second < 0xa0) || (lead == 0xf0 && second < 0x90);
    bool surrogate = lead == 0xed && second > 0x9f;
    bool too_large = lead == 0xf4 && second > 0x8f;
    return overlong || surrogate || too_large ? 0 : need;
}

bool yo_utf8_valid(const char *bytes, size_t len) {
    for (size_t i = 0; i < len;) {
        size_t n = yo_utf8_length(bytes + i, len - i);
        if (n == 0) return false;
        i += n;
    }
    return true;
}
