/* Acceptance probabilities of the rich playout policy for a point when there is nothing to answer,
 * by its 3x3 neighbourhood; learned from professional games by bench/pattern_weights.c. */
#pragma once

#include <stdint.h>

#include "yomi/go.h"

/* Accepted draws of a point out of 256, by the colour to play (BLACK and WHITE only) and the
 * neighbourhood code of board.h. Never 0, so every point is accepted in the end. */
struct yo_rich_weights {
    uint8_t of[3][65536];
};

#define YO_RICH_WEIGHT_NEUTRAL 96 /* for neighbourhoods too rare to learn */

const struct yo_rich_weights *yo_rich_weights(void);
