#include "eval/net/shogi_features.h"

/* Kinds in dlshogi's order; a kind's place in it. */
static const uint8_t dlshogi_place[YO_SHOGI_KINDS] = {
    [YO_SHOGI_PAWN] = 0,      [YO_SHOGI_LANCE] = 1,       [YO_SHOGI_KNIGHT] = 2,
    [YO_SHOGI_SILVER] = 3,    [YO_SHOGI_BISHOP] = 4,      [YO_SHOGI_ROOK] = 5,
    [YO_SHOGI_GOLD] = 6,      [YO_SHOGI_KING] = 7,        [YO_SHOGI_TOKIN] = 8,
    [YO_SHOGI_PRO_LANCE] = 9, [YO_SHOGI_PRO_KNIGHT] = 10, [YO_SHOGI_PRO_SILVER] = 11,
    [YO_SHOGI_HORSE] = 12,    [YO_SHOGI_DRAGON] = 13,
};

enum { KINDS = 14, COUNTS = 3, SIDE = 2 * KINDS + COUNTS, CHECK = YO_SHOGI_NET_DLSHOGI - 1 };

static void set(uint64_t plane[YO_SHOGI_PLANE_WORDS], int square) {
    plane[square / 64] |= UINT64_C(1) << (square % 64);
}

static void fill(uint64_t plane[YO_SHOGI_PLANE_WORDS]) {
    plane[0] = ~UINT64_C(0);
    plane[1] = (UINT64_C(1) << (81 - 64)) - 1;
}

static int turned(const struct yo_shogi_position *pos, int square) {
    return pos->side == YO_SHOGI_BLACK ? square : 80 - square;
}

/* One plane for each piece in hand, up to a limit. */
static void fill_hand(yo_shogi_hand hand, int pawns, uint64_t planes[][YO_SHOGI_PLANE_WORDS]) {
    const int limits[] = {pawns, 4, 4, 4, 4, 2, 2};
    for (int kind = YO_SHOGI_PAWN; kind <= YO_SHOGI_ROOK; kind++) {
        int limit = limits[kind - YO_SHOGI_PAWN], count = shogi_hand_count(hand, kind);
        for (int i = 0; i < count && i < limit; i++)
            fill(planes[i]);
        planes += limit;
    }
}

static bool wants_attacks(const uint64_t *used) {
    for (int side = 0; side < 2; side++)
        for (int plane = side * SIDE + KINDS; plane < (side + 1) * SIDE; plane++)
            if (used[plane / 64] >> (plane % 64) & 1) return true;
    return false;
}

static void fill_attacks(const struct yo_shogi_position *pos, int square, int kind, int side,
                         uint8_t counts[81], uint64_t planes[][YO_SHOGI_PLANE_WORDS]) {
    yo_bb attacks = shogi_attacks(side, kind, square, pos->kinds[YO_SHOGI_ANY]);
    while (attacks) {
        int to = turned(pos, bb_pop(&attacks));
        set(planes[KINDS + dlshogi_place[kind]], to);
        if (counts[to] < COUNTS) set(planes[2 * KINDS + counts[to]++], to);
    }
}

void yo_shogi_features_dlshogi(const struct yo_shogi_position *pos, const uint64_t *used,
                               uint64_t planes[][YO_SHOGI_PLANE_WORDS]) {
    uint8_t counts[2][81] = {{0}};
    bool attacks = wants_attacks(used);
    for (int square = 0; square < YO_SHOGI_SQUARES; square++) {
        yo_shogi_piece piece = pos->board[square];
        if (!piece) continue;
        int side = shogi_side(piece), kind = shogi_kind(piece), own = side != pos->side;
        set(planes[own * SIDE + dlshogi_place[kind]], turned(pos, square));
        if (attacks) fill_attacks(pos, square, kind, side, counts[own], planes + own * SIDE);
    }
    for (int own = 0; own < 2; own++)
        fill_hand(pos->hands[pos->side ^ own], 8, planes + 2 * SIDE + own * 28);
    if (shogi_in_check(pos)) fill(planes[CHECK]);
}

void yo_shogi_features_pieces(const struct yo_shogi_position *pos,
                              uint64_t planes[][YO_SHOGI_PLANE_WORDS]) {
    for (int square = 0; square < YO_SHOGI_SQUARES; square++) {
        yo_shogi_piece piece = pos->board[square];
        if (!piece) continue;
        int kind = shogi_kind(piece), own = shogi_side(piece) != pos->side;
        int place = kind - 1 - (kind > YO_SHOGI_PRO_SILVER); /* there is no kind 13 */
        set(planes[own * 52 + place], turned(pos, square));
    }
    for (int own = 0; own < 2; own++)
        fill_hand(pos->hands[pos->side ^ own], 18, planes + own * 52 + KINDS);
}

/* ---- moves ---- */

enum {
    UP,
    UP_LEFT,
    UP_RIGHT,
    LEFT,
    RIGHT,
    DOWN,
    DOWN_LEFT,
    DOWN_RIGHT,
    KNIGHT_LEFT,
    KNIGHT_RIGHT,
    DIRECTIONS
};

/* Left is towards higher files, up towards lower ranks. */
static int direction(int left, int down) {
    if (down == -2 && (left == 1 || left == -1)) return left > 0 ? KNIGHT_LEFT : KNIGHT_RIGHT;
    if (down < 0) return left == 0 ? UP : left > 0 ? UP_LEFT : UP_RIGHT;
    if (down == 0) return left > 0 ? LEFT : RIGHT;
    return left == 0 ? DOWN : left > 0 ? DOWN_LEFT : DOWN_RIGHT;
}

size_t yo_shogi_policy_index(const struct yo_shogi_position *pos, yo_shogi_move move) {
    int to = turned(pos, shogi_to(move)), label;
    if (shogi_is_drop(move)) {
        label = 2 * DIRECTIONS + dlshogi_place[shogi_dropped(move)];
    } else {
        int from = turned(pos, shogi_from(move));
        label = direction(shogi_file(to) - shogi_file(from), shogi_rank(to) - shogi_rank(from));
        if (shogi_promotes(move)) label += DIRECTIONS;
    }
    return (size_t)(label * 81 + to);
}
