/* What a number of games says: intervals, Elo, and when a test may stop. */
#pragma once

/* Won, lost and drawn, by one of the two players. */
struct yo_tally {
    unsigned wins, losses, draws;
};

/* Wilson's interval for a share that was seen in n trials, n above zero: what it may really be, at
 * most z standard deviations away. */
void yo_stats_wilson(double share, double n, double z, double *low, double *high);

/* Share of the points, draws counted half; 0.5 when there are no games. */
double yo_tally_score(const struct yo_tally *tally);

/* The interval for that share, with 95% confidence; draws count as if they were half won and half
 * lost, which makes it a little wider than need be. */
void yo_tally_interval(const struct yo_tally *tally, double *low, double *high);

/* The difference in Elo points that makes a player score this much; infinite at 0 and 1. */
double yo_stats_elo(double score);
/* And the other way round. */
double yo_stats_score(double elo);

/* A sequential test of "better by elo1" against "better by elo0", each to be wrong one time in
 * twenty: the logarithm of the likelihood ratio, which ends the test when it leaves the bounds. */
double yo_tally_llr(const struct yo_tally *tally, double elo0, double elo1);
#define YO_SPRT_BOUND 2.944438979166441 /* ln(0.95 / 0.05) */
