/* Proof and disproof hands. A proof is stored with the smallest attacker's hand for which it holds,
 * a disproof with the largest, so that each applies to as many hands as possible. Captured
 * interpositions of different kinds thus share entries unless the attacker uses the piece. */
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

/* The sum of both hands. */
static inline yo_shogi_hand dfpn_hand_both(const struct yo_shogi_position *pos) {
    return pos->hands[0] + pos->hands[1];
}

/* Defender to move, in check: the pieces that the attacker must hold so that the defender has none
 * of that kind to interpose. */
yo_shogi_hand yo_dfpn_hand_withheld(const struct yo_shogi_position *pos);
/* Attacker to move: the largest hand of the same kinds, which allows no new drops. */
yo_shogi_hand yo_dfpn_hand_idle(const struct yo_shogi_position *pos);
/* Converts a bound on the attacker's hand after its move to one on the hand before it. */
yo_shogi_hand yo_dfpn_hand_before(const struct yo_shogi_position *pos, yo_shogi_move move,
                                  yo_shogi_hand after);
