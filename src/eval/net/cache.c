#include "eval/net/cache.h"

#include <pthread.h>
#include <string.h>

#include "base/alloc.h"

enum { SHARDS = 64, WAYS = 4, ALIGN = 16 };

struct entry {
    uint64_t key;
    uint32_t age; /* 0: empty */
    uint32_t has;
    struct yo_eval_value value;
    uint64_t moves;
    float numbers[]; /* policy, then ownership */
};

/* A part of the keys, with a lock of its own. */
struct shard {
    pthread_mutex_t lock;
    size_t policy_count, cells; /* the shape of its entries */
    size_t entry_size, entry_count;
    uint32_t clock;
};

struct yo_net_cache {
    size_t shard_bytes, bytes;
    unsigned char *memory;
    struct shard shards[SHARDS];
};

enum yo_err yo_net_cache_new(size_t bytes, struct yo_net_cache **cache) {
    *cache = NULL;
    size_t shard_bytes = bytes / SHARDS / ALIGN * ALIGN;
    if (shard_bytes < WAYS * sizeof(struct entry)) return YO_OK;
    struct yo_net_cache *made = yo_alloc(1, sizeof *made);
    if (!made) return YO_ERR_NOMEM;
    made->shard_bytes = shard_bytes;
    made->bytes = shard_bytes * SHARDS;
    made->memory = yo_alloc_large(made->bytes);
    if (!made->memory) {
        yo_free(made);
        return YO_ERR_NOMEM;
    }
    for (int i = 0; i < SHARDS; i++)
        pthread_mutex_init(&made->shards[i].lock, NULL);
    *cache = made;
    return YO_OK;
}

void yo_net_cache_delete(struct yo_net_cache *cache) {
    if (!cache) return;
    for (int i = 0; i < SHARDS; i++)
        pthread_mutex_destroy(&cache->shards[i].lock);
    yo_free_large(cache->memory, cache->bytes);
    yo_free(cache);
}

static int shard_of(uint64_t key) { return (int)(key >> 58); }

static struct entry *entry_at(struct yo_net_cache *cache, int s, size_t i) {
    struct shard *shard = &cache->shards[s];
    unsigned char *first = cache->memory + (size_t)s * cache->shard_bytes;
    return (struct entry *)(void *)(first + i % shard->entry_count * shard->entry_size);
}

static bool same_shape(const struct shard *shard, const struct yo_net_record *record) {
    return shard->policy_count == record->policy_count && shard->cells == record->cells &&
           shard->entry_count > 0;
}

/* Sets the shape of a shard's entries and clears it. */
static void set_shape(struct yo_net_cache *cache, int s, const struct yo_net_record *record) {
    struct shard *shard = &cache->shards[s];
    size_t floats = record->policy_count + record->cells;
    size_t size = sizeof(struct entry) + floats * sizeof(float);
    shard->policy_count = record->policy_count;
    shard->cells = record->cells;
    shard->entry_size = (size + ALIGN - 1) / ALIGN * ALIGN;
    shard->entry_count = cache->shard_bytes / shard->entry_size;
    for (size_t i = 0; i < shard->entry_count; i++)
        entry_at(cache, s, i)->age = 0;
}

static void copy_out(const struct entry *entry, struct yo_net_record *record) {
    record->has = entry->has;
    record->value = entry->value;
    if (entry->has & YO_EVAL_POLICY)
        memcpy(record->policy, entry->numbers, record->policy_count * sizeof(float));
    if (entry->has & YO_EVAL_OWNERSHIP)
        memcpy(record->ownership, entry->numbers + record->policy_count,
               record->cells * sizeof(float));
}

bool yo_net_cache_get(struct yo_net_cache *cache, uint64_t key, unsigned wants,
                      struct yo_net_record *record) {
    if (!cache) return false;
    int s = shard_of(key);
    struct shard *shard = &cache->shards[s];
    bool found = false;
    pthread_mutex_lock(&shard->lock);
    for (int way = 0; way < WAYS && !found && same_shape(shard, record); way++) {
        struct entry *entry = entry_at(cache, s, (size_t)key + (size_t)way);
        if (!entry->age || entry->key != key || (wants & ~entry->has)) continue;
        if (wants & YO_EVAL_POLICY && entry->moves != record->moves) continue;
        entry->age = ++shard->clock;
        copy_out(entry, record);
        found = true;
    }
    pthread_mutex_unlock(&shard->lock);
    return found;
}

void yo_net_cache_put(struct yo_net_cache *cache, uint64_t key,
                      const struct yo_net_record *record) {
    if (!cache) return;
    int s = shard_of(key);
    struct shard *shard = &cache->shards[s];
    pthread_mutex_lock(&shard->lock);
    if (!same_shape(shard, record)) set_shape(cache, s, record);
    struct entry *oldest = NULL;
    for (int way = 0; way < WAYS && shard->entry_count > 0; way++) {
        struct entry *entry = entry_at(cache, s, (size_t)key + (size_t)way);
        bool same = entry->age && entry->key == key;
        if (same || !oldest || entry->age < oldest->age) oldest = entry;
        if (same) break;
    }
    if (oldest) {
        oldest->key = key;
        oldest->age = ++shard->clock;
        oldest->has = record->has;
        oldest->value = record->value;
        oldest->moves = record->moves;
        if (record->has & YO_EVAL_POLICY)
            memcpy(oldest->numbers, record->policy, record->policy_count * sizeof(float));
        if (record->has & YO_EVAL_OWNERSHIP)
            memcpy(oldest->numbers + record->policy_count, record->ownership,
                   record->cells * sizeof(float));
    }
    pthread_mutex_unlock(&shard->lock);
}
