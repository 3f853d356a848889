/* A review of a game: what each move gave away, and the worst of them. Win rates are those of the
 * side that moves first, from 0 to 1. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* What a move gave away of its side's chance to win, at least 0. first: the first side made it. */
double yo_review_lost(double rate_before, double rate_after, bool first);
/* Puts the numbers of the moves that gave away most into `worst`, the worst one first; only those
 * that gave away more than `least`. Returns how many, `most` at the most. */
size_t yo_review_worst(const double *lost, size_t count, double least, size_t *worst, size_t most);
