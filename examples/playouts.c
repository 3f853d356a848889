/* yomi/playout.h: how often Black wins from the empty 9x9 board, and who owns the middle. */
#include <stdio.h>
#include <yomi/playout.h>

int main(void) {
    static uint32_t histogram[2 * 81 + 1];
    static int32_t ownership[81];
    struct yo_playout_result result = {.histogram = histogram, .ownership = ownership};
    struct yo_playout_position position;
    struct yo_playouts *playouts;
    struct yo_go_game *game;
    struct yo_diag diag;
    uint64_t black, white, draws;
    if (yo_go_game_new(9, NULL, &game)) return 1;
    yo_playout_position_from_game(game, &position);
    if (yo_playouts_new("auto", 1, &playouts, &diag) ||
        yo_playouts_run(playouts, YO_PLAYOUT_LIGHT, &position, 1, 0, 10000, &result, &diag)) {
        fprintf(stderr, "%s\n", diag.what);
        return 1;
    }
    yo_playout_count_wins(histogram, 9, yo_go_game_rules(game)->komi2, &black, &white, &draws);
    printf("Black won %d of %d; the middle is Black's in %d more games than White's\n", (int)black,
           (int)result.games, (int)ownership[40]);
    yo_playouts_delete(playouts);
    yo_go_game_delete(game);
    return 0;
}
