/* Unconditional life: strings that no number of moves in a row can capture (D. Benson, "Life in
 * the game of Go", 1976). */
#pragma once

#include "game/go/sets.h"

/* alive as in yo_go_game_benson. If suicide is legal, the opponent can empty the inside of a
 * region, so fewer strings are safe. */
void yo_go_benson(const struct yo_go_board *board, bool suicide, uint8_t *alive);

/* The stones of one colour that live; own: all of them. */
void yo_go_benson_stones(const struct yo_go_board *board, const struct yo_go_set *own, bool suicide,
                         struct yo_go_set *alive);
