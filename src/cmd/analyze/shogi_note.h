/* What `yomi analyze` writes into a node of a shogi record: its notes (game/shogi/kifu/note.h)
 * among the lines of the comment, where others' stay, and the line that should have been played as
 * a variation, which begins with a note of its own. By these a later run knows them. */
#pragma once

#include "game/shogi/kifu/note.h"
#include "game/shogi/kifu/record.h"

/* Black's score, if a note of ours says it; without one the position is searched, and what is
 * written then takes the place of what was there. */
bool yo_shogi_noted(const struct yo_shogi_record *record, int node, enum yo_shogi_note_form form,
                    int *score_black);
/* The first child that is a variation of ours, or YO_SHOGI_NO_NODE. It is never the first of all.
 */
int yo_shogi_noted_variation(const struct yo_shogi_record *record, int node,
                             enum yo_shogi_note_form form);
/* Takes our lines out of the comment. */
enum yo_err yo_shogi_notes_forget(struct yo_shogi_record *record, int node,
                                  enum yo_shogi_note_form form);

/* What was found in the position after the node; variations of ours go. previous is the target of
 * the move before, which moves in Japanese refer to. */
enum yo_err yo_shogi_notes_write(struct yo_shogi_record *record, int node,
                                 enum yo_shogi_note_form form, const struct yo_shogi_note *note,
                                 const struct yo_shogi_position *pos, int previous);
/* What should be played there, as a variation below the node. */
enum yo_err yo_shogi_notes_add_line(struct yo_shogi_record *record, int node,
                                    enum yo_shogi_note_form form, const struct yo_shogi_note *note,
                                    const struct yo_shogi_position *pos);
