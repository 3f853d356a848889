/* The board for searches and playouts. Each move updates strings with pseudo-liberties, 3x3
 * patterns, eyes and the hash. It is plain data: copy it by assignment. It implements capture,
 * suicide and simple ko; superko and the rest of the rules are in state.h.
 *
 * A pseudo-liberty is counted once for each stone that touches it. Their number, sum and sum of
 * squares show whether a string has exactly one liberty: by Cauchy-Schwarz, count * sum_of_squares
 * == sum * sum holds exactly when all of them are the same point. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "game/go/geometry.h"

#define YO_GO_WORDS_MAX 6

struct yo_go_string {
    uint16_t stones;
    uint16_t libs;
    uint32_t sum;
    uint32_t sum2;
};

struct yo_go_board {
    const struct yo_go_geometry *geometry;
    uint64_t hash;        /* of the stones alone */
    yo_go_point ko;       /* where the side to move may not retake the ko, or YO_GO_NONE */
    uint32_t captures[4]; /* stones captured, indexed by the capturing colour */
    uint64_t empty[YO_GO_WORDS_MAX];
    uint64_t eye[4][YO_GO_WORDS_MAX]; /* by colour; meaningful on empty points only */
    uint8_t color[YO_GO_POINTS_MAX + 1];
    uint16_t pattern[YO_GO_POINTS_MAX + 1]; /* colours of the 8 neighbours, 2 bits a direction */
    uint16_t head[YO_GO_POINTS_MAX + 1];    /* the stone's string; YO_GO_OFF_POINT if empty */
    uint16_t next[YO_GO_POINTS_MAX + 1];    /* stones of a string form a ring */
    struct yo_go_string string[YO_GO_POINTS_MAX + 1];
};

extern uint64_t yo_go_zobrist[4][YO_GO_POINTS_MAX];
#define YO_GO_ZOBRIST_WHITE_TO_MOVE 0x9e6c63d0676a9a99u

void yo_go_board_init(struct yo_go_board *board, int size);

static inline bool yo_go_string_in_atari(const struct yo_go_string *s) {
    return (uint64_t)s->libs * s->sum2 == (uint64_t)s->sum * s->sum;
}

/* The last liberty of a string in atari. */
static inline yo_go_point yo_go_string_last_liberty(const struct yo_go_string *s) {
    return (yo_go_point)(s->sum / s->libs);
}

/* A point that `color` should not fill: all four neighbours are its own or off the board, and the
 * diagonals hold fewer than two opponent stones, none on an edge or in a corner. */
static inline bool yo_go_pattern_is_eye(unsigned pattern, enum yo_go_color color) {
    unsigned low = color == YO_GO_BLACK ? 0x55u : 0xaau;
    if ((pattern & low) != low) return false;
    unsigned diagonal = pattern >> 8;
    unsigned black = diagonal & 0x55u, white = diagonal >> 1 & 0x55u;
    unsigned opponent = color == YO_GO_BLACK ? white & ~black : black & ~white;
    if (black & white) return opponent == 0; /* an edge */
    return (opponent & (opponent - 1)) == 0;
}

static inline bool yo_go_bit(const uint64_t *words, unsigned p) {
    return words[p >> 6] >> (p & 63) & 1;
}

/* Would a stone on p capture nothing and have no liberty? The point must be empty. */
bool yo_go_board_is_suicide(const struct yo_go_board *board, enum yo_go_color color, yo_go_point p);

/* Would a stone on p capture nothing and leave its string fewer than two liberties? Suicide counts.
 * The point must be empty. */
bool yo_go_board_is_self_atari(const struct yo_go_board *board, enum yo_go_color color,
                               yo_go_point p);

/* Empty, not the ko point, not suicide. */
bool yo_go_board_is_legal(const struct yo_go_board *board, enum yo_go_color color, yo_go_point p);

/* Puts a stone on an empty point, removes captured strings (or, if there are none, its own string
 * if it has no liberty), and sets the ko point. YO_GO_PASS only clears the ko point. Returns the
 * number of opponent stones captured, or minus the number of own stones lost. */
int yo_go_board_play(struct yo_go_board *board, enum yo_go_color color, yo_go_point p);

/* Distinct liberties of the string at p, counted up to `limit`. */
int yo_go_board_liberties(const struct yo_go_board *board, yo_go_point p, int limit);
