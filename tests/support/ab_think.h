/* Alpha-beta asked about a position without a past. */
#pragma once

#include "search/alphabeta/alphabeta.h"

/* What it found, in moves of shogi, kept beyond the next search. */
struct ab_found {
    int score; /* yo_ab_score */
    int depth;
    uint64_t nodes;
    int64_t elapsed_ms;
    yo_shogi_move line[YO_AB_PLY_MAX + 1];
    size_t length;
};

/* stop and report: as yo_search_run has them. */
struct ab_found ab_think(struct yo_ab *engine, const struct yo_shogi_position *pos,
                         const struct yo_search_limits *limits, const atomic_bool *stop);
struct ab_found ab_think_aloud(struct yo_ab *engine, const struct yo_shogi_position *pos,
                               const struct yo_search_limits *limits, const atomic_bool *stop,
                               yo_search_report_fn report, void *user);
/* There is a line, and it can be played. */
void ab_assert_line(const struct yo_shogi_position *root, const struct ab_found *found);
