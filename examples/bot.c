/* A bot that plays Go by playouts, in 40 lines: the move after which the mean of 400 random games is
 * best. Speaks enough GTP for any client: yomi match ./bot 'gnugo --mode gtp --level 1' --size 9 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yomi/yomi.h>

static yo_go_point choose(struct yo_playouts *playouts, struct yo_go_game *game, int black) {
    double best = -1e9;
    yo_go_point move = YO_GO_PASS;
    for (yo_go_point p = 0; p < yo_go_game_size(game) * yo_go_game_size(game); p++) {
        struct yo_playout_position position;
        struct yo_playout_result result = {0};
        if (yo_go_game_play(game, black ? YO_GO_BLACK : YO_GO_WHITE, p, NULL)) continue; /* illegal */
        yo_playout_position_from_game(game, &position);
        yo_playouts_run(playouts, YO_PLAYOUT_LIGHT, &position, p, 0, 400, &result, NULL);
        double score = (double)(black ? result.score_sum : -result.score_sum);
        if (score > best) best = score, move = p;
        yo_go_game_undo(game, NULL);
    }
    return move;
}

int main(void) {
    char line[256], word[64] = "", what[16] = "", text[8] = "";
    struct yo_playouts *playouts;
    struct yo_go_game *game;
    if (yo_playouts_new("auto", 1, &playouts, NULL) || yo_go_game_new(9, NULL, &game)) return 1;
    while (strcmp(word, "quit") && !fflush(stdout) && fgets(line, sizeof line, stdin)) {
        if (sscanf(line, "%63s %15s %7s", word, what, text) < 1 || *word == '#') continue;
        int bad = 0, size = yo_go_game_size(game);
        int black = strchr("bB", what[0]) != NULL, thinks = !strcmp(word, "genmove");
        yo_go_point move = thinks ? choose(playouts, game, black) : YO_GO_PASS;
        if (!strcmp(word, "boardsize") || !strcmp(word, "clear_board"))
            bad = yo_go_game_clear(game, *word == 'b' ? atoi(what) : size) != YO_OK;
        if (!strcmp(word, "play")) bad = yo_go_point_parse(text, size, &move, NULL) != YO_OK;
        if (!bad && (thinks || !strcmp(word, "play")))
            bad = yo_go_game_play(game, black ? YO_GO_BLACK : YO_GO_WHITE, move, NULL) != YO_OK;
        if (thinks) yo_go_point_format(move, size, text);
        printf("%s %s\n\n", bad ? "?" : "=", thinks ? text : *word == 'n' ? "Forty lines" : "");
    }
    yo_playouts_delete(playouts);
    yo_go_game_delete(game);
}
