#include "search/alphabeta/picker.h"

#include "game/shogi/movegen.h"
#include "game/shogi/see.h"

enum stage {
    FIRST,
    MAKE_CAPTURES,
    CAPTURES,
    REFUTATIONS,
    MAKE_QUIETS,
    QUIETS,
    BAD_CAPTURES,
    MAKE_EVASIONS,
    EVASIONS,
    QUIESCE_FIRST,
    MAKE_QUIESCE,
    QUIESCE,
    DONE
};

/* CAPTURE_BONUS is more than any history: captures come before quiet moves. A key is a score above
 * KEY_BITS bits that count the moves downwards: the largest key is the best move, of equals the
 * first. */
enum {
    CAPTURE_BONUS = 1 << 20,
    PROMOTION_BONUS = 6,
    KEY_BITS = 10,
    KEY_MASK = (1 << KEY_BITS) - 1,
    PICKED = INT32_MIN
};
_Static_assert((int)YO_SHOGI_LIST <= (int)KEY_MASK, "every move has a number of its own");

void ab_picker_init(struct ab_picker *p, const struct ab_context *c, yo_shogi_move first,
                    const yo_shogi_move killers[2], bool all) {
    p->context = c;
    p->first = yo_shogi_move_is_sound(c->pos, first) ? first : YO_SHOGI_NO_MOVE;
    p->refuted[0] = killers[0];
    p->refuted[1] = killers[1];
    p->refuted[2] = c->all->counter[c->pos->side][c->last_slot];
    p->all = all;
    p->quiets = true;
    p->stage = FIRST;
    p->bad_end = 0;
}

void ab_picker_init_quiesce(struct ab_picker *p, const struct ab_context *c, yo_shogi_move first,
                            bool all) {
    p->context = c;
    bool fits = yo_shogi_move_is_sound(c->pos, first) &&
                (shogi_in_check(c->pos) || !ab_is_quiet(c->pos, first));
    p->first = fits ? first : YO_SHOGI_NO_MOVE;
    p->all = all;
    p->quiets = true;
    p->stage = QUIESCE_FIRST;
}

/* Not promoting these pieces gains nothing, except in problems about mate by a pawn drop. */
static bool never_pays(const struct yo_shogi_position *pos, yo_shogi_move move) {
    if (shogi_is_drop(move) || shogi_promotes(move)) return false;
    int side = pos->side, from = shogi_from(move), to = shogi_to(move);
    int kind = shogi_kind(pos->board[from]);
    if (kind == YO_SHOGI_LANCE) return shogi_rank_for(side, to) == 1;
    if (kind != YO_SHOGI_PAWN && kind != YO_SHOGI_BISHOP && kind != YO_SHOGI_ROOK) return false;
    yo_bb zone = yo_shogi_tables.zone[side];
    return bb_has(zone, to) || bb_has(zone, from);
}

static int promotion_gain(const struct yo_shogi_position *pos, yo_shogi_move move) {
    if (!shogi_promotes(move)) return 0;
    int kind = shogi_kind(pos->board[shogi_from(move)]);
    return yo_shogi_values[kind + YO_SHOGI_PROMOTED] - yo_shogi_values[kind];
}

static int score_capture(const struct ab_context *c, yo_shogi_move move) {
    int taken = shogi_kind(c->pos->board[shogi_to(move)]);
    return 7 * (shogi_exchange_value(taken) + promotion_gain(c->pos, move)) +
           ab_history_capture(c, move) / 8;
}

static int score_quiet(const struct ab_context *c, yo_shogi_move move) {
    return ab_history_quiet(c, move) + PROMOTION_BONUS * promotion_gain(c->pos, move);
}

static int score_evasion(const struct ab_context *c, yo_shogi_move move) {
    if (ab_is_quiet(c->pos, move)) return score_quiet(c, move);
    int kind = shogi_kind(c->pos->board[shogi_from(move)]);
    return CAPTURE_BONUS + score_capture(c, move) - yo_shogi_values[kind];
}

/* Appends pawn promotions that capture nothing to the captures. */
static size_t add_promotions(const struct ab_picker *p, yo_shogi_move *moves, size_t count) {
    const struct yo_shogi_position *pos = p->context->pos;
    int side = pos->side, ahead = side == YO_SHOGI_BLACK ? -1 : 1;
    for (yo_bb pawns = shogi_pieces(pos, side, YO_SHOGI_PAWN); pawns;) {
        int from = bb_pop(&pawns), to = from + ahead;
        if (!bb_has(yo_shogi_tables.zone[side], to) || pos->board[to]) continue;
        yo_shogi_move move = shogi_move(from, to) | YO_SHOGI_PROMOTE;
        if (yo_shogi_is_legal(pos, move)) moves[count++] = move;
    }
    return count;
}

static size_t make_captures(struct ab_picker *p) {
    size_t count = yo_shogi_captures(p->context->pos, p->moves);
    return p->all ? count : add_promotions(p, p->moves, count);
}

