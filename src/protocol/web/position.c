/* A position object of a request becomes a game. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/diag.h"
#include "game/go/rules.h"
#include "game/go/state.h"
#include "game/shogi/kifu/words.h"
#include "protocol/web/internal.h"

void yo_web_game_free(struct web_game *game) {
    yo_go_game_delete(game->go);
    yo_shogi_game_delete(game->shogi);
    *game = (struct web_game){0};
}

bool yo_web_black_to_move(const struct web_game *game) {
    return game->go ? yo_go_game_to_move(game->go) == YO_GO_BLACK
                    : yo_shogi_game_to_move(game->shogi) == YO_SHOGI_BLACK;
}

json_t *yo_web_move_text(const struct web_game *game, yo_move move) {
    char text[16];
    if (game->go)
        return json_string(yo_go_point_format((yo_go_point)move, yo_go_game_size(game->go), text));
    return json_string(yo_shogi_move_format((yo_shogi_move)move, text));
}

enum yo_err yo_web_read_move(const struct web_game *game, const char *text, yo_move *move,
                             struct yo_diag *diag) {
    yo_go_point point;
    yo_shogi_move shogi;
    enum yo_err err;
    if (!text) return yo_diag_set(diag, YO_ERR_PARSE, "a move must be a text");
    if (game->shogi) {
        err = yo_shogi_move_parse(text, &shogi, diag);
        if (!err) *move = shogi;
        return err;
    }
    err = yo_go_point_parse(text, yo_go_game_size(game->go), &point, diag);
    if (!err && point == YO_GO_RESIGN)
        err = yo_diag_set(diag, YO_ERR_PARSE, "resign is not a move");
    if (!err) *move = point;
    return err;
}

/* ---- Go ---- */

static enum yo_err take_rules(const json_t *position, struct yo_go_rules *rules,
                              struct yo_diag *diag) {
    json_t *value = json_object_get(position, "rules");
    enum yo_err err;
    if (json_is_object(value))
        err = yo_go_rules_take_json(value, rules, diag);
    else if (value && !yo_json_string(value))
        err = yo_diag_set(diag, YO_ERR_PARSE, "rules must be a name or an object");
    else
        err = yo_go_rules_parse(value ? yo_json_string(value) : "chinese", rules, diag);
    if (!err) rules->komi2 = yo_go_rules_usual_komi2(rules);
    return err;
}

static enum yo_err take_komi(const json_t *position, struct yo_go_rules *rules,
                             struct yo_diag *diag) {
    const json_t *value = json_object_get(position, "komi");
    double komi = json_number_value(value);
    if (!value) return YO_OK;
    if (!json_is_number(value) || !(fabs(komi) <= 400) || 2 * komi != floor(2 * komi))
        return yo_diag_set(diag, YO_ERR_RANGE,
                           "komi must be a whole or half number from -400 to 400");
    rules->komi2 = (int)(2 * komi);
    return YO_OK;
}

static enum yo_err place_handicap(struct yo_go_game *game, int stones, struct yo_diag *diag) {
    yo_go_point points[16];
    enum yo_err err = yo_go_handicap_points(yo_go_game_size(game), stones, points, diag);
    return err ? err : yo_go_game_handicap_set(game, points, stones, diag);
}

static enum yo_err collect(const json_t *setup, const char *key, enum yo_go_color color, int size,
                           uint8_t *colors, struct yo_diag *diag) {
    json_t *list, *value;
    size_t i;
    enum yo_err err = yo_web_take_array(setup, key, YO_GO_POINTS_MAX, &list, diag);
    if (err) return err;
    json_array_foreach(list, i, value) {
        yo_go_point point;
        const char *text = yo_json_string(value);
        if (!text || yo_go_point_parse(text, size, &point, NULL) || point >= size * size)
            return yo_diag_set(diag, YO_ERR_PARSE, "%s: no point of this board: '%.20s'", key,
                               text ? text : "");
        colors[point] = (uint8_t)color;
    }
    return YO_OK;
}

/* Black stones alone, as many as the handicap has, are the handicap. */
static enum yo_err place_stones(struct yo_go_game *game, const uint8_t *colors, int handicap,
                                struct yo_diag *diag) {
    yo_go_point points[YO_GO_POINTS_MAX];
    int black = 0, white = 0;
    for (int p = 0; p < yo_go_game_size(game) * yo_go_game_size(game); p++) {
        white += colors[p] == YO_GO_WHITE;
        if (colors[p] == YO_GO_BLACK) points[black++] = (yo_go_point)p;
    }
    if (handicap >= 2 && black == handicap && white == 0)
        return yo_go_game_handicap_set(game, points, handicap, diag);
    return yo_go_game_setup(game, colors, YO_GO_BLACK, diag);
}

static enum yo_err place_setup(struct yo_go_game *game, const json_t *setup, int handicap,
                               struct yo_diag *diag) {
    uint8_t colors[YO_GO_POINTS_MAX] = {0};
    int size = yo_go_game_size(game);
    enum yo_err err = yo_web_check_members(setup, "setup", "black white", diag);
    if (!err) err = collect(setup, "black", YO_GO_BLACK, size, colors, diag);
    if (!err) err = collect(setup, "white", YO_GO_WHITE, size, colors, diag);
    return err ? err : place_stones(game, colors, handicap, diag);
}

static enum yo_err take_turn(const json_t *position, enum yo_go_color *turn, struct yo_diag *diag) {
    const char *text = NULL;
    enum yo_err err = yo_web_take_text(position, "turn", &text, diag);
    return err || !text ? err : yo_go_color_parse(text, turn, diag);
}

