/* The clocks of a game in the terminal: main time, then periods of byo-yomi. Sides are 0 for Black
 * and 1 for White; times are those of yo_time_ms. Whoever moves next spends time, also while it
 * asks for hints. */
#pragma once

#include "base/option.h"
#include "engine/clock.h"

struct yo_timer {
    struct yo_clock clock; /* of kind YO_CLOCK_NONE: no clocks */
    int64_t since_ms;      /* when the turn began; 0: not begun */
};

#define YO_TIMER_ROWS                                                                              \
    YO_REAL("main-time", YO_ON_CLI, "0", 0, 1000000, "SECONDS",                                    \
            "play with clocks: so much for all moves of a side"),                                  \
        YO_REAL("byoyomi", YO_ON_CLI, "0", 0, 100000, "SECONDS",                                   \
                "play with clocks: so much for each move once the main time is used up"),          \
        YO_INT("periods", YO_ON_CLI, "1", 1, 100, "N",                                             \
               "a move may take so many times the byo-yomi; used up periods are gone")

/* Full clocks by the options, all stopped. */
void yo_timer_start(struct yo_timer *timer, const struct yo_options *options);
bool yo_timer_is_on(const struct yo_timer *timer);
/* No clocks any more, to play on after a loss on time. */
void yo_timer_drop(struct yo_timer *timer);

/* A side is to move: its time runs from now on, if it does not run yet. */
void yo_timer_turn(struct yo_timer *timer, int64_t now_ms);
/* The side to move has moved. Returns false if its time was up before. */
bool yo_timer_moved(struct yo_timer *timer, int side, int64_t now_ms);
/* When the time of the side to move is up; 0 without clocks. */
int64_t yo_timer_end(const struct yo_timer *timer, int side);
/* Thinking time of the engine for its next move, in ms; no more than most_ms unless that is 0. In
 * shogi the board counts as one of 150 points with a stone for every move. */
int64_t yo_timer_budget(const struct yo_timer *timer, int side, int points, int stones,
                        int64_t most_ms);

/* What a side has left: "4:31", or in byo-yomi the time and the periods, "0:30 (3)"; "" without
 * clocks. */
#define YO_TIMER_TEXT 64
const char *yo_timer_text(const struct yo_timer *timer, int side, bool to_move, int64_t now_ms,
                          char out[YO_TIMER_TEXT]);
/* The settings for people: "10:00 and then 0:30 a move". */
const char *yo_timer_settings(const struct yo_timer *timer, char out[YO_TIMER_TEXT]);