/* Removes moves that belong to other stages, and scores the rest. */
static inline __attribute__((always_inline)) void score_all(struct ab_picker *p, size_t count,
                                                            int (*score)(const struct ab_context *c,
                                                                         yo_shogi_move move)) {
    bool quiet = score == score_quiet;
    p->next = p->end = 0;
    for (size_t i = 0; i < count; i++) {
        yo_shogi_move move = p->moves[i];
        if (move == p->first || (!p->all && never_pays(p->context->pos, move))) continue;
        if (quiet && !p->all && !ab_is_quiet(p->context->pos, move)) continue;
        p->moves[p->end] = move;
        p->keys[p->end] = score(p->context, move) * (1 << KEY_BITS) + (KEY_MASK - (int)p->end);
        p->end++;
    }
}

/* Selects the best remaining move. No sort: most nodes need few of their moves, and the maximum of
 * the keys is found several at a time. */
static yo_shogi_move pick_best(struct ab_picker *p) {
    int32_t best = PICKED;
    for (size_t i = 0; i < p->end; i++)
        best = p->keys[i] > best ? p->keys[i] : best;
    if (best == PICKED) return YO_SHOGI_NO_MOVE;
    size_t at = (size_t)(KEY_MASK - (best & KEY_MASK));
    p->keys[at] = PICKED;
    return p->moves[at];
}

static yo_shogi_move next_capture(struct ab_picker *p) {
    yo_shogi_move move;
    while ((move = pick_best(p))) {
        if (!yo_shogi_see_loses(p->context->pos, move, 0) ||
            p->bad_end == sizeof p->bad / sizeof p->bad[0])
            return move;
        p->bad[p->bad_end++] = move;
    }
    return YO_SHOGI_NO_MOVE;
}

static bool is_refutation(const struct ab_picker *p, yo_shogi_move move) {
    return move == p->refuted[0] || move == p->refuted[1] || move == p->refuted[2];
}

static yo_shogi_move next_refutation(struct ab_picker *p) {
    while (p->next < 3) {
        size_t i = p->next++;
        yo_shogi_move move = p->refuted[i];
        if (move == p->first || (i > 0 && move == p->refuted[0]) ||
            (i > 1 && move == p->refuted[1]) || !yo_shogi_move_is_sound(p->context->pos, move) ||
            !ab_is_quiet(p->context->pos, move)) {
            p->refuted[i] = YO_SHOGI_NO_MOVE;
            continue;
        }
        return move;
    }
    return YO_SHOGI_NO_MOVE;
}

static yo_shogi_move next_quiet(struct ab_picker *p) {
    yo_shogi_move move;
    while (p->quiets && (move = pick_best(p)))
        if (!is_refutation(p, move)) return move;
    return YO_SHOGI_NO_MOVE;
}

yo_shogi_move ab_picker_next(struct ab_picker *p) {
    const struct yo_shogi_position *pos = p->context->pos;
    yo_shogi_move move;
    switch (p->stage) {
    case FIRST:
        p->stage = shogi_in_check(pos) ? MAKE_EVASIONS : MAKE_CAPTURES;
        if (p->first) return p->first;
        return ab_picker_next(p);
    case MAKE_CAPTURES:
        score_all(p, make_captures(p), score_capture);
        p->stage = CAPTURES;
        /* fall through */
    case CAPTURES:
        if ((move = next_capture(p))) return move;
        p->stage = REFUTATIONS;
        p->next = 0;
        /* fall through */
    case REFUTATIONS:
        if (p->quiets && (move = next_refutation(p))) return move;
        p->stage = MAKE_QUIETS;
        /* fall through */
    case MAKE_QUIETS:
        p->next = p->end = 0;
        if (p->quiets) score_all(p, yo_shogi_quiets(pos, p->moves), score_quiet);
        p->stage = QUIETS;
        /* fall through */
    case QUIETS:
        if ((move = next_quiet(p))) return move;
        p->stage = BAD_CAPTURES;
        p->next = 0;
        /* fall through */
    case BAD_CAPTURES:
        if (p->next < p->bad_end) return p->bad[p->next++];
        p->stage = DONE;
        return YO_SHOGI_NO_MOVE;
    case QUIESCE_FIRST:
        p->stage = shogi_in_check(pos) ? MAKE_EVASIONS : MAKE_QUIESCE;
        if (p->first) return p->first;
        return ab_picker_next(p);
    case MAKE_EVASIONS:
        score_all(p, yo_shogi_evasions(pos, p->moves), score_evasion);
        p->stage = EVASIONS;
        return pick_best(p);
    case MAKE_QUIESCE:
        score_all(p, make_captures(p), score_capture);
        p->stage = QUIESCE;
        return pick_best(p);
    case EVASIONS:
    case QUIESCE:
        return pick_best(p);
    default:
        return YO_SHOGI_NO_MOVE;
    }
}
