/* Moves that decide a fight: reading says that they capture a string of the opponent's, or save one
 * of the player's own, which would stand or fall if the opponent moved first. */
#pragma once

#include "eval/eval.h"
#include "yomi/go.h"

struct yo_urgent_limits {
    uint64_t seed;
    int64_t deadline_ms;     /* of yo_time_ms; 0 for none */
    const atomic_bool *stop; /* or NULL */
    unsigned nodes;          /* for the fates, and for the moves of each side; 0: as many as pay */
    bool answers;            /* look for the opponent's moves, too */
};

struct yo_urgent {
    yo_go_point moves[YO_GO_POINTS_MAX];
    unsigned stones[YO_GO_POINTS_MAX]; /* of the largest string that the move decides */
    size_t count;
};

/* found[0]: for the side to move; found[1]: for the other side, in answer to a move elsewhere.
 * Deterministic for a seed unless it is cut short. */
enum yo_err yo_urgent_find(struct yo_eval eval, const struct yo_go_game *game,
                           const struct yo_urgent_limits *limits, struct yo_urgent found[2],
                           struct yo_diag *diag);
