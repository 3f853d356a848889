/* The shogi network K-P relative 256x2-32-32 as it is learned: in floats, where a sum or a layer's
 * output of 1.0 is 127 in the file (docs/shogi-net.md), and the output is the logit of winning for
 * the side to move. `cp`, which several functions take, is the value, in hundredths of a pawn, that
 * is a logit of 1. */
#pragma once

#include "eval/shogi/net.h"

enum {
    FIT_SUMS = SHOGI_NET_SUMS,
    FIT_HIDDEN = SHOGI_NET_HIDDEN,
    FIT_RELATIVE = SHOGI_RELATIVE_INPUTS - SHOGI_KP_INPUTS,
    FIT_KINDS = 34, /* whose, what, and whether in hand */
    FIT_RANKS = 270 /* each of these on a rank, or so many in hand */
};

/* What is learned; also the shape of its gradient and of the optimizer's means, so that all of it
 * can be treated as a row of floats. The weights of an input of K-P are the sum of what its kind
 * has, what that adds on its rank, and what is its own: inputs that are hardly ever on know at
 * least what they are. */
struct fit_params {
    _Alignas(64) float own[SHOGI_KP_INPUTS][FIT_SUMS];
    float relative[FIT_RELATIVE][FIT_SUMS];
    float by_rank[FIT_RANKS][FIT_SUMS];
    float by_kind[FIT_KINDS][FIT_SUMS];
    float bias[FIT_SUMS];
    float weights1[FIT_HIDDEN][2 * FIT_SUMS];
    float biases1[FIT_HIDDEN];
    float weights2[FIT_HIDDEN][FIT_HIDDEN];
    float biases2[FIT_HIDDEN];
    float weights3[FIT_HIDDEN];
    float bias3;
};

enum { FIT_PARAMS = sizeof(struct fit_params) / sizeof(float) };

/* The same as a position is computed: the integers of the file, one row for each input, layers also
 * by inputs. They are floats, whose sums and products are exact here: what learning sees is bit for
 * bit what the engine will compute. */
struct fit_view {
    _Alignas(64) float rows[SHOGI_RELATIVE_INPUTS][FIT_SUMS];
    float bias[FIT_SUMS];
    float inputs1[2 * FIT_SUMS][FIT_HIDDEN];
    float weights1[FIT_HIDDEN][2 * FIT_SUMS];
    float biases1[FIT_HIDDEN];
    float inputs2[FIT_HIDDEN][FIT_HIDDEN];
    float weights2[FIT_HIDDEN][FIT_HIDDEN];
    float biases2[FIT_HIDDEN];
    float weights3[FIT_HIDDEN];
    float bias3;
    float output_one; /* the output that is a logit of 1 */
};

/* The number of an input's kind, and of its kind and rank. */
int yo_fit_kind_of(int input);
int yo_fit_rank_of(int input);

/* The units of the file: what 1.0 is there. */
#define FIT_SUM_ONE        127.0f
#define FIT_WEIGHT_ONE     64.0f
#define FIT_OUTPUT_ONE(cp) ((cp) * (float)SHOGI_NET_SCALE / FIT_SUM_ONE)

/* Random weights. */
void yo_fit_params_draw(struct fit_params *params, float cp, uint64_t seed);
/* From a network of the kinds K-P and K-P relative; others are YO_ERR_UNSUPPORTED. */
enum yo_err yo_fit_params_from(struct fit_params *params, float cp, const struct yo_shogi_net *net,
                               struct yo_diag *diag);
/* Keeps the layers' weights within what the file can hold. */
void yo_fit_params_clip(struct fit_params *params, float cp);

/* Inputs from `first` to `end` only, so that threads can share the work; whoever has the first one
 * does the layers too. */
void yo_fit_view_update(struct fit_view *view, const struct fit_params *params, float cp, int first,
                        int end);
/* Fills in a network of the kind K-P relative. */
void yo_fit_view_store(const struct fit_view *view, struct yo_shogi_net *net);
