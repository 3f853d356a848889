/* Character sets: the strict UTF-8 test, and conversion by iconv. */
#pragma once

#include <iconv.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

/* The length of the well-formed UTF-8 sequence at p, or 0. Overlong forms, surrogates and values
 * beyond U+10FFFF are not well-formed. */
size_t yo_utf8_length(const char *p, size_t left);
bool yo_utf8_valid(const char *bytes, size_t len);
/* Turns any text, even one cut inside a character, into one line of UTF-8 of the same length:
 * control characters become spaces, and bytes outside any character become question marks. */
void yo_utf8_make_line(char *text);

/* iconv_open, for C libraries that know fewer names: CP932 is Shift_JIS there, without the
 * characters that Microsoft added. */
iconv_t yo_charset_open(const char *to, const char *from);
/* Converts the bytes and appends them; charsets by iconv's names. Returns false, and appends
 * nothing, if a charset is unknown, the bytes are not valid in `from`, or `to` lacks a
 * character. */
bool yo_charset_convert(const char *to, const char *from, const char *bytes, size_t len,
                        struct yo_buf *out);
