#include "eval/shogi/features.h"

const uint16_t yo_shogi_hand_inputs[YO_SHOGI_KING][2] = {
    [YO_SHOGI_PAWN] = {1, 20},    [YO_SHOGI_LANCE] = {39, 44}, [YO_SHOGI_KNIGHT] = {49, 54},
    [YO_SHOGI_SILVER] = {59, 64}, [YO_SHOGI_GOLD] = {69, 74},  [YO_SHOGI_BISHOP] = {79, 82},
    [YO_SHOGI_ROOK] = {85, 88},
};

#define GOLD                                                                                       \
    { 738, 819 }
const uint16_t yo_shogi_board_inputs[YO_SHOGI_KINDS][2] = {
    [YO_SHOGI_PAWN] = {90, 171},
    [YO_SHOGI_LANCE] = {252, 333},
    [YO_SHOGI_KNIGHT] = {414, 495},
    [YO_SHOGI_SILVER] = {576, 657},
    [YO_SHOGI_GOLD] = GOLD,
    [YO_SHOGI_TOKIN] = GOLD,
    [YO_SHOGI_PRO_LANCE] = GOLD,
    [YO_SHOGI_PRO_KNIGHT] = GOLD,
    [YO_SHOGI_PRO_SILVER] = GOLD,
    [YO_SHOGI_BISHOP] = {900, 981},
    [YO_SHOGI_HORSE] = {1062, 1143},
    [YO_SHOGI_ROOK] = {1224, 1305},
    [YO_SHOGI_DRAGON] = {1386, 1467},
    [YO_SHOGI_KING] = {SHOGI_PIECE_INPUTS, SHOGI_PIECE_INPUTS + 81},
};

/* ---- Tables ---- */

#define RANKS(b) (b), (b) + 1, (b) + 2, (b) + 3, (b) + 4, (b) + 5, (b) + 6, (b) + 7, (b) + 8
#define FILES(b)                                                                                   \
    RANKS(b), RANKS((b) + 9), RANKS((b) + 18), RANKS((b) + 27), RANKS((b) + 36), RANKS((b) + 45),  \
        RANKS((b) + 54), RANKS((b) + 63), RANKS((b) + 72)
#define MIRRORED(b)                                                                                \
    RANKS((b) + 72), RANKS((b) + 63), RANKS((b) + 54), RANKS((b) + 45), RANKS((b) + 36),           \
        RANKS((b) + 27), RANKS((b) + 18), RANKS((b) + 9), RANKS(b)
#define KIND(b) MIRRORED(b), MIRRORED((b) + 81)

const uint16_t yo_shogi_mirrored_inputs[SHOGI_KP_INPUTS] = {
    FILES(0),  RANKS(81), /* in hand */
    KIND(90),  KIND(252),  KIND(414),  KIND(576),  KIND(738),
    KIND(900), KIND(1062), KIND(1224), KIND(1386), KIND(1548),
};

/* Files 1 to 3 and files 4 and 5 are a zone each on ranks a to e, and one each on f; every square
 * of the own camp is one. */
#define ZONES(far, near, file) far, far, far, far, far, near, 10 + file, 5 + file, file

const uint8_t yo_shogi_zones[YO_SHOGI_SQUARES] = {
    ZONES(17, 15, 0), ZONES(17, 15, 1), ZONES(17, 15, 2), ZONES(18, 16, 3), ZONES(18, 16, 4),
    ZONES(18, 16, 3), ZONES(17, 15, 2), ZONES(17, 15, 1), ZONES(17, 15, 0),
};

/* ---- Inputs ---- */

size_t yo_shogi_inputs(const struct yo_shogi_position *pos, int viewer, enum yo_shogi_net_kind kind,
                       size_t out[SHOGI_INPUTS_ON]) {
    struct shogi_viewpoint view = shogi_viewpoint(pos, viewer, kind);
    size_t *end = out;
    for (yo_bb pieces = pos->kinds[YO_SHOGI_ANY]; pieces;) {
        int square = bb_pop(&pieces);
        end += shogi_inputs_of(&view, shogi_board_input(viewer, pos->board[square], square), end);
    }
    for (int side = 0; side < 2; side++)
        for (int hand = YO_SHOGI_PAWN; hand < YO_SHOGI_KING; hand++)
            for (int n = shogi_hand_count(pos->hands[side], hand); n > 0; n--)
                end += shogi_inputs_of(&view, shogi_hand_input(viewer, side, hand, n - 1), end);
    return (size_t)(end - out);
}

static void board_off(struct shogi_input_change *c, yo_shogi_piece piece, int square) {
    for (int viewer = 0; viewer < 2; viewer++)
        c->off[c->off_count][viewer] = (uint16_t)shogi_board_input(viewer, piece, square);
    c->off_count++;
}

static void board_on(struct shogi_input_change *c, yo_shogi_piece piece, int square) {
    for (int viewer = 0; viewer < 2; viewer++)
        c->on[c->on_count][viewer] = (uint16_t)shogi_board_input(viewer, piece, square);
    c->on_count++;
}

static void change_drop(const struct yo_shogi_position *pos, yo_shogi_move move,
                        struct shogi_input_change *c) {
    int us = pos->side, kind = shogi_dropped(move);
    int last = shogi_hand_count(pos->hands[us], kind) - 1;
    for (int viewer = 0; viewer < 2; viewer++)
        c->off[0][viewer] = (uint16_t)shogi_hand_input(viewer, us, kind, last);
    c->off_count = 1;
    board_on(c, shogi_piece(us, kind), shogi_to(move));
}

void yo_shogi_input_change(const struct yo_shogi_position *pos, yo_shogi_move move,
                           struct shogi_input_change *c) {
    c->off_count = c->on_count = c->king = 0;
    if (move == YO_SHOGI_NO_MOVE) return;
    if (shogi_is_drop(move)) {
        change_drop(pos, move, c);
        return;
    }
    int us = pos->side, to = shogi_to(move), from = shogi_from(move);
    yo_shogi_piece piece = pos->board[from], taken = pos->board[to];
    if (shogi_kind(piece) == YO_SHOGI_KING) c->king = (uint8_t)(1 << us);
    board_off(c, piece, from);
    board_on(c, shogi_promotes(move) ? piece | YO_SHOGI_PROMOTED : piece, to);
    if (!taken) return;
    board_off(c, taken, to);
    int caught = shogi_unpromoted(shogi_kind(taken));
    int nth = shogi_hand_count(pos->hands[us], caught);
    for (int viewer = 0; viewer < 2; viewer++)
        c->on[c->on_count][viewer] = (uint16_t)shogi_hand_input(viewer, us, caught, nth);
    c->on_count++;
}
