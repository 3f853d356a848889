/* Legality tests that need no move list; mate in one. */
#include <string.h>

#include "game/shogi/movegen.h"

/* Can the king of `side` step anywhere, if `occupied` are the occupied squares? */
static bool king_can_step(const struct yo_shogi_position *pos, int side, yo_bb occupied) {
    int king = pos->king[side];
    yo_bb to = shogi_step(side, YO_SHOGI_KING, king) & ~pos->sides[side];
    occupied &= ~bb_square(king);
    while (to)
        if (!shogi_is_attacked(pos, side ^ 1, bb_pop(&to), occupied)) return true;
    return false;
}

/* The pawn is not on the board of *pos, only in `occupied`. It protects nothing relevant here,
 * since it attacks only the king. */
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
        return !shogi_is_attacked(pos, us ^ 1, to, without);
    }
    return !bb_has(yo_shogi_blockers(pos, us), from) || bb_has(shogi_ray_through(king, from), to);
}

bool yo_shogi_can_move(const struct yo_shogi_position *pos) {
    /* Fast path: nearly every position has a king step or an evasion. The list is for the rest. */
    if (pos->king[pos->side] != YO_SHOGI_NO_SQUARE &&
        king_can_step(pos, pos->side, pos->kinds[YO_SHOGI_ANY]))
        return true;
    yo_shogi_move moves[YO_SHOGI_LIST];
    return yo_shogi_legal_moves(pos, moves) > 0;
}

/* Could a piece of this kind never move again from there? */
static bool is_stuck(int side, int kind, int to) {
    const struct yo_shogi_tables *t = &yo_shogi_tables;
    if (kind == YO_SHOGI_PAWN || kind == YO_SHOGI_LANCE) return bb_has(t->last[side], to);
    return kind == YO_SHOGI_KNIGHT && bb_has(t->last_two[side], to);
}

static bool drop_fits(const struct yo_shogi_position *pos, yo_shogi_move move) {
    int us = pos->side, kind = shogi_dropped(move), to = shogi_to(move);
    if (kind > YO_SHOGI_ROOK || shogi_promotes(move) || pos->board[to]) return false;
    if (!shogi_hand_count(pos->hands[us], kind) || is_stuck(us, kind, to)) return false;
    if (kind == YO_SHOGI_PAWN) { /* nifu */
        int top = shogi_file(to) * 9;
        for (int square = top; square < top + 9; square++)
            if (pos->board[square] == shogi_piece(us, YO_SHOGI_PAWN)) return false;
    }
    return true;
}

static bool step_fits(const struct yo_shogi_position *pos, yo_shogi_move move) {
    int us = pos->side, from = shogi_from(move), to = shogi_to(move);
    int kind = shogi_kind(pos->board[from]);
    if (!bb_has(pos->sides[us], from) || bb_has(pos->sides[us], to)) return false;
    if (!bb_has(shogi_attacks(us, kind, from, pos->kinds[YO_SHOGI_ANY]), to)) return false;
    yo_bb zone = yo_shogi_tables.zone[us];
    if (shogi_promotes(move))
        return shogi_can_promote(kind) && (bb_has(zone, from) || bb_has(zone, to));
    return !is_stuck(us, kind, to);
}

bool yo_shogi_move_is_sound(const struct yo_shogi_position *pos, yo_shogi_move move) {
    int to = shogi_to(move), king = pos->king[pos->side];
    if (move == YO_SHOGI_NO_MOVE || move & 0x8000 || to >= YO_SHOGI_SQUARES) return false;
    if (!(shogi_is_drop(move) ? drop_fits(pos, move) : step_fits(pos, move))) return false;
    if (shogi_in_check(pos) && shogi_from(move) != king) {
        if (bb_many(pos->checkers)) return false;
        int checker = bb_first(pos->checkers);
        if (to != checker && !bb_has(shogi_between(king, checker), to)) return false;
    }
    return yo_shogi_is_legal(pos, move);
}

/* ---- Mate in one ---- */

/* Flight squares: squares next to the king of the side not to move that the side to move does not
 * attack. A check that leaves one free is no mate and need not be played. */
static yo_bb find_flights(const struct yo_shogi_position *pos) {
    int us = pos->side, king = pos->king[us ^ 1];
    yo_bb to = shogi_step(us ^ 1, YO_SHOGI_KING, king) & ~pos->sides[us ^ 1], flights = 0;
    yo_bb occupied = pos->kinds[YO_SHOGI_ANY] & ~bb_square(king);
    while (to) {
        int square = bb_pop(&to);
        if (!shogi_is_attacked(pos, us, square, occupied)) flights |= bb_square(square);
    }
    return flights;
}

/* Does a flight square stay free after the move? False if the origin is attacked by one of our
 * sliders, since the move may open its line. A drop opens no line. */
static bool leaves_flight(const struct yo_shogi_position *pos, yo_shogi_move move, yo_bb flights) {
    int us = pos->side, to = shogi_to(move), kind;
    yo_bb occupied = pos->kinds[YO_SHOGI_ANY] & ~bb_square(pos->king[us ^ 1]);
    if (shogi_is_drop(move)) {
        kind = shogi_dropped(move);
    } else {
        int from = shogi_from(move);
        if (shogi_slide_attackers(pos, us, from, pos->kinds[YO_SHOGI_ANY])) return false;
        kind = shogi_kind(pos->board[from]) + (shogi_promotes(move) ? YO_SHOGI_PROMOTED : 0);
        occupied &= ~bb_square(from);
    }
    return flights & ~bb_square(to) & ~shogi_attacks(us, kind, to, occupied);
}

yo_shogi_move yo_shogi_mate_in_one(const struct yo_shogi_position *pos) {
    yo_shogi_move moves[YO_SHOGI_LIST];
    size_t count = yo_shogi_checks(pos, moves);
    yo_bb flights = count ? find_flights(pos) : 0;
    for (size_t i = 0; i < count; i++) {
        if (flights && leaves_flight(pos, moves[i], flights)) continue;
        struct yo_shogi_position next = *pos;
        yo_shogi_play(&next, moves[i]);
        if (!yo_shogi_can_move(&next)) return moves[i];
    }
    return YO_SHOGI_NO_MOVE;
}
