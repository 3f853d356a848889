/* The inputs of a Go network: those of KataGo's networks of model versions 8 and later ("version 7
 * features"): 22 planes of bits and 19 numbers, all from the view of the side to move. */
#pragma once

#include "game/go/game_ops.h"
#include "game/go/ladder_memory.h"

#define YO_GO_NET_PLANES  22
#define YO_GO_NET_GLOBALS 19

enum yo_go_net_plane {
    YO_GO_PLANE_ON_BOARD,
    YO_GO_PLANE_OWN,
    YO_GO_PLANE_OPPONENT,
    YO_GO_PLANE_LIBERTIES_1, /* and 2, 3 */
    YO_GO_PLANE_KO = 6,      /* where ko or superko forbids a move */
    /* 7 and 8: kos in the encore, the phase of territory rules that settles life and death.
     * Positions here are never in the encore: these planes are zero. */
    YO_GO_PLANE_MOVES = 9,    /* the last five moves, the latest first */
    YO_GO_PLANE_LADDER = 14,  /* strings that a ladder catches: now, ... */
    YO_GO_PLANE_LADDER_1,     /* ... one move ago, ... */
    YO_GO_PLANE_LADDER_2,     /* ... two moves ago */
    YO_GO_PLANE_LADDER_MOVES, /* where the side to move catches one */
    YO_GO_PLANE_OWN_AREA,     /* with area scoring only */
    YO_GO_PLANE_OPPONENT_AREA /* 20 and 21: stones of the second encore phase, zero */
};

enum yo_go_net_global {
    YO_GO_GLOBAL_PASSES, /* which of the last five moves were passes */
    YO_GO_GLOBAL_KOMI = 5,
    YO_GO_GLOBAL_SUPERKO,
    YO_GO_GLOBAL_KO_KIND,
    YO_GO_GLOBAL_SUICIDE,
    YO_GO_GLOBAL_TERRITORY,
    YO_GO_GLOBAL_TAX,
    YO_GO_GLOBAL_TAX_ALL,
    YO_GO_GLOBAL_PASS_ENDS = 14, /* 12, 13: encore phases; 15, 16: handicap by playouts */
    YO_GO_GLOBAL_PARITY = 18     /* 17: the button, which no rule set here has */
};

struct yo_go_net_input {
    uint64_t plane[YO_GO_NET_PLANES][YO_GO_WORDS_MAX]; /* bit p for point p */
    float global[YO_GO_NET_GLOBALS];
    uint8_t size;
};

/* Planes whose bit is not in the mask are left zero and cost nothing. */
#define YO_GO_NET_ALL_PLANES ((1u << YO_GO_NET_PLANES) - 1)
void yo_go_features_v7(const struct yo_go_position *position, uint32_t plane_mask,
                       struct yo_go_net_input *out);

/* Ladders are what the inputs cost most. A caller that goes from move to move keeps the ladder
 * plane of each position and passes those of the positions one and two moves ago, so that they are
 * not read again; NULL for one it does not have. */
struct yo_go_ladders_kept {
    const uint64_t *was[2];
    struct yo_go_ladder_memory *memory; /* of the game's readings; may be NULL */
    uint64_t now[YO_GO_WORDS_MAX];      /* result: the plane of this position */
};
void yo_go_features_v7_kept(const struct yo_go_position *position, uint32_t plane_mask,
                            struct yo_go_ladders_kept *kept, struct yo_go_net_input *out);
