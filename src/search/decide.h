/* Whether a search may end before its limits, or needs more time: how far the most visited move of
 * the root is ahead of the second. Shared by the tree searches. */
#pragma once

#include "search/search.h"

/* The two most visited moves of the root that may be played. */
struct yo_search_lead {
    double first, second;  /* visits; 0: no such move */
    bool second_is_better; /* by its value */
    bool first_wins;       /* the first is proven to win */
    bool alone;            /* there is only one move */
};

/* Can no other move reach the visits of the first, even with all visits to come? */
bool yo_search_is_decided(const struct yo_search_lead *lead, double to_come);
/* Two moves have similar visits, or the most visited one has the lower value. */
bool yo_search_is_unclear(const struct yo_search_lead *lead);

struct yo_search_progress {
    const struct yo_search_clock *clock;
    int64_t start_ms;
    double made;        /* visits since the start */
    double only_visits; /* enough for an only move: its winrate decides whether to resign */
    bool whole;         /* of the limits: use the time up */
    bool by_value;      /* a second move with a higher value may be chosen: not decided */
};

/* Is the time up, or can the best move not change in the time that is left, at the rate so far? */
bool yo_search_is_over_by_clock(const struct yo_search_progress *progress,
                                const struct yo_search_lead *lead);
