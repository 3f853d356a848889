/* The request review: every position of a game is searched in turn. */
#include "engine/review.h"

#include "base/alloc.h"
#include "base/diag.h"
#include "game/go/state.h"
#include "protocol/web/internal.h"

enum { VISITS = 400, NODES = 200000, WORST = 10, LINE = 16 };
#define LEAST 0.03 /* a move that gave away less is not among the worst */

/* A position of the game, after `index` moves. */
struct point {
    double rate, lost; /* Black's chance; what the move that led here gave away */
    bool black;        /* Black made that move */
    bool matched;      /* it was the search's first choice */
    yo_move move, best;
    yo_move pv[LINE];
    size_t length;
};

static size_t move_count(const struct web_game *game) {
    return game->go ? yo_go_game_move_count(game->go) : yo_shogi_game_move_count(game->shogi);
}

/* The move with this number, and its side. */
static yo_move move_at(const struct web_game *game, size_t i, bool *black) {
    if (game->go) {
        struct yo_go_played move = yo_go_game_move(game->go, i);
        *black = move.color == YO_GO_BLACK;
        return move.move;
    }
    *black = game->shogi->positions[i].side == YO_SHOGI_BLACK;
    return yo_shogi_game_move(game->shogi, i);
}

/* The game after `count` of its moves. */
static enum yo_err copy_until(const struct web_game *game, size_t count, struct web_game *out,
                              struct yo_diag *diag) {
    *out = (struct web_game){.kind = game->kind};
    enum yo_err err;
    if (game->go) {
        err = yo_go_game_copy(game->go, &out->go);
        if (!err) yo_go_game_rewind(out->go, count);
    } else {
        err = yo_shogi_game_copy(game->shogi, &out->shogi);
        while (!err && yo_shogi_game_move_count(out->shogi) > count)
            err = yo_shogi_game_undo(out->shogi, NULL);
    }
    return err ? yo_diag_set(diag, err, "no memory for a game") : YO_OK;
}

static void send_point(struct web_task *task, const struct web_game *now, size_t index,
                       size_t total, const struct point *p, const struct yo_search_result *r) {
    bool failed = false;
    json_t *m = yo_web_answer("review.move", task->id, &failed);
    uint64_t visits = 0;
    for (size_t i = 0; i < r->move_count; i++)
        visits += r->moves[i].visits;
    yo_web_put_int(m, "index", (int64_t)index, &failed);
    yo_web_put_int(m, "done", (int64_t)index + 1, &failed);
    yo_web_put_int(m, "total", (int64_t)total, &failed);
    yo_web_put_int(m, "visits", (int64_t)visits, &failed);
    yo_web_put_int(m, "nodes", (int64_t)r->nodes, &failed);
    yo_web_put_int(m, "depth", r->depth, &failed);
    if (r->move_count > 0) {
        struct yo_search_move best = r->moves[0];
        if (now->go && best.visits > 0) best.score_to_move = yo_search_root_score(r);
        yo_web_put_values(m, now, &best, &failed);
        yo_json_set(m, "best", yo_web_move_text(now, best.move), &failed);
        yo_json_set(m, "pv", yo_web_line(now, &best, LINE, &failed), &failed);
    }
    yo_web_put_real(m, "winrate", p->rate, &failed);
    yo_web_put_real(m, "lost", p->lost, &failed);
    yo_web_send(task->web, m, failed, false);
}

/* The chance in a position that the search has nothing to say about: a finished game. */
static double ended_rate(const struct web_game *now) {
    if (now->go) return 0.5;
    enum yo_shogi_outcome outcome = yo_shogi_game_outcome(now->shogi);
    return outcome == YO_SHOGI_BLACK_WINS ? 1 : outcome == YO_SHOGI_WHITE_WINS ? 0 : 0.5;
}

static enum yo_err search_point(struct web_task *task, struct yo_session *session, size_t index,
                                struct point *points, struct yo_diag *diag) {
    struct web_game now;
    struct yo_search_result r = {0};
    struct point *p = &points[index];
    enum yo_err err = copy_until(&task->game, index, &now, diag);
    if (!err)
        err = yo_session_analyse(session, now.go ? (const void *)now.go : now.shogi, &task->limits,
                                 &task->stop, NULL, NULL, &r, diag);
    if (!err && !atomic_load(&task->stop)) {
        p->rate = r.move_count ? yo_web_root_winrate(&now, &r) : ended_rate(&now);
        p->best = r.move_count ? r.moves[0].move : YO_MOVE_NONE;
        for (size_t i = 0; r.move_count && i < r.moves[0].pv_count && i < LINE; i++)
            p->pv[p->length++] = r.moves[0].pv[i];
        if (index > 0) {
            p->move = move_at(&task->game, index - 1, &p->black);
            p->lost = yo_review_lost(points[index - 1].rate, p->rate, p->black);
            p->matched = points[index - 1].best == p->move;
        }
        send_point(task, &now, index, move_count(&task->game) + 1, p, &r);
    }
    yo_web_game_free(&now);
    return err;
}

