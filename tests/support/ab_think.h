/* Alpha-beta asked about a position without a past. */
#pragma once

#include "search/alphabeta/alphabeta.h"

/* stop: as yo_ab_run has it. */
struct yo_ab_report ab_think(struct yo_ab *engine, const struct yo_shogi_position *pos,
                             const struct yo_ab_limits *limits, const atomic_bool *stop);
/* There is a line, and it can be played. */
void ab_assert_line(const struct yo_shogi_position *root, const struct yo_ab_report *result);
