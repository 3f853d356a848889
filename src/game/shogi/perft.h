/* Perft: the number of sequences of legal moves of a given length. Repetition and declaration end
 * no sequence. docs/perft.md holds a table. */
#pragma once

#include "game/shogi/position.h"

/* depth 0 counts 1. */
uint64_t yo_shogi_perft(const struct yo_shogi_position *pos, int depth);
