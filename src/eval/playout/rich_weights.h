/* How readily the rich policy plays on a point with nothing to answer, by the colours round it:
 * learned from games of professionals, by bench/pattern_weights.c. */
#pragma once

#include <stdint.h>

#include "yomi/go.h"

/* Of 256 draws of a point, how many are taken; by the colour to play (BLACK and WHITE only) and
 * the neighbourhood code of board.h. Never 0, so that every point is taken in the end. */
struct yo_rich_weights {
    uint8_t of[3][65536];
};

#define YO_RICH_WEIGHT_NEUTRAL 96 /* of neighbourhoods that were too rare to learn */

const struct yo_rich_weights *yo_rich_weights(void);
