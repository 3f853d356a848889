/* Unconditional life: strings that no number of moves in a row can capture (D. Benson, "Life in
 * the game of Go", 1976). */
#pragma once

#include "game/go/sets.h"

/* alive as in yo_go_game_benson. If suicide is legal, the opponent can empty the inside of a
 * region, so fewer strings are safe. */
void yo_go_benson(const struct yo_go_board *board, bool suicide, uint8_t *alive);
/* The same for one colour: its living stones and the regions it owns. */
void yo_go_benson_of(const struct yo_go_board *board, enum yo_go_color color, bool suicide,
                     struct yo_go_set *alive);
