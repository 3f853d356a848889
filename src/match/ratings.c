#include "match/ratings.h"

#include <math.h>

#define Z95       1.959963984540054
#define MAX       YO_MATCH_ENGINES_MAX
#define ELO_SCALE 173.717792761 /* 400 / ln 10 */

static double games(const struct yo_tally *t) {
    unsigned played = t->wins + t->losses + t->draws;
    return played ? played + 1.0 : 0; /* and the drawn one */
}

static double points(const struct yo_tally *t) {
    return games(t) > 0 ? t->wins + 0.5 * t->draws + 0.5 : 0;
}

/* Newton's direction in natural units, and the matrix that it comes from: the information about the
 * ratings, a Laplacian of the graph of pairings. */
static void derive(const struct yo_scores *scores, int n, const double *rating,
                   double gradient[MAX], double information[MAX][MAX]) {
    for (int a = 0; a < n; a++) {
        gradient[a] = 0;
        for (int b = 0; b < n; b++)
            information[a][b] = 0;
    }
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++) {
            if (a == b) continue;
            double p = 1 / (1 + exp(rating[b] - rating[a])), count = games(&scores->of[a][b]);
            gradient[a] += points(&scores->of[a][b]) - count * p;
            information[a][a] += count * p * (1 - p);
            information[a][b] -= count * p * (1 - p);
        }
}

/* Engines that games connect, directly or through others, have the same number. */
static void find_groups(const struct yo_scores *scores, int n, int group[MAX]) {
    for (int a = 0; a < n; a++)
        group[a] = a;
    for (int changed = 1; changed;) {
        changed = 0;
        for (int a = 0; a < n; a++)
            for (int b = 0; b < n; b++)
                if (games(&scores->of[a][b]) > 0 && group[b] < group[a]) {
                    group[a] = group[b];
                    changed = 1;
                }
    }
}

/* Inverts in place by Gauss and Jordan; the matrix is symmetric and positive definite. */
static void invert(double m[MAX][MAX], int n) {
    for (int k = 0; k < n; k++) {
        double pivot = 1 / m[k][k];
        m[k][k] = 1;
        for (int j = 0; j < n; j++)
            m[k][j] *= pivot;
        for (int i = 0; i < n; i++) {
            if (i == k) continue;
            double factor = m[i][k];
            m[i][k] = 0;
            for (int j = 0; j < n; j++)
                m[i][j] -= factor * m[k][j];
        }
    }
}

/* The pseudo-inverse of the information: with 1/size added to each entry of a group the matrix has
 * full rank, and the inverse has those 1/size added, too. */
static void invert_groups(double m[MAX][MAX], int n, const int group[MAX]) {
    double share[MAX][MAX];
    int size[MAX] = {0};
    for (int a = 0; a < n; a++)
        size[group[a]]++;
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++) {
            share[a][b] = group[a] == group[b] ? 1.0 / size[group[a]] : 0;
            m[a][b] += share[a][b];
        }
    invert(m, n);
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++)
            m[a][b] -= share[a][b];
}

/* One step; at most 1 in natural units, so that it cannot overshoot where the curve is flat. */
static double step(const struct yo_scores *scores, int n, const int group[MAX], double rating[MAX],
                   double covariance[MAX][MAX]) {
    double gradient[MAX], by[MAX], longest = 0;
    derive(scores, n, rating, gradient, covariance);
    invert_groups(covariance, n, group);
    for (int a = 0; a < n; a++) {
        by[a] = 0;
        for (int b = 0; b < n; b++)
            by[a] += covariance[a][b] * gradient[b];
        longest = fmax(longest, fabs(by[a]));
    }
    for (int a = 0; a < n; a++)
        rating[a] += by[a] / fmax(1, longest);
    return longest;
}

void yo_ratings(const struct yo_scores *scores, int n, struct yo_rating ratings[MAX]) {
    double rating[MAX] = {0}, covariance[MAX][MAX];
    int group[MAX];
    find_groups(scores, n, group);
    for (int i = 0; i < 200; i++)
        if (step(scores, n, group, rating, covariance) < 1e-9) break;
    for (int a = 0; a < n; a++) {
        bool met = false;
        for (int b = 0; b < n; b++)
            met = met || games(&scores->of[a][b]) > 0;
        ratings[a].elo = ELO_SCALE * rating[a];
        ratings[a].half = met ? Z95 * ELO_SCALE * sqrt(covariance[a][a]) : INFINITY;
    }
}
