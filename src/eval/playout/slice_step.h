/* One step of a bit-slice: every game in it makes one attempt of the light policy (docs/playout.md,
 * section 3). Included once for each board size that gets code of its own, with SLICE_SIZE set to
 * it, or to 0 for code that works on any size. No branch depends on a single game, so the cost is
 * the same whatever the games do, but for the number of flood sweeps.
 *
 * The comments count three-input operations a point. */

/* Calls in the hot path would push rows of vectors out of the registers. */
#define INLINE static inline __attribute__((always_inline))

#define JOIN2(a, b) a##b
#define JOIN(a, b)  JOIN2(a, b)
#define FN(name)    JOIN(name##_, SLICE_SIZE)

#if SLICE_SIZE
#define N                  SLICE_SIZE
#define EACH(i, count)     _Pragma("GCC unroll 32") for (int i = 0; i < (count); i++)
#define EACH_DOWN(i, from) _Pragma("GCC unroll 32") for (int i = (from); i >= 0; i--)
#define ROWMAX             SLICE_SIZE
#else
#define N                  s->size
#define EACH(i, count)     for (int i = 0; i < (count); i++)
#define EACH_DOWN(i, from) for (int i = (from); i >= 0; i--)
#define ROWMAX             YO_GO_SIZE_MAX
#endif

/* Bits that hold 0..value. */
#define BITS_OF(value)                                                                             \
    ((value) < 2     ? 1                                                                           \
     : (value) < 4   ? 2                                                                           \
     : (value) < 8   ? 3                                                                           \
     : (value) < 16  ? 4                                                                           \
     : (value) < 32  ? 5                                                                           \
     : (value) < 64  ? 6                                                                           \
     : (value) < 128 ? 7                                                                           \
     : (value) < 256 ? 8                                                                           \
                     : 9)

INLINE vec *FN(plane)(struct slice *s, enum slice_plane plane) { return s->planes + plane * N * N; }

/* How many of the N vectors have a 1, for each game, as a number of BITS_OF(N) bits: full adders
 * from the lowest weight up. Destroys bits[]. 1.6 a point. */
INLINE void FN(count_row)(const struct slice *s, vec *bits, vec *sum) {
    (void)s;
    vec carry[ROWMAX / 2 + 1];
    vec *in = bits, *out = carry;
    int left = N;
    EACH(b, BITS_OF(N)) {
        int carries = 0;
        EACH(k, (left - 1) / 2) {
            vec x = in[2 * k], y = in[2 * k + 1], z = in[2 * k + 2];
            in[2 * k + 2] = v_xor3(x, y, z);
            out[carries++] = v_maj(x, y, z);
        }
        if (left % 2 == 0 && left > 0) {
            vec x = in[left - 2], y = in[left - 1];
            in[left - 1] = x ^ y;
            out[carries++] = x & y;
        }
        sum[b] = left > 0 ? in[left - 1] : v_zero();
        left = carries;
        vec *t = in;
        in = out;
        out = t;
    }
}

/* sum = a + b, where b has BITS_OF(N) bits. */
INLINE void FN(add_row)(const struct slice *s, const vec *a, const vec *b, vec *sum) {
    (void)s;
    vec carry = v_zero();
    EACH(i, BITS_OF(N * N)) {
        vec x = a[i], y = i < BITS_OF(N) ? b[i] : v_zero();
        sum[i] = v_xor3(x, y, carry);
        carry = v_maj(x, y, carry);
    }
}

/* ---- random numbers: 1 operation a bit read, 2 a bit made ---- */
#define STATE(i) ((i) < 32 ? lo[(i)&31] : hi[(i)&31])

INLINE vec FN(random_bit)(const struct slice *s, int i) {
    const vec *lo = s->rng + 32 * s->phase, *hi = s->rng + 32 * (1 - s->phase);
    return v_xor_and(lo[i], STATE(i + YO_PLAYOUT_FILTER1), STATE(i + YO_PLAYOUT_FILTER2));
}

