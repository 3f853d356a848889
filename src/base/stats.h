/* Match statistics: confidence intervals, Elo, sequential tests. */
#pragma once

/* Results of one of the two players. */
struct yo_tally {
    unsigned wins, losses, draws;
};

/* Wilson's score interval for a share observed in n trials, n above zero, at z standard
 * deviations. */
void yo_stats_wilson(double share, double n, double z, double *low, double *high);

/* Share of the points, draws counted half; 0.5 when there are no games. */
double yo_tally_score(const struct yo_tally *tally);

/* The 95% confidence interval of that share. Draws count as half a win and half a loss, which makes
 * the interval slightly too wide. */
void yo_tally_interval(const struct yo_tally *tally, double *low, double *high);

/* The Elo difference that corresponds to this score; infinite at 0 and 1. */
double yo_stats_elo(double score);
/* The score that corresponds to this Elo difference. */
double yo_stats_score(double elo);

/* Sequential probability ratio test of "better by elo1" against "better by elo0", with error rates
 * of 5% each. Returns the log-likelihood ratio; the test ends when it leaves +-YO_SPRT_BOUND. */
double yo_tally_llr(const struct yo_tally *tally, double elo0, double elo1);
#define YO_SPRT_BOUND 2.944438979166441 /* ln(0.95 / 0.05) */
