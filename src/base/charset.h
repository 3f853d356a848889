/* Character sets: the strict UTF-8 test, and conversion by iconv. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

/* The length of the well-formed UTF-8 sequence at p, or 0. Overlong forms, surrogates and what lies
 * beyond U+10FFFF are not well-formed. */
size_t yo_utf8_length(const char *p, size_t left);
bool yo_utf8_valid(const char *bytes, size_t len);

/* Appends the bytes in another charset, by iconv's names. False, with nothing appended, if there is
 * no such charset or the bytes do not fit in either. */
bool yo_charset_convert(const char *to, const char *from, const char *bytes, size_t len,
                        struct yo_buf *out);
