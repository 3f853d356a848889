/* What a shogi network sees of a position, always as the side to move sees it: White's board is
 * turned round. Point p of a plane is the square p (file * 9 + rank, from 0). */
#pragma once

#include "eval/net/graph.h"
#include "game/shogi/position.h"

/* dlshogi's. For the side to move, then for the opponent: a plane each of 14 kinds of pieces, a
 * plane each of where they can go, and where one, two and three pieces can go; then for both what
 * is in hand (8 pawns, 4 of lance, knight, silver and gold, 2 of bishop and rook), a plane for each
 * piece; then check. */
#define YO_SHOGI_NET_DLSHOGI 119
/* That of the MC softmax search: for both sides the 14 kinds and the hand (18 pawns, else the
 * same). */
#define YO_SHOGI_NET_PIECES 104

enum { YO_SHOGI_PLANE_WORDS = 2 };

/* `planes` comes zeroed; planes whose bit is not in `used` need not be made. */
void yo_shogi_features_dlshogi(const struct yo_shogi_position *pos, const uint64_t *used,
                               uint64_t planes[][YO_SHOGI_PLANE_WORDS]);
void yo_shogi_features_pieces(const struct yo_shogi_position *pos,
                              uint64_t planes[][YO_SHOGI_PLANE_WORDS]);

/* Which of the 27 x 81 entries of a policy a legal move is: its direction (up, up left, up right,
 * left, right, down, down left, down right, the knight's left and right; the same with promotion;
 * drops of pawn, lance, knight, silver, bishop, rook, gold) times 81, and the square it goes to. */
enum { YO_SHOGI_NET_LABELS = 27 * 81 };
size_t yo_shogi_policy_index(const struct yo_shogi_position *pos, yo_shogi_move move);
