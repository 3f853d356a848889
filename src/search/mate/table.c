#include "search/mate/table.h"

#include <string.h>

#include "base/alloc.h"

/* Positions that differ only in the hand share a window, so that their entries can be compared. A
 * window is filled from its start and entries are never removed, so a lookup stops at the first
 * empty one. */
enum { WINDOW = 16 };

enum yo_err yo_dfpn_table_init(struct dfpn_table *table, size_t mb) {
    size_t count = 1024;
    while (2 * count * sizeof *table->entries <= mb << 20)
        count *= 2;
    /* No huge pages: a small problem touches little of the table and would wait for all of it to be
     * cleared. */
    table->entries = yo_alloc(count + WINDOW, sizeof *table->entries);
    if (!table->entries) return YO_ERR_NOMEM;
    table->count = count;
    table->generation = table->kept = 1;
    return YO_OK;
}

void yo_dfpn_table_free(struct dfpn_table *table) { yo_free(table->entries); }

void yo_dfpn_table_clear(struct dfpn_table *table) {
    if (++table->generation == 0) {
        memset(table->entries, 0, (table->count + WINDOW) * sizeof *table->entries);
        table->generation = 1;
    }
    table->kept = table->generation;
}

void yo_dfpn_table_keep_hopeless(struct dfpn_table *table) {
    uint16_t kept = table->generation;
    yo_dfpn_table_clear(table);
    if (table->generation != 1) table->kept = kept;
}

static struct dfpn_entry *window(const struct dfpn_table *table, uint64_t board) {
    return &table->entries[board & (table->count - 1)];
}

static bool is_empty(const struct dfpn_table *table, const struct dfpn_entry *e) {
    return e->generation != table->generation && e->generation != table->kept;
}

/* A forgotten entry keeps its place, to leave no gap in the window, but lookups skip it. */
static bool is_forgotten(const struct dfpn_table *table, const struct dfpn_entry *e) {
    bool hopeless = e->dn == 0 && e->left == DFPN_ENDLESS && !e->way;
    return e->generation != table->generation && !hopeless;
}

static bool proves(const struct dfpn_entry *e, yo_shogi_hand hand, uint16_t left) {
    return e->pn == 0 && e->distance <= left && shogi_hand_covers(hand, e->hand);
}

static bool disproves(const struct dfpn_entry *e, yo_shogi_hand hand, uint32_t way, uint16_t left) {
    if (e->dn != 0 || e->left < left) return false;
    return e->way ? e->way == way && e->hand == hand : shogi_hand_covers(e->hand, hand);
}

struct dfpn_entry yo_dfpn_table_find(const struct dfpn_table *table, uint64_t board,
                                     yo_shogi_hand hand, uint32_t way, uint16_t left) {
    const struct dfpn_entry *e = window(table, board);
    struct dfpn_entry found = {.board = board, .hand = hand, .pn = 1, .dn = 1, .left = left};
    for (int i = 0; i < WINDOW && !is_empty(table, e); i++, e++) {
        if (e->board != board || is_forgotten(table, e)) continue;
        if (proves(e, hand, left) || disproves(e, hand, way, left)) return *e;
        if (e->pn != 0 && e->dn != 0 && e->hand == hand) found = *e;
    }
    return found;
}

/* Proofs and disproofs are kept longer than estimates. */
static uint32_t worth(const struct dfpn_table *table, const struct dfpn_entry *e) {
    if (is_forgotten(table, e)) return 0;
    bool final = (e->pn == 0 || e->dn == 0) && !e->way;
    return e->effort * (final ? 4u : 1u);
}

/* A position and hand has at most one estimate (GUESS): with two, the search could find the older
 * one forever. A disproof for one path (BY_WAY) is stored beside it, since two paths to a position
 * would otherwise overwrite each other's results. A proof or disproof replaces the estimate of the
 * hand it was found with, which is no longer needed. */
enum kind { PROOF, DISPROOF, BY_WAY, GUESS };

static enum kind kind_of(const struct dfpn_entry *e) {
    if (e->pn == 0) return PROOF;
    return e->dn != 0 ? GUESS : e->way ? BY_WAY : DISPROOF;
}

static bool replaces(const struct dfpn_entry *entry, yo_shogi_hand hand,
                     const struct dfpn_entry *old) {
    if (old->board != entry->board) return false;
    enum kind kind = kind_of(entry);
    if (kind_of(old) == GUESS) return old->hand == hand && kind != BY_WAY;
    return kind_of(old) == kind && old->hand == entry->hand && old->way == entry->way;
}

void yo_dfpn_table_store(struct dfpn_table *table, const struct dfpn_entry *entry,
                         yo_shogi_hand hand) {
    struct dfpn_entry *e = window(table, entry->board), *victim = e;
    for (int i = 0; i < WINDOW; i++, e++) {
        if (is_empty(table, e) || replaces(entry, hand, e)) {
            victim = e;
            break;
        }
        if (worth(table, e) < worth(table, victim)) victim = e;
    }
    *victim = *entry;
    victim->generation = table->generation;
}
