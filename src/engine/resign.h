/* When to resign a game of Go. A single low winrate is not enough: it is often low before a threat
 * is answered. The winrate must be low for several moves in a row, or only a pass is left in a game
 * lost by many points. During a ko fight the game must be lost even if the ko is won. The engine
 * does not resign in the opening, nor in handicap games, which look lost for a long time. */
#pragma once

#include "search/search.h"
#include "yomi/go.h"

/* The winrate below which people expect an engine to resign. */
#define YO_RESIGN_BELOW 0.05

/* At the end of a game, people resign instead of counting if they are this many points behind. */
#define YO_RESIGN_POINTS 10

/* State of one game; zeroed at its start. */
struct yo_resign {
    struct {
        unsigned low;    /* consecutive searches with a low winrate */
        size_t at_count; /* moves in the game at the last of them */
    } side[3];           /* by colour */
};

/* Decides from the result of a search for `color` whether to resign; a winrate below `below` is
 * low. May search again, for at most time_ms if that is not 0, which invalidates what `result`
 * points to. */
enum yo_err yo_resign_decide(struct yo_resign *resign, struct yo_search search,
                             const struct yo_go_game *game, enum yo_go_color color,
                             const struct yo_search_result *result, double below, int64_t time_ms,
                             bool *resigns, struct yo_diag *diag);
