/* yomi/go.h: White captures a stone; Black may not take back at once, and the board is counted. */
#include <stdio.h>
#include <yomi/go.h>

int main(void) {
    static const char *const moves[] = {"D5", "E5", "C4", "F4", "D3", "E3", "E4", "D4"};
    struct yo_go_game *game;
    struct yo_go_score score;
    struct yo_diag diag;
    yo_go_point point;
    char text[16];
    if (yo_go_game_new(9, NULL, &game)) return 1;
    for (int i = 0; i < 8; i++) {
        if (yo_go_point_parse(moves[i], 9, &point, &diag) ||
            yo_go_game_play(game, yo_go_game_to_move(game), point, &diag)) {
            fprintf(stderr, "%s\n", diag.what);
            return 1;
        }
    }
    printf("White took %d; ko at %s\n", yo_go_game_captures(game, YO_GO_WHITE),
           yo_go_point_format(yo_go_game_ko(game), 9, text));
    if (yo_go_game_play(game, YO_GO_BLACK, yo_go_game_ko(game), &diag)) printf("%s\n", diag.what);
    yo_go_game_score(game, NULL, &score);
    printf("%s\n", yo_go_score_format(&score, text));
    yo_go_game_delete(game);
    return 0;
}
