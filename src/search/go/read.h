/* Reads whether a string can be captured, by depth-first proof-number search (A. Nagai, "Df-pn
 * algorithm for searching AND/OR trees and its applications", 2002) among the moves of a small
 * zone.
 *
 * The attacker must move and the defender may pass. The attacker has all ko threats: it may retake
 * a ko at once, the defender may not. So a string that stands does so whatever the kos, and bent
 * four in the corner is captured. A capture of up to YO_GO_SHAPE_MAX stones counts only if the
 * string that made it can then not be captured itself: stones that are given up to reduce an eye
 * space, and snapbacks, are not dead. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "game/go/board.h"
#include "yomi/error.h"

enum yo_go_read_answer { YO_GO_READ_UNKNOWN, YO_GO_READ_CAPTURED, YO_GO_READ_STANDS };

struct yo_go_read_problem {
    const struct yo_go_board *board;
    const uint8_t *zone; /* by point: 1 where the two sides may play, now or when it is empty */
    yo_go_point prey;    /* a stone of the string */
    bool attacker_first;
    bool defender_has_threats; /* else the attacker has */
    unsigned nodes;            /* gives up after this many */
};

struct yo_go_reader; /* holds the transposition table */

enum yo_err yo_go_reader_new(struct yo_go_reader **reader);
void yo_go_reader_delete(struct yo_go_reader *reader);

/* The table is kept between readings of one zone of one board with the threats on one side, and
 * must be cleared for another. */
void yo_go_reader_clear(struct yo_go_reader *reader);

/* *spent, if not NULL, grows by the nodes that were searched. */
enum yo_go_read_answer yo_go_read(struct yo_go_reader *reader,
                                  const struct yo_go_read_problem *problem, unsigned *spent);
