/* Training positions scored anew by another evaluator: what a slow network knows is learned by a
 * fast one. */
#pragma once

#include "eval/eval.h"
#include "game/shogi/packed.h"

struct yo_scores_mix {
    double scale; /* hundredths of a pawn that make the odds e to 1 */
    double share; /* 0..1: how much the evaluator counts; the rest is the score that was there */
};

/* Mixes new chances to win into the scores of the samples, which are whole; a chance below 0
 * changes nothing. */
void yo_scores_mix_in(const struct yo_scores_mix *mix, const float *chances, uint8_t *samples,
                      size_t count);
/* Gives `count` samples (game/shogi/packed.h) new scores, from the evaluator's chances to win. name
 * is for messages. told, if given, hears now and then how many are done. */
enum yo_err yo_scores_replace(struct yo_eval eval, const struct yo_scores_mix *mix,
                              uint8_t *samples, size_t count, const char *name,
                              void (*told)(void *user, size_t done), void *user,
                              struct yo_diag *diag);
