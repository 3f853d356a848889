/* How a game begins: on an empty board, with handicap stones, or from a file. */
#include "cmd/play/play.h"
#include "cmd/talk.h"
#include "yomi/sgf.h"

static void use_game(struct yo_play *play, struct yo_go_game *game) {
    yo_session_take_go(play->session, game);
    yo_session_new_game(play->session);
    play->game = game;
    play->resigned = YO_GO_EMPTY;
    play->counted = play->shown = play->on_time = false;
    yo_timer_start(&play->timer, play->options);
}

enum yo_err yo_play_new_game(struct yo_play *play, int size, struct yo_diag *diag) {
    struct yo_go_game *game;
    yo_go_point stones[9];
    enum yo_err err = yo_go_game_new(size, yo_go_game_rules(play->game), &game);
    if (err) return yo_diag_set(diag, err, "no memory for a game");
    if (play->handicap > 0) {
        err = yo_go_handicap_points(size, play->handicap, stones, diag);
        if (!err) err = yo_go_game_handicap_set(game, stones, play->handicap, diag);
    }
    if (!err) err = yo_session_prepare_for(play->session, game, diag);
    if (err) {
        yo_go_game_delete(game);
        return err;
    }
    use_game(play, game);
    return YO_OK;
}

enum yo_err yo_play_load(struct yo_play *play, const char *path, struct yo_diag *diag) {
    struct yo_sgf *sgf;
    struct yo_go_game *game;
    struct yo_diag odd = {0};
    const struct yo_diag *warning;
    enum yo_err err = yo_sgf_load(path, &sgf, diag);
    if (err) return err;
    err = yo_sgf_to_game(sgf, 0, 0, &game, &odd);
    for (size_t i = 0; !err && (warning = yo_sgf_warning(sgf, i)); i++)
        yo_talk_complain(warning);
    if (!err && yo_sgf_game_count(sgf) > 1)
        yo_talk_say("%s has %zu games; this is the first.", path, yo_sgf_game_count(sgf));
    yo_sgf_delete(sgf);
    if (err) {
        *diag = odd;
        return err;
    }
    if (odd.err) yo_talk_complain(&odd);
    if ((err = yo_session_prepare_for(play->session, game, diag))) {
        yo_go_game_delete(game);
        return err;
    }
    use_game(play, game);
    play->saved_as = yo_talk_copy(path);
    return play->saved_as ? YO_OK : yo_diag_set(diag, YO_ERR_NOMEM, "out of memory");
}
