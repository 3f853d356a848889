/* Reads ladders to their end on a copy of the stones; the board does not change.
 *
 * In a ladder the attacker only gives atari, and the prey answers by extending at its last liberty
 * or by capturing an adjacent string in atari. The prey is free with three liberties, or when the
 * attacker has no legal atari left (ko included). It is caught with one liberty after its own
 * move. */
#pragma once

#include <stdbool.h>

#include "game/go/board.h"

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
