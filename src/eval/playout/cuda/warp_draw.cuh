/* The candidates of every game in a warp, and the draw of one of them (docs/playout.md). */
#pragma once

#include "eval/playout/cuda/warp_rng.cuh"

template <int N, int R, bool MANY> struct warp_draw : warp_rng<N, R, MANY> {
    using base = warp_rng<N, R, MANY>;
    using base::first_lane, base::bottom;
    using base::LAST, base::SLICES, base::ROW_BITS, base::SUM_BITS;
    using base::own, base::opp, base::alive, base::live, base::slice, base::start;
    static constexpr int DRAW_BITS = wn_bits(N * N - 1); /* of a try */
    static constexpr int TRIES = 32 / DRAW_BITS < 4 ? 32 / DRAW_BITS : 4;

    /* ---- candidates; leaves them in alive[][] ---- */
    WW_METHOD void candidates() {
        word own_up[N], own_down[N], opp_up[N], opp_down[N];
        base::look_at_stones(own_up, own_down, opp_up, opp_down);
        UNROLL for (int j = 0; j < R; j++) {
            word top = j == 0 ? first_lane : word(0);
            word floor = j == LAST ? bottom : word(0), edge = top | floor;
            const word *u = j == 0 ? own_up : own[j - 1], *d = j == R - 1 ? own_down : own[j + 1];
            const word *x = j == 0 ? opp_up : opp[j - 1];
            const word *y = j == R - 1 ? opp_down : opp[j + 1];
            UNROLL for (int c = 0; c < N; c++) {
                const bool side = c == 0 || c == N - 1;
                word l = c == 0 ? word(~0u) : own[j][c - 1];
                word r = c == N - 1 ? word(~0u) : own[j][c + 1];
                word ul = c == 0 ? word(0) : x[c - 1], ur = c == N - 1 ? word(0) : x[c + 1];
                word dl = c == 0 ? word(0) : y[c - 1], dr = c == N - 1 ? word(0) : y[c + 1];
                word any = ul | ur | dl;
                word spoilt = side ? any | dr : ww_majority(ul, ur, dl) | (any & dr);
                if (!side && (j == 0 || j == LAST)) spoilt |= edge & (any | dr);
                word eye = (u[c] | top) & (d[c] | floor) & l & r & ~spoilt;
                alive[j][c] = ~(own[j][c] | opp[j][c] | base::excluded(j, c)) & ~eye;
            }
        }
    }

    /* How many points alive[][] has in rows 0..j of this lane, in sums[j]. */
    WW_METHOD void count_alive(word sums[R][SUM_BITS]) const {
        UNROLL for (int j = 0; j < R; j++) {
            word row[N], row_count[ROW_BITS];
            UNROLL for (int c = 0; c < N; c++) row[c] = alive[j][c];
            wn_count_ones<N, ROW_BITS>(row, row_count);
            UNROLL for (int b = 0; b < SUM_BITS; b++) sums[j][b] = j > 0 ? sums[j - 1][b] : word(0);
            wn_add<SUM_BITS, ROW_BITS>(sums[j], row_count);
        }
    }

    /* ---- the draw; returns where a try succeeded ---- */
    WW_METHOD word draw(const word *n, word *k) const {
        word at = slice + word((uint32_t)(start * SLICES));
        word last[DRAW_BITS], mask[DRAW_BITS], borrow = word(~0u), smear = word(0), found = word(0);
        UNROLL for (int b = 0; b < DRAW_BITS; b++) {
            last[b] = n[b] ^ borrow;
            borrow &= ~n[b];
            k[b] = word(0);
        }
        UNROLL for (int b = DRAW_BITS - 1; b >= 0; b--) mask[b] = smear = smear | last[b];
        UNROLL for (int t = 0; t < TRIES; t++) {
            word more = word(0), tried[DRAW_BITS];
            UNROLL for (int b = 0; b < DRAW_BITS; b++) {
                tried[b] = base::random_bit(at, t * DRAW_BITS + b) & mask[b];
                more = ww_less(last[b], tried[b], more);
            }
            UNROLL for (int b = 0; b < DRAW_BITS; b++) k[b] = ww_select(found, k[b], tried[b]);
            found |= ~more;
        }
        return found;
    }

    /* ---- from k to a point of this lane, if it is in one of its rows ---- */
    WW_METHOD void choose(word sums[R][SUM_BITS], const word *offset, const word *k, word valid,
                          word *row_mask, word *col_mask) const {
        word low[ROW_BITS], gathered[N], less[R];
        UNROLL for (int b = 0; b < ROW_BITS; b++) low[b] = word(0);
        UNROLL for (int c = 0; c < N; c++) gathered[c] = word(0);
        UNROLL for (int j = 0; j < R; j++) {
            wn_add<SUM_BITS, SUM_BITS>(sums[j], offset);
            less[j] = word(0);
            UNROLL for (int b = 0; b < SUM_BITS; b++) {
                word bit = b < DRAW_BITS ? k[b] : word(0);
                less[j] = ww_less(bit, sums[j][b], less[j]);
            }
        }
        word before = base::above(less[R - 1]);
        UNROLL for (int j = 0; j < R; j++) {
            word here = valid & less[j] & ~(j == 0 ? before : less[j - 1]);
            row_mask[j] = here;
            UNROLL for (int b = 0; b < ROW_BITS; b++) low[b] |=
                here & (j == 0 ? offset[b] : sums[j - 1][b]);
            UNROLL for (int c = 0; c < N; c++) gathered[c] |= here & alive[j][c];
        }
        /* rest = k - low, then one word for each value it can have */
        word rest[ROW_BITS], borrow = word(0), at[N];
        UNROLL for (int b = 0; b < ROW_BITS; b++) {
            word bit = b < DRAW_BITS ? k[b] : word(0);
            rest[b] = bit ^ low[b] ^ borrow;
            borrow = ww_less(bit, low[b], borrow);
        }
        UNROLL for (int i = 0; i < N; i++) {
            at[i] = word(~0u);
            UNROLL for (int b = 0; b < ROW_BITS; b++) at[i] &= i >> b & 1 ? rest[b] : ~rest[b];
        }
        /* Along the row every candidate decrements the count; the candidate at zero is chosen. */
        UNROLL for (int c = 0; c < N; c++) {
            col_mask[c] = gathered[c] & at[0];
            UNROLL for (int i = 0; i + 1 < N - c; i++) at[i] =
                ww_select(gathered[c], at[i + 1], at[i]);
        }
    }

    /* What an attempt chooses: one of the points in alive[][], or a pass if there is none. */
    struct choice {
        word row_mask[R], col_mask[N]; /* of the point; zero in lanes that have not its row */
        word valid;                    /* a point was drawn */
        word pass;
    };

    WW_METHOD void pick(choice *out) {
        word sums[R][SUM_BITS], offset[SUM_BITS], n[SUM_BITS], k[DRAW_BITS], some = word(0);
        count_alive(sums);
        UNROLL for (int b = 0; b < SUM_BITS; b++) n[b] = sums[R - 1][b];
        base::template scan<SUM_BITS>(n);
        UNROLL for (int b = 0; b < SUM_BITS; b++) {
            offset[b] = base::above(n[b]);
            n[b] = ww_from(n[b], base::last_of_slice());
            some |= n[b];
        }
        out->valid = draw(n, k) & some & live;
        out->pass = live & ~some;
        base::advance();
        choose(sums, offset, k, out->valid, out->row_mask, out->col_mask);
    }
};
