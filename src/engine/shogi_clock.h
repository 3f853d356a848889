/* How much time a move of shogi may take. Nothing here reads a real clock, so a test can play whole
 * games in no time. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* The clock of the side to move; -1: it has no such thing. By USI's definition the increment is not
 * yet in the time that is left; some clients have it in there. Both are safe with what is given out
 * here. */
struct yo_shogi_clock {
    int64_t time_ms, increment_ms, byoyomi_ms;
};

struct yo_shogi_pace {
    int64_t delay_ms;   /* at most so much of each move is lost on the way to the referee */
    int64_t minimum_ms; /* a move is thought about for so long, where the clock can afford it */
    int percent;        /* of the usual time; 100 is the usual */
    bool ponders;       /* the opponent's time can be used as well: a move may take more */
    int ply;            /* moves that were played */
    int max_moves;      /* the game ends there; 0 for no limit */
};

/* The move is not played before least_ms, a new depth is not begun after about soft_ms, and hard_ms
 * is the end. 1 <= least <= soft <= hard. */
struct yo_shogi_budget {
    int64_t least_ms, soft_ms, hard_ms;
};

struct yo_shogi_budget yo_shogi_clock_budget(const struct yo_shogi_clock *clock,
                                             const struct yo_shogi_pace *pace);
