/* Validates a position after setup. */
#include "base/diag.h"
#include "game/shogi/position.h"
#include "game/shogi/text.h"

static const char *const names[] = {
    "", "pawn", "lance", "knight", "silver general", "gold general", "bishop", "rook", "king"};
static const int totals[] = {0, 18, 4, 4, 4, 4, 2, 2, 2};

static enum yo_err check_counts(const struct yo_shogi_position *pos, struct yo_diag *diag) {
    for (int kind = YO_SHOGI_PAWN; kind <= YO_SHOGI_KING; kind++) {
        int count = bb_count(pos->kinds[kind]);
        if (kind != YO_SHOGI_KING)
            count += shogi_hand_count(pos->hands[0], kind) + shogi_hand_count(pos->hands[1], kind);
        if (shogi_can_promote(kind)) count += bb_count(pos->kinds[kind + YO_SHOGI_PROMOTED]);
        if (count > totals[kind])
            return yo_diag_set(diag, YO_ERR_ARGUMENT, "%d %ss; a set has %d", count, names[kind],
                               totals[kind]);
    }
    return YO_OK;
}

static enum yo_err check_stuck(const struct yo_shogi_position *pos, int side,
                               struct yo_diag *diag) {
    const struct yo_shogi_tables *t = &yo_shogi_tables;
    yo_bb stuck = (pos->kinds[YO_SHOGI_PAWN] | pos->kinds[YO_SHOGI_LANCE]) & t->last[side];
    stuck |= pos->kinds[YO_SHOGI_KNIGHT] & t->last_two[side];
    stuck &= pos->sides[side];
    if (!stuck) return YO_OK;
    int square = bb_first(stuck);
    char text[3];
    return yo_diag_set(diag, YO_ERR_ARGUMENT, "the %s on %s can never move",
                       names[shogi_kind(pos->board[square])], yo_shogi_square_format(square, text));
}

static enum yo_err check_side(const struct yo_shogi_position *pos, int side, struct yo_diag *diag) {
    static const char *const sides[] = {"Black", "White"};
    if (bb_many(shogi_pieces(pos, side, YO_SHOGI_KING)))
        return yo_diag_set(diag, YO_ERR_ARGUMENT, "%s has two kings", sides[side]);
    unsigned files = 0;
    for (yo_bb pawns = shogi_pieces(pos, side, YO_SHOGI_PAWN); pawns;) {
        int file = shogi_file(bb_pop(&pawns));
        if (files >> file & 1)
            return yo_diag_set(diag, YO_ERR_ARGUMENT, "%s has two pawns in file %d", sides[side],
                               file + 1);
        files |= 1u << file;
    }
    return check_stuck(pos, side, diag);
}

enum yo_err yo_shogi_position_settle(struct yo_shogi_position *pos, int side,
                                     struct yo_diag *diag) {
    enum yo_err err = check_counts(pos, diag);
    if (!err) err = check_side(pos, YO_SHOGI_BLACK, diag);
    if (!err) err = check_side(pos, YO_SHOGI_WHITE, diag);
    if (err) return err;
    yo_bb all = pos->kinds[YO_SHOGI_ANY];
    int king = pos->king[side ^ 1];
    if (king != YO_SHOGI_NO_SQUARE && shogi_attackers(pos, side, king, all))
        return yo_diag_set(diag, YO_ERR_ARGUMENT, "the king that is not to move is in check");
    pos->side = (uint8_t)side;
    if (side == YO_SHOGI_WHITE) pos->board_key ^= yo_shogi_tables.side_key;
    king = pos->king[side];
    pos->checkers = king == YO_SHOGI_NO_SQUARE ? 0 : shogi_attackers(pos, side ^ 1, king, all);
    return YO_OK;
}
