/* The marks that a kernel of MoGo's policy gets with the stones of a start position. The kernel
 * updates from move to move which strings are in atari and where threatened strings can be saved,
 * so it needs both for the start. */
#pragma once

#include "yomi/playout.h"

/* Bits above the colour of a point, as job.h's stones have them: it has a stone of a string in
 * atari; it is in the set of step 2 (docs/playout.md, section 7) restricted to candidates. */
#define YO_CUDA_ATARI 4
#define YO_CUDA_SAVE  8

#ifdef __cplusplus
extern "C" {
#endif

/* Writes the position's stones, marked in this way: size*size bytes. */
void yo_cuda_mark_start(const struct yo_playout_position *position, uint8_t *marked);

#ifdef __cplusplus
}
#endif
