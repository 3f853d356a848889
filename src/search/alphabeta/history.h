/* Histories of the moves that caused cutoffs: by origin and target, by the moves played one, two
 * and four plies before, and for captures by the captured piece. Squares are from the mover's side,
 * so that both sides share the tables. */
#pragma once

#include "game/shogi/position.h"

enum {
    AB_HISTORY_MAX = 1 << 14,
    AB_ORIGINS = YO_SHOGI_SQUARES + 8,            /* a square or a kind dropped */
    AB_SLOTS = YO_SHOGI_KINDS * YO_SHOGI_SQUARES, /* a kind and its target */
    AB_BEFORE = 3                                 /* continuations: 1, 2 and 4 moves back */
};

struct ab_histories {
    /* By side, and whether an opposing pawn attacks the origin and the target. */
    int16_t butterfly[2][2][2][AB_ORIGINS][YO_SHOGI_SQUARES];
    int16_t follow[2][AB_SLOTS][AB_SLOTS]; /* after a move of the opponent, after an own move */
    int16_t capture[AB_SLOTS][YO_SHOGI_KINDS];
    yo_shogi_move counter[2][AB_SLOTS]; /* the counter move to a move */
};

/* The tables that apply at one node. */
struct ab_context {
    struct ab_histories *all;
    const struct yo_shogi_position *pos;
    int16_t *follow[AB_BEFORE];
    yo_bb threats;      /* squares that the other side's pawns attack */
    const int *weights; /* of `follow`; 128: one */
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

/* Neither a capture nor a promotion of a pawn, which gains as much as a capture. */
static inline bool ab_is_quiet(const struct yo_shogi_position *pos, yo_shogi_move move) {
    if (pos->board[shogi_to(move)]) return false;
    return !shogi_promotes(move) || shogi_kind(pos->board[shogi_from(move)]) != YO_SHOGI_PAWN;
}

/* before: slots of the moves 1, 2 and 4 back. */
struct ab_context ab_context_of(struct ab_histories *all, const struct yo_shogi_position *pos,
                                const uint16_t before[AB_BEFORE]);

/* Here, since every quiet move of a node asks for it. */
static inline int16_t *ab_butterfly(const struct ab_context *c, yo_shogi_move move) {
    int side = c->pos->side, from = shogi_from(move), to = shogi_to(move);
    bool flees = !shogi_is_drop(move) && bb_has(c->threats, from), risks = bb_has(c->threats, to);
    if (!shogi_is_drop(move)) from = ab_seen_by(side, from);
    return &c->all->butterfly[side][flees][risks][from][ab_seen_by(side, to)];
}

static inline int ab_history_quiet(const struct ab_context *c, yo_shogi_move move) {
    uint16_t slot = ab_slot_of(c->pos, move);
    int sum = 0;
    for (int i = 0; i < AB_BEFORE; i++)
        sum += c->follow[i][slot] * c->weights[i];
    return *ab_butterfly(c, move) + sum / 128;
}

int ab_history_capture(const struct ab_context *c, yo_shogi_move move);
/* Only by origin and target, for a quiet move. */
void ab_history_reward_butterfly(const struct ab_context *c, yo_shogi_move move, int bonus);
/* A positive bonus moves the move up in the order, a negative one down. */
void ab_history_reward(const struct ab_context *c, yo_shogi_move move, int bonus);
