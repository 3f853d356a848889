/* Correction history: the error of the static evaluation against the search, by pawn structure, by
 * hands, and by the last move. Positions that agree in one of these have similar errors, so the
 * mean of the three corrects the static value. Errors are in the evaluation's units. */
#pragma once

#include "search/alphabeta/history.h"

enum { AB_CORRECT_BITS = 14, AB_CORRECT_ENTRIES = 1 << AB_CORRECT_BITS };

/* Mean errors by side to move, in sixteenths. */
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
/* error: the value of a search of `plies` plies minus the static value. */
void ab_correction_learn(const struct ab_correction *c, int plies, int error);