/* Bit i of the new word needs only bits from i upward, so it may take bit i's place at once. */
INLINE void FN(advance)(struct slice *s) {
    vec *lo = s->rng + 32 * s->phase, *hi = s->rng + 32 * (1 - s->phase);
    EACH(i, 32)
    lo[i] = v_xor3(lo[i], STATE(i + YO_PLAYOUT_TAP1), STATE(i + YO_PLAYOUT_TAP2)) ^
            STATE(i + YO_PLAYOUT_TAP3);
    s->phase ^= 1;
}
#undef STATE

/* ---- candidates: 7 a point ---- */
INLINE void FN(candidate_row)(const struct slice *s, const vec *own, const vec *opp,
                              const vec *excl, int row, vec *cand) {
    (void)s;
    const bool top = row == 0, bottom = row == N - 1;
    EACH(c, N) {
        const bool left = c == 0, right = c == N - 1;
        vec u = top ? v_ones() : own[c - N], d = bottom ? v_ones() : own[c + N];
        vec l = left ? v_ones() : own[c - 1], r = right ? v_ones() : own[c + 1];
        vec ul = top || left ? v_zero() : opp[c - N - 1];
        vec ur = top || right ? v_zero() : opp[c - N + 1];
        vec dl = bottom || left ? v_zero() : opp[c + N - 1];
        vec dr = bottom || right ? v_zero() : opp[c + N + 1];
        /* Two enemies on the diagonals spoil an eye, one on an edge. */
        vec any = v_or3(ul, ur, dl);
        vec spoilt =
            top || bottom || left || right ? any | dr : v_or_and(v_maj(ul, ur, dl), any, dr);
        vec eye = v_and_andn(v_and3(u, d, l), r, spoilt);
        cand[c] = v_nor3(own[c], opp[c], excl[c]) & ~eye;
    }
}

/* sums[r] becomes the number of candidates in rows 0..r. */
INLINE void FN(candidates)(struct slice *s, vec sums[][SLICE_SUM_BITS]) {
    const vec *own = FN(plane)(s, PLANE_OWN), *opp = FN(plane)(s, PLANE_OPP);
    const vec *excl = FN(plane)(s, PLANE_EXCL);
    vec *work = FN(plane)(s, PLANE_WORK);
    vec zero[SLICE_SUM_BITS] = {0};
    const vec *before = zero;
    for (int r = 0; r < N; r++) {
        vec row[ROWMAX], count[SLICE_SUM_BITS];
        const int at = r * N;
        if (r == 0)
            FN(candidate_row)(s, own, opp, excl, 0, row);
        else if (r == N - 1)
            FN(candidate_row)(s, own + at, opp + at, excl + at, N - 1, row);
        else
            FN(candidate_row)(s, own + at, opp + at, excl + at, 1, row);
        EACH(c, N) work[at + c] = row[c];
        FN(count_row)(s, row, count);
        FN(add_row)(s, before, count, sums[r]);
        before = sums[r];
    }
}

/* ---- the draw: a number k below n, by masking and rejection; returns where a try succeeded ----
 */
INLINE vec FN(draw)(const struct slice *s, const vec *n, vec *k) {
    const int bits = yo_playout_draw_bits(N), tries = yo_playout_draw_tries(N);
    vec last[SLICE_SUM_BITS], mask[SLICE_SUM_BITS], borrow = v_ones(), smear = v_zero();
    EACH(b, bits) {
        last[b] = n[b] ^ borrow;
        borrow &= ~n[b];
        k[b] = v_zero();
    }
    EACH_DOWN(b, bits - 1) mask[b] = smear |= last[b];
    vec found = v_zero();
    EACH(t, tries) {
        vec more = v_zero(), try[SLICE_SUM_BITS];
        EACH(b, bits) {
            try[b] = FN(random_bit)(s, t * bits + b) & mask[b];
            more = v_less(last[b], try[b], more);
        }
        EACH(b, bits) k[b] = v_select(found, k[b], try[b]);
        found |= ~more;
    }
    return found;
}

