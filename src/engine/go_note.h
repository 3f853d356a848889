/* What `yomi analyze` writes into a node of an SGF record: Black's win rate in percent as SBKV,
 * which Sabaki draws, a comment, and the better line as a variation. Our comment lines and
 * variations begin with "Yomi: ", by which a later run recognizes them. */
#pragma once

#include <stdbool.h>

#include "search/search.h"
#include "yomi/go.h"
#include "yomi/sgf.h"

/* Reads Black's win rate, 0..1, from our comment; false if there is none. Then the position is
 * searched, and the new note replaces the old one. */
bool yo_go_note_read(const struct yo_sgf_node *node, double *rate);
/* The first child that is our variation, or NULL. */
struct yo_sgf_node *yo_go_note_variation(const struct yo_sgf_node *node);
/* Removes our lines from the comment. */
enum yo_err yo_go_note_forget(struct yo_sgf *sgf, struct yo_sgf_node *node);

/* Writes the result for the position after the node, on a board of this size. `visits` are those of
 * the position, of which a search that went on with a tree made only a part. */
enum yo_err yo_go_note_write(struct yo_sgf *sgf, struct yo_sgf_node *node, int size,
                             enum yo_go_color to_move, const struct yo_search_result *result,
                             uint64_t visits);
/* Adds the PV of that position as a variation below the node. */
enum yo_err yo_go_note_add_line(struct yo_sgf *sgf, struct yo_sgf_node *node, int size,
                                enum yo_go_color to_move, const struct yo_search_move *best);
