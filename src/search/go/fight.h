/* Open fights: strings whose fate depends on who moves first. The side to move decides the largest
 * fight, the other side the next one, and so on. */
#pragma once

#include <stdint.h>

#include "game/go/board.h"

/* fate: enum yo_settle_fate of each stone's string. winner: by point, the color that wins the fight
 * a stone is in; EMPTY for all others. */
void yo_fights_decide(const struct yo_go_board *board, const uint8_t *fate, enum yo_go_color first,
                      uint8_t *winner);
