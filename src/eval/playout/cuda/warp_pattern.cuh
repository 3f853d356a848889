/* MoGo's 3x3 patterns (docs/playout.md, section 7) as Boolean functions of the eight neighbours of
 * a point, one bit per game; game/go/patterns.c has the same patterns as pictures and a table.
 * Rotations, reflections and colours of a pattern share terms where possible. */
#pragma once

#include "eval/playout/cuda/warp_word.cuh"

/* A neighbour: x has a stone of the side to move, o one of the opponent, e is empty; off the board
 * it is none of the three. */
struct wp_cell {
    word x, o, e;
};

/* The point is in the middle of at[0..2][0..2]. */
struct wp_around {
    wp_cell at[3][3];
    word off_up, off_down, off_left, off_right;
};

WW wp_cell wp_either(word mask, const wp_cell &yes, const wp_cell &no) {
    wp_cell r;
    r.x = ww_select(mask, yes.x, no.x);
    r.o = ww_select(mask, yes.o, no.o);
    r.e = ww_select(mask, yes.e, no.e);
    return r;
}

/* hane and cut2, seen from one side: f before the point, l and r beside it, the rest behind. */
WW word wp_side(const wp_cell &fl, const wp_cell &f, const wp_cell &fr, const wp_cell &l,
                const wp_cell &r, const wp_cell &bl, const wp_cell &b, const wp_cell &br) {
    /* Where l and r are empty and f has a stone, fl and fr are on the board. */
    word thin = (f.o & ((fl.x & fr.x) | (b.e & (fl.x ^ fr.x)))) |
                (f.x & ((fl.o & fr.o) | (b.e & ((fl.o & fr.e) | (fr.o & fl.e)))));
    word cut = (f.x & l.o & r.o & ~(bl.o | b.o | br.o)) | (f.o & l.x & r.x & ~(bl.x | b.x | br.x));
    return (l.e & r.e & thin) | cut;
}

/* hane with two stones in line and cut1, seen from one corner: a and b beside the point and beside
 * the corner d, p opposite to a and q to b. */
WW word wp_corner(const wp_cell &d, const wp_cell &a, const wp_cell &b, const wp_cell &p,
                  const wp_cell &q) {
    word bent = ((a.x & b.o) | (a.o & b.x)) & (d.x | d.o) & p.e & q.e;
    word cut = (d.x & a.o & b.o & ~((p.o & q.e) | (p.e & q.o))) |
               (d.o & a.x & b.x & ~((p.x & q.e) | (p.e & q.x)));
    return bent | cut;
}

/* The edge's patterns: the edge is behind the point, f before it. */
WW word wp_edge(const wp_cell &fl, const wp_cell &f, const wp_cell &fr, const wp_cell &l,
                const wp_cell &r) {
    word chase = f.e & ((fl.x & l.o) | (fl.o & l.x) | (fr.x & r.o) | (fr.o & r.x));
    word behind_own = (r.o & (~l.x | fl.o)) | (l.o & (~r.x | fr.o)) | (fr.o & ~l.x) | (fl.o & ~r.x);
    word behind_opp = (r.x & (~l.o | fl.x)) | (l.x & (~r.o | fr.x));
    return chase | (f.x & behind_own) | (f.o & behind_opp);
}

/* In which games a pattern matches for the side to move. No board is so small that both sides of a
 * point are off it. */
WW word wp_match(const wp_around &g) {
    const wp_cell &nw = g.at[0][0], &n = g.at[0][1], &ne = g.at[0][2], &w = g.at[1][0];
    const wp_cell &e = g.at[1][2], &sw = g.at[2][0], &s = g.at[2][1], &se = g.at[2][2];
    word found = wp_side(nw, n, ne, w, e, sw, s, se) | wp_side(sw, s, se, w, e, nw, n, ne) |
                 wp_side(nw, w, sw, n, s, ne, e, se) | wp_side(ne, e, se, n, s, nw, w, sw);
    found |= wp_corner(nw, n, w, s, e) | wp_corner(ne, n, e, s, w) | wp_corner(sw, s, w, n, e) |
             wp_corner(se, s, e, n, w);
    word up = g.off_up, left = g.off_left;
    found |= (up | g.off_down) &
             wp_edge(wp_either(up, sw, nw), wp_either(up, s, n), wp_either(up, se, ne), w, e);
    found |= (left | g.off_right) &
             wp_edge(wp_either(left, ne, nw), wp_either(left, e, w), wp_either(left, se, sw), n, s);
    return found;
}
