/* Search results as JSON. Win rates and scores are Black's. */
#include "base/time.h"
#include "protocol/web/internal.h"
#include "search/alphabeta/alphabeta.h"

static double for_black(const struct web_game *game, double rate_to_move) {
    return yo_web_black_to_move(game) ? rate_to_move : 1 - rate_to_move;
}

double yo_web_root_winrate(const struct web_game *game, const struct yo_search_result *result) {
    if (result->move_count == 0) return 0.5;
    /* Alpha-beta's value of the position is that of its best move. */
    double rate = game->go ? yo_search_root_winrate(result) : result->moves[0].winrate_to_move;
    return for_black(game, rate);
}

json_t *yo_web_line(const struct web_game *game, const struct yo_search_move *move, size_t most,
                    bool *failed) {
    json_t *line = yo_json_array();
    for (size_t i = 0; i < move->pv_count && i < most; i++)
        yo_json_append(line, yo_web_move_text(game, move->pv[i]), failed);
    return line;
}

void yo_web_put_values(json_t *object, const struct web_game *game, const struct yo_search_move *m,
                       bool *failed) {
    int sign = yo_web_black_to_move(game) ? 1 : -1;
    yo_web_put_real(object, "winrate", for_black(game, m->winrate_to_move), failed);
    if (game->go)
        yo_json_set(object, "score", yo_web_real(sign * m->score_to_move, 2), failed);
    else if (m->mate)
        yo_web_put_int(object, "mate", sign * m->mate, failed);
    else
        yo_web_put_int(object, "cp", sign * yo_search_centipawns(m), failed);
}

static json_t *candidate(const struct web_task *task, const struct yo_search_move *m,
                         bool *failed) {
    const struct web_game *game = &task->game;
    json_t *object = yo_json_object(), *visits = yo_json_array();
    yo_json_set(object, "move", yo_web_move_text(game, m->move), failed);
    yo_web_put_int(object, "visits", (int64_t)m->visits, failed);
    yo_web_put_values(object, game, m, failed);
    yo_json_set(object, "pv", yo_web_line(game, m, task->wants.pv_length, failed), failed);
    for (size_t i = 0; m->pv_visits && i < m->pv_count && i < task->wants.pv_length; i++)
        yo_json_append(visits, json_integer((json_int_t)m->pv_visits[i]), failed);
    yo_json_set(object, "pv_visits", visits, failed);
    if (game->go) {
        yo_web_put_real(object, "prior", m->prior, failed);
        yo_web_put_real(object, "lcb", for_black(game, m->lcb_to_move), failed);
    } else {
        yo_web_put_int(object, "depth", m->depth, failed);
        yo_web_put_int(object, "seldepth", m->seldepth, failed);
    }
    return object;
}

static json_t *ownership(const float *values, int points, bool *failed) {
    json_t *list = yo_json_array();
    for (int p = 0; p < points; p++)
        yo_json_append(list, yo_web_real((double)values[p], 2), failed);
    return list;
}

/* One entry a point and one for the pass; -1 where the move is illegal. */
static json_t *policy(const struct yo_go_game *go, const struct yo_search_result *result,
                      bool *failed) {
    double share[YO_GO_POINTS_MAX + 1] = {0};
    int points = yo_go_game_size(go) * yo_go_game_size(go);
    enum yo_go_color to_move = yo_go_game_to_move(go);
    json_t *list = yo_json_array();
    for (int p = 0; p < points; p++)
        share[p] = yo_go_game_legal(go, to_move, (yo_go_point)p) ? 0 : -1;
    for (size_t i = 0; i < result->prior_count; i++) {
        yo_move move = result->priors[i].move;
        share[move == YO_GO_PASS ? points : (int)move] = result->priors[i].share;
    }
    for (int p = 0; p <= points; p++)
        yo_json_append(list, yo_web_real(share[p], 4), failed);
    return list;
}

