/* The strings of every game in a warp: floods of single strings, and their liberties, as far as
 * MoGo's policy needs them. */
#pragma once

#include "eval/playout/cuda/warp_marks.cuh"

template <int N, int R, bool MANY> struct warp_strings : warp_marks<N, R, MANY> {
    using base = warp_marks<N, R, MANY>;
    using base::own, base::opp, base::real, base::LAST;
    using typename base::plane, typename base::rims;

    /* Sweeps before a flood looks for liberties; the number with the fewest operations. */
    static constexpr int TIGHT_SWEEPS = R > 2 ? 2 : 3;

    /* Whether one of the four neighbours is in the plane. */
    WW_METHOD static word beside(const plane &f, const rims &r, int j, int c) {
        word sides = (c > 0 ? f[j][c - 1] : word(0)) | (c < N - 1 ? f[j][c + 1] : word(0));
        return sides | (j > 0 ? f[j - 1][c] : r.up[c]) | (j < R - 1 ? f[j + 1][c] : r.down[c]);
    }
    WW_METHOD word empty(int j, int c) const {
        word e = ~(own[j][c] | opp[j][c]);
        return j > LAST ? e & real[j] : e;
    }

    /* ---- floods: strings of `stones` with a stone in the plane come into it whole ---- */
    WW_METHOD static void spread(int j, plane &f, const plane &stones) {
        if (j & 1) {
            UNROLL for (int c = N - 2; c >= 0; c--) f[j][c] |= f[j][c + 1] & stones[j][c];
            UNROLL for (int c = 1; c < N; c++) f[j][c] |= f[j][c - 1] & stones[j][c];
        } else {
            UNROLL for (int c = 1; c < N; c++) f[j][c] |= f[j][c - 1] & stones[j][c];
            UNROLL for (int c = N - 2; c >= 0; c--) f[j][c] |= f[j][c + 1] & stones[j][c];
        }
    }
    /* Row j takes over from a row beside it. */
    WW_METHOD static void enter(int j, const word *from, plane &f, const plane &stones) {
        UNROLL for (int c = 0; c < N; c++) f[j][c] |= from[c] & stones[j][c];
        spread(j, f, stones);
    }
    /* Once down and once up over the rows of every lane. */
    WW_METHOD void sweep(plane &f, const plane &stones) const {
        word other[N];
        UNROLL for (int c = 0; c < N; c++) other[c] = base::above(f[R - 1][c]);
        enter(0, other, f, stones);
        UNROLL for (int j = 1; j < R; j++) enter(j, f[j - 1], f, stones);
        UNROLL for (int c = 0; c < N; c++) other[c] = base::below(f[0][c]);
        enter(R - 1, other, f, stones);
        UNROLL for (int j = R - 2; j >= 0; j--) enter(j, f[j + 1], f, stones);
    }
    /* Whether another sweep would change anything. All rows have spread in the last one. */
    WW_METHOD bool grows(const plane &f, const plane &stones) const {
        rims r;
        word change = word(0);
        base::look(f, &r);
        UNROLL for (int j = 0; j < R; j++) UNROLL for (int c = 0; c < N; c++) {
            word from = (j > 0 ? f[j - 1][c] : r.up[c]) | (j < R - 1 ? f[j + 1][c] : r.down[c]);
            change |= from & stones[j][c] & ~f[j][c];
        }
        return ww_any(change);
    }

    /* Liberties of what is in f, to two; joins the count there was. */
    WW_METHOD void count_liberties(const plane &f, word *count) const {
        rims r;
        word seen[2] = {word(0), word(0)};
        base::look(f, &r);
        UNROLL for (int j = 0; j < R; j++) UNROLL for (int c = 0; c < N; c++) {
            word liberty = beside(f, r, j, c) & empty(j, c);
            seen[1] |= seen[0] & liberty;
            seen[0] |= liberty;
        }
        base::join_counts(seen);
        UNROLL for (int i = 0; i < 2; i++) count[i] |= seen[i];
    }

    /* Floods from f. If liberties count (`tight`), the flood of a game stops at two liberties: long
     * strings rarely have fewer. f then holds the complete strings with fewer than two, and count
     * their liberties, up to two. */
    WW_METHOD void flood(plane &f, bool tight, word *count) const {
        int planned = tight ? TIGHT_SWEEPS : 1;
        bool to_the_end = !tight, more = true;
        count[0] = count[1] = word(0);
        while (more) {
            more = false;
            NO_UNROLL while (planned > 0 || (to_the_end && grows(f, opp))) {
                sweep(f, opp);
                planned--;
                more = tight;
            }
            if (!more) return;
            count_liberties(f, count);
            UNROLL for (int j = 0; j < R; j++) UNROLL for (int c = 0; c < N; c++) f[j][c] &=
                ~count[1];
            to_the_end = true;
        }
    }
};
