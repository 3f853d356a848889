/* What a Go network says of a position: its raw outputs, turned back from a symmetry, as chances,
 * points and probabilities. The formulas are those of KataGo's engine for each model version. */
#pragma once

#include "eval/net/net.h"
#include "game/go/game_ops.h"

/* The raw outputs of one position; NULL for what was not asked for. */
struct yo_net_raw {
    const float *out[YO_NET_ROLES];
    int symmetry; /* that the position was turned by */
};

/* For the side to move. Scores are in points with komi counted; no result counts as 0. */
struct yo_go_net_value {
    double win, loss, no_result;
    double lead;
    double score_mean, score_square, score_stdev; /* of the final score */
    /* How much the network expects to be wrong; -1 where it does not say. */
    double time_left, winloss_error, score_error;
};

void yo_go_net_value(const struct yo_net *net, const struct yo_go_rules *rules,
                     const struct yo_net_raw *raw, struct yo_go_net_value *value);
/* A probability for each of the moves (points or YO_GO_PASS); they add up to 1. */
void yo_go_net_policy(int size, const struct yo_net_raw *raw, const yo_move *moves, size_t count,
                      float *policy);
/* For each point: +1 the side to move's .. -1 the opponent's. */
void yo_go_net_ownership(int size, const struct yo_net_raw *raw, float *ownership);
