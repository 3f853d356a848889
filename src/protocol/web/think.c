/* Requests that search the position: move, analyze, stop. */
#include <string.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "base/time.h"
#include "engine/level.h"
#include "protocol/web/internal.h"

enum { MOVE_MS = 2000, REPORT_LEAST_MS = 20, SHOGI_LINES = 5, LINES = 12 };

/* ---- move ---- */

/* The values of the played move, which a weak level may have chosen behind the best one. */
static const struct yo_search_move *played(const struct yo_search_result *r, yo_move move) {
    for (size_t i = 0; i < r->move_count; i++)
        if (r->moves[i].move == move) return &r->moves[i];
    return NULL;
}

static void put_move(json_t *m, const struct web_task *task, const struct yo_search_result *r,
                     yo_move move, json_t *text, bool *failed) {
    yo_json_set(m, "move", text, failed);
    yo_web_put_int(m, "elapsed_ms", r->elapsed_ms, failed);
    yo_web_put_bool(m, "stopped", atomic_load(&task->stop), failed);
    if (r->move_count == 0) return;
    const struct yo_search_move *best = played(r, move);
    yo_web_put_values(m, &task->game, best ? best : &r->moves[0], failed);
    if (best) yo_json_set(m, "pv", yo_web_line(&task->game, best, 16, failed), failed);
}

static enum yo_err set_level(struct yo_session *session, int level, struct yo_diag *diag) {
    char text[8] = {(char)('0' + level / 10), (char)('0' + level % 10), '\0'};
    return yo_session_set(session, YO_EVERYWHERE, "level", text, diag);
}

static enum yo_err set_time(struct yo_session *session, int64_t ms, struct yo_diag *diag) {
    struct yo_buf text = {0};
    yo_buf_printf(&text, "%lld.%03lld", (long long)(ms / 1000), (long long)(ms % 1000));
    enum yo_err err = yo_buf_status(&text);
    if (!err) err = yo_session_set(session, YO_ON_CLI, "time", yo_buf_text(&text), diag);
    yo_buf_free(&text);
    return err;
}

enum yo_err yo_web_take_copy(struct yo_session *session, const struct yo_go_game *game,
                             struct yo_diag *diag) {
    struct yo_go_game *copy;
    enum yo_err err = yo_go_game_copy(game, &copy);
    if (err) return yo_diag_set(diag, err, "no memory for a game");
    yo_session_take_go(session, copy);
    return YO_OK;
}

static enum yo_err move_go(struct web_task *task, struct yo_session *session,
                           struct yo_diag *diag) {
    struct yo_search_limits none = {0};
    struct yo_search_result result;
    yo_go_point move;
    bool failed = false;
    enum yo_go_color color = yo_go_game_to_move(task->game.go);
    enum yo_err err = set_time(session, task->limits.time_ms, diag);
    if (!err) err = yo_web_take_copy(session, task->game.go, diag);
    if (err) return err;
    *yo_session_clock(session) = task->clock;
    err = yo_session_find_move(session, color, &none, &task->stop, yo_web_progress, task, &result,
                               diag);
    if (!err) err = yo_session_play_best(session, color, true, &result, &move, diag);
    if (err) return err;
    json_t *m = yo_web_answer("move", task->id, &failed);
    put_move(m, task, &result, move, yo_web_move_text(&task->game, move), &failed);
    yo_web_put_bool(m, "book", yo_session_is_in_book(session), &failed);
    yo_web_send(task->web, m, failed, false);
    return YO_OK;
}

struct shogi_answer {
    struct web_task *task;
    enum yo_err err;
    struct yo_diag diag;
};

/* In the session's thread: the result lives only during this call. */
static void answer_shogi(void *user, const struct yo_session_answer *a) {
    struct shogi_answer *s = user;
    bool failed = false;
    s->err = a->err;
    if (a->err) {
        s->diag = *a->diag;
        return;
    }
    json_t *m = yo_web_answer("move", s->task->id, &failed);
    json_t *text = a->kind == YO_ANSWER_MOVE
                       ? yo_web_move_text(&s->task->game, a->move)
                       : json_string(a->kind == YO_ANSWER_WIN ? "win" : "resign");
    put_move(m, s->task, &a->result, a->move, text, &failed);
    yo_web_put_bool(m, "book", a->from_book, &failed);
    yo_web_send(s->task->web, m, failed, false);
}

