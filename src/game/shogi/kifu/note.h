/* Engine evaluations as lines of a record's comments: in ShogiHome's form for KIF and KI2, which
 * ShogiHome draws as a graph and other programs read too, and in floodgate's for CSA. */
#pragma once

#include "game/shogi/kifu/record.h"

/* Scores are Black's, in hundredths of a pawn. A mate in n plies is YO_SHOGI_NOTE_MATE - n if Black
 * mates, and the negative of that if White mates. */
enum { YO_SHOGI_NOTE_MATE = 32000, YO_SHOGI_NOTE_MATE_FROM = 31000 };

struct yo_shogi_note {
    int score_black;
    int depth;
    uint64_t nodes;
    const yo_shogi_move *line; /* from the position on; legal */
    size_t length;
    double lost; /* loss of winning chance by the previous move, 0 to 1 */
};

enum yo_shogi_note_form { YO_SHOGI_NOTE_HOME, YO_SHOGI_NOTE_FLOODGATE };

/* Appends lines without a line break after the last. previous: the target of the previous move, or
 * YO_SHOGI_NO_SQUARE. */
void yo_shogi_note_write(struct yo_buf *out, enum yo_shogi_note_form form,
                         const struct yo_shogi_note *note, const struct yo_shogi_position *pos,
                         int previous);
/* Does a comment contain a note by Yomi? Ignores notes of other programs. */
bool yo_shogi_note_read(const char *comment, enum yo_shogi_note_form form, int *score_black);
/* Appends the lines of a comment that are not part of a note by Yomi. */
void yo_shogi_note_strip(const char *comment, enum yo_shogi_note_form form, struct yo_buf *out);