static void put_search(json_t *m, const struct web_task *task, const struct yo_search_result *r,
                       bool *failed) {
    const struct yo_session *session = task->web->sessions[task->game.kind];
    uint64_t visits = 0, work = task->game.go ? r->playouts : r->nodes;
    int depth = r->depth;
    for (size_t i = 0; i < r->move_count; i++) {
        visits += r->moves[i].visits;
        if (task->game.go && (int)r->moves[i].pv_count > depth) depth = (int)r->moves[i].pv_count;
    }
    yo_web_put_int(m, "visits", (int64_t)visits, failed);
    yo_web_put_int(m, "playouts", (int64_t)r->playouts, failed);
    yo_web_put_int(m, "nodes", (int64_t)r->nodes, failed);
    yo_web_put_int(
        m, "nps", r->elapsed_ms > 0 ? (int64_t)(1000 * work / (uint64_t)r->elapsed_ms) : 0, failed);
    yo_web_put_int(m, "depth", depth, failed);
    yo_web_put_int(m, "elapsed_ms", r->elapsed_ms, failed);
    yo_web_put_real(m, "memory_full", r->hashfull / 1000.0, failed);
    yo_web_put(m, "search", yo_session_search_name(session), failed);
    yo_web_put(m, "backend", yo_session_eval_name(session), failed);
}

static void put_overlays(json_t *m, const struct web_task *task, const struct yo_search_result *r,
                         bool *failed) {
    const struct yo_go_game *go = task->game.go;
    if (!go) return;
    int points = yo_go_game_size(go) * yo_go_game_size(go);
    if (task->wants.ownership && r->ownership)
        yo_json_set(m, "ownership", ownership(r->ownership, points, failed), failed);
    if (task->wants.policy) yo_json_set(m, "policy", policy(go, r, failed), failed);
}

void yo_web_report(struct web_task *task, const struct yo_search_result *r, bool final) {
    const struct web_game *game = &task->game;
    bool failed = false;
    json_t *m = yo_web_answer("report", task->id, &failed), *moves = yo_json_array();
    yo_web_put_bool(m, "final", final, &failed);
    if (final) yo_web_put_bool(m, "stopped", atomic_load(&task->stop), &failed);
    yo_web_put(m, "turn", yo_web_black_to_move(game) ? "b" : "w", &failed);
    if (r->move_count > 0) {
        struct yo_search_move root = r->moves[0];
        if (game->go && root.visits > 0) { /* else the best move's values are the root's */
            root.winrate_to_move = yo_search_root_winrate(r);
            root.score_to_move = yo_search_root_score(r);
        }
        yo_web_put_values(m, game, &root, &failed);
    }
    for (size_t i = 0; i < r->move_count && i < task->wants.max_moves; i++)
        yo_json_append(moves, candidate(task, &r->moves[i], &failed), &failed);
    yo_json_set(m, "moves", moves, &failed);
    put_search(m, task, r, &failed);
    put_overlays(m, task, r, &failed);
    yo_web_send(task->web, m, failed, !final);
}

json_t *yo_web_empty_report(const struct web_task *task, bool *failed) {
    static const char *const zeros[] = {"visits", "playouts", "nodes", "nps", "elapsed_ms"};
    json_t *m = yo_web_answer("report", task->id, failed);
    yo_web_put_bool(m, "final", true, failed);
    yo_web_put_bool(m, "stopped", true, failed);
    yo_web_put(m, "turn", yo_web_black_to_move(&task->game) ? "b" : "w", failed);
    yo_web_put_real(m, "winrate", 0.5, failed);
    for (size_t i = 0; i < sizeof zeros / sizeof zeros[0]; i++)
        yo_web_put_int(m, zeros[i], 0, failed);
    yo_json_set(m, "moves", yo_json_array(), failed);
    return m;
}

void yo_web_progress(void *user, const struct yo_search_result *so_far) {
    struct web_task *task = user;
    int64_t now = yo_time_ms();
    if (task->wants.every_ms == 0 || so_far->trying || so_far->move_count == 0) return;
    if (now - task->reported_ms < task->wants.every_ms) return;
    task->reported_ms = now;
    yo_web_report(task, so_far, false);
}
