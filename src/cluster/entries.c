#include "cluster/entries.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void yo_entries_kind_text(uint64_t kind, char text[20]) {
    snprintf(text, 20, "%s", "");
    if (kind) snprintf(text, 20, "%016" PRIx64, kind);
}

void yo_entries_write(const struct yo_search_entry *entries, size_t count, struct yo_buf *out) {
    for (size_t i = 0; i < count; i++)
        yo_buf_printf(out, "%016" PRIx64 "%016" PRIx64, entries[i].key, entries[i].data);
}

size_t yo_entries_count(const char *text) {
    size_t len = text ? strspn(text, "0123456789abcdef") : 0;
    if (len == 0 || text[len] || len % YO_ENTRIES_DIGITS) return 0;
    return len / YO_ENTRIES_DIGITS <= YO_ENTRIES_MAX ? len / YO_ENTRIES_DIGITS : 0;
}

static uint64_t read_word(const char *digits) {
    uint64_t word = 0;
    for (int i = 0; i < YO_ENTRIES_DIGITS / 2; i++) {
        char c = digits[i];
        word = word << 4 | (uint64_t)(c <= '9' ? c - '0' : c - 'a' + 10);
    }
    return word;
}

void yo_entries_read(const char *text, size_t count, struct yo_search_entry *entries) {
    for (size_t i = 0; i < count; i++, text += YO_ENTRIES_DIGITS)
        entries[i] = (struct yo_search_entry){.key = read_word(text),
                                              .data = read_word(text + YO_ENTRIES_DIGITS / 2)};
}
