/* A game as one line of a record: follows existing nodes and adds the missing ones. */
#pragma once

#include "game/go/sgf/replay.h"

/* "" for a pass. Returns out, or a constant. */
const char *yo_sgf_point_text(yo_go_point point, int size, char out[3]);

/* Appends the game's moves from number `from` on below node, one node each. */
enum yo_err yo_sgf_line_append(struct yo_sgf *sgf, struct yo_sgf_node *node,
                               const struct yo_go_game *game, size_t from);

/* Marks the nodes that a replay visited, so that setup in these nodes does not count as the start
 * of another game. Call once for each record, before the next replay. */
void yo_sgf_line_mark(const struct sgf_replayed *replayed);
/* Follows the game from the start of its history, and adds the missing moves as the last variation
 * there. *added is its first node, or NULL if nothing was missing; it is set on failure too.
 * YO_ERR_UNSUPPORTED if the game leaves the record inside a start node that has both setup and
 * moves, since no variation can begin there. */
enum yo_err yo_sgf_line_add(struct yo_sgf *sgf, struct yo_sgf_node *start,
                            const struct yo_go_game *game, struct yo_sgf_node **added);
/* Removes a node, not a root, from its tree, with its subtree. */
void yo_sgf_line_cut(struct yo_sgf_node *node);
