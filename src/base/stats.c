#include "base/stats.h"

#include <math.h>

#define Z95 1.959963984540054

static double games(const struct yo_tally *t) {
    return (double)t->wins + (double)t->losses + (double)t->draws;
}

void yo_stats_wilson(double share, double n, double z, double *low, double *high) {
    double z2 = z * z, centre = share + z2 / (2 * n);
    double half = z * sqrt(share * (1 - share) / n + z2 / (4 * n * n));
    *low = fmax((centre - half) / (1 + z2 / n), 0);
    *high = fmin((centre + half) / (1 + z2 / n), 1);
}

double yo_tally_score(const struct yo_tally *tally) {
    double n = games(tally);
    return n > 0 ? ((double)tally->wins + 0.5 * (double)tally->draws) / n : 0.5;
}

void yo_tally_interval(const struct yo_tally *tally, double *low, double *high) {
    double n = games(tally), p = yo_tally_score(tally);
    *low = 0;
    *high = 1;
    if (n > 0) yo_stats_wilson(p, n, Z95, low, high);
    /* With no wins or no losses one end equals the score itself, which rounding would miss. */
    if (p <= 0) *low = 0;
    if (p >= 1) *high = 1;
}

double yo_stats_elo(double score) {
    if (score <= 0) return -INFINITY;
    if (score >= 1) return INFINITY;
    return -400 * log10(1 / score - 1);
}

double yo_stats_score(double elo) { return 1 / (1 + pow(10, -elo / 400)); }

/* Takes the score of a game as normal with the observed variance. One extra game of each kind keeps
 * a few lucky games at the start, whose variance means nothing yet, from ending the test: with half
 * a game, bounds 100 Elo apart were wrong one time in twelve. */
double yo_tally_llr(const struct yo_tally *tally, double elo0, double elo1) {
    double w = tally->wins + 1.0, l = tally->losses + 1.0, d = tally->draws + 1.0, n = w + l + d;
    if (games(tally) == 0) return 0;
    double mean = (w + 0.5 * d) / n, square = (w + 0.25 * d) / n, variance = square - mean * mean;
    double s0 = yo_stats_score(elo0), s1 = yo_stats_score(elo1);
    return games(tally) * (s1 - s0) * (2 * mean - s0 - s1) / (2 * variance);
}
