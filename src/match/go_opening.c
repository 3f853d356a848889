/* Sets a GTP engine to the opening of a game. */
#include <stdio.h>

#include "base/diag.h"
#include "base/random.h"
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

static bool is_quiet(const struct yo_go_game *game, int size, int row, int column) {
    static const int steps[5][2] = {{0, 0}, {0, 1}, {1, 0}, {0, -1}, {-1, 0}};
    for (int i = 0; i < 5; i++) {
        int r = row + steps[i][0], c = column + steps[i][1];
        if (r < 0 || c < 0 || r >= size || c >= size) continue;
        if (yo_go_game_at(game, (yo_go_point)(r * size + c)) != YO_GO_EMPTY) return false;
    }
    return true;
}

enum yo_err yo_match_draw_opening(const struct yo_match_rules *rules, uint64_t seed, int plies,
                                  struct yo_go_game **game) {
    enum { TRIES = 100 };
    int size = rules->size, edge = size >= 7 ? 2 : 0;
    enum yo_err err = yo_go_game_new(size, &rules->rules, game);
    for (int ply = 0; !err && ply < plies; ply++)
        for (int try = 0; try < TRIES; try++) {
            unsigned inner = (unsigned)(size - 2 * edge);
            int row = edge + (int)(yo_splitmix64(&seed) % inner);
            int column = edge + (int)(yo_splitmix64(&seed) % inner);
            if (!is_quiet(*game, size, row, column)) continue;
            err = yo_go_game_play(*game, yo_go_game_to_move(*game),
                                  (yo_go_point)(row * size + column), NULL);
            break;
        }
    return err;
}