/* ---- The summary ---- */

static json_t *worst_move(const struct web_task *task, const struct point *points, size_t i,
                          bool *failed) {
    const struct web_game *game = &task->game;
    const struct point *p = &points[i], *before = &points[i - 1];
    json_t *object = yo_json_object(), *pv = yo_json_array();
    yo_web_put_int(object, "index", (int64_t)i, failed);
    yo_web_put(object, "side", p->black ? "b" : "w", failed);
    yo_json_set(object, "move", yo_web_move_text(game, p->move), failed);
    yo_web_put_real(object, "lost", p->lost, failed);
    yo_json_set(object, "better", yo_web_move_text(game, before->best), failed);
    for (size_t k = 0; k < before->length; k++)
        yo_json_append(pv, yo_web_move_text(game, before->pv[k]), failed);
    yo_json_set(object, "pv", pv, failed);
    return object;
}

static json_t *worst_moves(const struct web_task *task, const struct point *points, size_t count,
                           bool *failed) {
    json_t *list = yo_json_array();
    size_t worst[WORST];
    double *lost = yo_alloc(count + 1, sizeof *lost);
    if (!lost) *failed = true;
    for (size_t i = 0; lost && i < count; i++) /* no better move: not a mistake */
        lost[i] = points[i].matched ? 0 : points[i].lost;
    size_t found = lost ? yo_review_worst(lost, count, LEAST, worst, WORST) : 0;
    for (size_t i = 0; i < found; i++)
        yo_json_append(list, worst_move(task, points, worst[i], failed), failed);
    yo_free(lost);
    return list;
}

static json_t *side_summary(const struct point *points, size_t count, bool black, bool *failed) {
    json_t *object = yo_json_object();
    int moves = 0, matched = 0;
    double lost = 0;
    for (size_t i = 1; i < count; i++) {
        if (points[i].black != black) continue;
        moves++;
        matched += points[i].matched;
        lost += points[i].lost;
    }
    yo_web_put_int(object, "moves", moves, failed);
    yo_web_put_real(object, "lost", moves ? lost / moves : 0, failed);
    yo_web_put_real(object, "matched", moves ? (double)matched / moves : 0, failed);
    return object;
}

static void send_summary(struct web_task *task, const struct point *points, size_t count) {
    bool failed = false;
    json_t *m = yo_web_answer("review", task->id, &failed);
    yo_web_put_bool(m, "stopped", atomic_load(&task->stop), &failed);
    yo_json_set(m, "worst", worst_moves(task, points, count, &failed), &failed);
    yo_json_set(m, "b", side_summary(points, count, true, &failed), &failed);
    yo_json_set(m, "w", side_summary(points, count, false, &failed), &failed);
    yo_web_send(task->web, m, failed, false);
}

/* Without a limit: visits of a tree, nodes of alpha-beta. */
static void limit(const struct web_game *game, unsigned supported, struct yo_search_limits *l) {
    if (l->visits || l->nodes || l->depth || l->time_ms) return;
    if (game->shogi && (supported & YO_LIMIT_NODES))
        l->nodes = NODES;
    else
        l->visits = VISITS;
}

static enum yo_err run_review(struct yo_web *web, struct web_task *task, struct yo_diag *diag) {
    size_t total = move_count(&task->game) + 1, done = 0;
    struct yo_session *session;
    struct point *points = yo_alloc(total, sizeof *points);
    if (!points) return yo_diag_set(diag, YO_ERR_NOMEM, "out of memory");
    enum yo_err err = yo_web_session(web, task->game.kind, &session, diag);
    if (!err) limit(&task->game, yo_session_limits(session), &task->limits);
    while (!err && done < total && !atomic_load(&task->stop)) {
        err = search_point(task, session, done, points, diag);
        if (!err && !atomic_load(&task->stop)) done++;
    }
    if (!err) send_summary(task, points, done);
    yo_free(points);
    return err;
}

YO_WEB_REQUEST(review) {
    struct web_task *task = yo_web_task_new(web, id, run_review);
    if (!task) return YO_ERR_NOMEM;
    struct yo_search_limits *l = &task->limits;
    enum yo_err err = yo_web_take_game(request, &task->game, NULL, index, diag);
    if (!err) err = yo_web_take_limits(request, l, diag);
    if (err) {
        yo_web_task_delete(task);
        return err;
    }
    l->whole = true;
    return yo_web_lane_add(web, task, diag);
}
