#include "game/go/sgf/charset.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/charset.h"
#include "game/go/sgf/text.h"

const struct sgf_charset yo_sgf_charset_latin1 = {.name = "ISO-8859-1", .kind = SGF_LATIN1};
const struct sgf_charset yo_sgf_charset_utf8 = {.name = "UTF-8", .kind = SGF_UTF8};

/* Declared names, in capitals and without punctuation, and the charsets they mean: programs on
 * Windows name the standard but write its superset. */
static const struct alias {
    const char *said, *meant;
    enum sgf_charset_kind kind;
    enum sgf_pairs pairs;
} aliases[] = {
    {"UTF8", "UTF-8", SGF_UTF8, SGF_PAIRS_NONE},
    {"ISO88591", "ISO-8859-1", SGF_LATIN1, SGF_PAIRS_NONE},
    {"LATIN1", "ISO-8859-1", SGF_LATIN1, SGF_PAIRS_NONE},
    {"SHIFTJIS", "CP932", SGF_ICONV, SGF_PAIRS_SJIS},
    {"SJIS", "CP932", SGF_ICONV, SGF_PAIRS_SJIS},
    {"XSJIS", "CP932", SGF_ICONV, SGF_PAIRS_SJIS},
    {"MSKANJI", "CP932", SGF_ICONV, SGF_PAIRS_SJIS},
    {"CP932", "CP932", SGF_ICONV, SGF_PAIRS_SJIS},
    {"WINDOWS31J", "CP932", SGF_ICONV, SGF_PAIRS_SJIS},
    {"GB", "GB18030", SGF_ICONV, SGF_PAIRS_HIGH},
    {"GB2312", "GB18030", SGF_ICONV, SGF_PAIRS_HIGH},
    {"EUCCN", "GB18030", SGF_ICONV, SGF_PAIRS_HIGH},
    {"GBK", "GB18030", SGF_ICONV, SGF_PAIRS_HIGH},
    {"CP936", "GB18030", SGF_ICONV, SGF_PAIRS_HIGH},
    {"GB18030", "GB18030", SGF_ICONV, SGF_PAIRS_HIGH},
    {"BIG5", "BIG5-HKSCS", SGF_ICONV, SGF_PAIRS_HIGH},
    {"BIG5HKSCS", "BIG5-HKSCS", SGF_ICONV, SGF_PAIRS_HIGH},
    {"CP950", "CP950", SGF_ICONV, SGF_PAIRS_HIGH},
    {"EUCKR", "CP949", SGF_ICONV, SGF_PAIRS_HIGH},
    {"KSC56011987", "CP949", SGF_ICONV, SGF_PAIRS_HIGH},
    {"CP949", "CP949", SGF_ICONV, SGF_PAIRS_HIGH},
    {"UHC", "CP949", SGF_ICONV, SGF_PAIRS_HIGH},
    {"JOHAB", "JOHAB", SGF_ICONV, SGF_PAIRS_HIGH},
};

static const struct alias *find_alias(const char *name, size_t len) {
    char key[32];
    size_t n = 0;
    for (size_t i = 0; i < len && n < sizeof key - 1; i++)
        if (sgf_is_alnum(name[i])) key[n++] = sgf_to_upper(name[i]);
    key[n] = '\0';
    for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++)
        if (strcmp(key, aliases[i].said) == 0) return &aliases[i];
    return NULL;
}

/* Only plain names may reach iconv, to which a '/' has a special meaning. */
static bool is_name(const char *name, size_t len) {
    for (size_t i = 0; i < len; i++)
        if (!sgf_is_alnum(name[i]) && !strchr("-_.:+", name[i])) return false;
    return len > 0;
}

/* Converts a run of bytes beyond ASCII. False if it is not valid in the charset, or if it converts
 * to ASCII, which could be mistaken for SGF syntax. */
static bool convert_run(iconv_t cd, const char *run, size_t len, struct yo_buf *out) {
    char *in = (char *)run; /* iconv's prototype lacks const; it only reads */
    size_t start = out->len;
    iconv(cd, NULL, NULL, NULL, NULL);
    while (len > 0) {
        char text[256], *to = text;
        size_t room = sizeof text;
        size_t result = iconv(cd, &in, &len, &to, &room);
        yo_buf_add(out, text, sizeof text - room);
        if (result != 0 && (result != (size_t)-1 || errno != E2BIG)) return false;
    }
    for (size_t i = start; i < out->len; i++)
        if ((unsigned char)out->data[i] < 0x80) return false;
    return true;
}

