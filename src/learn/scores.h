/* Training positions scored anew by another evaluator: what a slow network knows is learned by a
 * fast one. */
#pragma once

#include "eval/eval.h"

/* Replaces the scores of `count` samples (game/shogi/packed.h) by what the evaluator's chance to
 * win is in hundredths of a pawn, `scale` of which make the odds e to 1. name is for messages; told
 * after each portion how many are done, if given. */
enum yo_err yo_scores_replace(struct yo_eval eval, double scale, uint8_t *samples, size_t count,
                              const char *name, void (*told)(void *user, size_t done), void *user,
                              struct yo_diag *diag);
