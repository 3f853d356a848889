#include "search/go/root.h"

#include <string.h>

#include "game/go/state.h"

static void mark_useful(const struct yo_go_game *game, const struct yo_go_geometry *g,
                        bool must_capture, uint8_t *useful) {
    enum yo_go_color me = yo_go_game_to_move(game);
    uint8_t alive[YO_GO_POINTS_MAX] = {0};
    yo_go_game_benson(game, alive);
    for (int p = 0; p < g->points; p++) {
        if (yo_go_game_at(game, (yo_go_point)p) != YO_GO_EMPTY) continue;
        if (yo_go_bit(game->board.eye[me], (unsigned)p)) continue;
        bool decided = alive[p] != YO_GO_EMPTY && !(must_capture && alive[p] == me);
        useful[p] = !decided;
    }
}

/* Does p touch an opponent stone that was judged dead? */
static bool touches_prey(const struct yo_go_game *game, const struct yo_go_geometry *g,
                         const struct yo_judgement *judgement, int p) {
    for (int d = 0; d < 4; d++) {
        unsigned q = g->nbr[p][d];
        if (q != YO_GO_OFF_POINT && judgement->dead[q] &&
            yo_go_game_at(game, (yo_go_point)q) != yo_go_game_to_move(game))
            return true;
    }
    return false;
}

static void keep_captures(const struct yo_go_game *game, const struct yo_go_geometry *g,
                          const struct yo_judgement *judgement, uint8_t *useful) {
    uint8_t kept[YO_GO_POINTS_MAX] = {0};
    bool any = false;
    for (int p = 0; p < g->points; p++) {
        kept[p] = useful[p] && touches_prey(game, g, judgement, p);
        any = any || kept[p];
    }
    if (any) memcpy(useful, kept, sizeof kept);
}

enum yo_err yo_root_moves(const struct yo_go_game *game, const struct yo_judgement *judgement,
                          bool must_capture, yo_move *moves, size_t *count) {
    const struct yo_go_geometry *g = yo_go_geometry(yo_go_game_size(game));
    struct yo_go_game *copy;
    *count = 0;
    enum yo_err err = yo_go_game_copy(game, &copy);
    if (err) return err;
    uint8_t useful[YO_GO_POINTS_MAX] = {0};
    mark_useful(game, g, must_capture, useful);
    if (must_capture && judgement && judgement->settled) keep_captures(game, g, judgement, useful);
    for (int p = 0; p < g->points; p++) {
        yo_go_point move = (yo_go_point)p;
        if (!useful[p] || yo_go_game_play(copy, yo_go_game_to_move(game), move, NULL)) continue;
        moves[(*count)++] = move;
        yo_go_game_undo(copy, NULL);
    }
    yo_go_game_delete(copy);
    return YO_OK;
}
