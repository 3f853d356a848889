/* Makes the positions to search from a parsed query. */
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "game/go/state.h"
#include "protocol/analysis/query.h"

/* Black stones alone are a handicap, as in KataGo. */
static enum yo_err place_stones(const struct analysis_query *q, struct yo_go_game *game,
                                struct yo_diag *diag) {
    yo_go_point points[YO_GO_POINTS_MAX];
    int black = 0, white = 0;
    for (int p = 0; p < q->size * q->size; p++) {
        white += q->stones[p] == YO_GO_WHITE;
        if (q->stones[p] == YO_GO_BLACK) points[black++] = (yo_go_point)p;
    }
    if (white == 0 && black >= 2 && yo_go_game_handicap_set(game, points, black, NULL) == YO_OK)
        return YO_OK;
    return yo_go_game_setup(game, q->stones, black >= 2 && !white ? YO_GO_WHITE : YO_GO_BLACK,
                            diag);
}

static bool set_up(const struct analysis_query *q, struct yo_go_game **out) {
    struct yo_diag diag = {0};
    if (yo_go_game_new(q->size, &q->rules, out)) return yo_query_fail(q, "moves", "Out of memory");
    if (q->has_stones && place_stones(q, *out, &diag)) {
        yo_go_game_delete(*out);
        return yo_query_fail_with(q, "initialStones", "Illegal stone placements: ", diag.what);
    }
    if (q->first != YO_GO_EMPTY)
        yo_go_game_set_to_move(*out, q->first);
    else if (q->move_count > 0)
        yo_go_game_set_to_move(*out, q->moves[0].color);
    return true;
}

static size_t list(const struct analysis_query *q, const bool *named, yo_move *moves) {
    size_t count = 0;
    for (int p = 0; p < q->size * q->size; p++)
        if (named[p]) moves[count++] = (yo_move)p;
    if (named[QUERY_PASS]) moves[count++] = YO_GO_PASS;
    return count;
}

/* Without a legal move that is left, a pass is analysed. */
static void warn_of_no_move(const struct analysis_query *q, const struct analysis_task *task) {
    enum yo_go_color color = yo_go_game_to_move(task->game);
    struct yo_search_limits limits = {.only = q->allows[color] ? task->only : NULL,
                                      .only_count = task->only_count,
                                      .avoid = task->avoid,
                                      .avoid_count = task->avoid_count};
    if (yo_search_allows(&limits, YO_GO_PASS)) return;
    for (int p = 0; p < q->size * q->size; p++)
        if (yo_search_allows(&limits, (yo_move)p) &&
            yo_go_game_legal(task->game, color, (yo_go_point)p))
            return;
    yo_query_warn(q, q->allows[color] ? "allowMoves" : "avoidMoves",
                  "None of the moves that are left is legal: a pass is analyzed");
}

static bool copy_moves(const struct analysis_query *q, struct analysis_task *task) {
    enum yo_go_color color = yo_go_game_to_move(task->game);
    task->avoid = yo_alloc(YO_GO_POINTS_MAX + 1, sizeof *task->avoid);
    task->only = yo_alloc(YO_GO_POINTS_MAX + 1, sizeof *task->only);
    if (!task->avoid || !task->only) return false;
    task->avoid_count = list(q, q->avoid[color], task->avoid);
    task->only_count = list(q, q->allow[color], task->only);
    task->allows = q->allows[color];
    warn_of_no_move(q, task);
    return true;
}

static struct analysis_task *make_task(const struct analysis_query *q,
                                       const struct yo_go_game *game, size_t turn) {
    struct analysis_task *task = yo_alloc(1, sizeof *task);
    if (!task) return NULL;
    task->analysis = q->a;
    task->turn = (int)turn;
    task->priority = q->priorities[turn];
    task->wants = q->wants;
    task->id_len = json_string_length(q->id);
    task->id = yo_alloc(task->id_len + 1, 1);
    bool good = task->id && yo_go_game_copy(game, &task->game) == YO_OK && copy_moves(q, task) &&
                yo_options_init(&task->options, q->options.rows, NULL) == YO_OK &&
                yo_options_copy(&task->options, &q->options) == YO_OK;
    if (!good) {
        yo_analysis_task_delete(task);
        return NULL;
    }
    memcpy(task->id, json_string_value(q->id), task->id_len);
    return task;
}

static bool play(const struct analysis_query *q, struct yo_go_game *game, size_t turn) {
    char message[64], point[8];
    const struct yo_go_played *m = &q->moves[turn];
    if (yo_go_game_play_recorded(game, m->color, m->move, NULL) == YO_OK) return true;
    snprintf(message, sizeof message, "Illegal move %zu: %s", turn,
             yo_go_point_format(m->move, q->size, point));
    return yo_query_fail(q, "moves", message);
}

struct analysis_task *yo_query_tasks(const struct analysis_query *q) {
    struct yo_go_game *game;
    struct analysis_task *first = NULL, **link = &first;
    bool good = set_up(q, &game);
    if (!good) return NULL;
    for (size_t turn = 0; good && turn <= q->move_count; turn++) {
        if (q->wanted[turn]) {
            *link = make_task(q, game, turn);
            good = *link || yo_query_fail(q, "moves", "Out of memory");
            if (good) link = &(*link)->next;
        }
        if (good && turn < q->move_count) good = play(q, game, turn);
    }
    yo_go_game_delete(game);
    while (!good && first) {
        struct analysis_task *next = first->next;
        yo_analysis_task_delete(first);
        first = next;
    }
    return first;
}
