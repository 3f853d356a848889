/* The evaluation without a network: pieces, their distances to the kings, the squares they attack
 * around the kings. It is linear in its weights, so they can be fitted to games (learn/material.h).
 */
#pragma once

#include "game/shogi/position.h"

/* X(name, count, meaning). Kinds as in yomi/shogi.h. Distances are in king's steps: attack weights
 * for pieces that move like generals, and for horses and dragons; defence weights for silver and
 * gold, and for horses and dragons. Reach is for each square next to a king or two steps from it
 * that a piece could move to: theirs, then ours; rooks and bishops have weights of their own. */
#define YO_SHOGI_MATERIAL_LIST(X)                                                                  \
    X(on_board, 16, "a piece on the board, by kind")                                               \
    X(in_hand, 8, "a piece in hand, by kind; it can go anywhere")                                  \
    X(attack, 9, "a general, by its distance to their king")                                       \
    X(great_attack, 9, "a horse or dragon, by its distance to their king")                         \
    X(defence, 9, "silver or gold, by its distance to our king")                                   \
    X(great_defence, 9, "a horse or dragon, by its distance to our king")                          \
    X(small_reach, 4, "squares that small pieces reach around the kings")                          \
    X(great_reach, 4, "squares that great pieces reach around the kings")                          \
    X(mobility, 1, "each square that a great piece reaches")                                       \
    X(king_file, 5, "the king, by its distance to the middle file")                                \
    X(king_rank, 1, "each rank that the king is behind, as a negative number")

struct yo_shogi_material_weights {
#define X(name, count, what) int16_t name[count];
    YO_SHOGI_MATERIAL_LIST(X)
#undef X
};

extern const struct yo_shogi_material_weights yo_shogi_material_weights;

/* For the side to move, in hundredths of a pawn. */
int yo_shogi_material(const struct yo_shogi_position *pos);
/* The same with other weights. */
int yo_shogi_material_by(const struct yo_shogi_material_weights *weights,
                         const struct yo_shogi_position *pos);
