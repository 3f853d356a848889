/* MoGo's policy in a warp (docs/playout.md, section 7).
 *
 * Which strings are in atari is kept from move to move. A move changes that for the string it
 * makes, for the opponent's strings it touches (at most four, one for each direction), and for
 * strings beside stones it takes: they had a liberty elsewhere and now have two. So floods start
 * only around the move, and captures, suicide and self-atari follow without a look at the rest of
 * the board. */
#pragma once

#include "eval/playout/cuda/warp_sets.cuh"

template <int N, int R, bool MANY> struct warp_mogo : warp_sets<N, R, MANY> {
    using base = warp_sets<N, R, MANY>;
    using base::ATARI, base::SAVE, base::ASIDE;
    using base::get, base::put, base::empty, base::look, base::beside, base::join_counts;
    using base::last_row, base::last_col, base::moved;
    using base::own, base::opp, base::alive, base::live;
    using typename base::plane, typename base::rims;

    /* The point drawn: rows 0 and R + 1 lie in the lanes above and below, and all lanes of the
     * slice know the column. */
    struct spot {
        word row[R + 2], col[N];
        WW_METHOD word at(int j, int c) const { return row[j + 1] & col[c]; }
        WW_METHOD word beside(int j, int c) const {
            word sides = (c > 0 ? col[c - 1] : word(0)) | (c < N - 1 ? col[c + 1] : word(0));
            return (row[j + 1] & sides) | ((row[j] | row[j + 2]) & col[c]);
        }
    };
    WW_METHOD void locate(const typename base::choice &chosen, spot *p) const {
        UNROLL for (int j = 0; j < R; j++) p->row[j + 1] = chosen.row_mask[j];
        p->row[0] = base::above(p->row[R]);
        p->row[R + 1] = base::below(p->row[1]);
        UNROLL for (int c = 0; c < N; c++) p->col[c] = chosen.col_mask[c];
        base::template join<N>(p->col);
    }

    /* A move floods one string after another, each in f. One loop does them all, since all of its
     * code must stay in the instruction cache. */
    enum {
        TAKE,     /* what the new stone takes */
        TOUCH,    /* the opponent's string above it; then below, left, right */
        FREE = 5, /* own strings that are out of atari if it is played */
        MADE,     /* the string that it makes */
        HELP,     /* strings in atari whose capture helps what it threatens */
        STAGES
    };
    struct move {
        spot p;
        plane threatened; /* strings that it leaves in atari */
        word pass, valid, narrowed;
        word taken[2], joined; /* stones taken, counted to two; is it next to own stones? */
    };

    /* Where stage `stage` begins. From FREE on the two colours have changed places; the new stone
     * is on the board already, except in FREE, where it would make one string of several. */
    WW_METHOD void seed(int stage, const move &m, plane &f) {
        const spot &p = m.p;
        if (stage == TAKE) {
            UNROLL for (int j = 0; j < R; j++) UNROLL for (int c = 0; c < N; c++) f[j][c] =
                p.beside(j, c) & opp[j][c] & get(ATARI, j, c);
        } else if (stage < FREE) {
            word row[R], col[N];
            UNROLL for (int j = 0; j < R; j++) row[j] = p.row[j + 1];
            UNROLL for (int c = 0; c < N; c++) col[c] = p.col[c];
            if (stage == TOUCH)
                UNROLL for (int j = 0; j < R; j++) row[j] = p.row[j + 2];
            else if (stage == TOUCH + 1)
                UNROLL for (int j = 0; j < R; j++) row[j] = p.row[j];
            else if (stage == TOUCH + 2)
                UNROLL for (int c = 0; c < N; c++) col[c] = c < N - 1 ? p.col[c + 1] : word(0);
            else
                UNROLL for (int c = 0; c < N; c++) col[c] = c > 0 ? p.col[c - 1] : word(0);
            UNROLL for (int j = 0; j < R; j++) UNROLL for (int c = 0; c < N; c++) f[j][c] =
                row[j] & col[c] & opp[j][c];
        } else if (stage == FREE) {
            UNROLL for (int j = 0; j < R; j++) UNROLL for (int c = 0; c < N; c++) {
                word mine = own[j][c];
                own[j][c] = opp[j][c];
                opp[j][c] = mine & ~p.at(j, c);
                f[j][c] = alive[j][c];
            }
        } else if (stage == MADE) {
            UNROLL for (int j = 0; j < R; j++) UNROLL for (int c = 0; c < N; c++) {
                f[j][c] = p.at(j, c);
                opp[j][c] |= f[j][c];
            }
        } else {
            rims r;
            look(m.threatened, &r);
            UNROLL for (int j = 0; j < R; j++) UNROLL for (int c = 0; c < N; c++) f[j][c] =
                beside(m.threatened, r, j, c) & opp[j][c] & get(ATARI, j, c);
        }
    }

    /* Removes the captured stones f. A capturing move is always played, so this can precede the
     * decision in play(). Strings beside captured stones gain a liberty, and the liberties of the
     * new stone's string are counted again: both leave atari, if the stone is played. */
    WW_METHOD void take(const plane &f, move &m) {
        rims r;
        look(f, &r);
        m.taken[0] = m.taken[1] = m.joined = word(0);
        UNROLL for (int j = 0; j < R; j++) UNROLL for (int c = 0; c < N; c++) {
            word atari = get(ATARI, j, c), near = m.p.beside(j, c);
            opp[j][c] &= ~f[j][c];
            put(ATARI, j, c, atari & ~f[j][c]);
            m.taken[1] |= m.taken[0] & f[j][c];
            m.taken[0] |= f[j][c];
            m.joined |= near & own[j][c];
            alive[j][c] = (beside(f, r, j, c) | near) & own[j][c] & atari;
        }
        join_counts(m.taken);
        base::template join<1>(&m.joined);
    }

    /* Decides: plays the point in the games of `moved` and swaps the sides there; in the other
     * games the point is excluded for this turn, or only from the sets. f is its string where that
     * has fewer than two liberties. */
    WW_METHOD void play(const plane &f, move &m, const word *liberties) {
        word enough = ww_select(m.narrowed, liberties[1], liberties[0]);
        word bad = m.valid & ~m.taken[0] & ~enough;
        word ko = m.taken[0] & ~m.taken[1] & ~m.joined & ~liberties[1];
        moved = m.pass | (m.valid & ~bad);
        UNROLL for (int j = 0; j < R; j++) UNROLL for (int c = 0; c < N; c++) {
            word stone = m.p.at(j, c), free = empty(j, c), atari = get(ATARI, j, c);
            m.threatened[j][c] &= moved;
            word after = (atari & ~alive[j][c]) | f[j][c] | m.threatened[j][c];
            put(ATARI, j, c, ww_select(moved, after, atari));
            word out = base::excluded(j, c) | (stone & bad & ~m.narrowed);
            base::exclude(j, c, ww_select(moved, ko & m.p.beside(j, c) & free, out));
            put(ASIDE, j, c, (get(ASIDE, j, c) | (stone & bad & m.narrowed)) & ~moved);
            word theirs = own[j][c], mine = opp[j][c];
            own[j][c] = ww_select(moved, theirs, mine & ~stone);
            opp[j][c] = ww_select(moved, mine, theirs);
        }
        UNROLL for (int j = 0; j < R; j++) last_row[j] =
            ww_select(moved, m.p.row[j + 1], last_row[j]);
        UNROLL for (int c = 0; c < N; c++) last_col[c] = ww_select(moved, m.p.col[c], last_col[c]);
    }

    /* The first set of the next turn: last liberties of the threatened strings, which are the
     * mover's own by now, and of the strings in f. */
    WW_METHOD void save(plane &f, const move &m) {
        rims r;
        UNROLL for (int j = 0; j < R; j++) UNROLL for (int c = 0; c < N; c++) f[j][c] |=
            m.threatened[j][c];
        look(f, &r);
        UNROLL for (int j = 0; j < R; j++) UNROLL for (int c = 0; c < N; c++) {
            word points = beside(f, r, j, c) & empty(j, c);
            put(SAVE, j, c, ww_select(moved, points, get(SAVE, j, c)));
        }
    }

    WW_METHOD void finish(int stage, plane &f, move &m, const word *count) {
        if (stage == TAKE) {
            take(f, m);
        } else if (stage < FREE) {
            UNROLL for (int j = 0; j < R; j++) UNROLL for (int c = 0; c < N; c++)
                m.threatened[j][c] |= f[j][c];
        } else if (stage == FREE) {
            UNROLL for (int j = 0; j < R; j++) UNROLL for (int c = 0; c < N; c++) alive[j][c] =
                f[j][c];
        } else if (stage == MADE) {
            play(f, m, count);
        } else {
            save(f, m);
        }
    }

    /* One attempt in every live game. */
    WW_METHOD void step() {
        typename base::choice chosen;
        move m;
        plane f;
        word count[2];
        base::candidates();
        m.narrowed = base::narrow();
        base::pick(&chosen);
        m.pass = chosen.pass;
        m.valid = chosen.valid;
        locate(chosen, &m.p);
        UNROLL for (int j = 0; j < R; j++) UNROLL for (int c = 0; c < N; c++) {
            own[j][c] |= m.p.at(j, c);
            m.threatened[j][c] = word(0);
        }
        NO_UNROLL for (int stage = 0; stage < STAGES; stage++) {
            seed(stage, m, f);
            base::flood(f, stage == MADE || (stage >= TOUCH && stage < FREE), count);
            finish(stage, f, m, count);
        }
        base::end_turn(moved, m.pass);
    }

    /* All that one warp does. */
    WW_METHOD void run(const yo_cuda_job &job, uint32_t *sums, uint32_t *memory) {
        base::init(memory);
        base::refill(job);
        /* The warps of a block begin each step together: its code is longer than the instruction
         * cache, and so is fetched once for all of them. */
        while (ww_any_in_block(live)) {
            step();
            if (!base::has_waited()) continue;
            base::take_results(job, sums);
            base::refill(job);
        }
    }
};

template <int N, bool MANY> using mogo_warp = warp_mogo<N, YO_CUDA_ROWS(N), MANY>;
