/* The inputs of a shogi network, always from the view of the side to move: the board is rotated for
 * White. Point p of a plane is the square p (file * 9 + rank, from 0). */
#pragma once

#include "eval/net/graph.h"
#include "game/shogi/position.h"

/* dlshogi's. For the side to move, then for the opponent: a plane each of 14 kinds of pieces, a
 * plane each of where they can go, and where one, two and three pieces can go; then for both what
 * is in hand (8 pawns, 4 of lance, knight, silver and gold, 2 of bishop and rook), a plane for each
 * piece; then check. */
#define YO_SHOGI_NET_DLSHOGI 119
/* The format of the MC softmax search: for both sides the 14 kinds and the hand (18 pawns, else the
 * same). */
#define YO_SHOGI_NET_PIECES 104

enum { YO_SHOGI_PLANE_WORDS = 2 };

/* `planes` comes zeroed; planes whose bit is not in `used` need not be filled. */
void yo_shogi_features_dlshogi(const struct yo_shogi_position *pos, const uint64_t *used,
                               uint64_t planes[][YO_SHOGI_PLANE_WORDS]);
void yo_shogi_features_pieces(const struct yo_shogi_position *pos,
                              uint64_t planes[][YO_SHOGI_PLANE_WORDS]);

/* The policy entry of a legal move, of 27 x 81: its direction (up, up left, up right, left, right,
 * down, down left, down right, the knight's left and right; the same with promotion; drops of pawn,
 * lance, knight, silver, bishop, rook, gold) times 81, and the square it goes to. */
enum { YO_SHOGI_NET_LABELS = 27 * 81 };
size_t yo_shogi_policy_index(const struct yo_shogi_position *pos, yo_shogi_move move);
