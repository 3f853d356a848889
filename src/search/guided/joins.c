#include "search/guided/joins.h"

#include <string.h>

#include "base/alloc.h"

/* Entries that a key can be in. */
enum { GROUP = 4, ENTRIES_MIN = 256 };

/* A node with its edges takes about a dozen cells, and a group should not be full. */
size_t yo_joins_room(size_t bytes) {
    size_t entries = ENTRIES_MIN;
    while (entries < bytes / YO_CELL_SIZE / 8 && entries < (size_t)1 << 30)
        entries *= 2;
    return entries;
}

enum yo_err yo_joins_init(struct yo_joins *joins, size_t entries) {
    joins->entries = yo_alloc(entries, sizeof *joins->entries);
    joins->mask = (uint32_t)(entries - 1);
    return joins->entries ? YO_OK : YO_ERR_NOMEM;
}

void yo_joins_free(struct yo_joins *joins) { yo_free(joins->entries); }

void yo_joins_clear(struct yo_joins *joins) {
    if (!atomic_exchange(&joins->used, false)) return;
    memset(joins->entries, 0, ((size_t)joins->mask + 1) * sizeof *joins->entries);
    joins->walk = joins->alive = 0;
}

/* A lock is held for some comparisons, and only where a child is made or freed. */
static atomic_uchar *lock(struct yo_joins *joins, uint32_t entry) {
    atomic_uchar *lock = &joins->locks[entry / GROUP % YO_JOINS_LOCKS];
    while (atomic_exchange_explicit(lock, 1, memory_order_acquire)) {
    }
    return lock;
}

static void unlock(atomic_uchar *lock) { atomic_store_explicit(lock, 0, memory_order_release); }

/* The first entry is not used: its number means none. */
static uint32_t find(struct yo_joins *joins, uint32_t group, uint64_t key) {
    uint32_t free = 0;
    for (uint32_t at = group; at < group + GROUP; at++) {
        const struct yo_join *e = &joins->entries[at];
        if (e->key == key && e->walk >= joins->alive) return at;
        if (e->key == 0) free = at;
    }
    return free;
}

uint32_t yo_joins_hold(struct yo_joins *joins, uint64_t key, yo_cell *node) {
    uint32_t group = (uint32_t)(key >> 32) & joins->mask & ~(uint32_t)(GROUP - 1);
    atomic_uchar *held = lock(joins, group);
    uint32_t at = find(joins, group, key);
    struct yo_join *e = &joins->entries[at];
    if (at && e->key == 0) {
        *e = (struct yo_join){.key = key, .node = *node, .walk = joins->walk};
        atomic_store_explicit(&joins->used, true, memory_order_relaxed);
    }
    if (at) {
        *node = e->node;
        e->uses++;
    }
    unlock(held);
    return at;
}

bool yo_joins_release(struct yo_joins *joins, uint32_t entry) {
    atomic_uchar *held = lock(joins, entry);
    struct yo_join *e = &joins->entries[entry];
    bool last = --e->uses == 0;
    if (last) *e = (struct yo_join){0};
    unlock(held);
    return last;
}

/* ---- walks ---- */

void yo_joins_begin_walk(struct yo_joins *joins) { joins->walk++; }

bool yo_joins_meet(struct yo_joins *joins, uint32_t entry) {
    struct yo_join *e = &joins->entries[entry];
    if (e->walk == joins->walk) return false;
    e->walk = joins->walk;
    return true;
}

void yo_joins_forget(struct yo_joins *joins) { joins->alive = ++joins->walk; }
