/* Ladders, read to their end on a copy of the stones; nothing of the board is changed.
 *
 * A ladder is a fight in which the attacker only gives atari, and the prey answers by playing on
 * its last liberty or by taking a string in atari that touches it. With three liberties, or when
 * the attacker has no legal atari left (ko included), it is free; with one liberty after its own
 * move it is caught. */
#pragma once

#include <stdbool.h>

#include "game/go/board.h"

/* Positions a reading looks at before it gives up. A prey whose fate is not known by then counts
 * as free. */
#define YO_GO_LADDER_NODES 500

struct yo_go_ladder {
    bool works;       /* the side to move gets what it wants */
    yo_go_point move; /* how, if it works */
    int nodes;        /* positions looked at; YO_GO_LADDER_NODES: gave up */
};

/* Can the string at prey, which is in atari, be saved by its side, which is to move? Taking comes
 * before extending. */
struct yo_go_ladder yo_go_ladder_escape(const struct yo_go_board *board, yo_go_point prey);
/* Is it saved by a move on this empty point? Not if that is no part of the ladder. */
bool yo_go_ladder_escapes_by(const struct yo_go_board *board, yo_go_point prey, yo_go_point move);

/* Can the string at prey, which has two liberties, be caught by the other side, which is to move?
 */
struct yo_go_ladder yo_go_ladder_catch(const struct yo_go_board *board, yo_go_point prey);
/* Is it caught by this move, which must be one of its two liberties? */
bool yo_go_ladder_catches_by(const struct yo_go_board *board, yo_go_point prey, yo_go_point move);

/* If the side of the string at prey plays on this empty point, wherever it is: has the string more
 * than two liberties then, or two and no ladder against it? */
bool yo_go_ladder_frees(const struct yo_go_board *board, yo_go_point prey, yo_go_point move);

/* Ladders as the inputs of KataGo's networks define them, which differs where kos come in: the
 * prey gets the ko that it or the attacker's first move makes, an attacker who takes a ko later
 * has failed, and a prey whose two liberties are the mouths of two kos is caught. A reading that
 * is given up counts as caught.
 * color: all points of a board, and YO_GO_OFF_POINT as YO_GO_OFF; ko: where nobody may play now.
 * Strings with one or two liberties that the other side can catch, moving first against two
 * liberties and second against one, are set in caught. `moves`, where not NULL: where a string of
 * `prey` with two liberties is caught. Both hold a bit for each point. */
void yo_go_ladder_mark(const struct yo_go_geometry *geometry,
                       const uint8_t color[YO_GO_POINTS_MAX + 1], yo_go_point ko,
                       enum yo_go_color prey, uint64_t caught[YO_GO_WORDS_MAX],
                       uint64_t moves[YO_GO_WORDS_MAX]);
