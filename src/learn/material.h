/* Fitting the weights of the evaluation without a network to positions of games: logistic
 * regression by Newton's method. The same positions give the same weights. */
#pragma once

#include <stddef.h>

#include "base/buf.h"
#include "eval/shogi/material.h"

struct yo_material_set;

enum yo_err yo_material_set_new(struct yo_material_set **set);
void yo_material_set_delete(struct yo_material_set *set);
/* Training positions as `yomi selfplay` writes them; skips those that are not quiet. name is for
 * messages. */
enum yo_err yo_material_set_add(struct yo_material_set *set, const void *bytes, size_t len,
                                const char *name, struct yo_diag *diag);
size_t yo_material_set_count(const struct yo_material_set *set);

struct yo_material_fit {
    double results; /* 0..1: weight of the game's result in the target; the rest is the search's
                       score */
    double ridge;   /* strength of the regularization to the old weights; 1 is weak */
};

struct yo_material_fitted {
    struct yo_shogi_material_weights weights;
    size_t learned, aside; /* positions for training, and for validation (the last tenth) */
    double scale;          /* hundredths of a pawn for odds of e to 1 in these games */
    /* Cross entropy with the old and the new weights, in training and validation. */
    double learned_loss[2], aside_loss[2];
    int rounds;
};

/* king_rank is not fitted: such games contain little about openings. */
enum yo_err yo_material_learn(const struct yo_material_set *set, const struct yo_material_fit *fit,
                              struct yo_material_fitted *fitted, struct yo_diag *diag);

/* The weights as eval/shogi/material_weights.inc has them. */
void yo_material_write(const struct yo_shogi_material_weights *weights, struct yo_buf *out);
