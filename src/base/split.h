/* A stream of bytes cut into lines. A line that is too long is given with a length that says so and
 * its first bytes; reading goes on behind its newline. */
#pragma once

#include <stddef.h>

#include "base/buf.h"

#define YO_LINE_MAX ((size_t)1 << 20)

struct yo_split {
    struct yo_buf line; /* what has come of the next line */
    void (*emit)(void *user, const char *line, size_t len);
    void *user;
};

void yo_split_add(struct yo_split *split, const char *bytes, size_t len);
/* The end of the stream: a last line without a newline is a line. Frees what is inside. */
void yo_split_end(struct yo_split *split);
