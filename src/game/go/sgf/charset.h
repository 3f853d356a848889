/* The encodings of SGF files. SGF's own characters are ASCII in all of them, but in some
 * (Shift_JIS, GBK, Big5) the second byte of a character may look like ']' or '\', so that the
 * parser must know the charset to find the end of a value. */
#pragma once

#include <iconv.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

enum sgf_charset_kind { SGF_LATIN1, SGF_UTF8, SGF_ICONV };
/* Which bytes from 0x80 on take the next one with them. */
enum sgf_pairs { SGF_PAIRS_NONE, SGF_PAIRS_SJIS, SGF_PAIRS_HIGH };

struct sgf_charset {
    const char *name; /* iconv's name; points to a constant or to `other` */
    char other[32];
    enum sgf_charset_kind kind;
    enum sgf_pairs pairs;
    iconv_t cd; /* of SGF_ICONV only */
};

/* Both need no closing. */
extern const struct sgf_charset yo_sgf_charset_latin1;
extern const struct sgf_charset yo_sgf_charset_utf8;

/* False if nobody knows the name, or if it is no superset of ASCII that can be cut anywhere. */
bool yo_sgf_charset_open(struct sgf_charset *charset, const char *name, size_t len);
void yo_sgf_charset_close(struct sgf_charset *charset);

/* The bytes of the character at p, at least 1 and at most left. */
size_t yo_sgf_charset_step(const struct sgf_charset *charset, const char *p, size_t left);

/* Appends an escaped value as UTF-8. If its bytes are not in the charset they are taken for
 * ISO-8859-1, which every byte is in and which can therefore be undone, and the result is false. */
bool yo_sgf_charset_convert(const struct sgf_charset *charset, const char *raw, size_t len,
                            struct yo_buf *out);

/* ---- Looking at a whole file ---- */
/* The value of CA in the game tree whose text begins at bytes; looked for up to its first branch.
 * False if there is none. */
bool yo_sgf_charset_declared(const char *bytes, size_t len, const char **name, size_t *name_len);

/* Charsets that cannot be parsed as they are (UTF-16 and -32, by byte order mark or look; ISO-2022
 * and UTF-7, as declared) are converted to UTF-8 in *text, and the charset's name is returned.
 * NULL: parse the bytes themselves. */
const char *yo_sgf_charset_unwrap(const char *bytes, size_t len, struct yo_buf *text);
