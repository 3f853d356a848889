/* Functions that fill in a struct yo_diag. All accept a NULL diag and return the code that is
 * passed in, so that a failing function can end in one line. */
#pragma once

#include <stddef.h>

#include "yomi/error.h"

#if defined(__GNUC__)
#define YO_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#define YO_PRINTF(fmt, args)
#endif

enum yo_err yo_diag_set(struct yo_diag *diag, enum yo_err err, const char *fmt, ...)
    YO_PRINTF(3, 4);

/* Adds a hint: what the reader can do about the error. A second call replaces the first. */
void yo_diag_hint(struct yo_diag *diag, const char *fmt, ...) YO_PRINTF(2, 3);

/* Names the place: a file, an option, a command; line and column from 1, or 0 when unknown. */
void yo_diag_where(struct yo_diag *diag, const char *where, int line, int column);

/* "where:line:column: what; hint" on one line, without the parts that are empty. */
void yo_diag_format(const struct yo_diag *diag, char *out, size_t size);
