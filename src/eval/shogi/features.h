/* The inputs of a shogi network: which are active, for each of the two sides. A piece input is
 * (owner, kind, square) from one side's view, with the board rotated for White. Promoted pawns,
 * lances, knights and silvers count as gold generals. The n-th piece of a kind in a hand has an
 * input of its own. The numbering is that of nn.bin files (BonaPiece). */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "game/shogi/position.h"

enum yo_shogi_net_kind {
    YO_SHOGI_NET_KP,       /* the pieces, and both kings */
    YO_SHOGI_NET_HALFKP,   /* the pieces, for each square of the own king */
    YO_SHOGI_NET_RELATIVE, /* those of K-P, and the pieces on the board as seen from the own king */
    YO_SHOGI_NET_ZONES     /* the pieces and the other's king, for each zone of the own king, which
                              stands on files 1 to 5: else the board is mirrored; and its square */
};

enum {
    SHOGI_PIECE_INPUTS = 1548,
    SHOGI_KP_INPUTS = SHOGI_PIECE_INPUTS + 2 * 81,
    SHOGI_HALFKP_INPUTS = SHOGI_PIECE_INPUTS * 81,
    SHOGI_HAND_INPUTS = 90,  /* the first piece inputs; those on the board follow, 81 of a kind */
    SHOGI_OFFSETS = 17 * 17, /* between two squares */
    SHOGI_RELATIVE_INPUTS =
        SHOGI_KP_INPUTS + (SHOGI_PIECE_INPUTS - SHOGI_HAND_INPUTS) / 81 * SHOGI_OFFSETS,
    SHOGI_ZONES = 19,
    SHOGI_ZONE_INPUTS = SHOGI_PIECE_INPUTS + 81, /* with the other's king */
    SHOGI_ZONES_INPUTS = SHOGI_ZONES * SHOGI_ZONE_INPUTS + 5 * 9,
    SHOGI_INPUTS_ON = 40 + 38 /* at most, of each side */
};

/* First inputs of a kind on the board and in hand: of the viewer, and of the opponent. */
extern const uint16_t yo_shogi_board_inputs[YO_SHOGI_KINDS][2];
extern const uint16_t yo_shogi_hand_inputs[YO_SHOGI_KING][2];

static inline int shogi_seen_square(int viewer, int square) {
    return viewer == YO_SHOGI_BLACK ? square : 80 - square;
}
static inline unsigned shogi_board_input(int viewer, yo_shogi_piece piece, int square) {
    return yo_shogi_board_inputs[shogi_kind(piece)][shogi_side(piece) != viewer] +
           (unsigned)shogi_seen_square(viewer, square);
}
/* nth counts from 0. */
static inline unsigned shogi_hand_input(int viewer, int side, int kind, int nth) {
    return yo_shogi_hand_inputs[kind][side != viewer] + (unsigned)nth;
}

/* Whether a piece input is of a piece on the board: those have a relative input, too. */
static inline bool shogi_is_on_board(size_t input) {
    return input >= SHOGI_HAND_INPUTS && input < SHOGI_PIECE_INPUTS;
}
/* The relative input that belongs to the input of a piece on the board; king: the square of the
 * viewer's king as it sees it. */
static inline size_t shogi_relative_input(size_t input, int king) {
    int kind = (int)(input - SHOGI_HAND_INPUTS) / 81,
        square = (int)(input - SHOGI_HAND_INPUTS) % 81;
    int files = square / 9 - king / 9 + 8, ranks = square % 9 - king % 9 + 8;
    return (size_t)(SHOGI_KP_INPUTS + kind * SHOGI_OFFSETS + files * 17 + ranks);
}

/* ---- The inputs of a kind ----
 * Each kind's are a function of K-P's and of the viewer's king. */

/* K-P's inputs with left and right exchanged. */
extern const uint16_t yo_shogi_mirrored_inputs[SHOGI_KP_INPUTS];
/* The zone of a king on each square as its owner sees it, mirrored or not. */
extern const uint8_t yo_shogi_zones[YO_SHOGI_SQUARES];

struct shogi_viewpoint {
    enum yo_shogi_net_kind kind;
    int king;      /* the square of the viewer's king as it sees it, not mirrored */
    bool mirrored; /* zones only: left and right are exchanged */
    size_t offset; /* of the inputs for this square or zone */
};

/* The viewer's king must be on the board. */
static inline struct shogi_viewpoint shogi_viewpoint(const struct yo_shogi_position *pos,
                                                     int viewer, enum yo_shogi_net_kind kind) {
    struct shogi_viewpoint view = {.kind = kind,
                                   .king = shogi_seen_square(viewer, pos->king[viewer])};
    if (kind == YO_SHOGI_NET_HALFKP) view.offset = (size_t)(SHOGI_PIECE_INPUTS * view.king);
    if (kind == YO_SHOGI_NET_ZONES) {
        view.mirrored = view.king >= 5 * 9;
        view.offset = (size_t)(SHOGI_ZONE_INPUTS * yo_shogi_zones[view.king]);
    }
    return view;
}

/* An own king's input must be that of the king where it stands. */
static inline size_t shogi_zones_input(const struct shogi_viewpoint *view, size_t input) {
    if (view->mirrored) input = yo_shogi_mirrored_inputs[input];
    if (input < SHOGI_PIECE_INPUTS) return view->offset + input;
    if (input >= SHOGI_PIECE_INPUTS + 81) return view->offset + input - 81;
    return SHOGI_ZONES * SHOGI_ZONE_INPUTS + input - SHOGI_PIECE_INPUTS;
}

/* The inputs that an input of K-P stands for, at most two; returns how many. */
static inline int shogi_inputs_of(const struct shogi_viewpoint *view, size_t input, size_t *out) {
    out[0] =
        view->kind == YO_SHOGI_NET_ZONES ? shogi_zones_input(view, input) : view->offset + input;
    if (view->kind == YO_SHOGI_NET_HALFKP) return input < SHOGI_PIECE_INPUTS;
    if (view->kind != YO_SHOGI_NET_RELATIVE || !shogi_is_on_board(input)) return 1;
    out[1] = shogi_relative_input(input, view->king);
    return 2;
}

/* All active inputs, in no particular order; returns how many. Both kings must be on the board. */
size_t yo_shogi_inputs(const struct yo_shogi_position *pos, int viewer, enum yo_shogi_net_kind kind,
                       size_t out[SHOGI_INPUTS_ON]);

/* What a move changes, as inputs of K-P of [Black, White]. */
struct shogi_input_change {
    uint8_t off_count, on_count;
    uint8_t king; /* bit s: the king of side s moves */
    uint16_t off[2][2], on[2][2];
};

/* pos: before the move; YO_SHOGI_NO_MOVE changes nothing. */
void yo_shogi_input_change(const struct yo_shogi_position *pos, yo_shogi_move move,
                           struct shogi_input_change *change);
