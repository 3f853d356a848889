/* Playouts of MoGo's policy in a warp (docs/playout.md, section 7), in the same layout as the light
 * ones (warp_slice.cuh). The sets of the policy are planes of bits like the candidates, and each
 * game takes the first of its sets that is not empty.
 *
 * Which strings are in atari is kept from move to move. A move changes that for the string it
 * makes, for the opponent's strings it touches (at most four, one for each direction), and for
 * strings beside stones it takes: they had a liberty elsewhere and now have two. So a string is
 * only ever flooded from where the move was, and who takes, what is suicide and what leaves one
 * liberty all follow without looking at the rest of the board. */
#pragma once

#include "eval/playout/cuda/start.h"
#include "eval/playout/cuda/warp_pattern.cuh"
#include "eval/playout/cuda/warp_slice.cuh"

template <int N, int R, bool MANY> struct warp_mogo : warp_slice<N, R, MANY> {
    using base = warp_slice<N, R, MANY>;
    using base::alive, base::own, base::opp, base::live, base::part, base::real;
    using base::LANES, base::LAST, base::EXCL_WORDS;
    using plane = word[R][N];

    /* Planes in memory, behind all that the light policy has there. */
    enum { ATARI, SAVE, ASIDE, PLANES };
    static constexpr int MEMORY = base::MEMORY + PLANES * EXCL_WORDS;
    /* Sweeps before a flood looks for liberties; the number that made the fewest operations. */
    static constexpr int TIGHT_SWEEPS = R > 2 ? 2 : 3;

    word last_row[R], last_col[N]; /* the last move; columns are known to all lanes of the slice */
    word moved;                    /* the games whose turn ended in the last step */
    uint32_t *planes;

    WW_METHOD word get(int what, int j, int c) const {
        return ww_load(planes + what * EXCL_WORDS, ww_lane() + word((uint32_t)(32 * (j * N + c))));
    }
    WW_METHOD void put(int what, int j, int c, word value) {
        ww_store(planes + what * EXCL_WORDS, ww_lane() + word((uint32_t)(32 * (j * N + c))), value,
                 word(~0u));
    }

    /* ---- what the lanes of a slice know together ---- */

    /* ORs each of the words over the lanes of the slice. */
    template <int COUNT> WW_METHOD void join(word *x) const {
        UNROLL for (int by = 1; by < LANES; by *= 2) {
            word ok = ~ww_below(part, word((uint32_t)by));
            UNROLL for (int i = 0; i < COUNT; i++) x[i] |= ww_up(x[i], by) & ok;
        }
        UNROLL for (int i = 0; i < COUNT; i++) x[i] = ww_from(x[i], base::last_of_slice());
    }
    /* Adds up numbers that count to two: x[0] is "one or more", x[1] "two or more". */
    WW_METHOD void join_counts(word *x) const {
        UNROLL for (int by = 1; by < LANES; by *= 2) {
            word ok = ~ww_below(part, word((uint32_t)by));
            word one = ww_up(x[0], by) & ok, two = ww_up(x[1], by) & ok;
            x[1] |= two | (x[0] & one);
            x[0] |= one;
        }
        UNROLL for (int i = 0; i < 2; i++) x[i] = ww_from(x[i], base::last_of_slice());
    }

    /* ---- planes ---- */

    /* Rows of a plane that lie in the lanes above and below. */
    struct rims {
        word up[N], down[N];
    };
    WW_METHOD void look(const plane &f, rims *out) const {
        UNROLL for (int c = 0; c < N; c++) {
            out->up[c] = base::above(f[R - 1][c]);
            out->down[c] = base::below(f[0][c]);
        }
    }
    /* Is one of the four neighbours in the plane? */
    WW_METHOD static word beside(const plane &f, const rims &r, int j, int c) {
        word sides = (c > 0 ? f[j][c - 1] : word(0)) | (c < N - 1 ? f[j][c + 1] : word(0));
        return sides | (j > 0 ? f[j - 1][c] : r.up[c]) | (j < R - 1 ? f[j + 1][c] : r.down[c]);
    }
    WW_METHOD word empty(int j, int c) const {
        word e = ~(own[j][c] | opp[j][c]);
        return j > LAST ? e & real[j] : e;
    }

    /* ---- floods: the strings of `stones` that have a stone in the plane come into it whole ----
     */
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
    /* Would another sweep change anything? All rows have spread in the last one. */
    WW_METHOD bool grows(const plane &f, const plane &stones) const {
        rims r;
        word change = word(0);
        look(f, &r);
        UNROLL for (int j = 0; j < R; j++) UNROLL for (int c = 0; c < N; c++) {
            word from = (j > 0 ? f[j - 1][c] : r.up[c]) | (j < R - 1 ? f[j + 1][c] : r.down[c]);
            change |= from & stones[j][c] & ~f[j][c];
        }
        return ww_any(change);
    }

    /* ---- the sets ---- */

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
        look(taken, &r);
        UNROLL for (int j = 0; j < R; j++) UNROLL for (int c = 0; c < N; c++) {
            word first = alive[j][c] & ~get(ASIDE, j, c);
            take[j][c] = alive[j][c] & beside(taken, r, j, c);
            any[0] |= get(SAVE, j, c) & first;
            any[1] |= pattern_at(found, j, c) & first;
            any[2] |= take[j][c];
        }
        join<3>(any);
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

    /* ---- the move ---- */

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
        join<N>(p->col);
    }

    /* Liberties of what is in f, to two; joins the count there was. */
    WW_METHOD void count_liberties(const plane &f, word *count) const {
        rims r;
        word seen[2] = {word(0), word(0)};
        look(f, &r);
        UNROLL for (int j = 0; j < R; j++) UNROLL for (int c = 0; c < N; c++) {
            word liberty = beside(f, r, j, c) & empty(j, c);
            seen[1] |= seen[0] & liberty;
            seen[0] |= liberty;
        }
        join_counts(seen);
        UNROLL for (int i = 0; i < 2; i++) count[i] |= seen[i];
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

    /* Floods from f. Where liberties count (`tight`) a game is given up as soon as two are seen:
     * the long strings are hardly ever those that are short of them. What is left in f then are the
     * whole strings that have fewer, and in count how many those have, to two. */
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

    /* Takes off what is in f. A stone that takes something is always played, so that this need not
     * wait for the verdict on it. Strings beside what was taken have a liberty more, and what
     * becomes one with the new stone is counted anew: both leave atari, if it is played. */
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
        join<1>(&m.joined);
    }

    /* The verdict: plays the point in the games of `moved`, seen from then on by the other side; in
     * others it is out for this turn, or only for the sets. f is its string where that has fewer
     * than two liberties. */
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
        m.narrowed = narrow();
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
            flood(f, stage == MADE || (stage >= TOUCH && stage < FREE), count);
            finish(stage, f, m, count);
        }
        base::end_turn(moved, m.pass);
    }

    /* ---- beginnings ---- */
    WW_METHOD void init(uint32_t *memory) {
        base::init(memory);
        planes = memory + base::MEMORY;
        moved = word(0);
        UNROLL for (int j = 0; j < R; j++) last_row[j] = word(0);
        UNROLL for (int c = 0; c < N; c++) last_col[c] = word(0);
        UNROLL for (int j = 0; j < R; j++) UNROLL for (int c = 0; c < N; c++)
            UNROLL for (int what = 0; what < PLANES; what++) put(what, j, c, word(0));
    }

    /* The start as far as the light policy does not know it, in the games of `now`. */
    WW_METHOD void load_marks(const yo_cuda_job &job, word now, word item) {
        word last = base::of_item(job, item, 6), col[N];
        UNROLL for (int c = 0; c < N; c++) col[c] = word(0);
        UNROLL for (int j = 0; j < R; j++) {
            word here = word(0);
            UNROLL for (int c = 0; c < N; c++) {
                word point = (part * word(R) + word((uint32_t)j)) * word(N) + word((uint32_t)c);
                word where = now & real[j], it = ww_equal(point, last) & real[j];
                word stone = ww_load(job.stones, item * word(N * N) + (point & real[j]));
                word atari = ww_equal(stone & word(YO_CUDA_ATARI), word(YO_CUDA_ATARI));
                word points = ww_equal(stone & word(YO_CUDA_SAVE), word(YO_CUDA_SAVE));
                put(ATARI, j, c, ww_select(where, atari, get(ATARI, j, c)));
                put(SAVE, j, c, ww_select(where, points, get(SAVE, j, c)));
                put(ASIDE, j, c, get(ASIDE, j, c) & ~now);
                here |= it;
                col[c] |= it;
            }
            last_row[j] = ww_select(now, here, last_row[j]);
        }
        join<N>(col);
        UNROLL for (int c = 0; c < N; c++) last_col[c] = ww_select(now, col[c], last_col[c]);
    }

    WW_METHOD void refill(const yo_cuda_job &job) {
        word before = live, item;
        base::refill(job);
        word todo = live & ~before;
        do {
            word now = base::same_item(job, todo, &item);
            load_marks(job, now, item);
            todo &= ~now;
        } while (MANY && ww_any(todo));
    }

    /* All that one warp does. */
    WW_METHOD void run(const yo_cuda_job &job, uint32_t *sums, uint32_t *memory) {
        init(memory);
        refill(job);
        /* The warps of a block begin each step together: its code is longer than the instruction
         * cache, and so is fetched once for all of them. */
        while (ww_any_in_block(live)) {
            step();
            if (!base::has_waited()) continue;
            base::take_results(job, sums);
            refill(job);
        }
    }
};

template <int N, bool MANY> using mogo_warp = warp_mogo<N, YO_CUDA_ROWS(N), MANY>;
