/* Go networks of KataGo's format: inputs by go_features.h; raw outputs as chances and points, by
 * the formulas of KataGo's engine for each model version. */
#pragma once

#include "eval/net/game.h"
#include "game/go/game_ops.h"

extern const struct yo_net_game yo_net_go;

/* For the side to move. Scores are in points with komi counted; no result counts as 0. */
struct yo_net_go_value {
    double win, loss, no_result;
    double lead;
    double score_mean, score_square, score_stdev; /* of the final score */
    /* The network's estimates of its own error; -1 if it has no such output. */
    double time_left, winloss_error, score_error;
};

void yo_net_go_value(const struct yo_net *net, const struct yo_go_rules *rules,
                     const struct yo_net_raw *raw, struct yo_net_go_value *value);
