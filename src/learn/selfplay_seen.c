#include "learn/selfplay_seen.h"

#include "base/alloc.h"

static uint64_t hash_of(const uint8_t position[32]) {
    uint64_t hash = 0x9e3779b97f4a7c15u;
    for (int i = 0; i < 32; i += 8) {
        uint64_t word = 0;
        for (int j = 7; j >= 0; j--)
            word = word << 8 | position[i + j];
        hash = (hash ^ word) * 0xbf58476d1ce4e5b9u;
        hash ^= hash >> 29;
    }
    return hash ? hash : 1;
}

static size_t find(const uint64_t *slots, size_t cap, uint64_t hash) {
    size_t at = (size_t)hash & (cap - 1);
    while (slots[at] && slots[at] != hash)
        at = (at + 1) & (cap - 1);
    return at;
}

static enum yo_err grow(struct selfplay_seen *seen) {
    size_t cap = seen->cap ? 2 * seen->cap : 1 << 12;
    uint64_t *slots = yo_alloc(cap, sizeof *slots);
    if (!slots) return YO_ERR_NOMEM;
    for (size_t i = 0; i < seen->cap; i++)
        if (seen->slots[i]) slots[find(slots, cap, seen->slots[i])] = seen->slots[i];
    yo_free(seen->slots);
    seen->slots = slots;
    seen->cap = cap;
    return YO_OK;
}

void yo_selfplay_seen_free(struct selfplay_seen *seen) {
    yo_free(seen->slots);
    *seen = (struct selfplay_seen){0};
}

enum yo_err yo_selfplay_seen_add(struct selfplay_seen *seen, const uint8_t position[32],
                                 bool *fresh) {
    if (2 * seen->count >= seen->cap && grow(seen)) return YO_ERR_NOMEM;
    uint64_t hash = hash_of(position);
    size_t at = find(seen->slots, seen->cap, hash);
    *fresh = seen->slots[at] == 0;
    if (*fresh) {
        seen->slots[at] = hash;
        seen->count++;
    }
    return YO_OK;
}
