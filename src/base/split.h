/* Splits a stream of bytes into lines. A line that is too long is emitted with a length above
 * YO_LINE_MAX and its first bytes; reading continues after its newline. */
#pragma once

#include <stddef.h>

#include "base/buf.h"

#define YO_LINE_MAX ((size_t)1 << 20)

struct yo_split {
    struct yo_buf line; /* the part of the next line received so far */
    void (*emit)(void *user, const char *line, size_t len);
    void *user;
};

void yo_split_add(struct yo_split *split, const char *bytes, size_t len);
/* End of the stream: emits a last line without a newline, and frees the buffer. */
void yo_split_end(struct yo_split *split);
