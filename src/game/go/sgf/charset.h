/* The encodings of SGF files. The syntax characters of SGF are ASCII in all of them, but in some
 * (Shift_JIS, GBK, Big5) the second byte of a character may look like ']' or '\', so the parser
 * must know the charset to find the end of a value. */
#pragma once

#include <iconv.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

enum sgf_charset_kind { SGF_LATIN1, SGF_UTF8, SGF_ICONV };
/* Which bytes from 0x80 on begin a pair of bytes. */
enum sgf_pairs { SGF_PAIRS_NONE, SGF_PAIRS_SJIS, SGF_PAIRS_HIGH };

struct sgf_charset {
    const char *name; /* iconv's name; points to a constant or to `other` */
    char other[32];
    enum sgf_charset_kind kind;
    enum sgf_pairs pairs;
    iconv_t cd; /* of SGF_ICONV only */
};

/* Neither needs closing. */
extern const struct sgf_charset yo_sgf_charset_latin1;
extern const struct sgf_charset yo_sgf_charset_utf8;

/* False if the name is unknown, or if the charset does not encode ASCII as itself. */
bool yo_sgf_charset_open(struct sgf_charset *charset, const char *name, size_t len);
void yo_sgf_charset_close(struct sgf_charset *charset);

/* The length in bytes of the character at p, at least 1 and at most left. */
size_t yo_sgf_charset_step(const struct sgf_charset *charset, const char *p, size_t left);

/* Appends an escaped value as UTF-8. If its bytes are not valid in the charset, decodes them as
 * ISO-8859-1, which accepts every byte and can be undone, and returns false. */
bool yo_sgf_charset_convert(const struct sgf_charset *charset, const char *raw, size_t len,
                            struct yo_buf *out);

/* ---- Detection on a whole file ---- */
/* The value of CA in the game tree whose text begins at bytes; searched up to its first branch.
 * False if there is none. */
bool yo_sgf_charset_declared(const char *bytes, size_t len, const char **name, size_t *name_len);

/* Converts charsets that cannot be parsed directly (UTF-16 and -32, by byte order mark or content;
 * ISO-2022 and UTF-7, as declared) to UTF-8 in *text, and returns the charset's name. NULL: parse
 * the bytes themselves. */
const char *yo_sgf_charset_unwrap(const char *bytes, size_t len, struct yo_buf *text);
