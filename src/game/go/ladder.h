/* Reads ladders to their end on a copy of the stones; the board does not change.
 *
 * In a ladder the attacker only gives atari, and the prey answers by extending at its last liberty
 * or by capturing an adjacent string in atari. The prey is free with three liberties, or when the
 * attacker has no legal atari left (ko included). It is caught with one liberty after its own
 * move. */
#pragma once

#include <stdbool.h>

#include "game/go/board.h"
#include "game/go/ladder_memory.h"

/* Node limit of a reading. A prey that is undecided at the limit counts as free. */
#define YO_GO_LADDER_NODES 500

struct yo_go_ladder {
    bool works;       /* the side to move succeeds */
    yo_go_point move; /* the first move, if it works */
    int nodes;        /* nodes searched; YO_GO_LADDER_NODES: gave up */
};

/* Can the string at prey, which is in atari, escape if its side moves first? Captures are tried
 * before extending. */
struct yo_go_ladder yo_go_ladder_escape(const struct yo_go_board *board, yo_go_point prey);
/* Does this move on an empty point save it? False if the move is not part of the ladder. */
bool yo_go_ladder_escapes_by(const struct yo_go_board *board, yo_go_point prey, yo_go_point move);

/* Can the other side, moving first, catch the string at prey, which has two liberties? */
struct yo_go_ladder yo_go_ladder_catch(const struct yo_go_board *board, yo_go_point prey);
/* Does this move, which must be one of its two liberties, catch it? */
bool yo_go_ladder_catches_by(const struct yo_go_board *board, yo_go_point prey, yo_go_point move);

/* After the side of the string at prey plays on this empty point, anywhere on the board: does the
 * string have more than two liberties, or two and no ladder against it? */
bool yo_go_ladder_frees(const struct yo_go_board *board, yo_go_point prey, yo_go_point move);

/* Ladders as the input features of KataGo's networks define them. They differ from the above in
 * kos: the prey gets any ko that it or the attacker's first move makes, an attacker who captures a
 * ko later has failed, and a prey whose two liberties are the mouths of two kos is caught. A
 * reading that gives up counts as caught.
 * color: all points of a board, and YO_GO_OFF_POINT as YO_GO_OFF; ko: where the ko rule forbids a
 * move now. `caught` gets the strings with one or two liberties that the other side can catch,
 * moving first against two liberties and second against one. `moves`, if not NULL, gets the moves
 * that catch a string of `prey` with two liberties. Both hold a bit for each point.
 * memory: readings that are still valid are taken from there, and new ones put there; or NULL. */
void yo_go_ladder_mark(const struct yo_go_geometry *geometry,
                       const uint8_t color[YO_GO_POINTS_MAX + 1], yo_go_point ko,
                       struct yo_go_ladder_memory *memory, enum yo_go_color prey,
                       uint64_t caught[YO_GO_WORDS_MAX], uint64_t *moves);

/* Strings with one or two liberties, and all stones. */
struct yo_go_weak {
    uint64_t stones[2][YO_GO_WORDS_MAX]; /* Black's, White's: a bit for each point */
    yo_go_point first[YO_GO_POINTS_MAX]; /* the first point of each string, upwards */
    int count;
};

/* The same for a board whose weak strings are known. `caught` and `moves` come zeroed. */
void yo_go_ladder_mark_weak(const struct yo_go_board *board, const struct yo_go_weak *weak,
                            struct yo_go_ladder_memory *memory, enum yo_go_color prey,
                            uint64_t caught[YO_GO_WORDS_MAX], uint64_t *moves);
