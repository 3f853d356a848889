/* The clocks of a game, and the time budget of a move. Nothing here reads a real clock, so a test
 * can play a whole game without waiting. Times are in milliseconds. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum yo_clock_kind {
    YO_CLOCK_NONE,     /* no limit */
    YO_CLOCK_ABSOLUTE, /* main time only */
    YO_CLOCK_BYOYOMI,  /* then periods; a move within one period keeps it */
    YO_CLOCK_CANADIAN, /* then a number of stones to play in each period */
    YO_CLOCK_FISCHER   /* main time, and an increment for every move */
};

struct yo_clock_settings {
    enum yo_clock_kind kind;
    int64_t main_ms;
    int64_t period_ms; /* Fischer: the increment */
    int count;         /* byo-yomi: periods; Canadian: stones a period */
};

struct yo_clock_side {
    int64_t left_ms; /* of the main time, or of the period once `count` is not zero */
    int count;       /* periods or stones left; 0 while the main time runs */
};

struct yo_clock {
    struct yo_clock_settings settings;
    struct yo_clock_side side[2]; /* 0 Black, 1 White */
};

/* Both sides get the whole of their time. */
void yo_clock_start(struct yo_clock *clock, const struct yo_clock_settings *settings);

/* Sets the time left as the referee reports it; count is 0 while the main time runs. */
void yo_clock_set_left(struct yo_clock *clock, int side, int64_t left_ms, int count);

/* Takes the time of one move off a side's clock. Returns false if its flag fell. */
bool yo_clock_spend(struct yo_clock *clock, int side, int64_t spent_ms);

/* Milliseconds to think about the next move, at least 1; or 0 for no limit. The points and stones
 * of the board give an estimate of the moves left; lag_ms is reserved for delays between the engine
 * and the referee's clock. */
int64_t yo_clock_budget(const struct yo_clock *clock, int side, int points, int stones,
                        int64_t lag_ms);

/* Time beyond that budget for a move that is hard to choose. Spending it at every move does not
 * lose on time. */
int64_t yo_clock_extra(const struct yo_clock *clock, int side, int points, int64_t budget_ms,
                       int64_t lag_ms);
