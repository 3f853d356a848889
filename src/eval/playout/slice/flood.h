/* The flood over every board of a bit-slice: a part of step.h, which has the macros and
 * includes it for each board size. */

/* ---- the flood: which points are empty, or stones of a string that has a liberty ---- */

/* Alive spreads along a row, both ways. Rows alternate in direction: the next row starts from the
 * point that this row finishes first, so the rows overlap in the pipeline. 2 a point. */
INLINE void FN(spread)(const struct slice *s, vec *x, const vec *hlink, bool odd) {
    (void)s;
    if (odd) EACH_DOWN(c, N - 2) x[c] = v_or_and(x[c], x[c + 1], hlink[c + 1]);
    EACH(c, N - 1) x[c + 1] = v_or_and(x[c + 1], x[c], hlink[c + 1]);
    if (!odd) EACH_DOWN(c, N - 2) x[c] = v_or_and(x[c], x[c + 1], hlink[c + 1]);
}

/* Alive spreads from row x over vlink to the next row, then along it; x becomes the new row. 3 a
 * point. */
INLINE void FN(sweep_row)(const struct slice *s, vec *x, vec *alive, const vec *vlink,
                          const vec *hlink, bool odd) {
    EACH(c, N) x[c] = v_or_and(alive[c], x[c], vlink[c]);
    FN(spread)(s, x, hlink, odd);
    EACH(c, N) alive[c] = x[c];
}

/* The same for a row that is closed already: it changes only if a point becomes alive from the
 * other row. Late sweeps change few rows. */
INLINE bool FN(resweep_row)(const struct slice *s, vec *alive, const vec *from, const vec *vlink,
                            const vec *hlink, bool odd) {
    vec change = v_zero(), x[ROWMAX];
    EACH(c, N) change = v_or_andn(change, from[c] & vlink[c], alive[c]);
    if (!v_any(change)) return false;
    EACH(c, N) x[c] = from[c];
    FN(sweep_row)(s, x, alive, vlink, hlink, odd);
    return true;
}

/* The first sweep of a row, which also makes its links: the new stone counts as placed, and the
 * flood starts from the empty points. x holds the alive points of the row above on entry, of this
 * row on return. `back` goes from right to left first. 9 a point. */
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
