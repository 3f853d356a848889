/* The transposition table of alpha-beta: 16 bytes an entry, four to a cache line. Threads share it
 * without locks: an entry is two words, the first being the key mixed with the second, so that an
 * entry half written by another thread does not match. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "game/shogi/types.h"
#include "yomi/error.h"

enum ab_bound { AB_NONE, AB_UPPER, AB_LOWER, AB_EXACT };

/* No static evaluation is known. */
enum { AB_NO_EVAL = INT16_MIN };

struct ab_entry {
    int score; /* mates counted from this position, not from the root */
    int eval;  /* the static one, or AB_NO_EVAL */
    int depth; /* in parts of a ply (rule.h), rounded down a little */
    yo_shogi_move move;
    enum ab_bound bound;
    bool pv; /* it was searched with an open window */
};

struct ab_slot {
    _Atomic uint64_t check, data;
};

struct ab_table {
    struct ab_slot *slots;
    size_t clusters; /* a power of two */
    size_t bytes;
    unsigned age;     /* of the search that is running */
    atomic_bool used; /* something was stored since it was cleared */
};

enum yo_err yo_ab_table_init(struct ab_table *table, size_t mb);
void yo_ab_table_free(struct ab_table *table);
/* Costs nothing if nothing was stored. */
void yo_ab_table_clear(struct ab_table *table);
/* Starts a new search: older entries are replaced first. */
void yo_ab_table_grow_old(struct ab_table *table);
/* False if there is no entry; *entry is then empty. */
bool yo_ab_table_find(const struct ab_table *table, uint64_t key, struct ab_entry *entry);
void yo_ab_table_store(struct ab_table *table, uint64_t key, const struct ab_entry *entry);
/* An entry in one word, for other tables. */
uint64_t yo_ab_table_pack(const struct ab_entry *entry);
struct ab_entry yo_ab_table_unpack(uint64_t data);
/* Per mille of the table used by this search. */
int yo_ab_table_full(const struct ab_table *table);

static inline void ab_table_prefetch(const struct ab_table *table, uint64_t key) {
    __builtin_prefetch(&table->slots[(key & (table->clusters - 1)) * 4]);
}
