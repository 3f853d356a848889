/* An evaluator made of a network and playouts: the value of a position is
 *     V(s) = (1 - lambda) v(s) + lambda z,
 * where v is the network's value and z the mean result of playouts from the position (Silver and
 * others, "Mastering the game of Go with deep neural networks and tree search", 2016; equation 1 of
 * source document S). Policies and ownership are the network's. */
#pragma once

#include "eval/eval.h"

struct yo_eval_mix_options {
    float lambda;
    uint64_t playouts; /* for each position, at least 1 */
    int playout_policy;
    uint64_t seed;
};

/* Both evaluators are the caller's and must outlive this one. A position's playouts depend on the
 * seed and the position alone, so that the same position has the same value. The `playouts` of an
 * item's results are used for them. */
enum yo_err yo_eval_mix_new(const struct yo_game_ops *game, struct yo_eval net,
                            struct yo_eval playouts, const struct yo_eval_mix_options *options,
                            struct yo_eval *eval, struct yo_diag *diag);
