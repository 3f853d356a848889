#include "eval/shogi/material.h"

#include "eval/shogi/eval.h"
#include "game/shogi/see.h"

/* A piece in hand is worth a little more than on the board: it can go anywhere. */
static const int16_t in_hand[YO_SHOGI_KING] = {0, 110, 350, 390, 560, 630, 900, 1060};

/* By distance to a king, in king's steps: what generals and promoted pieces add to an attack, and
 * what generals add to a defence. */
static const int16_t attack[9] = {0, 70, 48, 30, 18, 8, 0, -6, -10};
static const int16_t defence[9] = {0, 45, 30, 14, 4, 0, -6, -10, -14};

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

static int side_score(const struct yo_shogi_position *pos, int side) {
    int score = 0;
    for (yo_bb b = pos->sides[side]; b;) {
        int square = bb_pop(&b), kind = shogi_kind(pos->board[square]);
        if (kind == YO_SHOGI_KING)
            score += king_place(side, square);
        else
            score += yo_shogi_values[kind] + near_kings(pos, side, kind, square);
        if (kind == YO_SHOGI_PAWN) score += 3 * (6 - shogi_rank_for(side, square));
    }
    for (int kind = YO_SHOGI_PAWN; kind < YO_SHOGI_KING; kind++)
        score += in_hand[kind] * shogi_hand_count(pos->hands[side], kind);
    return score;
}

int yo_shogi_material(const struct yo_shogi_position *pos) {
    return side_score(pos, pos->side) - side_score(pos, pos->side ^ 1);
}

static int value(const void *net, const struct yo_shogi_position *pos, void *state) {
    (void)net;
    (void)state;
    return yo_shogi_material(pos);
}

const struct yo_shogi_eval yo_shogi_eval_material = {.name = "material", .value = value};
