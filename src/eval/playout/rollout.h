/* Synchronous Go playouts on the scalar reference, from a position of game/go/game_ops.h. They copy
 * the position's board and do not set it up stone by stone. */
#pragma once

#include "eval/rollout.h"
#include "game/go/board.h"
#include "yomi/playout.h"

struct yo_go_patterns;
struct yo_go_position;

struct yo_rollouts yo_playout_rollouts(enum yo_playout_policy policy);

/* Playouts restricted to a part of the board; the rest adds a constant to the score. */
struct yo_playout_zone {
    enum yo_playout_policy policy;
    const struct yo_go_patterns *patterns; /* NULL: built in */
    bool on;                               /* false: the whole board */
    uint8_t inside[YO_GO_POINTS_MAX];
    uint64_t outside[YO_GO_WORDS_MAX]; /* the complement, as bits */
    int add2;                          /* to Black's score, in half points */
};
/* The zone must outlive the rollouts and may change between searches. */
struct yo_rollouts yo_playout_zone_rollouts(struct yo_playout_zone *zone);

/* Komi plus handicap bonus, in half points, which playouts add to White's area: under territory
 * rules the equivalent of yo_go_score_area_komi2. */
int yo_playout_white_bonus2(const struct yo_go_position *position);
