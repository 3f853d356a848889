/* Requests that no search is needed for: hello, position. */
#include <string.h>

#include "base/cpu.h"
#include "engine/level.h"
#include "engine/options.h"
#include "eval/net/backend.h"
#include "eval/playout/backend.h"
#include "game/shogi/kifu/words.h"
#include "protocol/web/internal.h"
#include "yomi/version.h"

/* ---- hello ---- */

static json_t *list_names(const char *const *names, bool *failed) {
    json_t *list = yo_json_array();
    for (; *names; names++)
        yo_json_append(list, yo_json_text(*names, strlen(*names)), failed);
    return list;
}

static json_t *list_rules(bool *failed) {
    json_t *list = yo_json_array();
    struct yo_go_rules rules;
    const char *name;
    for (size_t i = 0; (name = yo_go_rules_list(i, &rules)); i++)
        yo_json_append(list, yo_json_text(name, strlen(name)), failed);
    return list;
}

static json_t *list_handicaps(bool *failed) {
    json_t *list = yo_json_array();
    const char *name, *sfen;
    for (size_t i = 0; (name = yo_shogi_handicap(i, &sfen)); i++) {
        json_t *row = yo_json_object();
        yo_web_put(row, "name", name, failed);
        yo_web_put(row, "sfen", sfen, failed);
        yo_json_append(list, row, failed);
    }
    return list;
}

static json_t *list_backends(bool *failed) {
    json_t *list = yo_json_array();
    const struct yo_playout_backend *backend;
    for (size_t i = 0; (backend = yo_playout_backend_at(i)); i++)
        if (yo_playout_available(backend))
            yo_json_append(list, yo_json_text(backend->name, strlen(backend->name)), failed);
    return list;
}

static json_t *levels(bool *failed) {
    json_t *object = yo_json_object();
    yo_web_put_int(object, "min", YO_LEVEL_MIN, failed);
    yo_web_put_int(object, "max", YO_LEVEL_MAX, failed);
    return object;
}

static json_t *limits(const struct yo_web_config *config, bool *failed) {
    json_t *object = yo_json_object();
    yo_web_put_int(object, "message_bytes", (int64_t)YO_WEB_MESSAGE_MAX, failed);
    yo_web_put_int(object, "idle_ms", config->idle_ms, failed);
    yo_web_put_int(object, "moves", WEB_MOVES_MAX, failed);
    yo_web_put_int(object, "nodes", WEB_NODES_MAX, failed);
    return object;
}

/* Of each search. */
static int threads(const struct yo_options *options) {
    bool known = options && yo_option_find(options->rows, ~0u, "threads");
    int given = known ? (int)yo_options_int(options, "threads") : 0;
    return given > 0 ? given : yo_cpu_count();
}

YO_WEB_REQUEST(hello) {
    static const char *const games[] = {"go", "shogi", NULL};
    static const char *const formats[] = {"sgf", "kif", "ki2", "csa", "jkf", NULL};
    bool failed = false;
    (void)request, (void)index, (void)diag;
    json_t *m = yo_web_answer("hello", id, &failed), *searches = yo_json_object();
    yo_web_put_int(m, "protocol", YO_WEB_PROTOCOL, &failed);
    yo_web_put(m, "version", yo_version(), &failed);
    yo_json_set(m, "games", list_names(games, &failed), &failed);
    yo_json_set(m, "levels", levels(&failed), &failed);
    yo_json_set(m, "rules", list_rules(&failed), &failed);
    yo_json_set(m, "handicaps", list_handicaps(&failed), &failed);
    yo_json_set(m, "formats", list_names(formats, &failed), &failed);
    yo_json_set(m, "backends", list_backends(&failed), &failed);
    yo_web_put_int(m, "threads", threads(web->config.options), &failed);
    yo_json_set(searches, "go", list_names(yo_engine_kinds, &failed), &failed);
    yo_json_set(searches, "shogi", list_names(yo_session_shogi_searches, &failed), &failed);
    yo_json_set(m, "searches", searches, &failed);
    yo_json_set(m, "limits", limits(&web->config, &failed), &failed);
    yo_web_send(web, m, failed, false);
    return YO_OK;
}

/* ---- position ---- */

