/* Entries of a table as the text of a message: 32 hexadecimal digits each, key and data. */
#pragma once

#include "base/buf.h"
#include "search/search.h"

enum {
    YO_ENTRIES_MAX = 1000, /* in a message */
    YO_ENTRIES_DIGITS = 32,
};

/* The kind of a search's entries as a text; "" for 0. */
void yo_entries_kind_text(uint64_t kind, char text[20]);
void yo_entries_write(const struct yo_search_entry *entries, size_t count, struct yo_buf *out);
/* How many there are; 0, too, if the text is not one of entries, or there are too many. */
size_t yo_entries_count(const char *text);
/* Reads the text of so many entries. */
void yo_entries_read(const char *text, size_t count, struct yo_search_entry *entries);
