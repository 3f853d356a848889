#include "base/base64.h"

static int digit(char c) {
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

bool yo_base64_decode(const char *text, size_t len, struct yo_buf *out) {
    unsigned bits = 0;
    int count = 0;
    if (len % 4 == 0 && len > 0 && text[len - 1] == '=') len -= text[len - 2] == '=' ? 2 : 1;
    if (len % 4 == 1) return false;
    for (size_t i = 0; i < len; i++) {
        int d = digit(text[i]);
        if (d < 0) return false;
        bits = (bits << 6 | (unsigned)d) & 0xffff;
        count += 6;
        if (count < 8) continue;
        count -= 8;
        yo_buf_char(out, (char)(bits >> count & 0xff));
    }
    return true;
}
