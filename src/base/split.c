#include "base/split.h"

#include <string.h>

/* Keeps one byte more than YO_LINE_MAX, enough to detect a line that is too long. */
static void append(struct yo_split *split, const char *bytes, size_t len) {
    size_t room = YO_LINE_MAX + 1 - split->line.len;
    yo_buf_add(&split->line, bytes, len < room ? len : room);
}

static void emit(struct yo_split *split) {
    /* A line that did not fit in memory counts as too long. */
    size_t len = split->line.failed ? YO_LINE_MAX + 1 : split->line.len;
    split->emit(split->user, yo_buf_text(&split->line), len);
    yo_buf_clear(&split->line);
}

void yo_split_add(struct yo_split *split, const char *bytes, size_t len) {
    while (len > 0) {
        const char *newline = memchr(bytes, '\n', len);
        size_t part = newline ? (size_t)(newline - bytes) : len;
        append(split, bytes, part);
        if (!newline) return;
        emit(split);
        bytes += part + 1;
        len -= part + 1;
    }
}

void yo_split_end(struct yo_split *split) {
    if (split->line.len > 0) emit(split);
    yo_buf_free(&split->line);
}
