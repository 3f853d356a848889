/* Writes answers. Fields are in alphabetical order, as KataGo writes them; values are from the
 * perspective that the query names. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "protocol/analysis/internal.h"

/* ---- lines out ---- */

void yo_analysis_send(struct yo_analysis *a, json_t *object, bool failed) {
    static const char lost[] = "{\"error\":\"out of memory for an answer\"}\n";
    struct yo_buf line = {0};
    yo_json_write(&line, object);
    yo_buf_char(&line, '\n');
    failed = failed || line.failed;
    pthread_mutex_lock(&a->out_lock);
    if (!atomic_load(&a->unheard) && a->config.send) {
        bool heard = failed ? a->config.send(a->config.user, lost, sizeof lost - 1)
                            : a->config.send(a->config.user, line.data, line.len);
        if (!heard) atomic_store(&a->unheard, true);
    }
    pthread_mutex_unlock(&a->out_lock);
    yo_buf_free(&line);
    json_decref(object);
}

void yo_analysis_send_error(struct yo_analysis *a, const char *message) {
    bool failed = false;
    json_t *object = yo_json_object();
    yo_json_set(object, "error", yo_json_text(message, strlen(message)), &failed);
    yo_analysis_send(a, object, failed);
}

void yo_analysis_send_field(struct yo_analysis *a, const char *kind, json_t *id, const char *field,
                            const char *message) {
    bool failed = false;
    json_t *object = yo_json_object();
    yo_json_set(object, kind, yo_json_text(message, strlen(message)), &failed);
    yo_json_set(object, "field", yo_json_text(field, strlen(field)), &failed);
    yo_json_set(object, "id", json_incref(id), &failed);
    yo_analysis_send(a, object, failed);
}

/* ---- results ---- */

struct report {
    const struct analysis_task *task;
    const struct yo_search_result *result;
    int size;
    enum yo_go_color to_move;
    double sign;       /* from the side to move to the reported perspective */
    double black_sign; /* from Black to the reported perspective */
    bool failed;       /* out of memory for a part of the answer */
};

static double seen_rate(const struct report *r, double rate) {
    return r->sign > 0 ? rate : 1 - rate;
}

static void put(struct report *r, json_t *object, const char *name, json_t *value) {
    yo_json_set(object, name, value, &r->failed);
}

static void put_real(struct report *r, json_t *object, const char *name, double value) {
    put(r, object, name, yo_json_real(value));
}

static json_t *move_text(const struct report *r, yo_move move) {
    char text[8];
    return json_string(yo_go_point_format((yo_go_point)move, r->size, text));
}

static void put_points(struct report *r, json_t *object, const char *name, const float *values,
                       double sign) {
    json_t *list = yo_json_array();
    for (int p = 0; p < r->size * r->size; p++)
        yo_json_append(list, yo_json_real(values ? sign * (double)values[p] : 0), &r->failed);
    put(r, object, name, list);
}

static void put_ownership(struct report *r, json_t *object, const float *ownership) {
    put_points(r, object, "ownership", ownership, r->black_sign);
}

/* Where the search does not know the spread over the tree: that of a point which is one side's or
 * the other's with the chances that its ownership stands for. */
static void put_ownership_stdev(struct report *r, json_t *object, const float *ownership,
                                const float *stdev) {
    float derived[YO_GO_POINTS_MAX];
    for (int p = 0; !stdev && ownership && p < r->size * r->size; p++)
        derived[p] = sqrtf(fmaxf(0, 1 - ownership[p] * ownership[p]));
    put_points(r, object, "ownershipStdev", stdev ? stdev : ownership ? derived : NULL, 1);
}

/* The chance of a game without result. Only repetition that the rules allow leads to one. The tree
 * does not keep it, so this is what the network says of the root. */
static double no_result(const struct report *r) {
    bool possible = yo_go_game_rules(r->task->game)->ko == YO_GO_KO_SIMPLE;
    return possible && r->result->raw ? (double)r->result->raw->draw : 0;
}

static void put_pv(struct report *r, json_t *object, const struct yo_search_move *m) {
    const struct analysis_wants *wants = &r->task->wants;
    size_t count = m->pv_count < wants->pv_len ? m->pv_count : wants->pv_len;
    json_t *pv = yo_json_array(), *visits = yo_json_array();
    for (size_t i = 0; i < count; i++)
        yo_json_append(pv, move_text(r, m->pv[i]), &r->failed);
    put(r, object, "pv", pv);
    for (size_t i = 0; wants->pv_visits && i < count; i++)
        yo_json_append(visits, json_integer((json_int_t)m->pv_visits[i]), &r->failed);
    if (wants->pv_visits) { /* the same: positions are not joined */
        put(r, object, "pvEdgeVisits", json_deep_copy(visits));
        put(r, object, "pvVisits", visits);
    } else
        json_decref(visits);
}

