/* What `yomi analyze` writes into a node of an SGF record: Black's percent as SBKV, which Sabaki
 * draws, a comment, and the line that should have been played as a variation. Lines of comments and
 * variations that are ours begin with "Yomi: ", by which a later run knows them. */
#pragma once

#include <stdbool.h>

#include "search/search.h"
#include "yomi/go.h"
#include "yomi/sgf.h"

/* Black's chance to win, 0..1, if a comment of ours says it; without one the position is searched,
 * and what is written then takes the place of what was there. */
bool yo_go_note_read(const struct yo_sgf_node *node, double *rate);
/* The first child that is a variation of ours, or NULL. */
struct yo_sgf_node *yo_go_note_variation(const struct yo_sgf_node *node);
/* Takes our lines out of the comment. */
enum yo_err yo_go_note_forget(struct yo_sgf *sgf, struct yo_sgf_node *node);

/* What was found in the position after the node, on a board of this size. */
enum yo_err yo_go_note_write(struct yo_sgf *sgf, struct yo_sgf_node *node, int size,
                             enum yo_go_color to_move, const struct yo_search_result *result);
/* What should be played there, as a variation below the node. */
enum yo_err yo_go_note_add_line(struct yo_sgf *sgf, struct yo_sgf_node *node, int size,
                                enum yo_go_color to_move, const struct yo_search_move *best);
