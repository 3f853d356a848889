/* Basic types of shogi: pieces, squares, moves, hands; sides and kinds are in yomi/shogi.h. All are
 * plain integers. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "yomi/shogi.h"

/* A piece on the board: its kind, and its side in bit 4. 0 is an empty square. */
typedef uint8_t yo_shogi_piece;

static inline yo_shogi_piece shogi_piece(int side, int kind) {
    return (yo_shogi_piece)(side << 4 | kind);
}
static inline int shogi_kind(yo_shogi_piece piece) { return piece & 15; }
static inline int shogi_side(yo_shogi_piece piece) { return piece >> 4; }
/* The kind of a piece in hand after capture; not for kings. */
static inline int shogi_unpromoted(int kind) { return kind & 7; }
static inline bool shogi_can_promote(int kind) {
    return kind <= YO_SHOGI_ROOK && kind != YO_SHOGI_GOLD;
}

/* A square is file * 9 + rank, both from 0: file 1 is the right edge and rank a the top, so 1a is
 * 0, 1i is 8 and 9i is 80. A step up the board is -1, one to the left +9. */
enum { YO_SHOGI_SQUARES = 81, YO_SHOGI_NO_SQUARE = 81 };

static inline int shogi_square(int file, int rank) { return file * 9 + rank; }
static inline int shogi_file(int square) { return square / 9; }
static inline int shogi_rank(int square) { return square % 9; }
/* The rank as its side counts it: 0 is the far edge. */
static inline int shogi_rank_for(int side, int square) {
    return side == YO_SHOGI_BLACK ? shogi_rank(square) : 8 - shogi_rank(square);
}

/* A move: target in bits 0-6; origin in bits 7-13, where 80 + kind stands for a drop; promotion in
 * bit 14. Origin and target always differ, so 0 can mean no move. */
#define YO_SHOGI_PROMOTE ((yo_shogi_move)(1 << 14))
/* No position with both kings is known to have more than 593 moves; without kings a few more are
 * possible. Lists leave room for wide stores. */
enum { YO_SHOGI_MOVES_MAX = 624 };

static inline yo_shogi_move shogi_move(int from, int to) { return (yo_shogi_move)(from << 7 | to); }
static inline yo_shogi_move shogi_drop(int kind, int to) { return shogi_move(80 + kind, to); }
static inline int shogi_to(yo_shogi_move move) { return move & 127; }
static inline int shogi_from(yo_shogi_move move) { return move >> 7 & 127; }
static inline bool shogi_is_drop(yo_shogi_move move) { return shogi_from(move) > 80; }
static inline int shogi_dropped(yo_shogi_move move) { return shogi_from(move) - 80; }
static inline bool shogi_promotes(yo_shogi_move move) { return move & YO_SHOGI_PROMOTE; }

/* A hand: counts of the seven kinds packed into one word, pawns in the low byte and four bits each
 * for the others. */
typedef uint32_t yo_shogi_hand;

static inline int shogi_hand_shift(int kind) { return kind == YO_SHOGI_PAWN ? 0 : 4 * kind; }
static inline yo_shogi_hand shogi_hand_one(int kind) { return 1u << shogi_hand_shift(kind); }
static inline int shogi_hand_count(yo_shogi_hand hand, int kind) {
    return (int)(hand >> shogi_hand_shift(kind) & (kind == YO_SHOGI_PAWN ? 255 : 15));
}
/* Does a hold at least as many of every kind as b? If not, the field borrows its guard bit. */
static inline bool shogi_hand_covers(yo_shogi_hand a, yo_shogi_hand b) {
    const uint32_t guard = 0x88888880u;
    return (((a | guard) - b) & guard) == guard;
}
