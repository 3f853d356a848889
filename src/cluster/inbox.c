#include "cluster/inbox.h"

#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"

enum { WAIT_MAX = 1 << 16 };

struct yo_inbox_entry {
    struct yo_inbox_entry *next;
    size_t len;
    char bytes[];
};

void yo_inbox_put(struct yo_inbox *inbox, const char *bytes, size_t len) {
    struct yo_inbox_entry *entry =
        inbox->count < WAIT_MAX ? yo_alloc(1, sizeof *entry + len) : NULL;
    if (!entry) return;
    entry->len = len;
    memcpy(entry->bytes, bytes, len);
    if (inbox->last)
        inbox->last->next = entry;
    else
        inbox->first = entry;
    inbox->last = entry;
    inbox->count++;
}

static struct yo_inbox_entry *detach(struct yo_inbox *inbox) {
    struct yo_inbox_entry *entry = inbox->first;
    if (!entry) return NULL;
    inbox->first = entry->next;
    if (!inbox->first) inbox->last = NULL;
    inbox->count--;
    return entry;
}

bool yo_inbox_take(struct yo_inbox *inbox, struct yo_buf *out) {
    struct yo_inbox_entry *entry = detach(inbox);
    if (!entry) return false;
    yo_buf_clear(out);
    yo_buf_add(out, entry->bytes, entry->len);
    yo_free(entry);
    return true;
}

void yo_inbox_free(struct yo_inbox *inbox) {
    for (struct yo_inbox_entry *entry; (entry = detach(inbox));)
        yo_free(entry);
}
