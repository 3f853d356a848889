#include "search/ab_table.h"

#include <string.h>

#include "base/alloc.h"

enum { CLUSTER = 4 };

enum yo_err yo_ab_table_init(struct ab_table *table, size_t mb) {
    size_t clusters = 1024;
    while (2 * clusters * CLUSTER * sizeof *table->entries <= mb << 20)
        clusters *= 2;
    table->entries = yo_alloc_aligned(clusters * CLUSTER * sizeof *table->entries);
    if (!table->entries) return YO_ERR_NOMEM;
    table->clusters = clusters;
    yo_ab_table_clear(table);
    return YO_OK;
}

void yo_ab_table_free(struct ab_table *table) { yo_free_aligned(table->entries); }

void yo_ab_table_clear(struct ab_table *table) {
    memset(table->entries, 0, table->clusters * CLUSTER * sizeof *table->entries);
    table->age = 0;
}

static struct ab_entry *cluster(const struct ab_table *table, uint64_t key) {
    return &table->entries[(key & (table->clusters - 1)) * CLUSTER];
}

const struct ab_entry *yo_ab_table_find(const struct ab_table *table, uint64_t key) {
    const struct ab_entry *e = cluster(table, key);
    for (int i = 0; i < CLUSTER; i++, e++)
        if (e->key == key && e->bound != AB_NONE) return e;
    return NULL;
}

/* Shallow entries and those of earlier searches go first. */
static int worth(const struct ab_table *table, const struct ab_entry *e) {
    return e->bound == AB_NONE ? -1000 : e->depth - 8 * (uint8_t)(table->age - e->age);
}

void yo_ab_table_store(struct ab_table *table, uint64_t key, int score, yo_shogi_move move,
                       int depth, enum ab_bound bound) {
    struct ab_entry *e = cluster(table, key), *victim = e;
    for (int i = 0; i < CLUSTER; i++, e++) {
        if (e->key == key) {
            victim = e;
            if (move == YO_SHOGI_NO_MOVE) move = e->move;
            break;
        }
        if (worth(table, e) < worth(table, victim)) victim = e;
    }
    *victim = (struct ab_entry){.key = key,
                                .score = (int16_t)score,
                                .move = move,
                                .depth = (int8_t)depth,
                                .bound = (uint8_t)bound,
                                .age = table->age};
}

int yo_ab_table_full(const struct ab_table *table) {
    int used = 0;
    for (size_t i = 0; i < 1000; i++)
        used += table->entries[i].bound != AB_NONE && table->entries[i].age == table->age;
    return used;
}