static json_t *over(const char *winner, const char *reason, bool *failed) {
    json_t *object = yo_json_object();
    yo_json_set(object, "winner", winner ? json_string(winner) : json_null(), failed);
    yo_web_put(object, "reason", reason, failed);
    return object;
}

static void put_go(json_t *m, const struct web_game *game, bool *failed) {
    const struct yo_go_game *go = game->go;
    int points = yo_go_game_size(go) * yo_go_game_size(go);
    enum yo_go_color to_move = yo_go_game_to_move(go);
    char board[YO_GO_POINTS_MAX + 1] = "";
    json_t *legal = yo_json_array(), *captures = yo_json_object();
    for (int p = 0; p < points; p++) {
        board[p] = ".bw"[yo_go_game_at(go, (yo_go_point)p)];
        if (yo_go_game_legal(go, to_move, (yo_go_point)p))
            yo_json_append(legal, yo_web_move_text(game, (yo_move)p), failed);
    }
    yo_json_append(legal, yo_web_move_text(game, YO_GO_PASS), failed);
    yo_web_put(m, "board", board, failed);
    yo_json_set(m, "legal", legal, failed);
    yo_web_put_int(captures, "b", yo_go_game_captures(go, YO_GO_BLACK), failed);
    yo_web_put_int(captures, "w", yo_go_game_captures(go, YO_GO_WHITE), failed);
    yo_json_set(m, "captures", captures, failed);
    size_t count = yo_go_game_move_count(go);
    if (count > 0)
        yo_json_set(m, "last", yo_web_move_text(game, yo_go_game_move(go, count - 1).move), failed);
    bool ended = yo_go_game_passes(go) >= 2;
    yo_json_set(m, "over", ended ? over(NULL, "passes", failed) : json_null(), failed);
}

static json_t *shogi_over(const struct yo_shogi_game *game, size_t legal_count, bool *failed) {
    enum yo_shogi_outcome outcome = yo_shogi_game_outcome(game);
    if (outcome == YO_SHOGI_OPEN) return json_null();
    if (outcome == YO_SHOGI_DRAWN) return over(NULL, "repetition", failed);
    return over(outcome == YO_SHOGI_BLACK_WINS ? "b" : "w",
                legal_count == 0 ? "mate" : "perpetual check", failed);
}

static void put_shogi(json_t *m, const struct web_game *game, bool *failed) {
    const struct yo_shogi_game *shogi = game->shogi;
    yo_shogi_move moves[YO_SHOGI_LIST];
    char sfen[YO_SHOGI_SFEN_MAX];
    size_t count = yo_shogi_game_legal_moves(shogi, moves);
    json_t *legal = yo_json_array();
    for (size_t i = 0; i < count; i++)
        yo_json_append(legal, yo_web_move_text(game, moves[i]), failed);
    yo_json_set(m, "legal", legal, failed);
    yo_web_put(m, "sfen", yo_shogi_game_sfen(shogi, sfen), failed);
    yo_web_put_bool(m, "check", yo_shogi_game_in_check(shogi), failed);
    yo_web_put_bool(m, "declares", yo_shogi_game_can_declare(shogi), failed);
    size_t played = yo_shogi_game_move_count(shogi);
    if (played > 0)
        yo_json_set(m, "last", yo_web_move_text(game, yo_shogi_game_move(shogi, played - 1)),
                    failed);
    yo_json_set(m, "over", shogi_over(shogi, count, failed), failed);
}

YO_WEB_REQUEST(position) {
    struct web_game game;
    bool failed = false;
    json_t *words = yo_json_array();
    enum yo_err err = yo_web_take_game(request, &game, words, index, diag);
    if (err) {
        json_decref(words);
        return err;
    }
    json_t *m = yo_web_answer("position", id, &failed);
    yo_web_put(m, "turn", yo_web_black_to_move(&game) ? "b" : "w", &failed);
    if (game.go)
        put_go(m, &game, &failed);
    else
        put_shogi(m, &game, &failed);
    if (game.shogi)
        yo_json_set(m, "words", words, &failed);
    else
        json_decref(words);
    yo_web_send(web, m, failed, false);
    yo_web_game_free(&game);
    return YO_OK;
}
