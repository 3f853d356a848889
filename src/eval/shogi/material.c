#include "eval/shogi/material.h"

#include "eval/shogi/eval.h"

/* Written by `yomi learn material`; docs/training.md describes the data. */
const struct yo_shogi_material_weights yo_shogi_material_weights = {
#include "eval/shogi/material_weights.inc"
};

#define INLINED static inline __attribute__((always_inline))

static int distance(int a, int b) {
    int files = shogi_file(a) - shogi_file(b), ranks = shogi_rank(a) - shogi_rank(b);
    if (files < 0) files = -files;
    if (ranks < 0) ranks = -ranks;
    return files > ranks ? files : ranks;
}

static bool is_great(int kind) {
    return kind == YO_SHOGI_BISHOP || kind == YO_SHOGI_ROOK || kind >= YO_SHOGI_HORSE;
}

INLINED int near_kings(const struct yo_shogi_material_weights *w,
                       const struct yo_shogi_position *pos, int side, int kind, int square) {
    int score = 0, theirs = pos->king[side ^ 1], ours = pos->king[side];
    bool silver_or_gold = kind == YO_SHOGI_SILVER || kind == YO_SHOGI_GOLD;
    bool great = kind >= YO_SHOGI_HORSE;
    if (!silver_or_gold && kind < YO_SHOGI_TOKIN) return 0;
    if (theirs != YO_SHOGI_NO_SQUARE)
        score += (great ? w->great_attack : w->attack)[distance(square, theirs)];
    if (ours != YO_SHOGI_NO_SQUARE && (great || silver_or_gold))
        score += (great ? w->great_defence : w->defence)[distance(square, ours)];
    return score;
}

INLINED int king_place(const struct yo_shogi_material_weights *w, int side, int square) {
    int rank = shogi_rank_for(side, square), file = shogi_file(square) - 4;
    return w->king_rank[0] * (rank - 8) + w->king_file[file < 0 ? -file : file];
}

/* Squares around a king: those next to it, and those two steps away. */
static yo_bb ring_of(int king, int steps) {
    if (king == YO_SHOGI_NO_SQUARE) return 0;
    yo_bb near = shogi_step(YO_SHOGI_BLACK, YO_SHOGI_KING, king), far = 0;
    if (steps == 1) return near;
    for (yo_bb b = near; b;)
        far |= shogi_step(YO_SHOGI_BLACK, YO_SHOGI_KING, bb_pop(&b));
    return far & ~near & ~bb_square(king);
}

struct rings {
    yo_bb theirs[2], ours[2];
};

/* Weights of the squares a piece attacks around their king and ours. */
INLINED int reach(yo_bb attacks, const struct rings *r, const int16_t weights[4]) {
    int score = 0;
    for (int i = 0; i < 2; i++)
        score += weights[i] * bb_count(attacks & r->theirs[i]) +
                 weights[2 + i] * bb_count(attacks & r->ours[i]);
    return score;
}

INLINED int side_score(const struct yo_shogi_material_weights *w,
                       const struct yo_shogi_position *pos, int side, const struct rings *rings) {
    int score = 0;
    yo_bb occupied = pos->kinds[YO_SHOGI_ANY];
    for (yo_bb b = pos->sides[side]; b;) {
        int square = bb_pop(&b), kind = shogi_kind(pos->board[square]);
        if (kind == YO_SHOGI_KING) {
            score += king_place(w, side, square);
            continue;
        }
        yo_bb attacks = shogi_attacks(side, kind, square, occupied);
        score += w->on_board[kind] + near_kings(w, pos, side, kind, square);
        score += reach(attacks, rings, is_great(kind) ? w->great_reach : w->small_reach);
        if (is_great(kind)) score += w->mobility[0] * bb_count(attacks);
    }
    for (int kind = YO_SHOGI_PAWN; kind < YO_SHOGI_KING; kind++)
        score += w->in_hand[kind] * shogi_hand_count(pos->hands[side], kind);
    return score;
}

INLINED int evaluate(const struct yo_shogi_material_weights *w,
                     const struct yo_shogi_position *pos) {
    int us = pos->side, them = us ^ 1;
    struct rings rings = {.theirs = {ring_of(pos->king[them], 1), ring_of(pos->king[them], 2)},
                          .ours = {ring_of(pos->king[us], 1), ring_of(pos->king[us], 2)}};
    struct rings turned = {.theirs = {rings.ours[0], rings.ours[1]},
                           .ours = {rings.theirs[0], rings.theirs[1]}};
    return side_score(w, pos, us, &rings) - side_score(w, pos, them, &turned);
}

int yo_shogi_material(const struct yo_shogi_position *pos) {
    return evaluate(&yo_shogi_material_weights, pos);
}

int yo_shogi_material_by(const struct yo_shogi_material_weights *weights,
                         const struct yo_shogi_position *pos) {
    return evaluate(weights, pos);
}

static int value(const void *net, const struct yo_shogi_position *pos, void *state) {
    (void)net;
    (void)state;
    return yo_shogi_material(pos);
}

const struct yo_shogi_eval yo_shogi_eval_material = {.name = "material", .value = value};
