/* The thesis' playout once more, point by point in plain C: written from its text alone, it judges
 * the kernels, which must play the same games. */
#pragma once

#include "game.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Plays game number `game`, with `tries` draws before a pass; moves has room for TANO_MOVES_MAX. */
struct tano_result tano_plain_play(uint32_t game, int tries, struct tano_move *moves);

#ifdef __cplusplus
}
#endif
