#include "game/shogi/position.h"

#include <string.h>

static bool is_gold(int kind) {
    return kind == YO_SHOGI_GOLD || (kind >= YO_SHOGI_TOKIN && kind <= YO_SHOGI_PRO_SILVER);
}

static void toggle(struct yo_shogi_position *pos, int square, yo_shogi_piece piece) {
    yo_bb b = bb_square(square);
    int kind = shogi_kind(piece);
    pos->kinds[YO_SHOGI_ANY] ^= b;
    pos->kinds[kind] ^= b;
    if (is_gold(kind)) pos->kinds[YO_SHOGI_GOLDS] ^= b;
    pos->sides[shogi_side(piece)] ^= b;
    pos->board_key ^= yo_shogi_tables.piece_key[piece][square];
}

void yo_shogi_position_clear(struct yo_shogi_position *pos) {
    yo_shogi_init();
    memset(pos, 0, sizeof *pos);
    pos->king[0] = pos->king[1] = YO_SHOGI_NO_SQUARE;
}

void yo_shogi_position_put(struct yo_shogi_position *pos, int square, yo_shogi_piece piece) {
    toggle(pos, square, piece);
    pos->board[square] = piece;
    if (shogi_kind(piece) == YO_SHOGI_KING) pos->king[shogi_side(piece)] = (uint8_t)square;
}

void yo_shogi_position_give(struct yo_shogi_position *pos, int side, int kind, int count) {
    pos->hands[side] += (yo_shogi_hand)count * shogi_hand_one(kind);
    pos->hand_key += (uint64_t)count * yo_shogi_tables.hand_key[side][kind];
}

static yo_bb find_checkers(const struct yo_shogi_position *pos, int side) {
    int king = pos->king[side];
    if (king == YO_SHOGI_NO_SQUARE) return 0;
    return shogi_attackers(pos, side ^ 1, king, pos->kinds[YO_SHOGI_ANY]);
}

void yo_shogi_play(struct yo_shogi_position *pos, yo_shogi_move move) {
    int us = pos->side, to = shogi_to(move), from = shogi_from(move);
    if (shogi_is_drop(move)) {
        int kind = shogi_dropped(move);
        pos->hands[us] -= shogi_hand_one(kind);
        pos->hand_key -= yo_shogi_tables.hand_key[us][kind];
        pos->board[to] = shogi_piece(us, kind);
        toggle(pos, to, pos->board[to]);
    } else {
        yo_shogi_piece piece = pos->board[from], taken = pos->board[to];
        if (taken) {
            int kind = shogi_unpromoted(shogi_kind(taken));
            toggle(pos, to, taken);
            pos->hands[us] += shogi_hand_one(kind);
            pos->hand_key += yo_shogi_tables.hand_key[us][kind];
        }
        toggle(pos, from, piece);
        pos->board[from] = 0;
        if (shogi_kind(piece) == YO_SHOGI_KING) pos->king[us] = (uint8_t)to;
        if (shogi_promotes(move)) piece |= YO_SHOGI_PROMOTED;
        pos->board[to] = piece;
        toggle(pos, to, piece);
    }
    pos->board_key ^= yo_shogi_tables.side_key;
    pos->side ^= 1;
    pos->ply++;
    pos->checkers = find_checkers(pos, pos->side);
}

void yo_shogi_keys_after(const struct yo_shogi_position *pos, yo_shogi_move move, uint64_t *board,
                         uint64_t *hands) {
    const struct yo_shogi_tables *t = &yo_shogi_tables;
    int us = pos->side, to = shogi_to(move), from = shogi_from(move);
    *board = pos->board_key ^ t->side_key;
    *hands = pos->hand_key;
    if (shogi_is_drop(move)) {
        int kind = shogi_dropped(move);
        *board ^= t->piece_key[shogi_piece(us, kind)][to];
        *hands -= t->hand_key[us][kind];
        return;
    }
    yo_shogi_piece piece = pos->board[from], taken = pos->board[to];
    *board ^= t->piece_key[piece][from];
    if (shogi_promotes(move)) piece |= YO_SHOGI_PROMOTED;
    *board ^= t->piece_key[piece][to];
    if (!taken) return;
    *board ^= t->piece_key[taken][to];
    *hands += t->hand_key[us][shogi_unpromoted(shogi_kind(taken))];
}

void yo_shogi_play_null(struct yo_shogi_position *pos) {
    pos->board_key ^= yo_shogi_tables.side_key;
    pos->side ^= 1;
    pos->ply++;
}

yo_bb yo_shogi_blockers(const struct yo_shogi_position *pos, int king_side) {
    int king = pos->king[king_side];
    if (king == YO_SHOGI_NO_SQUARE) return 0;
    const yo_bb *kinds = pos->kinds;
    const struct yo_shogi_tables *t = &yo_shogi_tables;
    yo_bb ahead = t->ray[king_side == YO_SHOGI_BLACK ? SHOGI_UP : SHOGI_DOWN][king];
    yo_bb snipers = ((ahead & kinds[YO_SHOGI_LANCE]) |
                     (t->diagonals[king] & (kinds[YO_SHOGI_BISHOP] | kinds[YO_SHOGI_HORSE])) |
                     (t->cross[king] & (kinds[YO_SHOGI_ROOK] | kinds[YO_SHOGI_DRAGON]))) &
                    pos->sides[king_side ^ 1];
    yo_bb blockers = 0;
    while (snipers) {
        yo_bb b = shogi_between(king, bb_pop(&snipers)) & kinds[YO_SHOGI_ANY];
        if (!bb_many(b)) blockers |= b;
    }
    return blockers;
}

bool yo_shogi_gives_check(const struct yo_shogi_position *pos, yo_shogi_move move) {
    int us = pos->side, king = pos->king[us ^ 1], to = shogi_to(move), from = shogi_from(move);
    if (king == YO_SHOGI_NO_SQUARE) return false;
    yo_bb occupied = pos->kinds[YO_SHOGI_ANY];
    if (shogi_is_drop(move))
        return bb_has(shogi_attacks(us, shogi_dropped(move), to, occupied), king);
    occupied = (occupied & ~bb_square(from)) | bb_square(to);
    int kind = shogi_kind(pos->board[from]) + (shogi_promotes(move) ? YO_SHOGI_PROMOTED : 0);
    if (bb_has(shogi_attacks(us, kind, to, occupied), king)) return true;
    yo_bb line = shogi_ray_through(king, from);
    return line && !bb_has(line, to) && bb_has(yo_shogi_blockers(pos, us ^ 1), from);
}
