/* Levels of play, from a beginner's to full strength. A weaker level searches less and chooses more
 * freely among the moves that look good to it: it plays like a weaker player, not like a strong one
 * who blunders at random. The settings lie on curves whose strength was measured by matches, so
 * that all steps are about the same; docs/levels.md has the tables. */
#pragma once

#include "base/option.h"
#include "search/search.h"

#define YO_LEVEL_MIN 1
#define YO_LEVEL_MAX 10 /* full strength */

#define YO_LEVEL_ROWS                                                                              \
    YO_INT_USI("level", "Level", YO_EVERYWHERE, "10", YO_LEVEL_MIN, YO_LEVEL_MAX, "N",             \
               "strength, from 1 for beginners to 10 for all that the engine can do"),             \
        YO_REAL_USI("temperature", "Temperature", YO_EVERYWHERE, "0", 0, 10000, "T",               \
                    "at level 10, how freely moves are chosen: with their visits to the power "    \
                    "1/T, or with alpha-beta about T hundredths of a pawn behind the best; 0: "    \
                    "always the best move")

/* What a level is made of. Zero: no such limit; temperature 0 chooses the best move. */
struct yo_level {
    uint64_t visits, playouts, nodes;
    size_t lines;
    double temperature;
};

/* By the options `level` and `temperature`. network: the search is guided by one. */
struct yo_level yo_level_go(const struct yo_options *options, int size, bool network);
/* supported: the limits that the search understands. */
struct yo_level yo_level_shogi(const struct yo_options *options, unsigned supported);
/* Nothing is limited, and the best move is played. */
bool yo_level_is_full(const struct yo_level *level);

/* Adds the limits of a level to those that the caller has. */
void yo_level_limit(const struct yo_level *level, struct yo_search_limits *limits);

/* The move to play, drawn from the moves that are about as good as the best. *random: a state of
 * yo_splitmix64. The result must have moves. */
yo_move yo_level_choose_go(const struct yo_level *level, const struct yo_search_result *result,
                           yo_move pass, uint64_t *random);
/* The number of the move in the result. */
size_t yo_level_choose_shogi(const struct yo_level *level, const struct yo_search_result *result,
                             uint64_t *random);
