/* The sets of MoGo's policy (docs/playout.md, section 7) in a warp: planes of bits like the
 * candidates, of which each game takes the first that is not empty. */
#pragma once

#include "eval/playout/cuda/warp_pattern.cuh"
#include "eval/playout/cuda/warp_strings.cuh"

template <int N, int R, bool MANY> struct warp_sets : warp_strings<N, R, MANY> {
    using base = warp_strings<N, R, MANY>;
    using base::ATARI, base::SAVE, base::ASIDE;
    using base::last_row, base::last_col, base::LAST;
    using base::own, base::opp, base::alive, base::get, base::beside;
    using typename base::plane, typename base::rims;

    /* Columns -2..2 of row j round the last move's column, in every row. */
    WW_METHOD void gather(const plane &stones, int j, word *out) const {
        UNROLL for (int d = 0; d < 5; d++) {
            out[d] = word(0);
            UNROLL for (int c = 0; c < N; c++) if (c + d - 2 >= 0 && c + d - 2 < N) out[d] |=
                last_col[c] & stones[j][c + d - 2];
        }
    }

    /* Where a pattern matches: row j, columns -1..1 round the last move's; nothing but in the rows
     * of the eight points round it. */
    WW_METHOD void match(word found[R][3]) const {
        word x[R + 2][5], o[R + 2][5], off_col[5], row[R + 2];
        UNROLL for (int j = 0; j < R; j++) {
            gather(own, j, x[j + 1]);
            gather(opp, j, o[j + 1]);
            row[j + 1] = last_row[j];
        }
        UNROLL for (int d = 0; d < 5; d++) {
            x[0][d] = base::above(x[R][d]);
            o[0][d] = base::above(o[R][d]);
            x[R + 1][d] = base::below(x[1][d]);
            o[R + 1][d] = base::below(o[1][d]);
            off_col[d] = word(0);
            UNROLL for (int c = 0; c < N; c++) if (c + d - 2 < 0 || c + d - 2 >= N) off_col[d] |=
                last_col[c];
        }
        row[0] = base::above(row[R]);
        row[R + 1] = base::below(row[1]);
        UNROLL for (int j = 0; j < R; j++) found[j][1] = found[j][2] = word(0);
        /* Code that is short enough to stay in the instruction cache: column by column, each in the
         * place of the first. */
        NO_UNROLL for (int d = 0; d < 3; d++) {
            UNROLL for (int j = 0; j < R; j++) {
                wp_around g;
                g.off_up = j == 0 ? base::first_lane : word(0);
                g.off_down = j == LAST ? base::bottom : word(0);
                g.off_left = off_col[0];
                g.off_right = off_col[2];
                UNROLL for (int i = 0; i < 3; i++) UNROLL for (int k = 0; k < 3; k++) {
                    word off = off_col[k];
                    if (i == 0) off |= g.off_up;
                    if (i == 2) off |= g.off_down;
                    wp_cell &cell = g.at[i][k];
                    cell.x = x[j + i][k];
                    cell.o = o[j + i][k];
                    cell.e = ~(cell.x | cell.o | off);
                }
                word near = row[j] | row[j + 2];
                if (d != 1) near |= row[j + 1];
                found[j][0] = found[j][1];
                found[j][1] = found[j][2];
                found[j][2] = wp_match(g) & near;
            }
            UNROLL for (int k = 0; k < 4; k++) {
                off_col[k] = off_col[k + 1];
                UNROLL for (int j = 0; j < R + 2; j++) {
                    x[j][k] = x[j][k + 1];
                    o[j][k] = o[j][k + 1];
                }
            }
        }
    }
    WW_METHOD word pattern_at(const word found[R][3], int j, int c) const {
        word p = found[j][1] & last_col[c];
        if (c > 0) p |= found[j][2] & last_col[c - 1];
        if (c < N - 1) p |= found[j][0] & last_col[c + 1];
        return p;
    }

    /* Leaves in alive[][] the first of the sets that has a point, or the candidates; returns the
     * games that have such a set. */
    WW_METHOD word narrow() {
        word found[R][3], any[3] = {word(0), word(0), word(0)};
        plane taken, take;
        match(found);
        rims r;
        UNROLL for (int j = 0; j < R; j++) UNROLL for (int c = 0; c < N; c++) taken[j][c] =
            opp[j][c] & get(ATARI, j, c);
        base::look(taken, &r);
        UNROLL for (int j = 0; j < R; j++) UNROLL for (int c = 0; c < N; c++) {
            word first = alive[j][c] & ~get(ASIDE, j, c);
            take[j][c] = alive[j][c] & beside(taken, r, j, c);
            any[0] |= get(SAVE, j, c) & first;
            any[1] |= pattern_at(found, j, c) & first;
            any[2] |= take[j][c];
        }
        base::template join<3>(any);
        any[1] &= ~any[0];
        any[2] &= ~(any[0] | any[1]);
        word some = any[0] | any[1] | any[2];
        UNROLL for (int j = 0; j < R; j++) UNROLL for (int c = 0; c < N; c++) {
            word first = (get(SAVE, j, c) & any[0]) | (pattern_at(found, j, c) & any[1]);
            word points = (first & ~get(ASIDE, j, c)) | ~some;
            alive[j][c] = (alive[j][c] & points) | (take[j][c] & any[2]);
        }
        return some;
    }
};