static enum yo_err set_up_go(const json_t *position, struct yo_go_game *game,
                             struct yo_diag *diag) {
    json_t *setup;
    int64_t handicap = 0;
    enum yo_go_color turn = YO_GO_EMPTY;
    enum yo_err err = yo_web_take_int(position, "handicap", 0, YO_GO_POINTS_MAX, &handicap, diag);
    if (!err) err = yo_web_take_object(position, "setup", &setup, diag);
    if (!err) err = take_turn(position, &turn, diag);
    if (err) return err;
    if (setup && json_object_size(setup) > 0)
        err = place_setup(game, setup, (int)handicap, diag);
    else if (handicap >= 2)
        err = place_handicap(game, (int)handicap, diag);
    if (!err && turn != YO_GO_EMPTY) yo_go_game_set_to_move(game, turn);
    return err;
}

/* "D4", or "b D4" where the sides do not alternate. */
static enum yo_err play_go(struct web_game *game, const char *text, bool recorded,
                           struct yo_diag *diag) {
    enum yo_go_color color = yo_go_game_to_move(game->go);
    yo_move move;
    if (text && (text[0] == 'b' || text[0] == 'w') && text[1] == ' ') {
        color = text[0] == 'b' ? YO_GO_BLACK : YO_GO_WHITE;
        text += 2;
    }
    enum yo_err err = yo_web_read_move(game, text, &move, diag);
    if (err) return err;
    return recorded ? yo_go_game_play_recorded(game->go, color, (yo_go_point)move, diag)
                    : yo_go_game_play(game->go, color, (yo_go_point)move, diag);
}

static enum yo_err begin_go(const json_t *position, struct web_game *game, struct yo_diag *diag) {
    int64_t size = 19;
    struct yo_go_rules rules = yo_go_rules_default;
    enum yo_err err = yo_web_check_members(
        position, "position", "game size komi rules handicap setup turn moves recorded", diag);
    if (!err) err = yo_web_take_int(position, "size", YO_GO_SIZE_MIN, YO_GO_SIZE_MAX, &size, diag);
    if (!err) err = take_rules(position, &rules, diag);
    if (!err) err = take_komi(position, &rules, diag);
    if (err) return err;
    err = yo_go_game_new((int)size, &rules, &game->go);
    if (err) return yo_diag_set(diag, err, "no memory for a game");
    return set_up_go(position, game->go, diag);
}

/* ---- Shogi ---- */

static const char *sfen_of_handicap(const char *name) {
    const char *sfen, *known;
    for (size_t i = 0; (known = yo_shogi_handicap(i, &sfen)); i++)
        if (strcmp(known, name) == 0) return sfen;
    return NULL;
}

static enum yo_err begin_shogi(const json_t *position, struct web_game *game,
                               struct yo_diag *diag) {
    const char *sfen = NULL;
    enum yo_err err = yo_web_check_members(position, "position", "game sfen moves", diag);
    if (!err) err = yo_web_take_text(position, "sfen", &sfen, diag);
    if (err) return err;
    if (sfen && sfen_of_handicap(sfen)) sfen = sfen_of_handicap(sfen);
    return yo_shogi_game_new(sfen, &game->shogi, diag);
}

static enum yo_err play_shogi(struct web_game *game, const char *text, json_t *words,
                              struct yo_diag *diag) {
    char out[YO_SHOGI_WORDS_TEXT];
    yo_move move;
    bool failed = false;
    enum yo_err err = yo_web_read_move(game, text, &move, diag);
    if (!err && !yo_shogi_game_legal(game->shogi, (yo_shogi_move)move))
        err = yo_diag_set(diag, YO_ERR_ILLEGAL, "illegal move: %.20s", text);
    if (err) return err;
    if (words) {
        yo_shogi_game_move_words(game->shogi, (yo_shogi_move)move, out);
        yo_json_append(words, yo_json_text(out, strlen(out)), &failed);
        if (failed) return yo_diag_set(diag, YO_ERR_NOMEM, "no memory for an answer");
    }
    return yo_shogi_game_play(game->shogi, (yo_shogi_move)move, diag);
}

/* ---- Both ---- */

static enum yo_err play_moves(const json_t *position, struct web_game *game, json_t *words,
                              int *index, struct yo_diag *diag) {
    json_t *moves, *value;
    size_t i;
    bool recorded = false;
    enum yo_err err = yo_web_take_array(position, "moves", WEB_MOVES_MAX, &moves, diag);
    if (!err) err = yo_web_take_bool(position, "recorded", &recorded, diag);
    if (err) return err;
    json_array_foreach(moves, i, value) {
        const char *text = yo_json_string(value);
        err = game->go ? play_go(game, text, recorded, diag) : play_shogi(game, text, words, diag);
        if (!err) continue;
        *index = (int)i;
        return err;
    }
    return YO_OK;
}

enum yo_err yo_web_take_game(const json_t *request, struct web_game *out, json_t *words, int *index,
                             struct yo_diag *diag) {
    json_t *position;
    const char *name = NULL;
    struct web_game game = {0};
    enum yo_err err = yo_web_take_object(request, "position", &position, diag);
    if (!err && !position) err = yo_diag_set(diag, YO_ERR_PARSE, "position is missing");
    if (!err) err = yo_web_take_text(position, "game", &name, diag);
    if (err) return err;
    game.kind = name && strcmp(name, "shogi") == 0 ? YO_SESSION_SHOGI : YO_SESSION_GO;
    if (!name || (game.kind == YO_SESSION_GO && strcmp(name, "go") != 0))
        return yo_diag_set(diag, YO_ERR_PARSE, "the position's game must be go or shogi");
    err = game.kind == YO_SESSION_GO ? begin_go(position, &game, diag)
                                     : begin_shogi(position, &game, diag);
    if (!err) err = play_moves(position, &game, words, index, diag);
    if (err)
        yo_web_game_free(&game);
    else
        *out = game;
    return err;
}
