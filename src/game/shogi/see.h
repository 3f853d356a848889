/* What pieces are worth, and what an exchange on one square comes to. */
#pragma once

#include "game/shogi/position.h"

/* Pawns count 100. Kings count nothing: they are never taken. */
extern const int16_t yo_shogi_values[YO_SHOGI_KINDS];

/* What taking a piece changes: it leaves the board and enters the other hand, unpromoted. */
static inline int shogi_exchange_value(int kind) {
    return kind == YO_SHOGI_KING ? 0
                                 : yo_shogi_values[kind] + yo_shogi_values[shogi_unpromoted(kind)];
}

/* Static exchange evaluation: what the side to move gains by this move if both sides then take on
 * its target, the cheapest piece first, as long as that pays. Lines that open are seen, pins are
 * not, and only the move itself promotes. */
int yo_shogi_see(const struct yo_shogi_position *pos, yo_shogi_move move);
