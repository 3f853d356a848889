/* Messages that have arrived and wait, the oldest first. Bounded: one that comes when it is full is
 * lost, as on any network. Not for use from several threads at once. Zeroed: empty. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct yo_buf;
struct yo_inbox_entry;

struct yo_inbox {
    struct yo_inbox_entry *first, *last;
    size_t count;
};

void yo_inbox_put(struct yo_inbox *inbox, const char *bytes, size_t len);
/* The oldest replaces the content of *out; false if there is none. */
bool yo_inbox_take(struct yo_inbox *inbox, struct yo_buf *out);
void yo_inbox_free(struct yo_inbox *inbox);
