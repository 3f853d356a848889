#include "base/charset.h"

#include <errno.h>
#include <string.h>

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

void yo_utf8_make_line(char *text) {
    for (size_t left = strlen(text), len; left > 0; text += len, left -= len) {
        len = yo_utf8_length(text, left);
        if (len == 1 && (unsigned char)*text < ' ') *text = ' ';
        if (len > 0) continue;
        *text = '?';
        len = 1;
    }
}

static const char *plainer(const char *name) {
    return strcmp(name, "CP932") == 0 ? "SHIFT_JIS" : name;
}

iconv_t yo_charset_open(const char *to, const char *from) {
    iconv_t cd = iconv_open(to, from);
    return cd == (iconv_t)-1 ? iconv_open(plainer(to), plainer(from)) : cd;
}

bool yo_charset_convert(const char *to, const char *from, const char *bytes, size_t len,
                        struct yo_buf *out) {
    iconv_t cd = yo_charset_open(to, from);
    if (cd == (iconv_t)-1) return false;
    size_t before = out->len;
    char *in = (char *)bytes; /* iconv's prototype lacks const; it only reads */
    bool ok = true;
    while (ok && len > 0) {
        char text[4096], *at = text;
        size_t room = sizeof text;
        /* More than 0: musl has put an asterisk in place of what `to` lacks. */
        size_t result = iconv(cd, &in, &len, &at, &room);
        ok = result == 0 || (result == (size_t)-1 && errno == E2BIG);
        yo_buf_add(out, text, sizeof text - room);
    }
    iconv_close(cd);
    if (!ok && out->data) out->data[out->len = before] = 0;
    return ok;
}
