/* Character sets: the strict UTF-8 test, and conversion by iconv. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

/* The length of the well-formed UTF-8 sequence at p, or 0. Overlong forms, surrogates and what lies
 * beyond U+10FFFF are not well-formed. */
size_t yo_utf8_length(const char *p, size_t left);
bool yo_utf8_valid(const char *bytes, size_t len);
/* Whatever somebody said, cut anywhere, as one line of UTF-8 of the same length: control characters
 * become spaces, and bytes that are no character question marks. */
void yo_utf8_make_line(char *text);

/* Appends the bytes in another charset, by iconv's names. False, with nothing appended, if there is
 * no such charset or the bytes do not fit in either. */
bool yo_charset_convert(const char *to, const char *from, const char *bytes, size_t len,
                        struct yo_buf *out);
