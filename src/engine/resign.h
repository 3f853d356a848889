/* When to give up a game of Go. A single low chance is no reason: before the answer to a threat it
 * is often low. So it must have been low for some moves in a row, or nothing but a pass be left in
 * a game that is lost by far; and while a ko is fought, the game must be lost even with the ko won.
 * Nobody gives up in the opening, nor in a game with handicap, which looks lost for long and is
 * not. */
#pragma once

#include "search/search.h"
#include "yomi/go.h"

/* The chance below which people expect an engine to give up. */
#define YO_RESIGN_BELOW 0.05

/* What is remembered of a game; zeroed when one begins. */
struct yo_resign {
    struct {
        unsigned low;    /* searches in a row that found a low chance */
        size_t at_count; /* moves of the game at the last of them */
    } side[3];           /* by colour */
};

/* A search for `color` found this chance for its best move: is it time to resign, where that is
 * below `below`? May search again, for a moment or for time_ms at most if that is not 0, so what
 * the last result points to is gone afterwards. */
enum yo_err yo_resign_decide(struct yo_resign *resign, struct yo_search search,
                             const struct yo_go_game *game, enum yo_go_color color,
                             const struct yo_search_result *result, double below, int64_t time_ms,
                             bool *resigns, struct yo_diag *diag);
