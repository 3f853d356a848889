/* How a game begins: on an empty board, with handicap stones, or from a file. */
#include <string.h>

#include "cmd/play/play.h"
#include "cmd/talk.h"
#include "game/go/sgf/info.h"
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

static bool is_among(const char *word, const char *const *words) {
    for (; *words; words++)
        if (strcmp(word, *words) == 0) return true;
    return false;
}

/* Would a save of the game write all that the record holds? Only such a file may be replaced
 * unasked: one of somebody's comments, variations and names may not. */
static bool is_as_saved(const struct yo_sgf *sgf) {
    static const char *const ids[] = {"FF", "GM", "CA", "AP", "SZ", "KM", "RU", "PB", "PW", "RE",
                                      "HA", "AB", "AW", "PL", "TM", "OT", "B",  "W",  NULL};
    static const char *const names[] = {"Black", "White", "Yomi", NULL};
    if (yo_sgf_game_count(sgf) > 1) return false;
    for (const struct yo_sgf_node *n = yo_sgf_root(sgf, 0); n; n = yo_sgf_child(n)) {
        const char *id, *black = yo_sgf_get(n, "PB", 0), *white = yo_sgf_get(n, "PW", 0);
        if (yo_sgf_sibling(n) || (black && !is_among(black, names)) ||
            (white && !is_among(white, names)))
            return false;
        for (size_t i = 0; (id = yo_sgf_id(n, i)); i++)
            if (!is_among(id, ids)) return false;
    }
    return true;
}

/* Of rules, komi and handicap that are not understood; false if there are none. */
static bool complain_of_info(const struct yo_sgf *sgf) {
    struct sgf_info info;
    struct yo_diag odd;
    int count = 0;
    if (yo_sgf_info_read(sgf, yo_sgf_root(sgf, 0), NULL, &info, NULL)) return false;
    for (; yo_sgf_info_warning(&info, count, &odd); count++)
        yo_talk_complain(&odd);
    return count > 0;
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
    bool understood = !err && !complain_of_info(sgf);
    bool replaceable = understood && !odd.err && !yo_sgf_warning(sgf, 0) && is_as_saved(sgf);
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
    if (!replaceable) return YO_OK;
    play->saved_as = yo_talk_copy(path);
    return play->saved_as ? YO_OK : yo_diag_set(diag, YO_ERR_NOMEM, "out of memory");
}
