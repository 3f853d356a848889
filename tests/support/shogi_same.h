/* Whether two shogi records hold the same: for tests and the fuzz target. */
#pragma once

#include <stdbool.h>
#include <string.h>

#include "game/shogi/kifu/record.h"

/* What a format can keep. SAME_ORDER: of the headers, of which CSA has the players first. */
enum { SAME_TIMES = 1, SAME_VARIATIONS = 2, SAME_BOOKMARKS = 4, SAME_ORDER = 8, SAME_ALL = 15 };

static inline bool shogi_same_header(const struct yo_shogi_record *a, size_t i,
                                     const struct yo_shogi_record *b, size_t k) {
    return strcmp(yo_shogi_record_text(a, a->headers[i].key),
                  yo_shogi_record_text(b, b->headers[k].key)) == 0 &&
           strcmp(yo_shogi_record_text(a, a->headers[i].value),
                  yo_shogi_record_text(b, b->headers[k].value)) == 0;
}

static inline bool shogi_same_headers(const struct yo_shogi_record *a,
                                      const struct yo_shogi_record *b, int what) {
    if (a->header_count != b->header_count) return false;
    for (size_t i = 0; i < a->header_count; i++) {
        size_t k = what & SAME_ORDER ? i : 0;
        while (!(what & SAME_ORDER) && k < b->header_count && !shogi_same_header(a, i, b, k))
            k++;
        if (k == b->header_count || !shogi_same_header(a, i, b, k)) return false;
    }
    return true;
}

static inline bool shogi_same_node(const struct yo_shogi_record *a, int i,
                                   const struct yo_shogi_record *b, int k, int what) {
    const struct yo_shogi_node *x = &a->nodes[i], *y = &b->nodes[k];
    if (x->move != y->move || x->end != y->end || x->ply != y->ply) return false;
    if ((what & SAME_TIMES) && x->time_ms != y->time_ms) return false;
    if ((what & SAME_BOOKMARKS) &&
        strcmp(yo_shogi_record_text(a, x->bookmark), yo_shogi_record_text(b, y->bookmark)) != 0)
        return false;
    return strcmp(yo_shogi_record_text(a, x->comment), yo_shogi_record_text(b, y->comment)) == 0;
}

/* Without calling itself: records may be deep. Both trees are walked in the same order. */
static inline bool shogi_same(const struct yo_shogi_record *a, const struct yo_shogi_record *b,
                              int what) {
    if (shogi_hash(&a->start) != shogi_hash(&b->start) || !shogi_same_headers(a, b, what))
        return false;
    int i = 0, k = 0;
    for (;;) {
        if (!shogi_same_node(a, i, b, k, what)) return false;
        int x = a->nodes[i].child, y = b->nodes[k].child;
        while ((x == YO_SHOGI_NO_NODE) == (y == YO_SHOGI_NO_NODE) && x == YO_SHOGI_NO_NODE) {
            if (i == 0 || !(what & SAME_VARIATIONS)) return true;
            x = a->nodes[i].sibling;
            y = b->nodes[k].sibling;
            i = a->nodes[i].parent;
            k = b->nodes[k].parent;
        }
        if (x == YO_SHOGI_NO_NODE || y == YO_SHOGI_NO_NODE) return false;
        i = x;
        k = y;
    }
}
