#include "eval/shogi/material.h"

#include "eval/shogi/eval.h"

/* The weights were fitted to results and scores of 256,430 quiet positions of games against itself,
 * by logistic regression; those of a king's rank were set by hand, since such games say little
 * about openings. Kinds as in types.h. */
static const int16_t on_board[YO_SHOGI_KINDS] = {0, 126, 305, 279, 495, 556, 691,  828,
                                                 0, 531, 520, 463, 484, 0,   1062, 1263};
/* A piece in hand can go anywhere. */
static const int16_t in_hand[YO_SHOGI_KING] = {0, 107, 380, 412, 598, 694, 937, 1195};

/* By distance to a king, in king's steps: what pieces that move like generals, and horses and
 * dragons, add to an attack; what silver, gold, and the two great ones add to a defence. */
static const int16_t attack[9] = {0, -22, 51, 24, -11, -16, -13, -42, -51};
static const int16_t great_attack[9] = {0, 70, 81, 33, 3, -7, -10, 5, -42};
static const int16_t defence[9] = {0, 78, 37, 28, 1, -16, -12, -61, -42};
static const int16_t great_defence[9] = {0, 80, 33, 16, -40, -80, -48, -17, 0};

/* For each square next to a king, or two steps from it, that a piece could move to: to attack their
 * king, to defend ours. Rooks and bishops have weights of their own. */
struct reach {
    int16_t theirs[2], ours[2];
};
static const struct reach small_reach = {{81, 49}, {35, 18}};
static const struct reach great_reach = {{55, 10}, {-8, -2}};
enum { MOBILITY = 18 /* of rooks and bishops, for each square */ };

/* A king stands well behind its own lines, and neither in the centre nor in the corner. */
static const int16_t king_file[5] = {-52, -9, 52, 68, 0};

static int distance(int a, int b) {
    int files = shogi_file(a) - shogi_file(b), ranks = shogi_rank(a) - shogi_rank(b);
    if (files < 0) files = -files;
    if (ranks < 0) ranks = -ranks;
    return files > ranks ? files : ranks;
}

static bool is_great(int kind) {
    return kind == YO_SHOGI_BISHOP || kind == YO_SHOGI_ROOK || kind >= YO_SHOGI_HORSE;
}

static int near_kings(const struct yo_shogi_position *pos, int side, int kind, int square) {
    int score = 0, theirs = pos->king[side ^ 1], ours = pos->king[side];
    bool silver_or_gold = kind == YO_SHOGI_SILVER || kind == YO_SHOGI_GOLD;
    bool great = kind >= YO_SHOGI_HORSE;
    if (!silver_or_gold && kind < YO_SHOGI_TOKIN) return 0;
    if (theirs != YO_SHOGI_NO_SQUARE)
        score += (great ? great_attack : attack)[distance(square, theirs)];
    if (ours != YO_SHOGI_NO_SQUARE && (great || silver_or_gold))
        score += (great ? great_defence : defence)[distance(square, ours)];
    return score;
}

static int king_place(int side, int square) {
    int rank = shogi_rank_for(side, square), file = shogi_file(square) - 4;
    return 12 * (rank - 8) + king_file[file < 0 ? -file : file];
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
static int reach(yo_bb attacks, const struct rings *r, const struct reach *weights) {
    int score = 0;
    for (int i = 0; i < 2; i++)
        score += weights->theirs[i] * bb_count(attacks & r->theirs[i]) +
                 weights->ours[i] * bb_count(attacks & r->ours[i]);
    return score;
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
        yo_bb attacks = shogi_attacks(side, kind, square, occupied);
        score += on_board[kind] + near_kings(pos, side, kind, square);
        score += reach(attacks, rings, is_great(kind) ? &great_reach : &small_reach);
        if (is_great(kind)) score += MOBILITY * bb_count(attacks);
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
