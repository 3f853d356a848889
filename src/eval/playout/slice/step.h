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

#include "eval/playout/slice/draw.h"
#include "eval/playout/slice/flood.h"

/* ---- suicide and ko from the strings without liberties: 5 a point ---- */
INLINE void FN(find_illegal)(struct slice *s, vec *suicide, vec *ko) {
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
    /* One dead stone of each colour: the new stone is alone and captures a single stone. */
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
            /* Swaps the sides where a move was made. */
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

/* Counts the moves; returns the games that have reached the move limit. */
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
    FN(find_illegal)(s, &suicide, &ko);
    vec moved = v_or_andn(pass, valid, suicide);
    if (s->record) FN(record_move)(s, row_mask, col_mask, pass, moved);
    FN(update)(s, row_mask, col_mask, suicide, ko, moved);
    vec ended = v_or_and(FN(count_move)(s, moved), pass, s->passed);
    s->passed = v_select(moved, pass, s->passed);
    s->white ^= moved;
    s->live &= ~ended;
    return ended;
}

/* Area of the games that have ended: Black's area replaces PLANE_HLINK and White's PLANE_VLINK;
 * black_sum and white_sum count them. */
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
