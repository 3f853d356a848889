/* What `yomi analyze` writes into a node of a shogi record: a note (game/shogi/kifu/note.h) in the
 * comment, whose other lines stay, and the better line as a variation, which begins with its own
 * note. A later run recognizes both by the notes. */
#pragma once

#include "game/shogi/kifu/note.h"
#include "game/shogi/kifu/record.h"

/* Reads Black's score from our note; false if there is none. Then the position is searched, and the
 * new note replaces the old one. */
bool yo_shogi_noted(const struct yo_shogi_record *record, int node, enum yo_shogi_note_form form,
                    int *score_black);
/* The first child that is our variation, or YO_SHOGI_NO_NODE. It is never the main line. */
int yo_shogi_noted_variation(const struct yo_shogi_record *record, int node,
                             enum yo_shogi_note_form form);
/* Removes our lines from the comment. */
enum yo_err yo_shogi_notes_forget(struct yo_shogi_record *record, int node,
                                  enum yo_shogi_note_form form);

/* Writes the result for the position after the node and removes our variations. previous is the
 * target of the previous move, which Japanese notation refers to. */
enum yo_err yo_shogi_notes_write(struct yo_shogi_record *record, int node,
                                 enum yo_shogi_note_form form, const struct yo_shogi_note *note,
                                 const struct yo_shogi_position *pos, int previous);
/* Adds the PV of that position as a variation below the node. */
enum yo_err yo_shogi_notes_add_line(struct yo_shogi_record *record, int node,
                                    enum yo_shogi_note_form form, const struct yo_shogi_note *note,
                                    const struct yo_shogi_position *pos);
