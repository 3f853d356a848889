#include "match/schedule.h"

size_t yo_schedule_pairings(const struct yo_schedule *s) {
    size_t n = (size_t)s->engines;
    return s->gauntlet ? n - 1 : n * (n - 1) / 2;
}

struct yo_pairing yo_schedule_game(const struct yo_schedule *s, size_t game) {
    size_t pair = game / 2, pairings = yo_schedule_pairings(s);
    int left = (int)(pair % pairings);
    struct yo_pairing p = {.first_is_black = game % 2 == 0, .round = pair / pairings};
    if (s->gauntlet) {
        p.second = left + 1;
        return p;
    }
    while (left >= s->engines - 1 - p.first) { /* row by row of the upper triangle */
        left -= s->engines - 1 - p.first;
        p.first++;
    }
    p.second = p.first + 1 + left;
    return p;
}

int yo_pairing_black(const struct yo_pairing *p) {
    return p->first_is_black ? p->first : p->second;
}

int yo_pairing_white(const struct yo_pairing *p) {
    return p->first_is_black ? p->second : p->first;
}
