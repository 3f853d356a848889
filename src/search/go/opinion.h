/* Who will own the points of a Go position, by playouts or by a network: for judging life and
 * death. */
#pragma once

#include "eval/eval.h"
#include "search/go/judge.h"

struct yo_opinion {
    float ownership[YO_GO_POINTS_MAX]; /* +1 Black's .. -1 White's */
    double winrate_black[2];           /* [0]: open board; [1]: closed */
    bool cut;                          /* by the clock or the stop flag */
};

/* Plays limits->games playouts or a few more from the game's position without the dead stones, half
 * of them with each side to move first. */
enum yo_err yo_opinion_of_playouts(struct yo_eval eval, const struct yo_go_game *game,
                                   const uint8_t *dead, const struct yo_judge_limits *limits,
                                   struct yo_opinion *opinion, struct yo_diag *diag);

/* Can it tell who owns the points? */
bool yo_opinion_has_ownership(struct yo_eval net);

/* The mean over all symmetries, with the side to move on move; after two passes with either side on
 * move. */
enum yo_err yo_opinion_of_net(struct yo_eval net, const struct yo_go_game *game,
                              struct yo_opinion *opinion, struct yo_diag *diag);
