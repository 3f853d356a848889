/* Candidates of every game in a bit-slice, and the draw of one of them: a part of step.h,
 * which has the macros and includes it for each board size. */

/* How many of the N vectors have a 1, for each game, as a number of BITS_OF(N) bits: full adders
 * from the lowest weight up. Destroys bits[]. 1.6 operations a point. */
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

/* Bit i of the new word needs only bits from i upward, so it may overwrite bit i at once. */
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
        /* Two opponent stones on the diagonals make an eye false; on an edge one does. */
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

/* ---- from k to a point: a row mask and a column mask for each game ---- */
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
    /* Count down along the row: the candidate at count zero is chosen. Below zero the number wraps
     * to all ones, too large to reach zero again within the row. */
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
