/* Elo ratings of all engines of a match from its games: the most likely ones in the model of
 * Bradley and Terry, where A scores 1 / (1 + 10^((B - A) / 400)) against B and a draw is half a
 * win. */
#pragma once

#include "base/stats.h"
#include "match/schedule.h"

/* of[a][b]: the results of a against b. */
struct yo_scores {
    struct yo_tally of[YO_MATCH_ENGINES_MAX][YO_MATCH_ENGINES_MAX];
};

struct yo_rating {
    double elo;  /* the mean over all engines is 0 */
    double half; /* half the width of its 95% interval */
};

/* Every pairing that has met counts one drawn game more,
 * which keeps ratings finite where one side won all. Engines that no game connects are rated each
 * within its group; an engine without a game has 0, and infinite `half`.
 *
 * The intervals take games as independent. Two games with one opening are not, but since colours
 * change between them their results vary less, so that the intervals are too wide if anything. */
void yo_ratings(const struct yo_scores *scores, int engines,
                struct yo_rating ratings[YO_MATCH_ENGINES_MAX]);
