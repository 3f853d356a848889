/* The light policy in a warp (docs/playout.md). One flood over the whole board finds the stones
 * that a move leaves without liberties. */
#pragma once

#include "eval/playout/cuda/warp_games.cuh"

template <int N, int R, bool MANY> struct warp_light : warp_games<N, R, MANY> {
    using base = warp_games<N, R, MANY>;
    using base::first_lane, base::last_lane, base::LANES, base::LAST;
    using base::own, base::opp, base::alive, base::live, base::real, base::part;

    /* ---- the flood ---- */

    /* Alive spreads along row j both ways. Rows alternate in direction, so that a row can start
     * before the previous one has ended. */
    WW_METHOD void spread(int j, const word hlink[R][N]) {
        if (j & 1) {
            UNROLL for (int c = N - 2; c >= 0; c--) alive[j][c] |=
                alive[j][c + 1] & hlink[j][c + 1];
            UNROLL for (int c = 1; c < N; c++) alive[j][c] |= alive[j][c - 1] & hlink[j][c];
        } else {
            UNROLL for (int c = 1; c < N; c++) alive[j][c] |= alive[j][c - 1] & hlink[j][c];
            UNROLL for (int c = N - 2; c >= 0; c--) alive[j][c] |=
                alive[j][c + 1] & hlink[j][c + 1];
        }
    }

    /* Alive comes into row j from another row; returns whether there was anything new. */
    template <bool AGAIN>
    WW_METHOD bool enter(int j, const word *from, const word *link, const word hlink[R][N]) {
        if (AGAIN) {
            word change = word(0);
            UNROLL for (int c = 0; c < N; c++) change |= from[c] & link[c] & ~alive[j][c];
            if (!ww_any(change)) return false;
        }
        UNROLL for (int c = 0; c < N; c++) alive[j][c] |= from[c] & link[c];
        spread(j, hlink);
        return true;
    }

    /* Once down and once up over the rows of every lane. */
    template <bool AGAIN>
    WW_METHOD bool sweep(const word hlink[R][N], const word vlink[R][N], const word *dlink) {
        word other[N];
        bool changed = false;
        UNROLL for (int c = 0; c < N; c++) other[c] = ww_up(alive[R - 1][c], 1);
        changed |= enter<AGAIN>(0, other, vlink[0], hlink);
        UNROLL for (int j = 1; j < R; j++) changed |=
            enter<AGAIN>(j, alive[j - 1], vlink[j], hlink);
        UNROLL for (int c = 0; c < N; c++) other[c] = ww_down(alive[0][c], 1);
        changed |= enter<AGAIN>(R - 1, other, dlink, hlink);
        UNROLL for (int j = R - 2; j >= 0; j--) changed |=
            enter<AGAIN>(j, alive[j + 1], vlink[j + 1], hlink);
        return changed;
    }

    WW_METHOD void flood(const word *row_mask, const word *col_mask) {
        word hlink[R][N], vlink[R][N], dlink[N]; /* to the left, to the row above; below the last */
        word stone[R][N];
        UNROLL for (int j = 0; j < R; j++) UNROLL for (int c = 0; c < N; c++) {
            stone[j][c] = own[j][c] | (row_mask[j] & col_mask[c]);
            alive[j][c] = ~(stone[j][c] | opp[j][c]);
        }
        UNROLL for (int c = 0; c < N; c++) {
            word up = ww_up(stone[R - 1][c], 1), up_opp = ww_up(opp[R - 1][c], 1);
            word down = ww_down(stone[0][c], 1), down_opp = ww_down(opp[0][c], 1);
            UNROLL for (int j = 0; j < R; j++) {
                word a = j == 0 ? up : stone[j - 1][c], b = j == 0 ? up_opp : opp[j - 1][c];
                word link = ~((a & opp[j][c]) | (b & stone[j][c]));
                if (j == 0) link &= ~first_lane;
                if (j > LAST) link &= real[j];
                vlink[j][c] = link;
                if (c > 0)
                    hlink[j][c] = ~((stone[j][c - 1] & opp[j][c]) | (opp[j][c - 1] & stone[j][c]));
            }
            dlink[c] = ~((down & opp[R - 1][c]) | (down_opp & stone[R - 1][c])) & ~last_lane;
        }
        UNROLL for (int j = 0; j < R; j++) spread(j, hlink);
        sweep<false>(hlink, vlink, dlink);
        while (sweep<true>(hlink, vlink, dlink))
            ;
    }

    /* ---- suicide and ko from the strings without liberties ---- */
    WW_METHOD void find_illegal(word *suicide, word *ko) const {
        word one = word(0), two = word(0), three = word(0), opp_dead = word(0), opp_odd = word(0);
        UNROLL for (int j = 0; j < R; j++) UNROLL for (int c = 0; c < N; c++) {
            word dead = ~alive[j][c];
            three |= two & dead;
            two |= one & dead;
            one |= dead;
            opp_dead |= opp[j][c] & dead;
            opp_odd ^= opp[j][c] & dead;
        }
        UNROLL for (int by = 16; by > 0; by /= 2) {
            if (by >= LANES) continue;
            word ok = ww_below(part + word((uint32_t)by), word(LANES));
            word one2 = ww_down(one, by) & ok, two2 = ww_down(two, by) & ok;
            word three2 = ww_down(three, by) & ok;
            three |= three2 | (two & one2) | (one & two2);
            two |= two2 | (one & one2);
            one |= one2;
            opp_dead |= ww_down(opp_dead, by) & ok;
            opp_odd ^= ww_down(opp_odd, by) & ok;
        }
        word head = base::first_of_slice();
        *suicide = ww_from(one & ~opp_dead, head);
        *ko = ww_from(two & ~three & opp_odd, head);
    }

    WW_METHOD void update(const word *row_mask, const word *col_mask, word suicide, word ko,
                          word moved) {
        UNROLL for (int j = 0; j < R; j++) UNROLL for (int c = 0; c < N; c++) {
            word pick = row_mask[j] & col_mask[c];
            word mine = own[j][c] | pick, theirs = opp[j][c], a = alive[j][c];
            own[j][c] = ww_select(moved, theirs & a, own[j][c]);
            opp[j][c] = ww_select(moved, mine, theirs);
            word out = ww_select(moved, ko & theirs & ~a, base::excluded(j, c) | (pick & suicide));
            base::exclude(j, c, out);
        }
    }

    /* One attempt in every live game. */
    WW_METHOD void step() {
        typename base::choice chosen;
        word suicide, ko;
        base::candidates();
        base::pick(&chosen);
        flood(chosen.row_mask, chosen.col_mask);
        find_illegal(&suicide, &ko);
        word moved = chosen.pass | (chosen.valid & ~suicide);
        update(chosen.row_mask, chosen.col_mask, suicide, ko, moved);
        base::end_turn(moved, chosen.pass);
    }

    /* All that one warp does. */
    WW_METHOD void run(const yo_cuda_job &job, uint32_t *sums, uint32_t *memory) {
        base::init(memory);
        base::refill(job);
        while (ww_any(live)) {
            step();
            if (!base::has_waited()) continue;
            base::take_results(job, sums);
            base::refill(job);
        }
    }
};

template <int N, bool MANY> using light_warp = warp_light<N, YO_CUDA_ROWS(N), MANY>;
