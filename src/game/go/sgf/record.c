/* yo_sgf_from_game: converts a game to a record. */
#include <stdio.h>

#include "game/go/sgf/info.h"
#include "game/go/sgf/line.h"
#include "game/go/state.h"

static enum yo_err add_start(struct yo_sgf *sgf, struct yo_sgf_node *root,
                             const struct yo_go_game *game) {
    int size = yo_go_game_size(game), handicap = yo_go_game_handicap(game);
    enum yo_err err = YO_OK;
    char text[16];
    if (handicap > 0) {
        snprintf(text, sizeof text, "%d", handicap);
        err = yo_sgf_set(sgf, root, "HA", text);
    }
    for (int color = YO_GO_BLACK; color <= YO_GO_WHITE; color++)
        for (int p = 0; p < size * size && !err; p++)
            if (game->start.color[p] == color)
                err = yo_sgf_add(sgf, root, color == YO_GO_BLACK ? "AB" : "AW",
                                 yo_sgf_point_text((yo_go_point)p, size, text));
    bool white_first = game->start_to_move == YO_GO_WHITE;
    if (!err && white_first != (handicap > 0))
        err = yo_sgf_set(sgf, root, "PL", white_first ? "W" : "B");
    return err;
}

enum yo_err yo_sgf_from_game(const struct yo_go_game *game, const char *result,
                             struct yo_sgf **sgf) {
    struct yo_sgf *made;
    enum yo_err err = yo_sgf_new(yo_go_game_size(game), &made);
    if (err) return err;
    struct yo_sgf_node *root = yo_sgf_root(made, 0);
    err = yo_sgf_info_write(made, root, yo_go_game_rules(game), NULL);
    if (!err && result) err = yo_sgf_set(made, root, "RE", result);
    if (!err) err = add_start(made, root, game);
    if (!err) err = yo_sgf_line_append(made, root, game, 0);
    if (err)
        yo_sgf_delete(made);
    else
        *sgf = made;
    return err;
}
