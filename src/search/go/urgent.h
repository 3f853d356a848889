/* Root moves that decide a fight: reading says that they capture a string of the opponent's, or
 * save one of the side to move, which would stand or fall if the opponent moved first. */
#pragma once

#include "eval/eval.h"
#include "search/uct/uct.h"
#include "yomi/go.h"

struct yo_urgent_limits {
    uint64_t seed;
    int64_t deadline_ms;     /* of yo_time_ms; 0 for none */
    const atomic_bool *stop; /* or NULL */
};

/* Fills advice, which must hold YO_GO_POINTS_MAX entries, for the side to move. Deterministic for a
 * seed unless it is cut short. */
enum yo_err yo_urgent_find(struct yo_eval eval, const struct yo_go_game *game,
                           const struct yo_urgent_limits *limits, struct yo_uct_advice *advice,
                           size_t *count, struct yo_diag *diag);
