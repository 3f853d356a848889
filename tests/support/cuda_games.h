/* The games of a backend compared with another's, without a log of moves: pieces of one game show
 * every game's score, length and end; larger ones the sums. */
#pragma once

#include <stdbool.h>

#include "eval/playout/backend.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Plays `pieces` pieces of 0 to 2*mean games each, from positions of all kinds, on both; prints the
 * first piece that differs. Every other piece asks for no ownership, some for no histogram. */
bool cuda_games_agree(enum yo_playout_policy policy, const struct yo_playout_backend *a,
                      const struct yo_playout_backend *b, int size, int pieces, uint32_t mean,
                      unsigned seed);
/* One piece of many games. */
bool cuda_sums_agree(enum yo_playout_policy policy, const struct yo_playout_backend *a,
                     const struct yo_playout_backend *b, int size, uint32_t games, unsigned seed);

#ifdef __cplusplus
}
#endif
