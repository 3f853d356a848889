/* The table of the mate solver: what is known of a position, found by its board and by what the
 * attacker has in hand. Hands compare: a mate stays one with more in hand, and no mate stays none
 * with less. */
#pragma once

#include <stddef.h>

#include "game/shogi/types.h"
#include "yomi/error.h"

#define DFPN_INFINITE (UINT32_C(1) << 28)
/* Plies left when there is no limit. */
#define DFPN_ENDLESS 0xffff
#define DFPN_NO_LOOP 0xffff

struct dfpn_entry {
    uint64_t board;
    yo_shogi_hand hand;
    uint32_t pn, dn;
    uint32_t way;        /* a disproof by repetition: the signature of the way here; else 0 */
    uint16_t effort;     /* nodes spent below, or 65535 if more; 0: nothing is known */
    uint16_t generation; /* of which search it is */
    uint16_t left;       /* plies that were left: a disproof holds for no more than these */
    uint16_t distance;   /* proof: plies to mate; disproof: the shallowest ply it loops back to */
};

struct dfpn_table {
    struct dfpn_entry *entries;
    size_t count;        /* a power of two */
    uint16_t generation; /* the entries of others are empty, */
    uint16_t kept;       /* but for one of which what is hopeless is kept, if it is another */
};

enum yo_err yo_dfpn_table_init(struct dfpn_table *table, size_t mb);
void yo_dfpn_table_free(struct dfpn_table *table);
/* Forgets all, in no time. */
void yo_dfpn_table_clear(struct dfpn_table *table);
/* The same, but for where there is no mate, of whatever length and on whatever way. */
void yo_dfpn_table_keep_hopeless(struct dfpn_table *table);

static inline void dfpn_table_prefetch(const struct dfpn_table *table, uint64_t board) {
    __builtin_prefetch(&table->entries[board & (table->count - 1)]);
}

/* What is known; pn = dn = 1 and no effort if nothing is. */
struct dfpn_entry yo_dfpn_table_find(const struct dfpn_table *table, uint64_t board,
                                     yo_shogi_hand hand, uint32_t way, uint16_t left);
/* The entry's hand is the one for which it holds; `hand` is the one it was found with. */
void yo_dfpn_table_store(struct dfpn_table *table, const struct dfpn_entry *entry,
                         yo_shogi_hand hand);
