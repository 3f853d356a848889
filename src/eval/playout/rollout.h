/* Playouts of Go at once, on the scalar reference, from a position of game/go/game_ops.h. They
 * start from the position's own board: nothing is set up stone by stone. */
#pragma once

#include "eval/rollout.h"
#include "game/go/board.h"
#include "yomi/playout.h"

struct yo_go_patterns;
struct yo_go_position;

struct yo_rollouts yo_playout_rollouts(enum yo_playout_policy policy);

/* Playouts that keep to a part of the board, whose score counts, and something for the rest. */
struct yo_playout_zone {
    enum yo_playout_policy policy;
    const struct yo_go_patterns *patterns; /* NULL: built in */
    bool on;                               /* if not, the whole board, as usual */
    uint8_t inside[YO_GO_POINTS_MAX];
    uint64_t outside[YO_GO_WORDS_MAX]; /* the same, turned round, as bits */
    int add2;                          /* to Black's score, in half points */
};
/* The zone outlives them, and may change between searches. */
struct yo_rollouts yo_playout_zone_rollouts(struct yo_playout_zone *zone);

/* Komi and handicap bonus, in half points: what White is ahead by on a board without stones. */
int yo_playout_white_bonus2(const struct yo_go_position *position);