/* ---- from k to a point: one row mask and one column mask a game ---- */
INLINE void FN(choose_point)(struct slice *s, vec sums[][SLICE_SUM_BITS], const vec *k, vec valid,
                             vec *row_mask, vec *col_mask) {
    const vec *work = FN(plane)(s, PLANE_WORK);
    vec base[SLICE_SUM_BITS] = {0}, gathered[ROWMAX], rest[SLICE_SUM_BITS];
    vec before = v_zero();
    EACH(c, N) gathered[c] = v_zero();
    for (int r = 0; r < N; r++) {
        vec less = v_zero();
        EACH(b, BITS_OF(N * N)) {
            vec bit = b < yo_playout_draw_bits(N) ? k[b] : v_zero();
            less = v_less(bit, sums[r][b], less);
        }
        vec here = v_and_andn(valid, less, before);
        before = less;
        row_mask[r] = here;
        if (r > 0) EACH(b, BITS_OF(N)) base[b] = v_or_and(base[b], here, sums[r - 1][b]);
        EACH(c, N) gathered[c] = v_or_and(gathered[c], here, work[r * N + c]);
    }
    vec borrow = v_zero();
    EACH(b, BITS_OF(N)) {
        vec bit = b < yo_playout_draw_bits(N) ? k[b] : v_zero();
        rest[b] = v_xor3(bit, base[b], borrow);
        borrow = v_less(bit, base[b], borrow);
    }
    /* Count down along the row: the candidate that is met at zero is the one. Below zero the
     * number wraps to all ones, too large to come down again within the row. */
    EACH(c, N) {
        vec nonzero = v_zero(), take = gathered[c];
        EACH(b, BITS_OF(N)) nonzero |= rest[b];
        col_mask[c] = take & ~nonzero;
        EACH(b, BITS_OF(N)) {
            vec bit = rest[b];
            rest[b] = bit ^ take;
            take &= ~bit;
        }
    }
}

/* ---- the flood: which points are empty, or stones of a string that has a liberty ---- */

/* Alive spreads along a row, both ways. Rows take the directions in turn: the point that one row
 * finishes first is then the one that the next row starts from, and the rows overlap in the
 * pipeline instead of waiting for each other. 2 a point. */
INLINE void FN(spread)(const struct slice *s, vec *x, const vec *hlink, bool odd) {
    (void)s;
    if (odd) EACH_DOWN(c, N - 2) x[c] = v_or_and(x[c], x[c + 1], hlink[c + 1]);
    EACH(c, N - 1) x[c + 1] = v_or_and(x[c + 1], x[c], hlink[c + 1]);
    if (!odd) EACH_DOWN(c, N - 2) x[c] = v_or_and(x[c], x[c + 1], hlink[c + 1]);
}

/* Alive spreads from the row that x holds over vlink to the next one, then along that; x becomes
 * the new row. 3 a point. */
INLINE void FN(sweep_row)(const struct slice *s, vec *x, vec *alive, const vec *vlink,
                          const vec *hlink, bool odd) {
    EACH(c, N) x[c] = v_or_and(alive[c], x[c], vlink[c]);
    FN(spread)(s, x, hlink, odd);
    EACH(c, N) alive[c] = x[c];
}

/* The same for a row that is closed already: there is something to do only if a point gets alive
 * from the other row. Late sweeps change few rows. */
INLINE bool FN(resweep_row)(const struct slice *s, vec *alive, const vec *from, const vec *vlink,
                            const vec *hlink, bool odd) {
    vec change = v_zero(), x[ROWMAX];
    EACH(c, N) change = v_or_andn(change, from[c] & vlink[c], alive[c]);
    if (!v_any(change)) return false;
    EACH(c, N) x[c] = from[c];
    FN(sweep_row)(s, x, alive, vlink, hlink, odd);
    return true;
}

/* The first sweep of a row, which also makes its links: the new stone is put down in thought, the
 * empty points are where life starts from. x holds what is alive in the row above, and then in this
 * one. `back` goes from right to left first. 9 a point. */
