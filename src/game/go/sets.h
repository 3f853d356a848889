/* Sets of points as words of bits: neighbours and connected parts for all points at once. */
#pragma once

#include "game/go/board.h"

struct yo_go_set {
    uint64_t word[YO_GO_WORDS_MAX]; /* those beyond geometry->words are not read */
};

/* The stones of a colour. */
void yo_go_set_stones(const struct yo_go_board *board, enum yo_go_color color,
                      struct yo_go_set *stones);
/* The neighbours of the points of a set; may include points of the set itself. */
void yo_go_set_beside(const struct yo_go_geometry *g, const struct yo_go_set *set,
                      struct yo_go_set *beside);
/* Extends a set to all points of `within` that are connected to it there. Its own points must be in
 * `within`. */
void yo_go_set_fill(const struct yo_go_geometry *g, const struct yo_go_set *within,
                    struct yo_go_set *set);
/* The connected part of `within` that holds its first point, which is taken out of it. False if
 * there is none left. */
bool yo_go_set_next_part(const struct yo_go_geometry *g, struct yo_go_set *within,
                         struct yo_go_set *part);

static inline void yo_go_set_add(struct yo_go_set *set, unsigned p) {
    set->word[p >> 6] |= (uint64_t)1 << (p & 63);
}

/* Whether `a` has a point of `b`; whether all of `a` is in `b`. */
static inline bool yo_go_set_meets(const struct yo_go_geometry *g, const struct yo_go_set *a,
                                   const struct yo_go_set *b) {
    uint64_t both = 0;
    for (int w = 0; w < g->words; w++)
        both |= a->word[w] & b->word[w];
    return both != 0;
}

static inline bool yo_go_set_within(const struct yo_go_geometry *g, const struct yo_go_set *a,
                                    const struct yo_go_set *b) {
    uint64_t beyond = 0;
    for (int w = 0; w < g->words; w++)
        beyond |= a->word[w] & ~b->word[w];
    return beyond == 0;
}

static inline int yo_go_set_count(const struct yo_go_geometry *g, const struct yo_go_set *a) {
    int count = 0;
    for (int w = 0; w < g->words; w++)
        count += __builtin_popcountll(a->word[w]);
    return count;
}
