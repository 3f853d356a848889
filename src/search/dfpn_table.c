#include "search/dfpn_table.h"

#include <string.h>

#include "base/alloc.h"

/* Positions that differ in the hand alone share a window, so that they find each other. */
enum { WINDOW = 16 };

enum yo_err yo_dfpn_table_init(struct dfpn_table *table, size_t mb) {
    size_t count = 1024;
    while (2 * count * sizeof *table->entries <= mb << 20)
        count *= 2;
    table->entries = yo_alloc_aligned((count + WINDOW) * sizeof *table->entries);
    if (!table->entries) return YO_ERR_NOMEM;
    table->count = count;
    yo_dfpn_table_clear(table);
    return YO_OK;
}

void yo_dfpn_table_free(struct dfpn_table *table) { yo_free_aligned(table->entries); }

void yo_dfpn_table_clear(struct dfpn_table *table) {
    memset(table->entries, 0, (table->count + WINDOW) * sizeof *table->entries);
}

static struct dfpn_entry *window(const struct dfpn_table *table, uint64_t board) {
    return &table->entries[board & (table->count - 1)];
}

static bool is_empty(const struct dfpn_entry *e) { return e->pn == 0 && e->dn == 0; }

void yo_dfpn_table_keep_hopeless(struct dfpn_table *table) {
    for (size_t i = 0; i < table->count + WINDOW; i++) {
        struct dfpn_entry *e = &table->entries[i];
        if (e->dn != 0 || e->left != DFPN_ENDLESS || e->way) *e = (struct dfpn_entry){0};
    }
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
    for (int i = 0; i < WINDOW; i++, e++) {
        if (e->board != board || is_empty(e)) continue;
        if (proves(e, hand, left) || disproves(e, hand, way, left)) return *e;
        if (e->pn != 0 && e->dn != 0 && e->hand == hand) found = *e;
    }
    return found;
}

/* Final words are worth keeping longer than guesses. */
static uint64_t worth(const struct dfpn_entry *e) {
    bool final = (e->pn == 0 || e->dn == 0) && !e->way;
    return e->effort * (final ? UINT64_C(4) : UINT64_C(1));
}

/* Of one position and hand there is at most one entry of each kind: a proof, a disproof that holds
 * on any way, and what is neither. Two of the last kind would be fatal, since the older could be
 * found for ever. */
enum kind { PROOF, DISPROOF, NEITHER };

static enum kind kind_of(const struct dfpn_entry *e) {
    return e->pn == 0 ? PROOF : e->dn == 0 && e->way == 0 ? DISPROOF : NEITHER;
}

static bool same_slot(const struct dfpn_entry *a, const struct dfpn_entry *b) {
    return a->board == b->board && a->hand == b->hand && kind_of(a) == kind_of(b);
}

void yo_dfpn_table_store(struct dfpn_table *table, const struct dfpn_entry *entry) {
    struct dfpn_entry *e = window(table, entry->board), *victim = e;
    for (int i = 0; i < WINDOW; i++, e++) {
        if (is_empty(e) || same_slot(e, entry)) {
            *e = *entry;
            return;
        }
        if (worth(e) < worth(victim)) victim = e;
    }
    *victim = *entry;
}
