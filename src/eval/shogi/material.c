#include "eval/shogi/material.h"

#include "eval/shogi/eval.h"
#include "game/shogi/see.h"

/* A piece in hand is worth a little more than on the board: it can go anywhere. */
static const int16_t in_hand[YO_SHOGI_KING] = {0, 110, 350, 390, 560, 630, 900, 1060};

/* By distance to a king, in king's steps: what generals and promoted pieces add to an attack, and
 * what generals add to a defence. */
static const int16_t attack[9] = {0, 70, 48, 30, 18, 8, 0, -6, -10};
static const int16_t defence[9] = {0, 45, 30, 14, 4, 0, -6, -10, -14};

/* For each square next to a king, or two steps from it, that a piece could move to: to attack their
 * king, to defend ours. */
enum {
    REACH_THEIRS_1 = 36,
    REACH_THEIRS_2 = 13,
    REACH_OURS_1 = 22,
    REACH_OURS_2 = 8,
    MOBILITY = 4 /* of bishops and rooks, for each square */
};

static int distance(int a, int b) {
    int files = shogi_file(a) - shogi_file(b), ranks = shogi_rank(a) - shogi_rank(b);
    if (files < 0) files = -files;
    if (ranks < 0) ranks = -ranks;
    return files > ranks ? files : ranks;
}

static bool is_general(int kind) {
    return kind == YO_SHOGI_GOLD || kind == YO_SHOGI_SILVER || kind >= YO_SHOGI_TOKIN;
}

static int near_kings(const struct yo_shogi_position *pos, int side, int kind, int square) {
    int score = 0, theirs = pos->king[side ^ 1], ours = pos->king[side];
    if (!is_general(kind)) return 0;
    if (theirs != YO_SHOGI_NO_SQUARE) score += attack[distance(square, theirs)];
    if (ours != YO_SHOGI_NO_SQUARE && kind <= YO_SHOGI_GOLD)
        score += defence[distance(square, ours)];
    return score;
}

/* A king stands well behind its own lines, and away from the centre file. */
static int king_place(int side, int square) {
    int rank = shogi_rank_for(side, square), file = shogi_file(square) - 4;
    return 12 * (rank - 8) + 6 * (file < 0 ? -file : file);
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

/* What a piece's moves do for the attack on their king and the defence of ours. */
static int reach(yo_bb attacks, const struct rings *r) {
    return REACH_THEIRS_1 * bb_count(attacks & r->theirs[0]) +
           REACH_THEIRS_2 * bb_count(attacks & r->theirs[1]) +
           REACH_OURS_1 * bb_count(attacks & r->ours[0]) +
           REACH_OURS_2 * bb_count(attacks & r->ours[1]);
}

static int side_score(const struct yo_shogi_position *pos, int side, const struct rings *rings) {
    int score = 0;
    yo_bb occupied = pos->kinds[YO_SHOGI_ANY];
    for (yo_bb b = pos->sides[side]; b;) {
        int square = bb_pop(&b), kind = shogi_kind(pos->board[square]);
        if (kind == YO_SHOGI_KING) {
            score += king_place(side, square);
            continue;
        }
        score += yo_shogi_values[kind] + near_kings(pos, side, kind, square);
        yo_bb attacks = shogi_attacks(side, kind, square, occupied);
        score += reach(attacks, rings);
        if (kind == YO_SHOGI_PAWN) score += 3 * (6 - shogi_rank_for(side, square));
        if (kind == YO_SHOGI_BISHOP || kind == YO_SHOGI_ROOK || kind >= YO_SHOGI_HORSE)
            score += MOBILITY * bb_count(attacks);
    }
    for (int kind = YO_SHOGI_PAWN; kind < YO_SHOGI_KING; kind++)
        score += in_hand[kind] * shogi_hand_count(pos->hands[side], kind);
    return score;
}

int yo_shogi_material(const struct yo_shogi_position *pos) {
    int us = pos->side, them = us ^ 1;
    struct rings rings = {.theirs = {ring_of(pos->king[them], 1), ring_of(pos->king[them], 2)},
                          .ours = {ring_of(pos->king[us], 1), ring_of(pos->king[us], 2)}};
    struct rings turned = {.theirs = {rings.ours[0], rings.ours[1]},
                           .ours = {rings.theirs[0], rings.theirs[1]}};
    return side_score(pos, us, &rings) - side_score(pos, them, &turned);
}

static int value(const void *net, const struct yo_shogi_position *pos, void *state) {
    (void)net;
    (void)state;
    return yo_shogi_material(pos);
}

const struct yo_shogi_eval yo_shogi_eval_material = {.name = "material", .value = value};
