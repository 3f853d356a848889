/* Sets a GTP engine to the opening of a game. */
#include <stdio.h>

#include "base/diag.h"
#include "game/go/state.h"
#include "match/go.h"

enum yo_err yo_match_say_move(struct yo_peer *peer, int size, struct yo_go_played played,
                              int64_t timeout_ms, struct yo_diag *diag) {
    char command[40], point[8];
    snprintf(command, sizeof command, "play %c %s", played.color == YO_GO_BLACK ? 'B' : 'W',
             yo_go_point_format(played.move, size, point));
    enum yo_err err = yo_peer_gtp_ask(peer, command, timeout_ms, NULL, diag);
    if (peer->fault == YO_PEER_REFUSED && diag) {
        struct yo_diag why = *diag;
        yo_diag_set(diag, err, "told %s, %.150s", command, why.what);
    }
    return err;
}

/* By the handicap command, so that White gets the compensation of the engine's rules. */
static enum yo_err give_handicap(struct yo_peer *peer, const struct yo_go_game *opening,
                                 int64_t timeout_ms, struct yo_diag *diag) {
    char command[32 + 8 * YO_GO_POINTS_MAX], point[8];
    int size = yo_go_game_size(opening), len = sprintf(command, "set_free_handicap");
    for (int p = 0; p < size * size; p++)
        if (opening->start.color[p] == YO_GO_BLACK)
            len += sprintf(command + len, " %s", yo_go_point_format((yo_go_point)p, size, point));
    return yo_peer_gtp_ask(peer, command, timeout_ms, NULL, diag);
}

/* GTP has no command for setup stones that all engines know, but engines accept moves of either
 * colour in any order. Every string has a liberty in the final position, so it has one at each
 * step: nothing is captured in any order. */
static enum yo_err give_stones(struct yo_peer *peer, const struct yo_go_game *opening,
                               int64_t timeout_ms, struct yo_diag *diag) {
    enum yo_err err = YO_OK;
    int size = yo_go_game_size(opening);
    if (yo_go_game_handicap(opening) && yo_peer_gtp_knows(peer, "set_free_handicap", timeout_ms))
        return give_handicap(peer, opening, timeout_ms, diag);
    for (int p = 0; p < size * size && !err; p++) {
        struct yo_go_played stone = {(enum yo_go_color)opening->start.color[p], (yo_go_point)p};
        if (stone.color != YO_GO_EMPTY)
            err = yo_match_say_move(peer, size, stone, timeout_ms, diag);
    }
    return err;
}

enum yo_err yo_match_give_opening(struct yo_peer *peer, const struct yo_go_game *opening,
                                  int64_t timeout_ms, struct yo_diag *diag) {
    enum yo_err err = give_stones(peer, opening, timeout_ms, diag);
    for (size_t i = 0; !err && i < yo_go_game_move_count(opening); i++)
        err = yo_match_say_move(peer, yo_go_game_size(opening), yo_go_game_move(opening, i),
                                timeout_ms, diag);
    return err;
}
