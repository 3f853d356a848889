/* Who plays whom in a match of two or more engines. Games come in pairs: the two of one opening
 * with the colours changed. A round gives every pairing one pair of games, all with the same
 * opening. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#define YO_MATCH_ENGINES_MAX 16

struct yo_schedule {
    int engines; /* 2 to YO_MATCH_ENGINES_MAX */
    bool
        gauntlet; /* the first engine plays each of the others; otherwise everyone plays everyone */
};

struct yo_pairing {
    int first, second; /* engines; first < second */
    bool first_is_black;
    size_t round; /* chooses the opening and the seed */
};

/* Different pairings of the schedule. */
size_t yo_schedule_pairings(const struct yo_schedule *schedule);
struct yo_pairing yo_schedule_game(const struct yo_schedule *schedule, size_t game);
/* The engine with the black stones, or the one that moves first in shogi. */
int yo_pairing_black(const struct yo_pairing *pairing);
int yo_pairing_white(const struct yo_pairing *pairing);