static void report_shogi(void *user, const struct yo_search_result *so_far) {
    yo_web_progress(((struct shogi_answer *)user)->task, so_far);
}

static struct yo_shogi_clock shogi_clock(const struct yo_clock *clock, int side) {
    const struct yo_clock_side *left = &clock->side[side];
    int64_t period = clock->settings.period_ms, main_ms = left->count ? 0 : left->left_ms;
    switch (clock->settings.kind) {
    case YO_CLOCK_ABSOLUTE:
        return (struct yo_shogi_clock){main_ms, 0, 0};
    case YO_CLOCK_BYOYOMI:
        return (struct yo_shogi_clock){main_ms, 0, period};
    case YO_CLOCK_FISCHER:
        return (struct yo_shogi_clock){main_ms, period, 0};
    default:
        return (struct yo_shogi_clock){-1, -1, -1};
    }
}

static enum yo_err move_shogi(struct web_task *task, struct yo_session *session,
                              struct yo_diag *diag) {
    struct shogi_answer answer = {.task = task};
    struct yo_session_listener listener = {
        .report = report_shogi, .answer = answer_shogi, .user = &answer};
    struct yo_session_request request = {.limits = {.time_ms = task->limits.time_ms}};
    struct yo_shogi_clock clocks[2] = {shogi_clock(&task->clock, 0), shogi_clock(&task->clock, 1)};
    struct yo_shogi_game *copy;
    enum yo_err err = yo_shogi_game_copy(task->game.shogi, &copy);
    if (err) return yo_diag_set(diag, err, "no memory for a game");
    yo_session_take_shogi(session, copy);
    yo_session_set_clocks(session, clocks);
    err = yo_session_start(session, &request, &listener, diag);
    if (err) return err;
    /* A stop that came before the start did not reach the search. */
    if (atomic_load(&task->stop)) yo_session_interrupt(session);
    yo_session_wait(session);
    if (answer.err) *diag = answer.diag;
    return answer.err;
}

static enum yo_err run_move(struct yo_web *web, struct web_task *task, struct yo_diag *diag) {
    struct yo_session *session;
    enum yo_err err = yo_web_session(web, task->game.kind, &session, diag);
    if (!err) err = set_level(session, task->level, diag);
    if (err) return err;
    task->reported_ms = yo_time_ms();
    return task->game.go ? move_go(task, session, diag) : move_shogi(task, session, diag);
}

static enum yo_err take_side(const json_t *clock, const char *key, struct yo_clock_side *side,
                             struct yo_diag *diag) {
    json_t *object;
    int64_t count = side->count;
    enum yo_err err = yo_web_take_object(clock, key, &object, diag);
    if (err || !object) return err;
    err = yo_web_check_members(object, key, "left_ms count", diag);
    if (!err) err = yo_web_take_int(object, "left_ms", 0, INT64_C(1) << 40, &side->left_ms, diag);
    if (!err) err = yo_web_take_int(object, "count", 0, 1000, &count, diag);
    side->count = (int)count;
    return err;
}

static enum yo_err take_kind(const json_t *object, enum yo_clock_kind *kind, struct yo_diag *diag) {
    static const char *const kinds[] = {"none", "absolute", "byoyomi", "canadian", "fischer"};
    const char *name = NULL;
    enum yo_err err = yo_web_take_text(object, "kind", &name, diag);
    for (int i = 0; !err && name && i <= YO_CLOCK_FISCHER; i++)
        if (strcmp(kinds[i], name) == 0) {
            *kind = (enum yo_clock_kind)i;
            return YO_OK;
        }
    if (err) return err;
    yo_diag_set(diag, YO_ERR_UNKNOWN, "there is no clock '%.20s'", name ? name : "");
    yo_diag_hint(diag, "kinds are none, absolute, byoyomi, canadian, fischer");
    return YO_ERR_UNKNOWN;
}

