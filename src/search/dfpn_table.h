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
    uint32_t way;      /* a disproof by repetition: the signature of the way here; else 0 */
    uint32_t effort;   /* nodes spent below */
    uint16_t left;     /* plies that were left: a disproof holds for no more than these */
    uint16_t distance; /* proof: plies to mate; disproof: the shallowest ply it loops back to */
};

struct dfpn_table {
    struct dfpn_entry *entries;
    size_t count; /* a power of two */
};

enum yo_err yo_dfpn_table_init(struct dfpn_table *table, size_t mb);
void yo_dfpn_table_free(struct dfpn_table *table);
void yo_dfpn_table_clear(struct dfpn_table *table);
/* Forgets all but where there is no mate, of whatever length and on whatever way. */
void yo_dfpn_table_keep_hopeless(struct dfpn_table *table);

/* What is known; pn = dn = 1 and no effort if nothing is. */
struct dfpn_entry yo_dfpn_table_find(const struct dfpn_table *table, uint64_t board,
                                     yo_shogi_hand hand, uint32_t way, uint16_t left);
void yo_dfpn_table_store(struct dfpn_table *table, const struct dfpn_entry *entry);
