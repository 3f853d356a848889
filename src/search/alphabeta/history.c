#include "search/alphabeta/history.h"

struct ab_context ab_context_of(struct ab_histories *all, const struct yo_shogi_position *pos,
                                const uint16_t before[AB_BEFORE]) {
    yo_bb pawns = shogi_pieces(pos, pos->side ^ 1, YO_SHOGI_PAWN);
    struct ab_context c = {.all = all,
                           .pos = pos,
                           .threats = pos->side == YO_SHOGI_BLACK ? pawns << 1 : pawns >> 1,
                           .last_slot = before[0]};
    for (int i = 0; i < AB_BEFORE; i++)
        c.follow[i] = all->follow[i > 0][before[i]];
    return c;
}

static int16_t *capture(const struct ab_context *c, yo_shogi_move move) {
    int taken = shogi_kind(c->pos->board[shogi_to(move)]);
    return &c->all->capture[ab_slot_of(c->pos, move)][taken];
}

int ab_history_capture(const struct ab_context *c, yo_shogi_move move) { return *capture(c, move); }

/* Adds the bonus with decay, so that an entry saturates at AB_HISTORY_MAX. */
static void reward(int16_t *entry, int bonus) {
    int size = bonus < 0 ? -bonus : bonus;
    *entry = (int16_t)(*entry + bonus - *entry * size / AB_HISTORY_MAX);
}

void ab_history_reward_butterfly(const struct ab_context *c, yo_shogi_move move, int bonus) {
    reward(ab_butterfly(c, move), bonus);
}

void ab_history_reward(const struct ab_context *c, yo_shogi_move move, int bonus) {
    if (!ab_is_quiet(c->pos, move)) {
        reward(capture(c, move), bonus);
        return;
    }
    uint16_t slot = ab_slot_of(c->pos, move);
    reward(ab_butterfly(c, move), bonus);
    for (int i = 0; i < AB_BEFORE; i++)
        reward(&c->follow[i][slot], i < 2 ? bonus : bonus / 2);
}
