/* yomi/shogi.h: the engine answers 7g7f, and finds a mate. */
#include <stdio.h>
#include <yomi/shogi.h>

static int think(struct yo_shogi_engine *engine, const struct yo_shogi_game *game, int depth) {
    const struct yo_shogi_limits limits = {.depth = depth};
    struct yo_shogi_found found;
    struct yo_diag diag;
    char words[YO_SHOGI_WORDS_TEXT];
    if (yo_shogi_engine_think(engine, game, &limits, &found, &diag)) {
        fprintf(stderr, "%s\n", diag.what);
        return 1;
    }
    printf("%s, score %d%s\n", yo_shogi_game_move_words(game, found.line[0], words), found.score,
           found.mates ? ", a mate" : "");
    return 0;
}

int main(void) {
    struct yo_shogi_engine *engine;
    struct yo_shogi_game *game, *problem;
    struct yo_diag diag;
    yo_shogi_move move;
    if (yo_shogi_engine_new(16, 1, NULL, &engine, &diag) || yo_shogi_game_new(NULL, &game, &diag) ||
        yo_shogi_game_read_move(game, "７六歩", &move, &diag) ||
        yo_shogi_game_play(game, move, &diag) ||
        yo_shogi_game_new("4k4/9/4P4/9/9/9/9/9/4K4 b G 1", &problem, &diag)) {
        fprintf(stderr, "%s\n", diag.what);
        return 1;
    }
    int failed = think(engine, game, 4) || think(engine, problem, 3);
    yo_shogi_game_delete(game);
    yo_shogi_game_delete(problem);
    yo_shogi_engine_delete(engine);
    return failed;
}