static enum yo_err take_clock(const json_t *request, struct web_task *task, struct yo_diag *diag) {
    json_t *object;
    struct yo_clock_settings settings = {0};
    int64_t count = 1;
    enum yo_err err = yo_web_take_object(request, "clock", &object, diag);
    if (err || !object) return err;
    err = yo_web_check_members(object, "clock", "kind main_ms period_ms count b w", diag);
    if (!err) err = take_kind(object, &settings.kind, diag);
    if (!err)
        err = yo_web_take_int(object, "main_ms", 0, INT64_C(1) << 40, &settings.main_ms, diag);
    if (!err)
        err = yo_web_take_int(object, "period_ms", 0, INT64_C(1) << 40, &settings.period_ms, diag);
    if (!err) err = yo_web_take_int(object, "count", 1, 1000, &count, diag);
    if (err) return err;
    if (settings.kind == YO_CLOCK_CANADIAN && task->game.shogi)
        return yo_diag_set(diag, YO_ERR_UNSUPPORTED, "shogi has no canadian clock");
    settings.count = (int)count;
    yo_clock_start(&task->clock, &settings);
    err = take_side(object, "b", &task->clock.side[0], diag);
    return err ? err : take_side(object, "w", &task->clock.side[1], diag);
}

YO_WEB_REQUEST(move) {
    struct web_task *task = yo_web_task_new(web, id, run_move);
    int64_t level = YO_LEVEL_MAX;
    if (!task) return YO_ERR_NOMEM;
    task->wants = (struct web_wants){.max_moves = LINES, .pv_length = 16};
    enum yo_err err = yo_web_take_game(request, &task->game, NULL, index, diag);
    if (!err) err = yo_web_take_int(request, "level", YO_LEVEL_MIN, YO_LEVEL_MAX, &level, diag);
    if (!err) err = yo_web_take_int(request, "every_ms", 0, 60000, &task->wants.every_ms, diag);
    if (!err) err = yo_web_take_int(request, "time_ms", 1, 3600000, &task->limits.time_ms, diag);
    if (!err) err = take_clock(request, task, diag);
    if (err) {
        yo_web_task_delete(task);
        return err;
    }
    task->level = (int)level;
    bool timed = task->clock.settings.kind != YO_CLOCK_NONE;
    if (timed) task->limits.time_ms = 0;
    if (!timed && !task->limits.time_ms) task->limits.time_ms = MOVE_MS;
    return yo_web_lane_add(web, task, diag);
}

/* ---- analyze ---- */

static enum yo_err run_analyze(struct yo_web *web, struct web_task *task, struct yo_diag *diag) {
    struct yo_session *session;
    struct yo_search_result result;
    const void *game = task->game.go ? (const void *)task->game.go : task->game.shogi;
    enum yo_err err = yo_web_session(web, task->game.kind, &session, diag);
    if (err) return err;
    task->reported_ms = yo_time_ms() - task->wants.every_ms + REPORT_LEAST_MS;
    err = yo_session_analyse(session, game, &task->limits, &task->stop, yo_web_progress, task,
                             &result, diag);
    if (!err) yo_web_report(task, &result, true);
    return err;
}

enum yo_err yo_web_take_limits(const json_t *request, struct yo_search_limits *limits,
                               struct yo_diag *diag) {
    json_t *object;
    int64_t visits = 0, nodes = 0, depth = 0, most = INT64_C(1) << 50;
    enum yo_err err = yo_web_take_object(request, "limit", &object, diag);
    if (err || !object) return err;
    err = yo_web_check_members(object, "limit", "visits nodes depth time_ms", diag);
    if (!err) err = yo_web_take_int(object, "visits", 0, most, &visits, diag);
    if (!err) err = yo_web_take_int(object, "nodes", 0, most, &nodes, diag);
    if (!err) err = yo_web_take_int(object, "depth", 0, 127, &depth, diag);
    if (!err) err = yo_web_take_int(object, "time_ms", 0, most, &limits->time_ms, diag);
    limits->visits = (uint64_t)visits;
    limits->nodes = (uint64_t)nodes;
    limits->depth = (int)depth;
    return err;
}

