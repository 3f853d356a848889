/* Attacks of the pieces: tables for the steps, arithmetic for the slides.
 *
 * Slides need no table by occupancy. On a ray towards higher bits, b ^ (b - 1) has the bits up to
 * and including the first blocker. A ray towards lower bits is reversed first (bb_turn), except
 * along a file, where the bits of one word are smeared downwards. */
#pragma once

#include "game/shogi/bitboard.h"
#include "game/shogi/types.h"

/* Opposite directions differ in bit 0; odd ones run towards higher squares. */
enum shogi_direction {
    SHOGI_UP,
    SHOGI_DOWN,
    SHOGI_RIGHT,
    SHOGI_LEFT,
    SHOGI_UP_RIGHT,
    SHOGI_DOWN_LEFT,
    SHOGI_DOWN_RIGHT,
    SHOGI_UP_LEFT,
    SHOGI_DIRECTIONS,
    SHOGI_NO_DIRECTION = SHOGI_DIRECTIONS,
};

struct yo_shogi_tables {
    /* Steps of a piece of a side; for horse and dragon the four that their slide lacks. The last
     * column is for a missing king (YO_SHOGI_NO_SQUARE). */
    yo_bb step[2][16][82];
    yo_bb ray[SHOGI_DIRECTIONS + 1][82];
    yo_bb turned_ray[SHOGI_DIRECTIONS][82]; /* bb_turn of it, for even directions */
    yo_bb cross[82], diagonals[82];         /* slides of a rook and a bishop on an empty board */
    uint8_t direction[82][82];              /* from the first to the second, if in line */
    yo_bb near[82];                         /* at most two files and two ranks away */
    yo_bb zone[2];                          /* where a side's pieces promote */
    yo_bb last[2], last_two[2];             /* the far ranks, where some pieces may not stay */
    uint64_t piece_key[32][81];
    uint64_t hand_key[2][8]; /* added once for each piece in the hand */
    uint64_t side_key;
};

/* Filled once by yo_shogi_init, which every function that creates a position calls. */
extern struct yo_shogi_tables yo_shogi_tables;
void yo_shogi_init(void);

static inline yo_bb shogi_step(int side, int kind, int square) {
    return yo_shogi_tables.step[side][kind][square];
}

/* Towards higher squares. */
static inline yo_bb shogi_slide_on(int direction, int square, yo_bb occupied) {
    yo_bb ray = yo_shogi_tables.ray[direction][square], b = ray & occupied;
    return ray & (b ^ (b - 1));
}

/* Towards lower squares, except up a file; argument and result are reversed (bb_turn). */
static inline yo_bb shogi_slide_back(int direction, int square, yo_bb turned) {
    yo_bb ray = yo_shogi_tables.turned_ray[direction][square], b = ray & turned;
    return ray & (b ^ (b - 1));
}

static inline uint64_t shogi_word(yo_bb b, int square) {
    return square < 63 ? bb_low(b) : bb_high(b);
}
static inline yo_bb shogi_in_word(uint64_t word, int square) {
    return square < 63 ? bb_make(0, word) : bb_make(word, 0);
}

static inline uint64_t shogi_up_word(int square, yo_bb occupied) {
    uint64_t ray = shogi_word(yo_shogi_tables.ray[SHOGI_UP][square], square);
    uint64_t b = shogi_word(occupied, square) & ray;
    b |= b >> 1;
    b |= b >> 2;
    b |= b >> 4;
    return ray & ~(b >> 1);
}

static inline uint64_t shogi_down_word(int square, yo_bb occupied) {
    uint64_t ray = shogi_word(yo_shogi_tables.ray[SHOGI_DOWN][square], square);
    uint64_t b = shogi_word(occupied, square) & ray;
    return ray & (b ^ (b - 1));
}

static inline yo_bb shogi_lance(int side, int square, yo_bb occupied) {
    return shogi_in_word(side == YO_SHOGI_BLACK ? shogi_up_word(square, occupied)
                                                : shogi_down_word(square, occupied),
                         square);
}

static inline yo_bb shogi_bishop(int square, yo_bb occupied) {
    yo_bb turned = bb_turn(occupied);
    return shogi_slide_on(SHOGI_DOWN_LEFT, square, occupied) |
           shogi_slide_on(SHOGI_UP_LEFT, square, occupied) |
           bb_turn(shogi_slide_back(SHOGI_UP_RIGHT, square, turned) |
                   shogi_slide_back(SHOGI_DOWN_RIGHT, square, turned));
}

static inline yo_bb shogi_rook(int square, yo_bb occupied) {
    return shogi_in_word(shogi_up_word(square, occupied) | shogi_down_word(square, occupied),
                         square) |
           shogi_slide_on(SHOGI_LEFT, square, occupied) |
           bb_turn(shogi_slide_back(SHOGI_RIGHT, square, bb_turn(occupied)));
}

static inline yo_bb shogi_attacks(int side, int kind, int square, yo_bb occupied) {
    switch (kind) {
    case YO_SHOGI_LANCE:
        return shogi_lance(side, square, occupied);
    case YO_SHOGI_BISHOP:
        return shogi_bishop(square, occupied);
    case YO_SHOGI_HORSE:
        return shogi_bishop(square, occupied) | shogi_step(side, kind, square);
    case YO_SHOGI_ROOK:
        return shogi_rook(square, occupied);
    case YO_SHOGI_DRAGON:
        return shogi_rook(square, occupied) | shogi_step(side, kind, square);
    default:
        return shogi_step(side, kind, square);
    }
}

/* The squares strictly between two, if they are in line. */
static inline yo_bb shogi_between(int a, int b) {
    int d = yo_shogi_tables.direction[a][b];
    return yo_shogi_tables.ray[d][a] & yo_shogi_tables.ray[d ^ (d < SHOGI_DIRECTIONS)][b];
}

/* From a through b to the edge, without a; empty if they are not in line. */
static inline yo_bb shogi_ray_through(int a, int b) {
    return yo_shogi_tables.ray[yo_shogi_tables.direction[a][b]][a];
}
