#include "game/shogi/attacks.h"

#include <pthread.h>

#include "base/random.h"

struct yo_shogi_tables yo_shogi_tables;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static const struct {
    int file, rank; /* for Black: file + is left, rank - is up */
} directions[SHOGI_DIRECTIONS] = {{0, -1},  {0, 1}, {-1, 0}, {1, 0},
                                  {-1, -1}, {1, 1}, {-1, 1}, {1, -1}};

static int neighbour(int square, int file, int rank) {
    file += shogi_file(square);
    rank += shogi_rank(square);
    return file < 0 || file > 8 || rank < 0 || rank > 8 ? YO_SHOGI_NO_SQUARE
                                                        : shogi_square(file, rank);
}

static yo_bb step_set(int square, int file, int rank) {
    int to = neighbour(square, file, rank);
    return to == YO_SHOGI_NO_SQUARE ? 0 : bb_square(to);
}

/* A kind's steps as a set of directions. */
static unsigned step_directions(int kind) {
    enum { orthogonal = 0x0f, diagonal = 0xf0, ahead = 1 << SHOGI_UP };
    const unsigned ahead_diagonal = 1 << SHOGI_UP_RIGHT | 1 << SHOGI_UP_LEFT;
    switch (kind) {
    case YO_SHOGI_PAWN:
        return ahead;
    case YO_SHOGI_SILVER:
        return ahead | diagonal;
    case YO_SHOGI_GOLD:
    case YO_SHOGI_TOKIN:
    case YO_SHOGI_PRO_LANCE:
    case YO_SHOGI_PRO_KNIGHT:
    case YO_SHOGI_PRO_SILVER:
        return orthogonal | ahead_diagonal;
    case YO_SHOGI_KING:
        return orthogonal | diagonal;
    case YO_SHOGI_HORSE:
        return orthogonal;
    case YO_SHOGI_DRAGON:
        return diagonal;
    default:
        return 0;
    }
}

static yo_bb steps(int side, int kind, int square) {
    int sign = side == YO_SHOGI_BLACK ? 1 : -1;
    unsigned set = step_directions(kind);
    yo_bb to = 0;
    for (int d = 0; d < SHOGI_DIRECTIONS; d++)
        if (set >> d & 1)
            to |= step_set(square, sign * directions[d].file, sign * directions[d].rank);
    if (kind == YO_SHOGI_KNIGHT)
        to |= step_set(square, 1, -2 * sign) | step_set(square, -1, -2 * sign);
    return to;
}

static void fill_rays(struct yo_shogi_tables *t, int square) {
    for (int d = 0; d < SHOGI_DIRECTIONS; d++) {
        int to = square;
        while ((to = neighbour(to, directions[d].file, directions[d].rank)) != YO_SHOGI_NO_SQUARE) {
            t->ray[d][square] |= bb_square(to);
            t->direction[square][to] = (uint8_t)d;
        }
        t->turned_ray[d][square] = bb_turn(t->ray[d][square]);
    }
    for (int d = SHOGI_UP; d <= SHOGI_LEFT; d++)
        t->cross[square] |= t->ray[d][square];
    for (int d = SHOGI_UP_RIGHT; d <= SHOGI_UP_LEFT; d++)
        t->diagonals[square] |= t->ray[d][square];
}

static void fill_near(struct yo_shogi_tables *t, int square) {
    for (int file = -2; file <= 2; file++)
        for (int rank = -2; rank <= 2; rank++)
            t->near[square] |= step_set(square, file, rank);
}

static void fill_ranks(struct yo_shogi_tables *t) {
    for (int r = 0; r < 3; r++) {
        t->zone[YO_SHOGI_BLACK] |= BB_RANK(r);
        t->zone[YO_SHOGI_WHITE] |= BB_RANK(8 - r);
    }
    t->last[YO_SHOGI_BLACK] = BB_RANK(0);
    t->last[YO_SHOGI_WHITE] = BB_RANK(8);
    t->last_two[YO_SHOGI_BLACK] = BB_RANK(0) | BB_RANK(1);
    t->last_two[YO_SHOGI_WHITE] = BB_RANK(8) | BB_RANK(7);
}

static void fill_keys(struct yo_shogi_tables *t) {
    uint64_t state = 81;
    for (int piece = 1; piece < 32; piece++)
        for (int square = 0; square < YO_SHOGI_SQUARES; square++)
            t->piece_key[piece][square] = yo_splitmix64(&state);
    for (int side = 0; side < 2; side++)
        for (int kind = 1; kind < 8; kind++)
            t->hand_key[side][kind] = yo_splitmix64(&state);
    t->side_key = yo_splitmix64(&state);
}

static void fill(void) {
    struct yo_shogi_tables *t = &yo_shogi_tables;
    for (int a = 0; a < 82; a++)
        for (int b = 0; b < 82; b++)
            t->direction[a][b] = SHOGI_NO_DIRECTION;
    for (int square = 0; square < YO_SHOGI_SQUARES; square++) {
        for (int side = 0; side < 2; side++)
            for (int kind = 1; kind < YO_SHOGI_KINDS; kind++)
                t->step[side][kind][square] = steps(side, kind, square);
        fill_rays(t, square);
        fill_near(t, square);
    }
    fill_ranks(t);
    fill_keys(t);
}

void yo_shogi_init(void) { pthread_once(&once, fill); }