INLINE void FN(start_row)(struct slice *s, const vec *row_mask, const vec *col_mask, vec *x,
                          int row, bool first, bool back) {
    const int at = row * N;
    const vec *own = FN(plane)(s, PLANE_OWN) + at, *opp = FN(plane)(s, PLANE_OPP) + at;
    vec *alive = FN(plane)(s, PLANE_WORK) + at;
    vec *hlink = FN(plane)(s, PLANE_HLINK) + at, *vlink = FN(plane)(s, PLANE_VLINK) + at;
    vec o_before = v_zero(), theirs_before = v_zero(), x_before = v_zero();
    EACH(i, N) {
        const int c = back ? N - 1 - i : i;
        vec o = v_or_and(own[c], row_mask[row], col_mask[c]), theirs = opp[c];
        vec life = v_nor3(o, o, theirs);
        if (!first) {
            vec up = v_or_and(own[c - N], row_mask[row - 1], col_mask[c]);
            vec link = v_nor_and(up & theirs, opp[c - N], o);
            vlink[c] = link;
            life = v_or_and(life, x[c], link);
        }
        if (i > 0) {
            vec link = v_nor_and(o_before & theirs, theirs_before, o);
            hlink[back ? c + 1 : c] = link;
            life = v_or_and(life, x_before, link);
        }
        x[c] = x_before = life;
        o_before = o;
        theirs_before = theirs;
    }
    alive[back ? 0 : N - 1] = x_before;
    EACH_DOWN(i, N - 2) {
        const int c = back ? N - 1 - i : i;
        alive[c] = x[c] = x_before = v_or_and(x[c], x_before, hlink[back ? c : c + 1]);
    }
}

INLINE void FN(flood)(struct slice *s, const vec *row_mask, const vec *col_mask) {
    vec *alive = FN(plane)(s, PLANE_WORK), x[ROWMAX];
    const vec *hlink = FN(plane)(s, PLANE_HLINK), *vlink = FN(plane)(s, PLANE_VLINK);
    FN(start_row)(s, row_mask, col_mask, x, 0, true, false);
    for (int r = 1; r < N; r++)
        if (r & 1)
            FN(start_row)(s, row_mask, col_mask, x, r, false, true);
        else
            FN(start_row)(s, row_mask, col_mask, x, r, false, false);
    for (int r = N - 2; r >= 0; r--)
        FN(sweep_row)(s, x, alive + r * N, vlink + (r + 1) * N, hlink + r * N, r & 1);
    for (;;) {
        bool changed = false;
        for (int r = 1; r < N; r++)
            changed |= FN(resweep_row)(s, alive + r * N, alive + (r - 1) * N, vlink + r * N,
                                       hlink + r * N, r & 1);
        if (!changed) return;
        changed = false;
        for (int r = N - 2; r >= 0; r--)
            changed |= FN(resweep_row)(s, alive + r * N, alive + (r + 1) * N, vlink + (r + 1) * N,
                                       hlink + r * N, r & 1);
        if (!changed) return;
    }
}

/* ---- what the dead tell: 5 a point ---- */
INLINE void FN(judge)(struct slice *s, vec *suicide, vec *ko) {
    const vec *alive = FN(plane)(s, PLANE_WORK), *opp = FN(plane)(s, PLANE_OPP);
    vec one = v_zero(), two = v_zero(), three = v_zero(); /* at least so many dead */
    vec opp_dead = v_zero(), opp_odd = v_zero();
    for (int r = 0; r < N; r++)
        EACH(c, N) {
            vec a = alive[r * N + c], o = opp[r * N + c];
            three = v_or_andn(three, two, a);
            two = v_or_andn(two, one, a);
            one |= ~a;
            opp_dead = v_or_andn(opp_dead, o, a);
            opp_odd ^= o & ~a;
        }
    *suicide = one & ~opp_dead;
    /* One dead stone of each colour: the new one stands alone and takes a single stone. */
    *ko = two & ~three & opp_odd;
}

/* ---- the board after the attempt: 7 a point ---- */
INLINE void FN(update)(struct slice *s, const vec *row_mask, const vec *col_mask, vec suicide,
                       vec ko, vec moved) {
    vec *own = FN(plane)(s, PLANE_OWN), *opp = FN(plane)(s, PLANE_OPP);
    vec *excl = FN(plane)(s, PLANE_EXCL);
    const vec *alive = FN(plane)(s, PLANE_WORK);
    for (int r = 0; r < N; r++) {
        vec row = row_mask[r], struck = row & suicide;
        EACH(c, N) {
            const int p = r * N + c;
            vec mine = v_or_and(own[p], row, col_mask[c]), a = alive[p], theirs = opp[p];
            vec left = theirs & a, taken = v_and_andn(ko, theirs, a);
            /* The sides change over where a move was made. */
            own[p] = v_select(moved, left, own[p]);
            opp[p] = v_select(moved, mine, theirs);
            excl[p] = v_select(moved, taken, v_or_and(excl[p], struck, col_mask[c]));
        }
    }
}

