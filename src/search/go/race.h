/* Capturing races that are too long to read, by counting: two strings without eyes, each enclosed
 * by the other and by safe strings, where every liberty can be filled at once. What decides is the
 * number of liberties of their own and of those they share (R. Hunter, "Counting Liberties and
 * Winning Capturing Races", 2003). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "game/go/board.h"

enum yo_race_end {
    YO_RACE_STANDS,   /* cannot be captured */
    YO_RACE_CRITICAL, /* captured if the opponent moves first */
    YO_RACE_CAPTURED
};

/* safe: by point, strings that are safe. Finds the string that the one at head races against. False
 * if this is no such race. */
bool yo_race_count(const struct yo_go_board *board, const uint8_t *safe, unsigned head,
                   unsigned *rival, enum yo_race_end *own, enum yo_race_end *other);
