#include "base/stats.h"

#include <math.h>

#define Z95 1.959963984540054

static double games(const struct yo_tally *t) {
    return (double)t->wins + (double)t->losses + (double)t->draws;
}

double yo_tally_score(const struct yo_tally *tally) {
    double n = games(tally);
    return n > 0 ? ((double)tally->wins + 0.5 * (double)tally->draws) / n : 0.5;
}

void yo_tally_interval(const struct yo_tally *tally, double *low, double *high) {
    double n = games(tally), p = yo_tally_score(tally), z2 = Z95 * Z95;
    *low = 0;
    *high = 1;
    if (n == 0) return;
    double centre = (p + z2 / (2 * n)) / (1 + z2 / n);
    double half = Z95 * sqrt(p * (1 - p) / n + z2 / (4 * n * n)) / (1 + z2 / n);
    /* With nothing won or nothing lost one end is that score itself, which rounding would miss. */
    if (p > 0) *low = fmax(centre - half, 0);
    if (p < 1) *high = fmin(centre + half, 1);
}

double yo_stats_elo(double score) {
    if (score <= 0) return -INFINITY;
    if (score >= 1) return INFINITY;
    return -400 * log10(1 / score - 1);
}

double yo_stats_score(double elo) { return 1 / (1 + pow(10, -elo / 400)); }

/* The score of a game is taken as normal with the variance that was seen. Half a game more of each
 * kind keeps the variance of a whitewash away from zero. */
double yo_tally_llr(const struct yo_tally *tally, double elo0, double elo1) {
    double w = tally->wins + 0.5, l = tally->losses + 0.5, d = tally->draws, n = w + l + d;
    if (games(tally) == 0) return 0;
    double mean = (w + 0.5 * d) / n, square = (w + 0.25 * d) / n, variance = square - mean * mean;
    double s0 = yo_stats_score(elo0), s1 = yo_stats_score(elo1);
    return games(tally) * (s1 - s0) * (2 * mean - s0 - s1) / (2 * variance);
}
