/* Remembers what ladders were read in a game. A reading depends on nothing but the stones near the
 * points that it looked at, so that it holds in every position where these are the same: in most of
 * the positions of a search. Used by one thread at a time. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "game/go/board.h"

struct yo_go_ladder_memory;

/* The result of a reading of a string with one or two liberties. */
struct yo_go_ladder_reading {
    bool caught;
    uint8_t lib_count;
    yo_go_point libs[2];
    bool catches[2]; /* the attacker's move there; for a string with two liberties */
    bool both;       /* false: one catches, and the other may not have been read */
};

/* For boards of one size; NULL without memory. */
struct yo_go_ladder_memory *yo_go_ladder_memory_new(int size);
void yo_go_ladder_memory_delete(struct yo_go_ladder_memory *memory);

/* Stones of both colours, a bit for each point, and the first point of a string. Both return the
 * points that the reading depends on, valid until the next call of remember; recall returns NULL if
 * it knows no reading of the string. both: one whose `both` is false will not do. */
const uint64_t *yo_go_ladder_recall(const struct yo_go_ladder_memory *memory, const uint64_t *black,
                                    const uint64_t *white, yo_go_point first, bool both,
                                    struct yo_go_ladder_reading *reading);
/* `looked`: the reading looked at these points and their neighbours, the string's included. */
const uint64_t *yo_go_ladder_remember(struct yo_go_ladder_memory *memory, const uint64_t *black,
                                      const uint64_t *white, yo_go_point first,
                                      const uint64_t *looked,
                                      const struct yo_go_ladder_reading *reading);
