/* How little in hand a mate needs, and how much does not help where there is none. A proof is kept
 * with the least hand it holds for, a disproof with the greatest, so that each answers for as many
 * hands as it can: what is put between the king and a rook and taken comes to the same, whatever it
 * was, unless it is used. */
#pragma once

#include "game/shogi/position.h"

/* The top bit of each kind's field, which no count reaches. */
#define DFPN_HAND_GUARD 0x88888880u

/* All bits below the guards that are set in `guards`. */
static inline uint32_t dfpn_hand_fields(uint32_t guards) {
    uint32_t pawns = guards & 0x80;
    return guards - (pawns >> 7) - ((guards ^ pawns) >> 3);
}

/* The fields where a has at least as many as b. */
static inline uint32_t dfpn_hand_at_least(yo_shogi_hand a, yo_shogi_hand b) {
    return dfpn_hand_fields(((a | DFPN_HAND_GUARD) - b) & DFPN_HAND_GUARD);
}

static inline yo_shogi_hand dfpn_hand_max(yo_shogi_hand a, yo_shogi_hand b) {
    uint32_t fields = dfpn_hand_at_least(a, b);
    return (a & fields) | (b & ~fields);
}

static inline yo_shogi_hand dfpn_hand_min(yo_shogi_hand a, yo_shogi_hand b) {
    uint32_t fields = dfpn_hand_at_least(a, b);
    return (b & fields) | (a & ~fields);
}

/* The fields of the kinds of which there is at least one. */
static inline uint32_t dfpn_hand_present(yo_shogi_hand hand) {
    return dfpn_hand_fields(~(DFPN_HAND_GUARD - hand) & DFPN_HAND_GUARD);
}

/* All that is in either hand. */
static inline yo_shogi_hand dfpn_hand_both(const struct yo_shogi_position *pos) {
    return pos->hands[0] + pos->hands[1];
}

/* The defender to move, in check: what the attacker must hold for its not being there to be put
 * between. */
yo_shogi_hand yo_dfpn_hand_withheld(const struct yo_shogi_position *pos);
/* The attacker to move: what more of in hand gives no new check. */
yo_shogi_hand yo_dfpn_hand_idle(const struct yo_shogi_position *pos);
/* What is said of the attacker's hand after its move, said of the hand before it. */
yo_shogi_hand yo_dfpn_hand_before(const struct yo_shogi_position *pos, yo_shogi_move move,
                                  yo_shogi_hand after);
