/* The time budget of a shogi move. Nothing here reads a real clock, so a test can play whole games
 * without waiting. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* The clock of the side to move; -1: not present. By USI's definition the time left does not
 * include the increment yet; some clients include it. The budget is safe in both cases. */
struct yo_shogi_clock {
    int64_t time_ms, increment_ms, byoyomi_ms;
};

struct yo_shogi_pace {
    int64_t delay_ms;   /* largest delay of a move on the way to the referee */
    int64_t minimum_ms; /* minimum time of a move, where the clock allows it */
    int percent;        /* of the usual time; 100 is the usual */
    bool ponders;       /* pondering is on: a move may take more */
    int ply;            /* moves played */
    int max_moves;      /* the game ends there; 0 for no limit */
};

/* The move is not played before least_ms; no new depth begins after about soft_ms; the search stops
 * at hard_ms. 1 <= least <= soft <= hard. */
struct yo_shogi_budget {
    int64_t least_ms, soft_ms, hard_ms;
};

struct yo_shogi_budget yo_shogi_clock_budget(const struct yo_shogi_clock *clock,
                                             const struct yo_shogi_pace *pace);
