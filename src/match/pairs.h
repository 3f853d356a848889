/* Games in pairs, one opening played with both colours. Both engines get the advantage of an
 * opening once, so a pair's score has less variance than two games, and a test over pairs ends
 * sooner. */
#pragma once

#include <stddef.h>

/* Pairs by the points of the first engine: 0, a half, 1, one and a half, 2. */
struct yo_pairs {
    unsigned counts[5];
};

/* Points in halves, of both games of a pair: 0 to 4. */
void yo_pairs_add(struct yo_pairs *pairs, unsigned half_points);
size_t yo_pairs_count(const struct yo_pairs *pairs);

/* Share of the points; 0.5 when there are none. */
double yo_pairs_score(const struct yo_pairs *pairs);
/* 95% confidence interval of that share: normal approximation with the variance of the pairs. 0 to
 * 1 when there are fewer than two pairs. */
void yo_pairs_interval(const struct yo_pairs *pairs, double *low, double *high);
/* The test of yo_tally_llr (base/stats.h), over pairs. */
double yo_pairs_llr(const struct yo_pairs *pairs, double elo0, double elo1);
