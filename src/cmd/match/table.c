/* yomi match: the table of a match of more than two engines. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cmd/match/match.h"

static int name_width(const struct yo_match *m) {
    int width = 6;
    for (int i = 0; i < m->schedule.engines; i++) {
        int len = (int)strlen(m->engines[i].name);
        if (len > width) width = len;
    }
    return width;
}

struct yo_tally yo_match_sum(const struct yo_match *m, int engine) {
    struct yo_tally total = {0};
    for (int i = 0; i < m->schedule.engines; i++) {
        const struct yo_tally *t = &m->scores.of[engine][i];
        total.wins += t->wins;
        total.losses += t->losses;
        total.draws += t->draws;
    }
    return total;
}

/* Best first; engines of the same rating in the order of the command line. */
static void sort(const struct yo_rating *ratings, int n, int *order) {
    for (int i = 0; i < n; i++) {
        int at = i;
        for (; at > 0 && ratings[order[at - 1]].elo < ratings[i].elo - 1e-9; at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
}

static void print_row(const struct yo_match *m, int rank, int engine, int width,
                      const struct yo_rating *rating) {
    struct yo_tally total = yo_match_sum(m, engine);
    unsigned games = total.wins + total.losses + total.draws;
    char elo[16], half[16] = "";
    yo_match_format_elo(rating->elo, elo);
    if (isfinite(rating->half)) snprintf(half, sizeof half, "%.0f", rating->half);
    printf("%4d  %-*s  %6s  %5s  %6u  ", rank, width, m->engines[engine].name, elo, half, games);
    if (games)
        printf("%5.1f%%  %s\n", 100 * yo_tally_score(&total), m->commands[engine]);
    else
        printf("%6s  %s\n", "", m->commands[engine]);
}

static void print_pairings(const struct yo_match *m, const int *order) {
    for (int i = 0; i < m->schedule.engines; i++)
        for (int j = i + 1; j < m->schedule.engines; j++) {
            const struct yo_tally *t = &m->scores.of[order[i]][order[j]];
            if (t->wins + t->losses + t->draws == 0) continue;
            printf("  %s %u - %u %s", m->engines[order[i]].name, t->wins, t->losses,
                   m->engines[order[j]].name);
            if (t->draws) printf(", %u drawn", t->draws);
            printf("\n");
        }
}

void yo_match_print_table(const struct yo_match *m) {
    struct yo_rating ratings[YO_MATCH_ENGINES_MAX];
    int order[YO_MATCH_ENGINES_MAX], n = m->schedule.engines, width = name_width(m);
    yo_ratings(&m->scores, n, ratings);
    sort(ratings, n, order);
    printf("rank  %-*s  %6s  %5s  %6s  %6s  command\n", width, "engine", "Elo", "+-", "games",
           "score");
    for (int i = 0; i < n; i++)
        print_row(m, i + 1, order[i], width, &ratings[order[i]]);
    print_pairings(m, order);
}