static bool keeps_ascii(iconv_t cd) {
    static const char probe[] = "();[]ABCXYZabcxyz019";
    char in[sizeof probe], out[64];
    memcpy(in, probe, sizeof probe);
    char *from = in, *to = out;
    size_t left = sizeof probe, room = sizeof out;
    return iconv(cd, &from, &left, &to, &room) == 0 && room == sizeof out - sizeof probe &&
           memcmp(out, probe, sizeof probe) == 0;
}

bool yo_sgf_charset_open(struct sgf_charset *charset, const char *name, size_t len) {
    struct sgf_charset opened = {.kind = SGF_ICONV};
    if (!is_name(name, len) || len >= sizeof opened.other) return false;
    const struct alias *alias = find_alias(name, len);
    if (alias) {
        opened.kind = alias->kind;
        opened.pairs = alias->pairs;
    }
    snprintf(opened.other, sizeof opened.other, "%.*s", (int)len, name);
    if (opened.kind == SGF_ICONV) {
        opened.cd = yo_charset_open("UTF-8", alias ? alias->meant : opened.other);
        if (opened.cd == (iconv_t)-1) return false;
        if (!keeps_ascii(opened.cd)) {
            iconv_close(opened.cd);
            return false;
        }
    }
    *charset = opened;
    charset->name = alias ? alias->meant : charset->other;
    return true;
}

void yo_sgf_charset_close(struct sgf_charset *charset) {
    if (charset->kind == SGF_ICONV) iconv_close(charset->cd);
    *charset = yo_sgf_charset_latin1;
}

static bool is_lead(enum sgf_pairs pairs, unsigned char c) {
    switch (pairs) {
    case SGF_PAIRS_NONE:
        return false;
    case SGF_PAIRS_SJIS: /* 0xa0 to 0xdf are single-byte katakana */
        return (c >= 0x81 && c <= 0x9f) || (c >= 0xe0 && c <= 0xfc);
    case SGF_PAIRS_HIGH:
        return c >= 0x81 && c <= 0xfe;
    }
    return false;
}

/* From '0' on, since GB18030 writes four bytes as two pairs with digits in them. */
static bool is_trail(unsigned char c) { return c >= 0x30 && c != 0x7f && c != 0xff; }

size_t yo_sgf_charset_step(const struct sgf_charset *charset, const char *p, size_t left) {
    if ((unsigned char)*p < 0x80) return 1;
    if (charset->kind == SGF_UTF8) {
        size_t len = yo_utf8_length(p, left);
        return len ? len : 1;
    }
    return left > 1 && is_lead(charset->pairs, (unsigned char)p[0]) && is_trail((unsigned char)p[1])
               ? 2
               : 1;
}

static bool convert_all(const struct sgf_charset *charset, const char *raw, size_t len,
                        struct yo_buf *out) {
    for (size_t i = 0; i < len;) {
        size_t start = i;
        while (i < len && (unsigned char)raw[i] < 0x80)
            i++;
        yo_buf_add(out, raw + start, i - start);
        start = i;
        while (i < len && (unsigned char)raw[i] >= 0x80)
            i += yo_sgf_charset_step(charset, raw + i, len - i);
        if (i > start && !convert_run(charset->cd, raw + start, i - start, out)) return false;
    }
    return true;
}

static void add_latin1(struct yo_buf *out, unsigned char c) {
    if (c >= 0x80) yo_buf_char(out, (char)(0xc0 | c >> 6));
    yo_buf_char(out, (char)(c < 0x80 ? c : 0x80 | (c & 0x3f)));
}

/* Escapes ']' and '\' in the second byte of a pair, where they were not SGF syntax. */
static void convert_latin1(const struct sgf_charset *charset, const char *raw, size_t len,
                           struct yo_buf *out) {
    for (size_t i = 0; i < len;) {
        size_t end = i + yo_sgf_charset_step(charset, raw + i, len - i);
        add_latin1(out, (unsigned char)raw[i]);
        while (++i < end) {
            if (raw[i] == ']' || raw[i] == '\\') yo_buf_char(out, '\\');
            add_latin1(out, (unsigned char)raw[i]);
        }
    }
}

static bool is_ascii(const char *bytes, size_t len) {
    for (size_t i = 0; i < len; i++)
        if ((unsigned char)bytes[i] >= 0x80) return false;
    return true;
}

bool yo_sgf_charset_convert(const struct sgf_charset *charset, const char *raw, size_t len,
                            struct yo_buf *out) {
    if (is_ascii(raw, len) || (charset->kind == SGF_UTF8 && yo_utf8_valid(raw, len))) {
        yo_buf_add(out, raw, len);
        return true;
    }
    size_t before = out->len;
    if (charset->kind == SGF_ICONV) {
        if (convert_all(charset, raw, len, out)) return true;
        out->len = before;
    }
    convert_latin1(charset, raw, len, out);
    return charset->kind == SGF_LATIN1;
}
