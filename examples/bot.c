/* A bot that plays Go by playouts: the move after which it wins most of 400 random games. Speaks
 * enough GTP to play in any client: yomi match ./bot 'gnugo --mode gtp --level 1' --size 9 */
#include <stdio.h>
#include <string.h>
#include <yomi/yomi.h>

static yo_go_point choose(struct yo_playouts *playouts, struct yo_go_game *game,
                          enum yo_go_color color) {
    double best = -1e9;
    yo_go_point move = YO_GO_PASS;
    int points = yo_go_game_size(game) * yo_go_game_size(game);
    for (yo_go_point p = 0; p < points; p++) {
        struct yo_playout_position position;
        struct yo_playout_result result = {0};
        if (yo_go_game_play(game, color, p, NULL)) continue; /* illegal */
        yo_playout_position_from_game(game, &position);
        yo_playouts_run(playouts, YO_PLAYOUT_LIGHT, &position, p, 0, 400, &result, NULL);
        double score = (double)(color == YO_GO_BLACK ? result.score_sum : -result.score_sum);
        if (score > best) best = score, move = p;
        yo_go_game_undo(game, NULL);
    }
    return move;
}

int main(void) {
    char line[256], word[64], colour[16], text[8];
    struct yo_playouts *playouts;
    struct yo_go_game *game;
    if (yo_playouts_new("auto", 1, &playouts, NULL) || yo_go_game_new(9, NULL, &game)) return 1;
    while (fgets(line, sizeof line, stdin)) {
        enum yo_go_color color = YO_GO_BLACK;
        yo_go_point move;
        *word = *colour = *text = '\0';
        if (sscanf(line, "%63s %15s %7s", word, colour, text) < 1) continue;
        yo_go_color_parse(colour, &color, NULL);
        if (!strcmp(word, "genmove")) {
            yo_go_game_play(game, color, move = choose(playouts, game, color), NULL);
            printf("= %s\n\n", yo_go_point_format(move, yo_go_game_size(game), text));
        } else {
            int size = 0, bad = !strcmp(word, "boardsize") && sscanf(colour, "%d", &size) != 1;
            if (!strcmp(word, "play"))
                bad = yo_go_point_parse(text, yo_go_game_size(game), &move, NULL) ||
                      yo_go_game_play(game, color, move, NULL);
            if (size || !strcmp(word, "clear_board"))
                bad = yo_go_game_clear(game, size ? size : yo_go_game_size(game)) != YO_OK;
            printf("%s %s\n\n", bad ? "?" : "=", strcmp(word, "name") ? "" : "Forty lines");
        }
        fflush(stdout);
        if (!strcmp(word, "quit")) break;
    }
    yo_playouts_delete(playouts);
    yo_go_game_delete(game);
    return 0;
}
