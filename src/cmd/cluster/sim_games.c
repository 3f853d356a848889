#include "cmd/cluster/sim_games.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "base/random.h"
#include "game/shogi/game.h"
#include "match/shogi.h"

enum { SHOGI_MOVES_MOST = 320, GO_MOVES_MOST = 1000 };

static enum yo_err begin_go(const struct yo_sim_setup *setup, void **game, struct yo_diag *diag) {
    struct yo_go_game *go;
    int size = (int)yo_options_int(setup->options, "size");
    enum yo_err err = yo_go_game_new(size, NULL, &go);
    if (err) return yo_diag_set(diag, err, "no memory for a game");
    *game = go;
    return YO_OK;
}

static enum yo_err begin_shogi(const struct yo_usi_opening *o, void **game, struct yo_diag *diag) {
    struct yo_shogi_game *shogi;
    enum yo_err err = yo_shogi_game_begin(&o->start, &shogi);
    if (err) return yo_diag_set(diag, err, "no memory for a game");
    for (size_t i = 0; !err && i < o->count; i++)
        err = yo_shogi_game_play(shogi, o->moves[i], diag);
    if (err)
        yo_shogi_game_delete(shogi);
    else
        *game = shogi;
    return err;
}

static enum yo_err parse_go(const struct yo_sim_setup *setup, const char *line, void *game,
                            struct yo_diag *diag) {
    struct yo_go_position *position = yo_alloc_aligned(setup->ops->position_size);
    enum yo_err err = position ? YO_OK : yo_diag_set(diag, YO_ERR_NOMEM, "no memory for a game");
    while (!err) {
        char word[16];
        yo_move move;
        line += strspn(line, " \t\r\n");
        size_t len = strcspn(line, " \t\r\n");
        if (len == 0) break;
        snprintf(word, sizeof word, "%.*s", (int)(len < 15 ? len : 15), line);
        setup->ops->from_game(game, position);
        err = setup->ops->parse(position, word, &move, diag);
        if (!err) err = yo_sim_game_play(setup, game, move, diag);
        line += len;
    }
    yo_free_aligned(position);
    return err;
}

enum yo_err yo_sim_game_parse(const struct yo_sim_setup *setup, const char *line, void **game,
                              struct yo_diag *diag) {
    enum yo_err err;
    if (setup->go) {
        err = begin_go(setup, game, diag);
        if (!err) err = parse_go(setup, line, *game, diag);
        if (err) yo_sim_game_delete(setup, *game);
        return err;
    }
    struct yo_usi_opening opening;
    err = yo_usi_opening_parse(line, &opening, diag);
    if (err) return err;
    err = begin_shogi(&opening, game, diag);
    yo_free(opening.moves);
    return err;
}

/* A Go opening: random moves inside the second line. */
static void draw_go(const struct yo_sim_setup *setup, uint64_t seed, int plies, void *game) {
    int size = (int)yo_options_int(setup->options, "size");
    for (int tries = 0; plies > 0 && tries < 1000; tries++) {
        char text[16];
        int inner = size > 4 ? size - 2 : size, edge = (size - inner) / 2;
        int column = edge + (int)(yo_splitmix64(&seed) % (uint64_t)inner),
            row = edge + (int)(yo_splitmix64(&seed) % (uint64_t)inner);
        snprintf(text, sizeof text, "%c%d", "ABCDEFGHJKLMNOPQRST"[column], row + 1);
        if (parse_go(setup, text, game, NULL) == YO_OK) plies--;
    }
}

enum yo_err yo_sim_game_draw(const struct yo_sim_setup *setup, uint64_t seed, int plies,
                             void **game, struct yo_diag *diag) {
    enum yo_err err;
    if (setup->go) {
        err = begin_go(setup, game, diag);
        if (!err) draw_go(setup, seed, plies, *game);
        return err;
    }
    struct yo_usi_opening opening;
    err = yo_usi_opening_draw(seed, plies, &opening);
    if (err) return yo_diag_set(diag, err, "no memory for a game");
    err = begin_shogi(&opening, game, diag);
    yo_free(opening.moves);
    return err;
}

void yo_sim_game_delete(const struct yo_sim_setup *setup, void *game) {
    if (setup->go)
        yo_go_game_delete(game);
    else
        yo_shogi_game_delete(game);
}

enum yo_err yo_sim_game_play(const struct yo_sim_setup *setup, void *game, yo_move move,
                             struct yo_diag *diag) {
    if (setup->go) return yo_go_game_play(game, yo_go_game_to_move(game), (yo_go_point)move, diag);
    return yo_shogi_game_play(game, (yo_shogi_move)move, diag);
}

static enum yo_outcome outcome_go(const struct yo_go_game *game) {
    struct yo_go_score score;
    if (yo_go_game_passes(game) < 2 && yo_go_game_move_count(game) < GO_MOVES_MOST)
        return YO_OUTCOME_NONE;
    yo_go_game_score(game, NULL, &score);
    return score.lead2 > 0   ? YO_OUTCOME_FIRST
           : score.lead2 < 0 ? YO_OUTCOME_SECOND
                             : YO_OUTCOME_DRAW;
}

static enum yo_outcome outcome_shogi(const struct yo_shogi_game *game) {
    int side = shogi_game_now(game)->side;
    switch (yo_shogi_game_outcome(game)) {
    case YO_SHOGI_BLACK_WINS:
        return YO_OUTCOME_FIRST;
    case YO_SHOGI_WHITE_WINS:
        return YO_OUTCOME_SECOND;
    case YO_SHOGI_DRAWN:
        return YO_OUTCOME_DRAW;
    default:
        break;
    }
    if (yo_shogi_game_can_declare(game)) return side ? YO_OUTCOME_SECOND : YO_OUTCOME_FIRST;
    return yo_shogi_game_move_count(game) >= SHOGI_MOVES_MOST ? YO_OUTCOME_DRAW : YO_OUTCOME_NONE;
}

enum yo_outcome yo_sim_game_outcome(const struct yo_sim_setup *setup, const void *game) {
    return setup->go ? outcome_go(game) : outcome_shogi(game);
}

int yo_sim_game_side(const struct yo_sim_setup *setup, const void *game) {
    if (setup->go) return yo_go_game_to_move(game) == YO_GO_WHITE;
    return shogi_game_now(game)->side;
}
