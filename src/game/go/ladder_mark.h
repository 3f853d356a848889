/* Ladders as the input features of KataGo's networks define them. They differ from those of
 * ladder.h in kos: the prey gets any ko that it or the attacker's first move makes, an attacker who
 * captures a ko later has failed, and a prey whose two liberties are the mouths of two kos is
 * caught. A reading that gives up counts as caught. */
#pragma once

#include "game/go/ladder_memory.h"
#include "game/go/sets.h"

/* A position whose ladders are read. color: all points of the board, and YO_GO_OFF_POINT as
 * YO_GO_OFF; ko: where the ko rule forbids a move now.
 * memory: readings that still hold are taken from there, and new ones put there; or NULL. */
struct yo_go_ladder_place {
    const struct yo_go_geometry *geometry;
    const uint8_t *color;
    const struct yo_go_set *stones; /* Black's, White's */
    yo_go_point ko;
    struct yo_go_ladder_memory *memory;
};

/* Adds to `caught` the strings with one or two liberties, among those that have a stone in `at`,
 * that the other side can catch, moving first against two liberties and second against one.
 * `moves`, if not NULL, gets the moves that catch a string of `prey` with two liberties. All are
 * sets of points. */
void yo_go_ladder_mark(const struct yo_go_ladder_place *place, const uint64_t *at,
                       enum yo_go_color prey, uint64_t *caught, uint64_t *moves);

/* Strings with one or two liberties, and all stones. */
struct yo_go_weak {
    struct yo_go_set stones[2];          /* Black's, White's */
    yo_go_point first[YO_GO_POINTS_MAX]; /* the first point of each string, upwards */
    int count;
};

/* An earlier position. again: gets the weak strings of now whose readings may not hold then; comes
 * zeroed. */
struct yo_go_ladder_past {
    struct yo_go_set changed; /* all points that differ, and perhaps others */
    yo_go_point ko;
    struct yo_go_set again;
};

/* The same for the strings of a board that are known to be weak. */
void yo_go_ladder_mark_weak(const struct yo_go_board *board, const struct yo_go_weak *weak,
                            struct yo_go_ladder_memory *memory, enum yo_go_color prey,
                            struct yo_go_ladder_past *pasts, int past_count, uint64_t *caught,
                            uint64_t *moves);
