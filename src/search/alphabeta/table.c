#include "search/alphabeta/table.h"

#include "base/alloc.h"
#include "search/alphabeta/rule.h"

enum {
    CLUSTER = 4,
    DEPTH_PART = YO_AB_PLY / 4, /* unit of the stored depth */
    DEPTH_MAX = 511,
    AGES = 16,
    DEEPER = 4 * YO_AB_PLY / DEPTH_PART /* what an entry of less depth does not replace */
};

/* The second word: score, static evaluation and move, 16 bits each; depth 9, bound 2, pv 1, age 4.
 */
static uint64_t pack(const struct ab_entry *e, unsigned age) {
    int depth = e->depth < 0 ? 0 : e->depth / DEPTH_PART;
    if (depth > DEPTH_MAX) depth = DEPTH_MAX;
    return (uint64_t)(uint16_t)e->score | (uint64_t)(uint16_t)e->eval << 16 |
           (uint64_t)e->move << 32 | (uint64_t)(unsigned)depth << 48 | (uint64_t)e->bound << 57 |
           (uint64_t)e->pv << 59 | (uint64_t)age << 60;
}

static int depth_of(uint64_t data) { return (int)(data >> 48 & DEPTH_MAX); }
static enum ab_bound bound_of(uint64_t data) { return (enum ab_bound)(data >> 57 & 3); }
static unsigned age_of(uint64_t data) { return (unsigned)(data >> 60); }

static struct ab_entry unpack(uint64_t data) {
    return (struct ab_entry){.score = (int16_t)(uint16_t)data,
                             .eval = (int16_t)(uint16_t)(data >> 16),
                             .move = (yo_shogi_move)(data >> 32),
                             .depth = depth_of(data) * DEPTH_PART,
                             .bound = bound_of(data),
                             .pv = data >> 59 & 1};
}

uint64_t yo_ab_table_pack(const struct ab_entry *entry) { return pack(entry, 0); }

struct ab_entry yo_ab_table_unpack(uint64_t data) {
    return unpack(data);
}

enum yo_err yo_ab_table_init(struct ab_table *table, size_t mb) {
    size_t clusters = 1024;
    while (2 * clusters * CLUSTER * sizeof *table->slots <= mb << 20)
        clusters *= 2;
    table->bytes = clusters * CLUSTER * sizeof *table->slots;
    table->slots = yo_alloc_large(table->bytes);
    if (!table->slots) return YO_ERR_NOMEM;
    table->clusters = clusters;
    /* Takes the pages now, not in the first search. */
    atomic_store(&table->used, true);
    yo_ab_table_clear(table);
    return YO_OK;
}

void yo_ab_table_free(struct ab_table *table) { yo_free_large(table->slots, table->bytes); }

void yo_ab_table_clear(struct ab_table *table) {
    table->age = 0;
    if (!atomic_exchange(&table->used, false)) return;
    yo_clear_large((void *)table->slots, table->bytes);
}

void yo_ab_table_grow_old(struct ab_table *table) { table->age = (table->age + 1) % AGES; }

static struct ab_slot *cluster(const struct ab_table *table, uint64_t key) {
    return &table->slots[(key & (table->clusters - 1)) * CLUSTER];
}

static uint64_t load(const _Atomic uint64_t *word) {
    return atomic_load_explicit(word, memory_order_relaxed);
}

bool yo_ab_table_find(const struct ab_table *table, uint64_t key, struct ab_entry *entry) {
    const struct ab_slot *slot = cluster(table, key);
    for (int i = 0; i < CLUSTER; i++, slot++) {
        uint64_t data = load(&slot->data);
        if ((load(&slot->check) ^ data) != key || bound_of(data) == AB_NONE) continue;
        *entry = unpack(data);
        return true;
    }
    *entry = (struct ab_entry){.eval = AB_NO_EVAL};
    return false;
}

/* Replacement order: shallow entries and those of earlier searches go first. */
static int worth(const struct ab_table *table, uint64_t data) {
    if (bound_of(data) == AB_NONE) return -10000;
    return depth_of(data) - 16 * (int)((table->age + AGES - age_of(data)) % AGES);
}

/* The word for a position that has an entry already. The result of a much deeper search stays, also
 * that of an earlier one, and counts as one of this search; only an exact value of the same search
 * replaces it. */
static uint64_t merge(const struct ab_table *table, uint64_t old, const struct ab_entry *new) {
    struct ab_entry e = *new, before = unpack(old);
    bool exact = e.bound == AB_EXACT && age_of(old) == table->age;
    if (!exact && e.depth / DEPTH_PART + DEEPER < depth_of(old))
        e = before;
    else if (e.move == YO_SHOGI_NO_MOVE)
        e.move = before.move;
    return pack(&e, table->age);
}

void yo_ab_table_store(struct ab_table *table, uint64_t key, const struct ab_entry *entry) {
    struct ab_slot *slot = cluster(table, key), *victim = slot;
    uint64_t data = pack(entry, table->age);
    int least = INT32_MAX;
    if (!atomic_load_explicit(&table->used, memory_order_relaxed))
        atomic_store_explicit(&table->used, true, memory_order_relaxed);
    for (int i = 0; i < CLUSTER; i++, slot++) {
        uint64_t old = load(&slot->data);
        if ((load(&slot->check) ^ old) == key && bound_of(old) != AB_NONE) {
            data = merge(table, old, entry);
            victim = slot;
            break;
        }
        int value = worth(table, old);
        if (value < least) {
            least = value;
            victim = slot;
        }
    }
    atomic_store_explicit(&victim->check, key ^ data, memory_order_relaxed);
    atomic_store_explicit(&victim->data, data, memory_order_relaxed);
}

int yo_ab_table_full(const struct ab_table *table) {
    int used = 0;
    for (size_t i = 0; i < 1000; i++) {
        uint64_t data = load(&table->slots[i].data);
        used += bound_of(data) != AB_NONE && age_of(data) == table->age;
    }
    return used;
}