static enum yo_err take_moves(const json_t *request, const char *key, const struct web_game *game,
                              yo_move **moves, size_t *count, struct yo_diag *diag) {
    json_t *list, *value;
    size_t i;
    enum yo_err err = yo_web_take_array(request, key, YO_SHOGI_LIST, &list, diag);
    if (err || json_array_size(list) == 0) return err;
    if (*moves) return yo_diag_set(diag, YO_ERR_PARSE, "only and avoid cannot both be there");
    *moves = yo_alloc(json_array_size(list), sizeof **moves);
    if (!*moves) return yo_diag_set(diag, YO_ERR_NOMEM, "out of memory");
    json_array_foreach(list, i, value) {
        err = yo_web_read_move(game, yo_json_string(value), &(*moves)[i], diag);
        if (err) return err;
        *count = i + 1;
    }
    return YO_OK;
}

static enum yo_err take_wants(const json_t *request, struct web_task *task, struct yo_diag *diag) {
    struct web_wants *w = &task->wants;
    int64_t moves = task->game.go ? LINES : SHOGI_LINES, length = 16;
    w->every_ms = 200;
    enum yo_err err =
        yo_web_take_int(request, "every_ms", REPORT_LEAST_MS, 60000, &w->every_ms, diag);
    if (!err) err = yo_web_take_int(request, "max_moves", 1, WEB_LINES_MAX, &moves, diag);
    if (!err) err = yo_web_take_int(request, "pv_length", 0, 100, &length, diag);
    if (!err) err = yo_web_take_bool(request, "ownership", &w->ownership, diag);
    if (!err) err = yo_web_take_bool(request, "policy", &w->policy, diag);
    w->max_moves = (size_t)moves;
    w->pv_length = (size_t)length;
    task->limits.lines = (size_t)moves;
    task->limits.whole = true;
    task->limits.ownership = w->ownership && task->game.go;
    return err;
}

static enum yo_err read_analyze(const json_t *request, struct web_task *task, int *index,
                                struct yo_diag *diag) {
    struct yo_search_limits *l = &task->limits;
    size_t only = 0;
    enum yo_err err = yo_web_take_game(request, &task->game, NULL, index, diag);
    if (!err) err = take_wants(request, task, diag);
    if (!err) err = yo_web_take_limits(request, l, diag);
    if (!err) err = take_moves(request, "only", &task->game, &task->moves, &only, diag);
    if (!err && only) {
        l->only = task->moves;
        l->only_count = only;
    }
    if (!err) err = take_moves(request, "avoid", &task->game, &task->moves, &l->avoid_count, diag);
    if (!err && l->avoid_count) l->avoid = task->moves;
    return err;
}

YO_WEB_REQUEST(analyze) {
    struct web_task *task = yo_web_task_new(web, id, run_analyze);
    if (!task) return YO_ERR_NOMEM;
    task->unbegun = yo_web_empty_report;
    enum yo_err err = read_analyze(request, task, index, diag);
    if (!err) return yo_web_lane_add(web, task, diag);
    yo_web_task_delete(task);
    return err;
}

/* ---- stop ---- */

static void send_stopped(struct yo_web *web, json_int_t id, bool stopped) {
    bool failed = false;
    json_t *m = yo_web_answer("stop", id, &failed);
    yo_web_put_bool(m, "stopped", stopped, &failed);
    yo_web_send(web, m, failed, false);
}

static enum yo_err run_stopped(struct yo_web *web, struct web_task *task, struct yo_diag *diag) {
    (void)diag;
    send_stopped(web, task->id, true);
    return YO_OK;
}

YO_WEB_REQUEST(stop) {
    (void)index;
    int64_t of = 0;
    enum yo_err err = yo_web_take_int(request, "of", INT64_MIN, INT64_MAX, &of, diag);
    if (err) return err;
    json_int_t which = of;
    bool later, any = yo_web_lane_stop(web, json_object_get(request, "of") ? &which : NULL, &later);
    if (!later) {
        send_stopped(web, id, any);
        return YO_OK;
    }
    struct web_task *task = yo_web_task_new(web, id, run_stopped);
    if (!task) return YO_ERR_NOMEM;
    task->is_stop = true;
    return yo_web_lane_add(web, task, diag);
}
