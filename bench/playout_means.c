/* The means that docs/playout.md quotes: moves a game, Black's wins at komi 7.5 and the mean score,
 * from the empty board.
 *
 *   playout_means POLICY SIZE GAMES [BACKEND [SEED]] */
#include <math.h>

#include "bench.h"

#define KOMI2 15

int main(int argc, char **argv) {
    struct yo_diag diag;
    enum yo_playout_policy policy;
    struct yo_playouts *playouts;
    if (argc < 4) {
        fprintf(stderr, "usage: playout_means light|mogo|pure|rich SIZE GAMES [BACKEND [SEED]]\n");
        return 2;
    }
    if (yo_playout_policy_parse(argv[1], &policy, &diag)) bench_fail(&diag);
    struct yo_playout_position position = {
        .to_move = YO_GO_BLACK, .ko = YO_GO_NONE, .last = YO_GO_NONE};
    position.size = (uint8_t)atoi(argv[2]);
    uint64_t games = strtoull(argv[3], NULL, 0), seed = argc > 5 ? strtoull(argv[5], NULL, 0) : 1;
    static uint32_t histogram[2 * YO_GO_POINTS_MAX + 1];
    struct yo_playout_result result = {.histogram = histogram};
    if (yo_playouts_new(argc > 4 ? argv[4] : "scalar", 1, &playouts, &diag)) bench_fail(&diag);
    if (yo_playouts_run(playouts, policy, &position, seed, 0, games, &result, &diag))
        bench_fail(&diag);
    uint64_t black, white, draws;
    yo_playout_count_wins(histogram, position.size, KOMI2, &black, &white, &draws);
    double n = (double)result.games, wins = (double)black / n;
    printf("%s %dx%d, %s: %.0f games, %.2f moves a game, Black wins %.2f%% (+-%.2f), score %+.2f\n",
           argv[1], position.size, position.size, yo_playouts_backend(playouts), n,
           (double)result.moves / n, 100 * wins, 196 * sqrt(wins * (1 - wins) / n),
           (double)result.score_sum / n);
    yo_playouts_delete(playouts);
    return 0;
}
