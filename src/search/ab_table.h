/* The transposition table of alpha-beta: 16 bytes an entry, four to a cluster. */
#pragma once

#include <stddef.h>

#include "game/shogi/types.h"
#include "yomi/error.h"

enum ab_bound { AB_NONE, AB_UPPER, AB_LOWER, AB_EXACT };

struct ab_entry {
    uint64_t key;
    int16_t score; /* mates counted from this position, not from the root */
    yo_shogi_move move;
    int8_t depth;
    uint8_t bound;
    uint8_t age;
};

struct ab_table {
    struct ab_entry *entries;
    size_t clusters; /* a power of two */
    uint8_t age;
};

enum yo_err yo_ab_table_init(struct ab_table *table, size_t mb);
void yo_ab_table_free(struct ab_table *table);
void yo_ab_table_clear(struct ab_table *table);
/* NULL if nothing is known. */
const struct ab_entry *yo_ab_table_find(const struct ab_table *table, uint64_t key);
void yo_ab_table_store(struct ab_table *table, uint64_t key, int score, yo_shogi_move move,
                       int depth, enum ab_bound bound);
/* Per mille of the table used by this search. */
int yo_ab_table_full(const struct ab_table *table);
