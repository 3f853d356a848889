/* How far the static evaluation was off where it was searched on: by where the pawns stand, by what
 * is in hand, and by the last move. Positions alike in one of these are misjudged alike, so the
 * mean of the three corrects the next one. Errors are in the evaluation's units. */
#pragma once

#include "search/alphabeta/history.h"

enum { AB_CORRECT_BITS = 14, AB_CORRECT_ENTRIES = 1 << AB_CORRECT_BITS };

/* Errors of each side to move, averaged, in sixteenths. */
struct ab_corrections {
    int16_t pawns[2][AB_CORRECT_ENTRIES];
    int16_t hands[2][AB_CORRECT_ENTRIES];
    int16_t moves[2][AB_SLOTS];
};

/* The entries that apply at one node. */
struct ab_correction {
    int16_t *parts[3];
};

/* last: the slot of the move that led to pos. */
struct ab_correction ab_correction_of(struct ab_corrections *all,
                                      const struct yo_shogi_position *pos, uint16_t last);
/* What to add to a static value. */
int ab_correction_value(const struct ab_correction *c);
/* A search of so many plies found this much more than the static value, or less. */
void ab_correction_learn(const struct ab_correction *c, int plies, int error);
