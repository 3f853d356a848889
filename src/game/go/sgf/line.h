/* A game as one line of a record: followed where it is there already, added where it is not. */
#pragma once

#include "game/go/sgf/replay.h"

/* "" for a pass. Returns out, or a constant. */
const char *yo_sgf_point_text(yo_go_point point, int size, char out[3]);

/* The game's moves from number `from` on, a node each, below node. */
enum yo_err yo_sgf_line_append(struct yo_sgf *sgf, struct yo_sgf_node *node,
                               const struct yo_go_game *game, size_t from);

/* Remembers the nodes that a replay went through, so that setup on the way is not taken for another
 * start. To be called once for a record, before the next one. */
void yo_sgf_line_mark(const struct sgf_replayed *replayed);
/* Follows the game from where its history begins, and adds what the record does not have as the
 * last variation there: *added is its first node, or NULL if all was there; set on failure too.
 * YO_ERR_UNSUPPORTED if the game leaves the record inside the start node itself, which has both
 * setup and moves, since no variation can begin there. */
enum yo_err yo_sgf_line_add(struct yo_sgf *sgf, struct yo_sgf_node *start,
                            const struct yo_go_game *game, struct yo_sgf_node **added);
/* Takes a node that is no root out of its tree, with all below it. */
void yo_sgf_line_cut(struct yo_sgf_node *node);
