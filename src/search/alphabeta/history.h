/* What was learned while searching about which moves cut: by origin and target, by what was played
 * one and two moves before, and for captures by what was taken. Squares are as the mover sees them,
 * so that both sides share what they learn. */
#pragma once

#include "game/shogi/position.h"

enum {
    AB_HISTORY_MAX = 1 << 14,
    AB_ORIGINS = YO_SHOGI_SQUARES + 8,            /* a square or a kind dropped */
    AB_SLOTS = YO_SHOGI_KINDS * YO_SHOGI_SQUARES, /* a kind and its target */
    AB_BEFORE = 2                                 /* continuations: how many moves back they look */
};

struct ab_histories {
    int16_t butterfly[2][AB_ORIGINS][YO_SHOGI_SQUARES];
    int16_t follow[AB_BEFORE][AB_SLOTS][AB_SLOTS];
    int16_t capture[AB_SLOTS][YO_SHOGI_KINDS];
    yo_shogi_move counter[2][AB_SLOTS]; /* what answered a move */
};

/* The tables that apply at one node. */
struct ab_context {
    struct ab_histories *all;
    const struct yo_shogi_position *pos;
    int16_t *follow[AB_BEFORE];
    uint16_t last_slot; /* of the move before */
};

static inline int ab_seen_by(int side, int square) {
    return side == YO_SHOGI_BLACK ? square : 80 - square;
}

/* Kind and target of a move; 0 for a pass. */
static inline uint16_t ab_slot_of(const struct yo_shogi_position *pos, yo_shogi_move move) {
    if (move == YO_SHOGI_NO_MOVE) return 0;
    int kind = shogi_is_drop(move) ? shogi_dropped(move) : shogi_kind(pos->board[shogi_from(move)]);
    return (uint16_t)(kind * YO_SHOGI_SQUARES + ab_seen_by(pos->side, shogi_to(move)));
}

static inline bool ab_is_quiet(const struct yo_shogi_position *pos, yo_shogi_move move) {
    return !pos->board[shogi_to(move)];
}

/* last and second: slots of the moves one and two before. */
struct ab_context ab_context_of(struct ab_histories *all, const struct yo_shogi_position *pos,
                                uint16_t last, uint16_t second);
int ab_history_quiet(const struct ab_context *c, yo_shogi_move move);
int ab_history_capture(const struct ab_context *c, yo_shogi_move move);
/* Earlier next time, or later, by the sign. */
void ab_history_reward(const struct ab_context *c, yo_shogi_move move, int bonus);
