/* What boards that are played in step cost each other, counted on the plain version's games: each
 * turn of a group takes as many draws and spread steps as the slowest of its boards. CSV: draws
 * before a pass, boards in the group, and means over groups of its turns, draws and steps.
 *   waits GAMES */
#include <stdio.h>
#include <stdlib.h>

#include "plain.h"

static const int groups[] = {1, 3, 9, 27, 72};

static int larger(int a, int b) { return a > b ? a : b; }

static void add_group(const struct tano_result *results, const struct tano_move *moves, int boards,
                      double *sums) {
    int turns = 0;
    for (int i = 0; i < boards; i++)
        turns = larger(turns, results[i].moves);
    for (int turn = 0; turn < turns; turn++) {
        int draws = 0, steps = 1; /* once is always tried */
        for (int i = 0; i < boards; i++) {
            if (turn >= results[i].moves) continue;
            draws = larger(draws, moves[i * TANO_MOVES_MAX + turn].tries);
            steps = larger(steps, moves[i * TANO_MOVES_MAX + turn].steps);
        }
        sums[1] += draws;
        sums[2] += steps;
    }
    sums[0] += turns;
}

static void print_groups(const struct tano_result *results, const struct tano_move *moves,
                         int games, int tries) {
    for (size_t i = 0; i < sizeof groups / sizeof groups[0]; i++) {
        const int boards = groups[i], count = games / boards;
        double sums[3] = {0, 0, 0};
        for (int first = 0; first + boards <= games; first += boards)
            add_group(results + first, moves + (size_t)first * TANO_MOVES_MAX, boards, sums);
        printf("%d,%d,%.2f,%.2f,%.2f\n", tries, boards, sums[0] / count, sums[1] / count,
               sums[2] / count);
    }
}

int main(int argc, char **argv) {
    const int games = argc == 2 ? atoi(argv[1]) : 0;
    if (games < 72 || games > 100000) {
        fprintf(stderr, "usage: waits GAMES, from 72 to 100000\n");
        return 2;
    }
    struct tano_result *results = malloc((size_t)games * sizeof *results);
    struct tano_move *moves = malloc((size_t)games * TANO_MOVES_MAX * sizeof *moves);
    if (!results || !moves) {
        fprintf(stderr, "waits: not enough memory for %d games\n", games);
        return 1;
    }
    printf("tries,group,turns,draws,steps\n");
    for (int tries = TANO_TRIES; tries <= 2 * TANO_TRIES; tries += TANO_TRIES) {
        for (int i = 0; i < games; i++)
            results[i] = tano_plain_play((uint32_t)i, tries, moves + (size_t)i * TANO_MOVES_MAX);
        print_groups(results, moves, games, tries);
    }
    free(moves);
    free(results);
    return 0;
}
