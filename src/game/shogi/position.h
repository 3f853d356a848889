/* A shogi position: plain data of fixed size, copied by assignment. There is no undo: keep a copy
 * to return to. text.h and playing moves create positions. */
#pragma once

#include "game/shogi/attacks.h"
#include "yomi/error.h"

struct yo_shogi_position {
    /* [0] every piece; [kind] that kind of either side; [13] all that move like a gold general. */
    yo_bb kinds[16];
    yo_bb sides[2];
    yo_bb checkers; /* pieces that give check to the side to move */
    uint64_t board_key, hand_key;
    yo_shogi_hand hands[2];
    yo_shogi_piece board[YO_SHOGI_SQUARES];
    uint8_t king[2]; /* YO_SHOGI_NO_SQUARE in problems without this king */
    uint8_t side;    /* to move */
    uint16_t ply;    /* moves before this one */
};

enum { YO_SHOGI_ANY = 0, YO_SHOGI_GOLDS = 13 };

static inline uint64_t shogi_hash(const struct yo_shogi_position *pos) {
    return pos->board_key ^ pos->hand_key;
}
static inline bool shogi_in_check(const struct yo_shogi_position *pos) {
    return pos->checkers != 0;
}
static inline yo_bb shogi_pieces(const struct yo_shogi_position *pos, int side, int kind) {
    return pos->sides[side] & pos->kinds[kind];
}

/* The empty board, Black to move, nothing in hand. */
void yo_shogi_position_clear(struct yo_shogi_position *pos);
/* For setup; the square must be empty. yo_shogi_position_settle must follow before any use. */
void yo_shogi_position_put(struct yo_shogi_position *pos, int square, yo_shogi_piece piece);
void yo_shogi_position_give(struct yo_shogi_position *pos, int side, int kind, int count);
/* Computes the derived fields. Rejects positions that no game and no problem can have: a piece that
 * could never move again, two pawns in a file, two kings of a side, more pieces than the set has, a
 * king that could be captured now. */
enum yo_err yo_shogi_position_settle(struct yo_shogi_position *pos, int side, struct yo_diag *diag);

/* The move must be legal, or pseudo-legal without leaving the own king in check. */
void yo_shogi_play(struct yo_shogi_position *pos, yo_shogi_move move);
/* The board and hand keys after a move, without playing it. */
void yo_shogi_keys_after(const struct yo_shogi_position *pos, yo_shogi_move move, uint64_t *board,
                         uint64_t *hands);
/* Null move: passes the turn. Not when in check. */
void yo_shogi_play_null(struct yo_shogi_position *pos);

/* The pieces that attack a square by a step if they belong to `by`. */
static inline yo_bb shogi_step_attackers(const struct yo_shogi_position *pos, int by, int square) {
    const yo_bb *kinds = pos->kinds;
    int from = by ^ 1; /* a piece of the other side here attacks the squares that attack it */
    return (shogi_step(from, YO_SHOGI_PAWN, square) & kinds[YO_SHOGI_PAWN]) |
           (shogi_step(from, YO_SHOGI_KNIGHT, square) & kinds[YO_SHOGI_KNIGHT]) |
           (shogi_step(from, YO_SHOGI_SILVER, square) & kinds[YO_SHOGI_SILVER]) |
           (shogi_step(from, YO_SHOGI_GOLD, square) & kinds[YO_SHOGI_GOLDS]) |
           (shogi_step(from, YO_SHOGI_KING, square) &
            (kinds[YO_SHOGI_KING] | kinds[YO_SHOGI_HORSE] | kinds[YO_SHOGI_DRAGON]));
}

/* The sliders of `by` that attack a square. Most squares are not in line with one, and need no
 * slide. */
static inline yo_bb shogi_slide_attackers(const struct yo_shogi_position *pos, int by, int square,
                                          yo_bb occupied) {
    const yo_bb *kinds = pos->kinds;
    yo_bb own = pos->sides[by];
    const struct yo_shogi_tables *t = &yo_shogi_tables;
    yo_bb lances = kinds[YO_SHOGI_LANCE] & own & t->ray[by ? SHOGI_UP : SHOGI_DOWN][square];
    yo_bb bishops = (kinds[YO_SHOGI_BISHOP] | kinds[YO_SHOGI_HORSE]) & own & t->diagonals[square];
    yo_bb rooks = (kinds[YO_SHOGI_ROOK] | kinds[YO_SHOGI_DRAGON]) & own & t->cross[square];
    if (lances) lances &= shogi_lance(by ^ 1, square, occupied);
    if (bishops) bishops &= shogi_bishop(square, occupied);
    if (rooks) rooks &= shogi_rook(square, occupied);
    return lances | bishops | rooks;
}

/* The pieces of `by` that attack a square, given the occupied squares. */
static inline yo_bb shogi_attackers(const struct yo_shogi_position *pos, int by, int square,
                                    yo_bb occupied) {
    return (shogi_step_attackers(pos, by, square) & pos->sides[by]) |
           shogi_slide_attackers(pos, by, square, occupied);
}

/* Is there one? */
static inline bool shogi_is_attacked(const struct yo_shogi_position *pos, int by, int square,
                                     yo_bb occupied) {
    return (shogi_step_attackers(pos, by, square) & pos->sides[by]) ||
           shogi_slide_attackers(pos, by, square, occupied);
}

/* Pieces of either side that alone stand between the king of `king_side` and an opposing slider. */
yo_bb yo_shogi_blockers(const struct yo_shogi_position *pos, int king_side);

/* Does this legal move give check? */
bool yo_shogi_gives_check(const struct yo_shogi_position *pos, yo_shogi_move move);
