/* Light playouts in a warp (docs/playout.md): a bit-slice of 32 games, one in each bit of a word,
 * with its rows dealt out to lanes, R rows a lane, and as many slices side by side as 32 lanes
 * hold. The board stays in registers; a row that lies in another lane comes by shuffle. There is no
 * branch on a single game, so all lanes work all the time.
 *
 * N: board size. R: rows in a lane. MANY: a launch has many items (job.h). */
#pragma once

#include "eval/playout/cuda/job.h"
#include "eval/playout/cuda/warp_word.cuh"
#include "eval/playout/spec.h"

constexpr int ws_bits(int value) { return value < 2 ? 1 : 1 + ws_bits(value / 2); }

template <int N, int R, bool MANY> struct warp_slice {
    static constexpr int LANES = (N + R - 1) / R; /* of a slice */
    static constexpr int SLICES = 32 / LANES;
    static constexpr int ROW_BITS = ws_bits(N);          /* hold a row's count */
    static constexpr int SUM_BITS = ws_bits(N * N);      /* hold the board's count */
    static constexpr int DRAW_BITS = ws_bits(N * N - 1); /* of a try */
    static constexpr int TRIES = 32 / DRAW_BITS < 4 ? 32 / DRAW_BITS : 4;
    static constexpr int LIMIT = 3 * N * N;
    static constexpr int COUNT_BITS = ws_bits(LIMIT);
    /* Memory of a warp, in 32-bit words: generators, what is excluded, which games are played, and
     * for each which places of its slice have games of the same item (the last two if MANY). */
    static constexpr int RNG_WORDS = 96 * SLICES, EXCL_WORDS = R * N * 32;
    static constexpr int PLACES = 32 * SLICES;
    static constexpr int MEMORY = RNG_WORDS + EXCL_WORDS + (MANY ? 2 * PLACES : 0);
    static constexpr int SHARE = (32 + LANES - 1) / LANES; /* new random bits that a lane makes */
    /* Ended games wait until a warp has so many of them. */
    static constexpr int REFILL = 32 * SLICES / 8 + 1;
    static constexpr int LAST =
        (N - 1) % R; /* where the last row is in its lane; behind it, none */

    word own[R][N], opp[R][N], alive[R][N];
    word white, passed, live, ended, count[COUNT_BITS];
    word first_lane, last_lane; /* of a slice */
    word bottom;                /* row LAST of the lane is the last of the board */
    word real[R];               /* row j of the lane is on the board */
    word slice, part; /* which slice, and which lane of it; lanes left over have part 99 */
    uint32_t *rng, *excl, *game_at, *same_at;
    int start; /* of the generators' bits */

    /* ---- neighbours in other lanes; zero past the edge ---- */
    WW_METHOD word above(word last_row) const { return ww_up(last_row, 1) & ~first_lane; }
    WW_METHOD word below(word first_row) const { return ww_down(first_row, 1) & ~last_lane; }
    WW_METHOD word excluded(int j, int c) const {
        return ww_load(excl, ww_lane() + word((uint32_t)(32 * (j * N + c))));
    }

    /* Rows that are not there stay excluded. */
    WW_METHOD void exclude(int j, int c, word value) {
        if (j > LAST) value |= ~real[j];
        ww_store(excl, ww_lane() + word((uint32_t)(32 * (j * N + c))), value, word(~0u));
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
        part = ww_select(spare, word(99), part);
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

    /* ---- random numbers ----
     * The 64 bits of a slice's generators are the words start .. start + 63 of its 96, where start
     * is 0 or 32: words 64..95 repeat words 0..31, so that no reading ever wraps round. */
    WW_METHOD word random_bit(word at, int i) const {
        return ww_load(rng + i * SLICES, at) ^
               (ww_load(rng + (i + YO_PLAYOUT_FILTER1) * SLICES, at) &
                ww_load(rng + (i + YO_PLAYOUT_FILTER2) * SLICES, at));
    }
    /* The lanes of a slice share the 32 new bits out. */
    WW_METHOD void advance() {
        word fresh[SHARE], mine = part * word(SHARE);
        word at = slice + (mine & ww_below(mine, word(32))) * word(SLICES) +
                  word((uint32_t)(start * SLICES));
        ww_sync();
        UNROLL for (int t = 0; t < SHARE; t++) fresh[t] =
            ww_load(rng + t * SLICES, at) ^ ww_load(rng + (t + YO_PLAYOUT_TAP1) * SLICES, at) ^
            ww_load(rng + (t + YO_PLAYOUT_TAP2) * SLICES, at) ^
            ww_load(rng + (t + YO_PLAYOUT_TAP3) * SLICES, at);
        ww_sync();
        UNROLL for (int t = 0; t < SHARE; t++) {
            word where = ww_below(mine + word((uint32_t)t), word(32));
            ww_store(rng + t * SLICES, at, fresh[t], where);
            if (start == 0) ww_store(rng + (t + 64) * SLICES, at, fresh[t], where);
        }
        ww_sync();
        start ^= 32;
    }

    /* ---- small numbers, a bit a word ---- */
    template <int COUNT, int BITS> WW_METHOD static void count_ones(word *bits, word *sum) {
        word carry[COUNT / 2 + 1];
        int left = COUNT;
        UNROLL for (int b = 0; b < BITS; b++) {
            int carries = 0;
            UNROLL for (int k = 0; k + 2 < left; k += 2) {
                word x = bits[k], y = bits[k + 1], z = bits[k + 2];
                bits[k + 2] = x ^ y ^ z;
                carry[carries++] = ww_majority(x, y, z);
            }
            if (left > 0 && left % 2 == 0) {
                word x = bits[left - 2], y = bits[left - 1];
                bits[left - 1] = x ^ y;
                carry[carries++] = x & y;
            }
            sum[b] = left > 0 ? bits[left - 1] : word(0);
            UNROLL for (int k = 0; k < carries; k++) bits[k] = carry[k];
            left = carries;
        }
    }
    /* a += b */
    template <int BITS, int FEW> WW_METHOD static void add(word *a, const word *b) {
        word carry = word(0);
        UNROLL for (int i = 0; i < BITS; i++) {
            word y = i < FEW ? b[i] : word(0), x = a[i];
            a[i] = x ^ y ^ carry;
            carry = ww_majority(x, y, carry);
        }
    }
    /* Sums over the lanes of a slice up to and with this one. */
    template <int BITS> WW_METHOD void scan(word *a) const {
        UNROLL for (int by = 1; by < LANES; by *= 2) {
            word ok = ~ww_below(part, word((uint32_t)by)), b[BITS];
            UNROLL for (int i = 0; i < BITS; i++) b[i] = ww_up(a[i], by) & ok;
            add<BITS, BITS>(a, b);
        }
    }
    WW_METHOD word last_of_slice() const { return slice * word(LANES) + word(LANES - 1); }
    WW_METHOD word first_of_slice() const { return slice * word(LANES); }

    /* ---- candidates; leaves them in alive[][], counts in sums[j] (rows 0..j of this lane) ---- */
    WW_METHOD void candidates(word sums[R][SUM_BITS]) {
        word own_up[N], own_down[N], opp_up[N], opp_down[N];
        UNROLL for (int c = 0; c < N; c++) {
            own_up[c] = above(own[R - 1][c]);
            opp_up[c] = above(opp[R - 1][c]);
            own_down[c] = below(own[0][c]);
            opp_down[c] = below(opp[0][c]);
        }
        UNROLL for (int j = 0; j < R; j++) {
            word row[N], top = j == 0 ? first_lane : word(0);
            word floor = j == LAST ? bottom : word(0), edge = top | floor;
            const word *u = j == 0 ? own_up : own[j - 1], *d = j == R - 1 ? own_down : own[j + 1];
            const word *x = j == 0 ? opp_up : opp[j - 1], *y = j == R - 1 ? opp_down : opp[j + 1];
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
                row[c] = ~(own[j][c] | opp[j][c] | excluded(j, c)) & ~eye;
                alive[j][c] = row[c];
            }
            word row_count[ROW_BITS];
            count_ones<N, ROW_BITS>(row, row_count);
            UNROLL for (int b = 0; b < SUM_BITS; b++) sums[j][b] = j > 0 ? sums[j - 1][b] : word(0);
            add<SUM_BITS, ROW_BITS>(sums[j], row_count);
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
                tried[b] = random_bit(at, t * DRAW_BITS + b) & mask[b];
                more = ww_less(last[b], tried[b], more);
            }
            UNROLL for (int b = 0; b < DRAW_BITS; b++) k[b] = ww_select(found, k[b], tried[b]);
            found |= ~more;
        }
        return found;
    }

    /* ---- from k to a point of this lane, if it is in one of its rows ---- */
    WW_METHOD void choose(word sums[R][SUM_BITS], const word *base, const word *k, word valid,
                          word *row_mask, word *col_mask) const {
        word low[ROW_BITS], gathered[N], less[R];
        UNROLL for (int b = 0; b < ROW_BITS; b++) low[b] = word(0);
        UNROLL for (int c = 0; c < N; c++) gathered[c] = word(0);
        UNROLL for (int j = 0; j < R; j++) {
            add<SUM_BITS, SUM_BITS>(sums[j], base);
            less[j] = word(0);
            UNROLL for (int b = 0; b < SUM_BITS; b++) {
                word bit = b < DRAW_BITS ? k[b] : word(0);
                less[j] = ww_less(bit, sums[j][b], less[j]);
            }
        }
        word before = above(less[R - 1]);
        UNROLL for (int j = 0; j < R; j++) {
            word here = valid & less[j] & ~(j == 0 ? before : less[j - 1]);
            row_mask[j] = here;
            UNROLL for (int b = 0; b < ROW_BITS; b++) low[b] |=
                here & (j == 0 ? base[b] : sums[j - 1][b]);
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
        /* Along the row every candidate moves the count one down; who is met at zero is it. */
        UNROLL for (int c = 0; c < N; c++) {
            col_mask[c] = gathered[c] & at[0];
            UNROLL for (int i = 0; i + 1 < N - c; i++) at[i] =
                ww_select(gathered[c], at[i + 1], at[i]);
        }
    }

    /* ---- the flood ---- */

    /* Alive spreads along row j both ways. Rows take the directions in turn, so that a row can
     * start before the last one has ended. */
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

    /* ---- what the dead tell ---- */
    WW_METHOD void judge(word *suicide, word *ko) const {
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
        word head = first_of_slice();
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
            word out = ww_select(moved, ko & theirs & ~a, excluded(j, c) | (pick & suicide));
            exclude(j, c, out);
        }
    }

    /* One attempt in every live game. */
    WW_METHOD void step() {
        word sums[R][SUM_BITS], base[SUM_BITS], n[SUM_BITS], k[DRAW_BITS], some = word(0);
        word row_mask[R], col_mask[N], suicide, ko;
        candidates(sums);
        UNROLL for (int b = 0; b < SUM_BITS; b++) n[b] = sums[R - 1][b];
        scan<SUM_BITS>(n);
        UNROLL for (int b = 0; b < SUM_BITS; b++) {
            base[b] = above(n[b]);
            n[b] = ww_from(n[b], last_of_slice());
            some |= n[b];
        }
        word valid = draw(n, k) & some & live;
        word pass = live & ~some;
        advance();
        choose(sums, base, k, valid, row_mask, col_mask);
        flood(row_mask, col_mask);
        judge(&suicide, &ko);
        word moved = pass | (valid & ~suicide);
        update(row_mask, col_mask, suicide, ko, moved);
        word carry = moved, limit = moved;
        UNROLL for (int b = 0; b < COUNT_BITS; b++) {
            word bit = count[b] ^ carry;
            carry &= count[b];
            count[b] = bit;
            limit &= LIMIT >> b & 1 ? bit : ~bit;
        }
        word over = limit | (pass & passed);
        passed = ww_select(moved, pass, passed);
        white ^= moved;
        live &= ~over;
        ended |= over;
    }

    /* ---- ends and beginnings of games ---- */

    /* What differs between items is done for all games of one item at once: of a slice's places in
     * `todo` those that have the first one's item, and that item. Slices go on side by side. */
    WW_METHOD word same_item(const yo_cuda_job &job, word todo, word *item) const {
        *item = word(0);
        if (!MANY) return todo;
        word some = ~ww_equal(todo, word(0));
        word place = (slice * word(32) + ww_first(todo)) & some;
        *item = ww_load(job.item_of, ww_load(game_at, place) & some);
        return ww_load(same_at, place) & todo;
    }

    /* The i-th word of items. */
    WW_METHOD static word of_item(const yo_cuda_job &job, word item, int i) {
        if (!MANY) return word(((const uint32_t *)&job.item)[i]);
        return ww_load((const uint32_t *)job.items + i, item * word(YO_CUDA_ITEM_WORDS));
    }

    /* Prepares same_item for those places of slice q that are in `here`: a lane is a place. */
    WW_METHOD void note_items(int q, word item, word here) {
        ww_store(same_at + 32 * q, ww_lane(), ww_match(item, here), here);
    }

    WW_METHOD void note_ended(const yo_cuda_job &job) {
        for (int q = 0; q < SLICES; q++) {
            word here = ww_bit(ww_read(ended, q * LANES));
            note_items(q, ww_load(job.item_of, ww_load(game_at + 32 * q, ww_lane()) & here), here);
        }
        ww_sync();
    }

    /* Who owns what where `now` says; adds it to the owners' sums, and counts both sides. */
    WW_METHOD void count_owners(word now, int32_t *ownership, word first_point, word *black_sum,
                                word *white_sum) const {
        word own_up[N], own_down[N], opp_up[N], opp_down[N];
        UNROLL for (int c = 0; c < N; c++) {
            own_up[c] = above(own[R - 1][c]);
            opp_up[c] = above(opp[R - 1][c]);
            own_down[c] = below(own[0][c]);
            opp_down[c] = below(opp[0][c]);
        }
        UNROLL for (int j = 0; j < R; j++) {
            word top = j == 0 ? first_lane : word(0), b_row[N], w_row[N];
            UNROLL for (int c = 0; c < N; c++) {
                word mine = (j == 0 ? own_up[c] : own[j - 1][c]) | top;
                word theirs = (j == 0 ? opp_up[c] : opp[j - 1][c]) | top;
                mine &= (j == R - 1 ? own_down[c] : own[j + 1][c]) | (j == LAST ? bottom : word(0));
                theirs &=
                    (j == R - 1 ? opp_down[c] : opp[j + 1][c]) | (j == LAST ? bottom : word(0));
                if (c > 0) mine &= own[j][c - 1], theirs &= opp[j][c - 1];
                if (c < N - 1) mine &= own[j][c + 1], theirs &= opp[j][c + 1];
                mine |= own[j][c];
                theirs |= opp[j][c];
                word where = now & real[j];
                b_row[c] = ww_select(white, theirs, mine) & where;
                w_row[c] = ww_select(white, mine, theirs) & where;
                word point = (part * word(R) + word((uint32_t)j)) * word(N) + word((uint32_t)c);
                if (ownership)
                    ww_add(ownership, first_point + (point & real[j]),
                           ww_popcount(b_row[c]) - ww_popcount(w_row[c]), where);
            }
            word sum[ROW_BITS];
            count_ones<N, ROW_BITS>(b_row, sum);
            add<SUM_BITS, ROW_BITS>(black_sum, sum);
            count_ones<N, ROW_BITS>(w_row, sum);
            add<SUM_BITS, ROW_BITS>(white_sum, sum);
        }
    }

    /* Adds the ended games up; sums are the block's, for launches of one item. */
    WW_METHOD void take_results(const yo_cuda_job &job, uint32_t *sums) {
        word black_sum[SUM_BITS], white_sum[SUM_BITS], item, todo = ended;
        UNROLL for (int b = 0; b < SUM_BITS; b++) black_sum[b] = white_sum[b] = word(0);
        int32_t *ownership = MANY ? job.ownership : (int32_t *)sums + YO_CUDA_OWNERSHIP(N);
        const bool rounds = MANY && ownership;
        if (rounds) note_ended(job);
        do {
            word now = rounds ? same_item(job, todo, &item) : todo;
            if (!rounds) item = word(0);
            count_owners(now, ownership, item * word(N * N), black_sum, white_sum);
            todo &= ~now;
        } while (rounds && ww_any(todo));
        scan<SUM_BITS>(black_sum);
        scan<SUM_BITS>(white_sum);
        for (int q = 0; q < SLICES; q++) {
            const int from = q * LANES + LANES - 1; /* has the whole sums */
            uint32_t games = ww_read(ended, from);
            if (!games) continue;
            word lane = ww_lane(), black = word(0), whites = word(0), moves = word(0);
            UNROLL for (int b = 0; b < SUM_BITS; b++) {
                black |= (word(ww_read(black_sum[b], from)) >> lane & word(1)) << b;
                whites |= (word(ww_read(white_sum[b], from)) >> lane & word(1)) << b;
            }
            UNROLL for (int b = 0; b < COUNT_BITS; b++) moves |=
                (word(ww_read(count[b], from)) >> lane & word(1)) << b;
            word where = ww_bit(games), score = black + word(N * N) - whites;
            if (MANY) {
                word game = ww_load(game_at + 32 * q, lane) & where;
                ww_store(job.scores, game, score | moves << 16, where);
            } else {
                ww_add(sums + YO_CUDA_HISTOGRAM, score & where, word(1), where);
                ww_add((unsigned long long *)sums, word(0), moves, where);
            }
        }
    }

    /* 32 generators, one for the seed and the game number of each lane, as two words of a lane. */
    WW_METHOD static void seed_lanes(word seed_high, word seed_low, word game_high, word game_low,
                                     word *high, word *low) {
        word x = game_high, y = game_low;
        for (uint32_t round = 0; round < 8; round++) {
            word key = (round & 1 ? seed_high : seed_low) ^ word(round);
            x = ((x >> 8 | x << 24) + y) ^ key;
            y = (y << 3 | y >> 29) ^ x;
        }
        y = ww_select(ww_equal(x | y, word(0)), word(1), y);
        *high = x;
        *low = y;
    }

    /* The generators of slice q's places in `fresh` start anew. */
    WW_METHOD void store_generators(int q, uint32_t fresh, word high, word low) {
        word bits_low = ww_transpose(low), bits_high = ww_transpose(high), lane = ww_lane();
        ww_sync();
        UNROLL for (int half = 0; half < 2; half++) {
            const int first_word = 32 * half + start;
            word index = (lane + word((uint32_t)first_word)) * word(SLICES) + word((uint32_t)q);
            word bits = ww_select(word(fresh), half ? bits_high : bits_low, ww_load(rng, index));
            ww_store(rng, index, bits, word(~0u));
            /* The other copy of words 0..31. */
            if (first_word == 0) ww_store(rng + 64 * SLICES, index, bits, word(~0u));
            if (first_word == 64) ww_store(rng, index - word(64 * SLICES), bits, word(~0u));
        }
        ww_sync();
    }

    /* Gives ended games' places new games. */
    WW_METHOD void refill(const yo_cuda_job &job) {
        word given = word(0);
        for (int q = 0; q < SLICES; q++) {
            uint32_t places = ww_read(ended, q * LANES);
            if (!places) continue;
            word lane = ww_lane();
            uint32_t wanted = ww_count(places);
            unsigned long long first = ww_take(job.taken, wanted);
            word rank = ww_popcount(word(places) & ww_lower(lane));
            uint32_t left = first >= job.games           ? 0
                            : job.games - first < wanted ? (uint32_t)(job.games - first)
                                                         : wanted;
            if (!left) continue;
            word here = ww_bit(places) & ww_below(rank, word(left));
            word game = (word((uint32_t)first) + rank) & here, item = word(0);
            if (MANY) {
                item = ww_load(job.item_of, game);
                ww_store(game_at + 32 * q, lane, game, here);
                note_items(q, item, here);
            }
            word base = of_item(job, item, 2), number = base + game, high, low;
            word number_high = of_item(job, item, 3) - ww_below(number, base); /* + carry */
            seed_lanes(of_item(job, item, 1), of_item(job, item, 0), number_high, number, &high,
                       &low);
            uint32_t fresh = ww_ballot(here);
            store_generators(q, fresh, high, low);
            given |= ww_equal(slice, word((uint32_t)q)) & ~ww_equal(part, word(99)) & word(fresh);
        }
        load(job, given);
        ended = word(0);
    }

    WW_METHOD void load(const yo_cuda_job &job, word given) {
        word todo = given, item;
        do {
            word now = same_item(job, todo, &item);
            word ko = of_item(job, item, 4), color = of_item(job, item, 5);
            UNROLL for (int j = 0; j < R; j++) UNROLL for (int c = 0; c < N; c++) {
                word point = (part * word(R) + word((uint32_t)j)) * word(N) + word((uint32_t)c);
                word where = now & real[j];
                word stone = ww_load(job.stones, item * word(N * N) + (point & real[j]));
                word mine = ww_equal(stone, color);
                word theirs = ~(mine | ww_equal(stone, word(YO_GO_EMPTY)));
                own[j][c] = ww_select(where, mine, own[j][c]);
                opp[j][c] = ww_select(where, theirs, opp[j][c]);
                exclude(j, c, ww_select(where, ww_equal(point, ko), excluded(j, c)));
            }
            white = ww_select(now, ww_equal(color, word(YO_GO_WHITE)), white);
            todo &= ~now;
        } while (MANY && ww_any(todo));
        passed &= ~given;
        live |= given;
        UNROLL for (int b = 0; b < COUNT_BITS; b++) count[b] &= ~given;
    }

    /* All that one warp does. */
    WW_METHOD void run(const yo_cuda_job &job, uint32_t *sums, uint32_t *memory) {
        init(memory);
        refill(job);
        while (ww_any(live)) {
            step();
            if (!ww_any(ended)) continue;
            /* Lanes of a slice hold the same; count one of each. */
            uint32_t waiting = 0;
            UNROLL for (int q = 0; q < SLICES; q++) waiting += ww_count(ww_read(ended, q * LANES));
            if (waiting < REFILL && ww_any(live)) continue;
            take_results(job, sums);
            refill(job);
        }
    }
};

