/* The table of the mate solver, keyed by the board and the attacker's hand. Hands are ordered by
 * dominance: a mate remains with more in hand, and a disproof remains with less. */
#pragma once

#include <stddef.h>

#include "game/shogi/types.h"
#include "yomi/error.h"

#define DFPN_INFINITE (UINT32_C(1) << 28)
/* Plies left without a limit. */
#define DFPN_ENDLESS 0xffff
#define DFPN_NO_LOOP 0xffff

struct dfpn_entry {
    uint64_t board;
    yo_shogi_hand hand;
    uint32_t pn, dn;
    uint32_t way;        /* a disproof by repetition: the signature of the path here; else 0 */
    uint16_t effort;     /* nodes spent below, at most 65535; 0: nothing is known */
    uint16_t generation; /* of the search that stored it */
    uint16_t left;       /* plies left: a disproof holds for at most these */
    uint16_t distance;   /* proof: plies to mate; disproof: the shallowest ply it loops back to */
};

struct dfpn_table {
    struct dfpn_entry *entries;
    size_t count;        /* a power of two */
    uint16_t generation; /* entries of other generations are empty, */
    uint16_t kept;       /* except unlimited disproofs of this generation */
};

enum yo_err yo_dfpn_table_init(struct dfpn_table *table, size_t mb);
void yo_dfpn_table_free(struct dfpn_table *table);
/* Clears the table, by a new generation. */
void yo_dfpn_table_clear(struct dfpn_table *table);
/* The same, but keeps disproofs that hold for any length and on any path. */
void yo_dfpn_table_keep_hopeless(struct dfpn_table *table);

static inline void dfpn_table_prefetch(const struct dfpn_table *table, uint64_t board) {
    __builtin_prefetch(&table->entries[board & (table->count - 1)]);
}

/* The matching entry; pn = dn = 1 and effort 0 if there is none. */
struct dfpn_entry yo_dfpn_table_find(const struct dfpn_table *table, uint64_t board,
                                     yo_shogi_hand hand, uint32_t way, uint16_t left);
/* The entry's hand is the one for which it holds; `hand` is that of the node searched. */
void yo_dfpn_table_store(struct dfpn_table *table, const struct dfpn_entry *entry,
                         yo_shogi_hand hand);
