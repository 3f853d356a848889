/* The state of a bit-slice: SLICE_BITS playouts, one in each bit of every vector. A *plane* is one
 * vector for each point of the board. Stones are kept as the mover's own and the opponent's, so
 * that games with Black and with White to move run through the same logic. */
#pragma once

#include "eval/playout/slice/vec.h"
#include "eval/playout/spec.h"

#define SLICE_COUNT_BITS 11 /* holds the move limit of 19x19, 1083 */
#define SLICE_SUM_BITS   9  /* holds 361 points */

enum slice_plane {
    PLANE_OWN,   /* stones of the side to move */
    PLANE_OPP,   /* stones of the other side */
    PLANE_EXCL,  /* the ko point and the suicides drawn in this turn */
    PLANE_WORK,  /* within a step: the candidates, later what is empty or known alive */
    PLANE_HLINK, /* within a step: this point and its left neighbour are not opposed stones */
    PLANE_VLINK, /* the same for the upper neighbour */
    PLANE_START_OWN,
    PLANE_START_OPP,
    PLANE_START_EXCL,
    PLANES
};

struct slice {
    vec rng[64]; /* each game's shift register, one bit per vector; see phase */
    vec white;   /* White is to move */
    vec passed;  /* the last move was a pass */
    vec live;    /* a game is being played */
    vec start_white;
    vec count[SLICE_COUNT_BITS]; /* moves made, one bit per vector */
    /* Results of the last step, for logging moves: */
    vec moved;                          /* games that made a move, a pass included */
    vec move_row[SLICE_COUNT_BITS / 2]; /* its row and column as numbers, one bit per vector */
    vec move_col[SLICE_COUNT_BITS / 2];
    vec move_pass;
    /* Results of slice_area: */
    vec black_sum[SLICE_SUM_BITS], white_sum[SLICE_SUM_BITS];
    int size;
    int phase; /* the older 32 bits of the registers are rng[0..31], or with 1 rng[32..63] */
    bool record;
    vec planes[];
};

static inline vec *slice_plane(struct slice *s, enum slice_plane plane) {
    return s->planes + plane * s->size * s->size;
}
