/* Boards in a warp (docs/gpu.md): a bit-slice of 32 games, one in each bit of a word, with its rows
 * distributed over lanes, R rows per lane, and as many slices as fit into 32 lanes. The board stays
 * in registers; a shuffle fetches a row of another lane. There is no branch on a single game, so
 * all lanes work all the time.
 *
 * N: board size. R: rows in a lane. MANY: a launch has many items (job.h). */
#pragma once

#include "eval/playout/cuda/job.h"
#include "eval/playout/cuda/warp_number.cuh"

template <int N, int R, bool MANY> struct warp_board {
    using plane = word[R][N]; /* a bit for every point */

    static constexpr int LANES = (N + R - 1) / R; /* of a slice */
    static constexpr int SLICES = 32 / LANES;
    static constexpr int ROW_BITS = wn_bits(N);     /* hold a row's count */
    static constexpr int SUM_BITS = wn_bits(N * N); /* hold the board's count */
    static constexpr int LIMIT = 3 * N * N;
    static constexpr int COUNT_BITS = wn_bits(LIMIT);
    /* Memory of a warp, in 32-bit words: generators, what is excluded, which games are played, and
     * for each which places of its slice have games of the same item (the last two if MANY). */
    static constexpr int RNG_WORDS = 96 * SLICES, EXCL_WORDS = R * N * 32;
    static constexpr int PLACES = 32 * SLICES;
    static constexpr int MEMORY = RNG_WORDS + EXCL_WORDS + (MANY ? 2 * PLACES : 0);
    static constexpr int LAST = (N - 1) % R; /* the board's last row in its lane; none behind it */
    static constexpr uint32_t SPARE = 99;    /* `part` of lanes that are left over */

    plane own, opp, alive; /* the side to move's stones, the opponent's; what steps work on */
    word white, passed, live, ended, count[COUNT_BITS];
    word first_lane, last_lane; /* of a slice */
    word bottom;                /* row LAST of the lane is the last of the board */
    word real[R];               /* row j of the lane is on the board */
    word slice, part;           /* which slice, and which lane of it; or SPARE */
    uint32_t *rng, *excl, *game_at, *same_at;
    int start; /* of the generators' bits */

    WW_METHOD word first_of_slice() const { return slice * word(LANES); }
    WW_METHOD word last_of_slice() const { return slice * word(LANES) + word(LANES - 1); }
    WW_METHOD word point(int j, int c) const {
        return (part * word(R) + word((uint32_t)j)) * word(N) + word((uint32_t)c);
    }

    /* ---- neighbours in other lanes; zero past the edge ---- */
    WW_METHOD word above(word last_row) const { return ww_up(last_row, 1) & ~first_lane; }
    WW_METHOD word below(word first_row) const { return ww_down(first_row, 1) & ~last_lane; }
    /* Rows of a plane that lie in the lanes above and below. */
    struct rims {
        word up[N], down[N];
    };
    WW_METHOD void look(const plane &f, rims *out) const {
        UNROLL for (int c = 0; c < N; c++) {
            out->up[c] = above(f[R - 1][c]);
            out->down[c] = below(f[0][c]);
        }
    }
    /* The same of both colours' stones. */
    WW_METHOD void look_at_stones(word *own_up, word *own_down, word *opp_up,
                                  word *opp_down) const {
        UNROLL for (int c = 0; c < N; c++) {
            own_up[c] = above(own[R - 1][c]);
            opp_up[c] = above(opp[R - 1][c]);
            own_down[c] = below(own[0][c]);
            opp_down[c] = below(opp[0][c]);
        }
    }

    /* ---- planes in memory: a word for each lane, point by point ---- */
    WW_METHOD word excluded(int j, int c) const {
        return ww_load(excl, ww_lane() + word((uint32_t)(32 * (j * N + c))));
    }
    /* Rows off the board stay excluded. */
    WW_METHOD void exclude(int j, int c, word value) {
        if (j > LAST) value |= ~real[j];
        ww_store(excl, ww_lane() + word((uint32_t)(32 * (j * N + c))), value, word(~0u));
    }

    /* Sums over the lanes of a slice up to and with this one. */
    template <int BITS> WW_METHOD void scan(word *a) const {
        UNROLL for (int by = 1; by < LANES; by *= 2) {
            word ok = ~ww_below(part, word((uint32_t)by)), b[BITS];
            UNROLL for (int i = 0; i < BITS; i++) b[i] = ww_up(a[i], by) & ok;
            wn_add<BITS, BITS>(a, b);
        }
    }

    WW_METHOD void init(uint32_t *memory) {
        rng = memory;
        excl = memory + RNG_WORDS;
        game_at = excl + EXCL_WORDS;
        same_at = game_at + PLACES;
        start = 0;
        word lane = ww_lane();
        slice = part = word(0);
        for (int q = 0; q < SLICES; q++)
            for (int l = 0; l < LANES; l++) {
                word here = ww_equal(lane, word((uint32_t)(q * LANES + l)));
                slice = ww_select(here, word((uint32_t)q), slice);
                part = ww_select(here, word((uint32_t)l), part);
            }
        word spare = ~ww_below(lane, word((uint32_t)(SLICES * LANES)));
        part = ww_select(spare, word(SPARE), part);
        first_lane = ww_equal(part, word(0));
        last_lane = ww_equal(part, word(LANES - 1)) | spare;
        UNROLL for (int j = 0; j < R; j++) {
            word row = part * word(R) + word((uint32_t)j);
            real[j] = ww_below(row, word(N));
            if (j == LAST) bottom = ww_equal(row, word(N - 1));
            UNROLL for (int c = 0; c < N; c++) own[j][c] = opp[j][c] = alive[j][c] = word(0);
            UNROLL for (int c = 0; c < N; c++) exclude(j, c, word(~0u));
        }
        white = passed = live = word(0);
        ended = ~spare;
        UNROLL for (int b = 0; b < COUNT_BITS; b++) count[b] = word(0);
    }
};
