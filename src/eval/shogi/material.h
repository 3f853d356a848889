/* The evaluation for alpha-beta until a learned one takes its place: what the pieces are worth, how
 * near they stand to the kings, and what they attack and defend around them. */
#pragma once

#include "game/shogi/position.h"

/* In hundredths of a pawn, for the side to move. */
int yo_shogi_material(const struct yo_shogi_position *pos);
