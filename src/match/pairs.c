#include "match/pairs.h"

#include <math.h>

#include "base/stats.h"

#define Z95 1.959963984540054

/* Mean and variance of a pair's share of the points, with `more` pairs of each kind added. */
static double moments(const struct yo_pairs *p, double more, double *variance) {
    double n = 0, sum = 0, squares = 0;
    for (int i = 0; i < 5; i++) {
        double share = i / 4.0, count = p->counts[i] + more;
        n += count;
        sum += count * share;
        squares += count * share * share;
    }
    double mean = sum / n;
    *variance = squares / n - mean * mean;
    return mean;
}

void yo_pairs_add(struct yo_pairs *p, unsigned half_points) { p->counts[half_points]++; }

size_t yo_pairs_count(const struct yo_pairs *p) {
    size_t count = 0;
    for (int i = 0; i < 5; i++)
        count += p->counts[i];
    return count;
}

double yo_pairs_score(const struct yo_pairs *p) {
    double variance;
    return yo_pairs_count(p) ? moments(p, 0, &variance) : 0.5;
}

void yo_pairs_interval(const struct yo_pairs *p, double *low, double *high) {
    double n = (double)yo_pairs_count(p), variance;
    *low = 0;
    *high = 1;
    if (n < 2) return;
    double mean = moments(p, 0, &variance), half = Z95 * sqrt(variance / (n - 1));
    *low = fmax(mean - half, 0);
    *high = fmin(mean + half, 1);
}

/* As in yo_tally_llr, a prior of each kind guards against a few lucky pairs at the start: two
 * fifths of a pair of each of five kinds, for one game of each of three kinds there. */
double yo_pairs_llr(const struct yo_pairs *p, double elo0, double elo1) {
    double n = (double)yo_pairs_count(p), variance;
    if (n == 0) return 0;
    double mean = moments(p, 0.4, &variance);
    double s0 = yo_stats_score(elo0), s1 = yo_stats_score(elo1);
    return n * (s1 - s0) * (2 * mean - s0 - s1) / (2 * variance);
}