#ifdef __CUDACC__
/* All that a block does. */
template <int N> __device__ __forceinline__ void warp_slice_block_one(const yo_cuda_job &job) {
    extern __shared__ uint32_t shared[];
    uint32_t *memory = shared + YO_CUDA_SUM_WORDS(N);
    for (int i = threadIdx.x; i < YO_CUDA_SUM_WORDS(N); i += blockDim.x)
        shared[i] = 0;
    __syncthreads();
    warp_slice<N, YO_CUDA_ROWS(N), false> warp;
    static_assert(warp.MEMORY == YO_CUDA_WARP_WORDS(N, false), "what the host gives");
    warp.run(job, shared, memory + threadIdx.x / 32 * warp.MEMORY);
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd((unsigned long long *)job.sums, *(unsigned long long *)shared);
    for (int i = YO_CUDA_HISTOGRAM + threadIdx.x; i < YO_CUDA_SUM_WORDS(N); i += blockDim.x)
        if (shared[i]) atomicAdd(&job.sums[i], shared[i]);
}

template <int N> __device__ __forceinline__ void warp_slice_block_many(const yo_cuda_job &job) {
    extern __shared__ uint32_t shared[];
    warp_slice<N, YO_CUDA_ROWS(N), true> warp;
    static_assert(warp.MEMORY == YO_CUDA_WARP_WORDS(N, true), "what the host gives");
    warp.run(job, nullptr, shared + threadIdx.x / 32 * warp.MEMORY);
}
#endif