INLINE void FN(record_move)(struct slice *s, const vec *row_mask, const vec *col_mask, vec pass,
                            vec moved) {
    EACH(b, SLICE_COUNT_BITS / 2) {
        vec row = v_zero(), col = v_zero();
        EACH(i, N) {
            if (i >> b & 1) {
                row |= row_mask[i];
                col |= col_mask[i];
            }
        }
        s->move_row[b] = row;
        s->move_col[b] = col;
    }
    s->moved = moved;
    s->move_pass = pass;
}

/* Counts the moves; returns the games that have made as many as are allowed. */
INLINE vec FN(count_move)(struct slice *s, vec moved) {
    const unsigned limit = yo_playout_move_limit(N);
    vec carry = moved, at_limit = moved;
    EACH(b, SLICE_COUNT_BITS) {
        vec bit = s->count[b] ^ carry;
        carry &= s->count[b];
        s->count[b] = bit;
        at_limit &= limit >> b & 1 ? bit : ~bit;
    }
    return at_limit;
}

/* One attempt in every live game; returns the games that ended with it. */
static vec FN(slice_step)(struct slice *s) {
    vec sums[ROWMAX][SLICE_SUM_BITS], k[SLICE_SUM_BITS];
    vec row_mask[ROWMAX], col_mask[ROWMAX], suicide, ko;
    FN(candidates)(s, sums);
    const vec *n = sums[N - 1];
    vec some = v_zero();
    EACH(b, BITS_OF(N * N)) some |= n[b];
    vec valid = v_and3(FN(draw)(s, n, k), some, s->live);
    vec pass = s->live & ~some;
    FN(advance)(s);
    FN(choose_point)(s, sums, k, valid, row_mask, col_mask);
    FN(flood)(s, row_mask, col_mask);
    FN(judge)(s, &suicide, &ko);
    vec moved = v_or_andn(pass, valid, suicide);
    if (s->record) FN(record_move)(s, row_mask, col_mask, pass, moved);
    FN(update)(s, row_mask, col_mask, suicide, ko, moved);
    vec ended = v_or_and(FN(count_move)(s, moved), pass, s->passed);
    s->passed = v_select(moved, pass, s->passed);
    s->white ^= moved;
    s->live &= ~ended;
    return ended;
}

/* Who owns what, for the games that have ended: Black's area replaces PLANE_HLINK and White's
 * PLANE_VLINK; black_sum and white_sum count them. */
static void FN(slice_area)(struct slice *s) {
    const vec *own = FN(plane)(s, PLANE_OWN), *opp = FN(plane)(s, PLANE_OPP);
    vec *black = FN(plane)(s, PLANE_HLINK), *white = FN(plane)(s, PLANE_VLINK);
    EACH(b, SLICE_SUM_BITS) s->black_sum[b] = s->white_sum[b] = v_zero();
    for (int r = 0; r < N; r++) {
        vec b_row[ROWMAX], w_row[ROWMAX], count[SLICE_SUM_BITS];
        for (int c = 0; c < N; c++) {
            const int p = r * N + c;
            vec mine = v_ones(), theirs = v_ones(); /* all neighbours are */
            if (r > 0) mine &= own[p - N], theirs &= opp[p - N];
            if (r < N - 1) mine &= own[p + N], theirs &= opp[p + N];
            if (c > 0) mine &= own[p - 1], theirs &= opp[p - 1];
            if (c < N - 1) mine &= own[p + 1], theirs &= opp[p + 1];
            mine |= own[p];
            theirs |= opp[p];
            black[p] = b_row[c] = v_select(s->white, theirs, mine);
            white[p] = w_row[c] = v_select(s->white, mine, theirs);
        }
        FN(count_row)(s, b_row, count);
        FN(add_row)(s, s->black_sum, count, s->black_sum);
        FN(count_row)(s, w_row, count);
        FN(add_row)(s, s->white_sum, count, s->white_sum);
    }
}

#undef N
#undef EACH
#undef EACH_DOWN
#undef ROWMAX
#undef BITS_OF
#undef FN
#undef INLINE
#undef JOIN
#undef JOIN2
#undef SLICE_SIZE