static void put_values(struct report *r, json_t *object, const struct yo_search_move *m) {
    double winrate = seen_rate(r, m->winrate_to_move), lcb = seen_rate(r, m->lcb_to_move);
    double score = r->sign * m->score_to_move;
    put_real(r, object, "lcb", lcb);
    put_real(r, object, "prior", m->prior);
    put_real(r, object, "scoreLead", score);
    put_real(r, object, "scoreMean", score);
    put_real(r, object, "scoreSelfplay", score);
    put_real(r, object, "scoreStdev", m->score_stdev);
    if (r->task->wants.no_result) put_real(r, object, "noResultValue", no_result(r));
    put_real(r, object, "utility", r->sign * yo_search_utility(m));
    put_real(r, object, "utilityLcb", r->sign * yo_search_utility_lcb(m));
    put_real(r, object, "winrate", winrate);
}

static json_t *move_info(struct report *r, size_t i) {
    const struct yo_search_move *m = &r->result->moves[i];
    json_t *object = yo_json_object();
    put(r, object, "move", move_text(r, m->move));
    put(r, object, "order", json_integer((json_int_t)i));
    put(r, object, "edgeVisits", json_integer((json_int_t)m->visits));
    put_real(r, object, "edgeWeight", yo_search_weight(m));
    put_real(r, object, "playSelectionValue", yo_search_selection(r->result, i));
    put(r, object, "visits", json_integer((json_int_t)m->visits));
    put_real(r, object, "weight", yo_search_weight(m));
    put_values(r, object, m);
    put_pv(r, object, m);
    const float *own = m->ownership ? m->ownership : r->result->ownership;
    const float *spread = m->ownership ? m->ownership_stdev : r->result->ownership_stdev;
    if (r->task->wants.moves_ownership) put_ownership(r, object, own);
    if (r->task->wants.moves_ownership_stdev) put_ownership_stdev(r, object, own, spread);
    return object;
}

/* -1 for illegal moves, 0 for moves without a prior. If the search has no priors, the policy is
 * uniform over the legal moves. */
static void put_policy(struct report *r, json_t *object) {
    const struct yo_search_result *result = r->result;
    double share[YO_GO_POINTS_MAX + 1] = {0};
    int points = r->size * r->size, legal = 1;
    for (int p = 0; p < points; p++) {
        bool is_legal = yo_go_game_legal(r->task->game, r->to_move, (yo_go_point)p);
        share[p] = is_legal ? 0 : -1;
        legal += is_legal;
    }
    for (int p = 0; p <= points && result->prior_count == 0; p++)
        if (share[p] >= 0) share[p] = 1.0 / legal;
    for (size_t i = 0; i < result->prior_count; i++) {
        yo_move move = result->priors[i].move;
        share[move == YO_GO_PASS ? (size_t)points : move] = result->priors[i].share;
    }
    json_t *list = yo_json_array();
    for (int p = 0; p <= points; p++)
        yo_json_append(list, yo_json_real(share[p]), &r->failed);
    put(r, object, "policy", list);
}

/* ---- position hashes ---- */

