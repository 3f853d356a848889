#include "search/mate/hand.h"

yo_shogi_hand yo_dfpn_hand_withheld(const struct yo_shogi_position *pos) {
    if (!pos->checkers || bb_many(pos->checkers)) return 0;
    if (!shogi_between(pos->king[pos->side], bb_first(pos->checkers))) return 0;
    return pos->hands[pos->side ^ 1] & ~dfpn_hand_present(pos->hands[pos->side]);
}

yo_shogi_hand yo_dfpn_hand_idle(const struct yo_shogi_position *pos) {
    return dfpn_hand_both(pos) & dfpn_hand_present(pos->hands[pos->side]);
}

yo_shogi_hand yo_dfpn_hand_before(const struct yo_shogi_position *pos, yo_shogi_move move,
                                  yo_shogi_hand after) {
    if (shogi_is_drop(move)) return after + shogi_hand_one(shogi_dropped(move));
    yo_shogi_piece taken = pos->board[shogi_to(move)];
    if (!taken) return after;
    int kind = shogi_unpromoted(shogi_kind(taken));
    return shogi_hand_count(after, kind) ? after - shogi_hand_one(kind) : after;
}
