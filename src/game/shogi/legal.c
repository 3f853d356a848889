/* Questions about legality that need no list. */
#include <string.h>

#include "game/shogi/movegen.h"

/* Can the king of `side` step anywhere, if `occupied` is what stands on the board? */
static bool king_can_step(const struct yo_shogi_position *pos, int side, yo_bb occupied) {
    int king = pos->king[side];
    yo_bb to = shogi_step(side, YO_SHOGI_KING, king) & ~pos->sides[side];
    occupied &= ~bb_square(king);
    while (to)
        if (!shogi_attackers(pos, side ^ 1, bb_pop(&to), occupied)) return true;
    return false;
}

/* The pawn is not on the board of *pos, only in `occupied`: it gives no protection that matters
 * here, since all it attacks is the king. */
bool yo_shogi_pawn_drop_mates(const struct yo_shogi_position *pos, int square) {
    int them = pos->side ^ 1, king = pos->king[them];
    yo_bb occupied = pos->kinds[YO_SHOGI_ANY] | bb_square(square);
    yo_bb takers = shogi_attackers(pos, them, square, occupied) & ~bb_square(king);
    takers &= ~yo_shogi_blockers(pos, them) | shogi_ray_through(king, square);
    return !takers && !king_can_step(pos, them, occupied);
}

bool yo_shogi_is_legal(const struct yo_shogi_position *pos, yo_shogi_move move) {
    int us = pos->side, king = pos->king[us], to = shogi_to(move), from = shogi_from(move);
    if (shogi_is_drop(move)) {
        int their_king = pos->king[us ^ 1];
        return shogi_dropped(move) != YO_SHOGI_PAWN ||
               !bb_has(shogi_step(us, YO_SHOGI_PAWN, to), their_king) ||
               !yo_shogi_pawn_drop_mates(pos, to);
    }
    if (from == king) {
        yo_bb without = pos->kinds[YO_SHOGI_ANY] ^ bb_square(king);
        return !shogi_attackers(pos, us ^ 1, to, without);
    }
    return !bb_has(yo_shogi_blockers(pos, us), from) || bb_has(shogi_ray_through(king, from), to);
}

bool yo_shogi_can_move(const struct yo_shogi_position *pos) {
    /* Nearly every position has a king's step or an evasion; the list is for the rest. */
    if (pos->king[pos->side] != YO_SHOGI_NO_SQUARE &&
        king_can_step(pos, pos->side, pos->kinds[YO_SHOGI_ANY]))
        return true;
    yo_shogi_move moves[YO_SHOGI_LIST];
    return yo_shogi_legal_moves(pos, moves) > 0;
}

bool yo_shogi_move_is_sound(const struct yo_shogi_position *pos, yo_shogi_move move) {
    yo_shogi_move moves[YO_SHOGI_LIST];
    size_t count = yo_shogi_legal_moves(pos, moves);
    for (size_t i = 0; i < count; i++)
        if (moves[i] == move) return true;
    return false;
}

yo_shogi_move yo_shogi_mate_in_one(const struct yo_shogi_position *pos) {
    yo_shogi_move moves[YO_SHOGI_LIST];
    size_t count = yo_shogi_checks(pos, moves);
    for (size_t i = 0; i < count; i++) {
        struct yo_shogi_position next = *pos;
        yo_shogi_play(&next, moves[i]);
        if (!yo_shogi_can_move(&next)) return moves[i];
    }
    return YO_SHOGI_NO_MOVE;
}