static uint64_t mix(uint64_t h, uint64_t value) {
    h = (h ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    return h ^ h >> 29;
}

/* Symmetry bit 0 flips the rows, bit 1 the columns; bit 2 transposes. */
static int turned(int p, int size, int symmetry) {
    int row = p / size, column = p % size;
    if (symmetry & 1) row = size - 1 - row;
    if (symmetry & 2) column = size - 1 - column;
    return symmetry & 4 ? column * size + row : row * size + column;
}

struct name {
    uint64_t half[2];
};

/* Hashes stones, side to move and simple ko, as KataGo does. */
static struct name name_of(const struct yo_go_game *game, int symmetry) {
    int size = yo_go_game_size(game);
    yo_go_point ko = yo_go_game_ko(game);
    struct name name = {{(uint64_t)size, (uint64_t)size + 1000}};
    for (int k = 0; k < 2; k++) {
        for (int p = 0; p < size * size; p++) {
            yo_go_point from = (yo_go_point)turned(p, size, symmetry);
            uint64_t cell = yo_go_game_at(game, from) | (from == ko ? 4u : 0u);
            name.half[k] = mix(name.half[k], cell + 1);
        }
        name.half[k] = mix(name.half[k], yo_go_game_to_move(game));
    }
    return name;
}

static bool is_less(const struct name *a, const struct name *b) {
    return a->half[0] < b->half[0] || (a->half[0] == b->half[0] && a->half[1] < b->half[1]);
}

static void put_name(struct report *r, json_t *object, const char *field, const struct name *name) {
    char text[33];
    snprintf(text, sizeof text, "%016" PRIX64 "%016" PRIX64, name->half[0], name->half[1]);
    put(r, object, field, json_string(text));
}

static void put_names(struct report *r, json_t *object) {
    struct name name = name_of(r->task->game, 0), least = name;
    for (int symmetry = 1; symmetry < 8; symmetry++) {
        struct name other = name_of(r->task->game, symmetry);
        if (is_less(&other, &least)) least = other;
    }
    put_name(r, object, "symHash", &least);
    put_name(r, object, "thisHash", &name);
}

/* ---- the whole answer ---- */

/* What the network says of the position itself. Without one, the fields are missing. Those that a
 * network of an older version has no output for are -1, as in kata-raw-nn. */
static void put_raw(struct report *r, json_t *object) {
    const struct yo_eval_value *raw = r->result->raw;
    if (!raw) return;
    double rate = (double)raw->win + 0.5 * (double)raw->draw;
    put_real(r, object, "rawLead", r->sign * (double)raw->score_lead);
    put_real(r, object, "rawNoResultProb", (double)raw->draw);
    put_real(r, object, "rawScoreSelfplay", r->sign * (double)raw->score_mean);
    put_real(r, object, "rawScoreSelfplayStdev", (double)raw->score_stdev);
    put_real(r, object, "rawStScoreError", (double)raw->score_error);
    put_real(r, object, "rawStWrError", raw->win_error < 0 ? -1 : (double)raw->win_error);
    put_real(r, object, "rawVarTimeLeft", (double)raw->time_left);
    put_real(r, object, "rawWinrate", seen_rate(r, rate));
}

/* The mean over all moves, as in KataGo; bound and spread are the best move's. */
static json_t *root_info(struct report *r) {
    const struct yo_search_move *best = &r->result->moves[0];
    json_t *object = yo_json_object();
    double winrate = seen_rate(r, yo_search_root_winrate(r->result));
    double score = r->sign * yo_search_root_score(r->result);
    put(r, object, "currentPlayer", json_string(r->to_move == YO_GO_BLACK ? "B" : "W"));
    put_real(r, object, "lcb", seen_rate(r, best->lcb_to_move));
    if (r->task->wants.no_result) put_real(r, object, "noResultValue", no_result(r));
    put_raw(r, object);
    put_real(r, object, "scoreLead", score);
    put_real(r, object, "scoreSelfplay", score);
    put_real(r, object, "scoreStdev", best->score_stdev);
    put_names(r, object);
    put_real(r, object, "utility", r->sign * yo_search_root_utility(r->result));
    put(r, object, "visits", json_integer((json_int_t)yo_search_root_visits(r->result)));
    put_real(r, object, "weight", yo_search_root_weight(r->result));
    put_real(r, object, "winrate", winrate);
    return object;
}

static json_t *start_answer(const struct analysis_task *task, bool during, bool *failed) {
    json_t *object = yo_json_object();
    yo_json_set(object, "id", json_stringn(task->id, task->id_len), failed);
    yo_json_set(object, "isDuringSearch", json_boolean(during), failed);
    yo_json_set(object, "turnNumber", json_integer(task->turn), failed);
    return object;
}

void yo_analysis_report_nothing(const struct analysis_task *task) {
    bool failed = false;
    json_t *object = start_answer(task, false, &failed);
    yo_json_set(object, "noResults", json_true(), &failed);
    yo_analysis_send(task->analysis, object, failed);
}

void yo_analysis_report(const struct analysis_task *task, const struct yo_search_result *result,
                        bool during) {
    enum yo_go_color to_move = yo_go_game_to_move(task->game);
    enum yo_go_color sees = task->wants.view == YO_ANALYSIS_BLACK   ? YO_GO_BLACK
                            : task->wants.view == YO_ANALYSIS_WHITE ? YO_GO_WHITE
                                                                    : to_move;
    struct report r = {.task = task,
                       .result = result,
                       .size = yo_go_game_size(task->game),
                       .to_move = to_move,
                       .sign = sees == to_move ? 1 : -1,
                       .black_sign = sees == YO_GO_BLACK ? 1 : -1};
    json_t *object = start_answer(task, during, &r.failed), *infos = yo_json_array();
    for (size_t i = 0; i < result->move_count; i++)
        yo_json_append(infos, move_info(&r, i), &r.failed);
    put(&r, object, "moveInfos", infos);
    if (task->wants.ownership) put_ownership(&r, object, result->ownership);
    if (task->wants.ownership_stdev)
        put_ownership_stdev(&r, object, result->ownership, result->ownership_stdev);
    if (task->wants.policy) put_policy(&r, object);
    put(&r, object, "rootInfo", root_info(&r));
    yo_analysis_send(task->analysis, object, r.failed);
}
