/* Requests about the end of a game of Go: judge, playout. */
#include <string.h>

#include "base/diag.h"
#include "eval/playout/scalar.h"
#include "eval/playout/spec.h"
#include "game/go/patterns.h"
#include "game/go/region.h"
#include "game/go/state.h"
#include "protocol/web/internal.h"
#include "yomi/playout.h"

static enum yo_err only_go(const struct web_game *game, struct yo_diag *diag) {
    if (game->go) return YO_OK;
    return yo_diag_set(diag, YO_ERR_UNSUPPORTED, "this is a request for Go");
}

/* ---- judge ---- */

static void send_judgement(struct web_task *task, const uint8_t *dead, const struct yo_judgement *j,
                           const struct yo_go_score *score) {
    const struct yo_go_game *go = task->game.go;
    static const int signs[] = {[YO_GO_EMPTY] = 0, [YO_GO_BLACK] = 1, [YO_GO_WHITE] = -1};
    int points = yo_go_game_size(go) * yo_go_game_size(go);
    uint8_t owner[YO_GO_POINTS_MAX];
    char text[16];
    bool failed = false;
    json_t *m = yo_web_answer("judge", task->id, &failed), *list = yo_json_array(),
           *owners = yo_json_array(), *ownership = yo_json_array();
    yo_go_region_owners(go, dead, owner);
    for (int p = 0; p < points; p++) {
        if (dead[p]) yo_json_append(list, yo_web_move_text(&task->game, (yo_move)p), &failed);
        yo_json_append(owners, json_integer(signs[owner[p]]), &failed);
        if (j) yo_json_append(ownership, yo_web_real((double)j->ownership[p], 2), &failed);
    }
    yo_json_set(m, "dead", list, &failed);
    yo_json_set(m, "owner", owners, &failed);
    if (j) {
        yo_json_set(m, "ownership", json_incref(ownership), &failed);
        yo_web_put_bool(m, "settled", j->settled, &failed);
    }
    json_decref(ownership);
    yo_web_put_real(m, "score", score->lead2 / 2.0, &failed);
    yo_web_put(m, "text", yo_go_score_format(score, text), &failed);
    yo_web_send(task->web, m, failed, false);
}

static enum yo_err run_judge(struct yo_web *web, struct web_task *task, struct yo_diag *diag) {
    struct yo_session *session;
    struct yo_judgement judgement;
    struct yo_go_score score;
    if (task->counts_only) {
        yo_go_game_score(task->game.go, task->dead, &score);
        send_judgement(task, task->dead, NULL, &score);
        return YO_OK;
    }
    enum yo_err err = yo_web_session(web, YO_SESSION_GO, &session, diag);
    if (!err) err = yo_web_take_copy(session, task->game.go, diag);
    if (!err) err = yo_session_judge(session, &task->stop, &judgement, diag);
    if (!err) send_judgement(task, judgement.dead, &judgement, &judgement.score);
    return err;
}

/* Each point marks its whole string. */
static enum yo_err take_dead(const json_t *request, struct web_task *task, struct yo_diag *diag) {
    const struct yo_go_game *go = task->game.go;
    int size = yo_go_game_size(go);
    uint8_t colors[YO_GO_POINTS_MAX];
    json_t *list, *value;
    size_t i;
    enum yo_err err = yo_web_take_array(request, "dead", YO_GO_POINTS_MAX, &list, diag);
    if (err || !list) return err;
    task->counts_only = true;
    yo_go_region_colors(go, NULL, colors);
    json_array_foreach(list, i, value) {
        struct yo_go_region string;
        yo_move point;
        err = yo_web_read_move(&task->game, yo_json_string(value), &point, diag);
        if (err) return err;
        if (point >= (yo_move)(size * size) || colors[point] == YO_GO_EMPTY)
            return yo_diag_set(diag, YO_ERR_ILLEGAL, "dead: there is no stone at %.8s",
                               yo_json_string(value));
        if (!task->dead[point])
            yo_go_region_find(size, colors, (yo_go_point)point, task->dead, &string);
    }
    return YO_OK;
}

YO_WEB_REQUEST(judge) {
    struct web_task *task = yo_web_task_new(web, id, run_judge);
    if (!task) return YO_ERR_NOMEM;
    enum yo_err err = yo_web_take_game(request, &task->game, NULL, index, diag);
    if (!err) err = only_go(&task->game, diag);
    if (!err) err = take_dead(request, task, diag);
    if (!err) return yo_web_lane_add(web, task, diag);
    yo_web_task_delete(task);
    return err;
}

/* ---- playout ---- */

static void send_playout(struct yo_web *web, json_int_t id, const struct web_game *game,
                         uint64_t number) {
    enum yo_playout_policy policy = YO_PLAYOUT_MOGO;
    struct yo_playout_position position;
    struct yo_playout playout;
    yo_go_point moves[YO_PLAYOUT_MOVES_MAX];
    bool failed = false;
    yo_playout_position_from_game(game->go, &position);
    yo_playout_start(&playout, &position, 1, number);
    yo_playout_finish(&playout, policy, yo_go_patterns(), moves);
    json_t *m = yo_web_answer("playout", id, &failed), *list = yo_json_array();
    for (uint32_t i = 0; i < playout.moves; i++)
        yo_json_append(list, yo_web_move_text(game, moves[i]), &failed);
    yo_json_set(m, "moves", list, &failed);
    yo_web_put(m, "policy", yo_playout_policy_name(policy), &failed);
    int points = position.size * position.size, lead = 0;
    uint8_t owner[YO_GO_POINTS_MAX];
    yo_playout_owner(&playout.board, owner);
    for (int p = 0; p < points; p++)
        lead += (owner[p] == YO_GO_BLACK) - (owner[p] == YO_GO_WHITE);
    yo_web_put_real(m, "score", lead - yo_judge_area_komi2(game->go, false) / 2.0, &failed);
    yo_web_send(web, m, failed, false);
}

YO_WEB_REQUEST(playout) {
    struct web_game game;
    int64_t number = 0;
    enum yo_err err = yo_web_take_int(request, "number", 0, INT64_C(1) << 53, &number, diag);
    if (!err) err = yo_web_take_game(request, &game, NULL, index, diag);
    if (err) return err;
    err = only_go(&game, diag);
    if (!err) send_playout(web, id, &game, (uint64_t)number);
    yo_web_game_free(&game);
    return err;
}
