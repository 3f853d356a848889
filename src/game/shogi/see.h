/* Piece values and static exchange evaluation. */
#pragma once

#include "game/shogi/position.h"

/* A pawn is 100. Kings are 0: they are never captured. */
extern const int16_t yo_shogi_values[YO_SHOGI_KINDS];

/* The material change of a capture: the piece leaves the board and enters the other hand,
 * unpromoted. */
static inline int shogi_exchange_value(int kind) {
    return kind == YO_SHOGI_KING ? 0
                                 : yo_shogi_values[kind] + yo_shogi_values[shogi_unpromoted(kind)];
}

/* Static exchange evaluation: the gain of the side to move by this move if both sides then capture
 * on its target, cheapest piece first, as long as it pays. Includes discovered attackers; ignores
 * pins; only the move itself promotes. */
int yo_shogi_see(const struct yo_shogi_position *pos, yo_shogi_move move);
/* Is it below -most? Cheaper: the exchange ends where that is clear. */
bool yo_shogi_see_loses(const struct yo_shogi_position *pos, yo_shogi_move move, int most);
/* Does the opponent have a capture that wins material after the move? */
bool yo_shogi_gives_away(const struct yo_shogi_position *pos, yo_shogi_move move);
