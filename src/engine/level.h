/* Levels of play, from a beginner's to full strength. A weaker level searches less and chooses more
 * freely among the moves that look good to it: it plays like a weaker player, not like a strong one
 * who blunders at random. docs/levels.md has the table. */
#pragma once

#include "search/search.h"

#define YO_LEVEL_MIN 1
#define YO_LEVEL_MAX 10 /* full strength */

#define YO_LEVEL_ROW                                                                               \
    YO_INT_USI("level", "Level", YO_EVERYWHERE, "10", YO_LEVEL_MIN, YO_LEVEL_MAX, "N",             \
               "strength, from 1 for beginners to 10 for all that the engine can do")

/* The limits of a level, added to those that the caller has. network: the search is guided by one.
 * Nothing changes at full strength. */
void yo_level_limit_go(int level, bool network, struct yo_search_limits *limits);
/* supported: the limits that the search understands. */
void yo_level_limit_shogi(int level, unsigned supported, struct yo_search_limits *limits);

/* The move to play, drawn from the moves that are about as good as the best. *random: a state of
 * yo_splitmix64. The result must have moves. */
yo_move yo_level_choose_go(int level, const struct yo_search_result *result, yo_move pass,
                           uint64_t *random);
/* The number of the move in the result. */
size_t yo_level_choose_shogi(int level, const struct yo_search_result *result, uint64_t *random);
