/* What is answered: names of fields in the order of the alphabet, as KataGo writes them. Values are
 * seen from the side that the query names. */
#include <inttypes.h>
#include <string.h>

#include "protocol/analysis/internal.h"

/* ---- lines out ---- */

void yo_analysis_send(struct yo_analysis *a, struct yo_buf *line) {
    static const char lost[] = "{\"error\":\"out of memory for an answer\"}\n";
    yo_buf_char(line, '\n');
    pthread_mutex_lock(&a->out_lock);
    if (!atomic_load(&a->unheard) && a->config.send) {
        bool heard = line->failed ? a->config.send(a->config.user, lost, sizeof lost - 1)
                                  : a->config.send(a->config.user, line->data, line->len);
        if (!heard) atomic_store(&a->unheard, true);
    }
    pthread_mutex_unlock(&a->out_lock);
    yo_buf_free(line);
}

void yo_analysis_send_error(struct yo_analysis *a, const char *message) {
    struct yo_buf out = {0};
    yo_buf_str(&out, "{\"error\":");
    yo_json_put_string(&out, message, strlen(message));
    yo_buf_char(&out, '}');
    yo_analysis_send(a, &out);
}

void yo_analysis_send_field(struct yo_analysis *a, const char *kind, const struct yo_json *id,
                            const char *field, const char *message) {
    struct yo_buf out = {0};
    bool is_error = strcmp(kind, "error") == 0;
    yo_buf_char(&out, '{');
    if (is_error) {
        yo_buf_str(&out, "\"error\":");
        yo_json_put_string(&out, message, strlen(message));
        yo_buf_char(&out, ',');
    }
    yo_buf_str(&out, "\"field\":");
    yo_json_put_string(&out, field, strlen(field));
    yo_buf_str(&out, ",\"id\":");
    yo_json_put_string(&out, id->text, id->len);
    if (!is_error) {
        yo_buf_str(&out, ",\"warning\":");
        yo_json_put_string(&out, message, strlen(message));
    }
    yo_buf_char(&out, '}');
    yo_analysis_send(a, &out);
}

/* ---- results ---- */

struct report {
    const struct analysis_task *task;
    const struct yo_search_result *result;
    struct yo_buf out;
    int size;
    enum yo_go_color to_move;
    double sign;       /* from the side to move to the side that sees */
    double black_sign; /* from Black to the side that sees */
};

static double seen_rate(const struct report *r, double rate) {
    return r->sign > 0 ? rate : 1 - rate;
}

static void put_real(struct report *r, const char *name, double value) {
    yo_buf_printf(&r->out, ",\"%s\":", name);
    yo_json_put_real(&r->out, value);
}

static void put_move(struct report *r, yo_move move) {
    char text[8];
    yo_buf_printf(&r->out, "\"%s\"", yo_go_point_format((yo_go_point)move, r->size, text));
}

static void put_ownership(struct report *r, const float *ownership) {
    yo_buf_char(&r->out, '[');
    for (int p = 0; p < r->size * r->size; p++) {
        if (p) yo_buf_char(&r->out, ',');
        yo_json_put_real(&r->out, ownership ? r->black_sign * (double)ownership[p] : 0);
    }
    yo_buf_char(&r->out, ']');
}

static void put_pv(struct report *r, const struct yo_search_move *m) {
    const struct analysis_wants *wants = &r->task->wants;
    size_t count = m->pv_count < wants->pv_len ? m->pv_count : wants->pv_len;
    yo_buf_str(&r->out, ",\"pv\":[");
    for (size_t i = 0; i < count; i++) {
        if (i) yo_buf_char(&r->out, ',');
        put_move(r, m->pv[i]);
    }
    yo_buf_char(&r->out, ']');
    if (!wants->pv_visits) return;
    yo_buf_str(&r->out, ",\"pvVisits\":[");
    for (size_t i = 0; i < count; i++)
        yo_buf_printf(&r->out, "%s%" PRIu64, i ? "," : "", m->pv_visits[i]);
    yo_buf_char(&r->out, ']');
}

/* Utility is what a search by playouts has of it: winning is 1, losing -1. */
static void put_values(struct report *r, const struct yo_search_move *m, double winrate,
                       double lcb) {
    double score = r->sign * m->score_to_move;
    put_real(r, "scoreLead", score);
    put_real(r, "scoreMean", score);
    put_real(r, "scoreSelfplay", score);
    put_real(r, "scoreStdev", m->score_stdev);
    put_real(r, "utility", 2 * winrate - 1);
    put_real(r, "utilityLcb", 2 * lcb - 1);
}

static void put_move_info(struct report *r, size_t i) {
    const struct yo_search_move *m = &r->result->moves[i];
    double winrate = seen_rate(r, m->winrate_to_move), lcb = seen_rate(r, m->lcb_to_move);
    yo_buf_str(&r->out, i ? ",{\"lcb\":" : "{\"lcb\":");
    yo_json_put_real(&r->out, lcb);
    yo_buf_str(&r->out, ",\"move\":");
    put_move(r, m->move);
    yo_buf_printf(&r->out, ",\"order\":%zu", i);
    if (r->task->wants.moves_ownership) {
        yo_buf_str(&r->out, ",\"ownership\":");
        put_ownership(r, m->ownership ? m->ownership : r->result->ownership);
    }
    put_real(r, "prior", m->prior);
    put_pv(r, m);
    put_values(r, m, winrate, lcb);
    yo_buf_printf(&r->out, ",\"visits\":%" PRIu64, m->visits);
    put_real(r, "winrate", winrate);
    yo_buf_char(&r->out, '}');
}

/* -1 where no move is legal. What the search left out, or knows nothing of, has no share; if it
 * knows nothing at all, every move has the same. */
static void put_policy(struct report *r) {
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
    yo_buf_str(&r->out, ",\"policy\":[");
    for (int p = 0; p <= points; p++) {
        if (p) yo_buf_char(&r->out, ',');
        yo_json_put_real(&r->out, share[p]);
    }
    yo_buf_char(&r->out, ']');
}

/* ---- the names of positions ---- */

static uint64_t mix(uint64_t h, uint64_t value) {
    h = (h ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    return h ^ h >> 29;
}

/* Symmetry bit 0 turns rows round, bit 1 columns, bit 2 swaps them. */
static int turned(int p, int size, int symmetry) {
    int row = p / size, column = p % size;
    if (symmetry & 1) row = size - 1 - row;
    if (symmetry & 2) column = size - 1 - column;
    return symmetry & 4 ? column * size + row : row * size + column;
}

struct name {
    uint64_t half[2];
};

/* Of stones, side to move and simple ko, as KataGo's hashes are. */
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

static void put_name(struct report *r, const char *field, const struct name *name) {
    yo_buf_printf(&r->out, ",\"%s\":\"%016" PRIX64 "%016" PRIX64 "\"", field, name->half[0],
                  name->half[1]);
}

static void put_names(struct report *r) {
    struct name name = name_of(r->task->game, 0), least = name;
    for (int symmetry = 1; symmetry < 8; symmetry++) {
        struct name other = name_of(r->task->game, symmetry);
        if (is_less(&other, &least)) least = other;
    }
    put_name(r, "symHash", &least);
    put_name(r, "thisHash", &name);
}

/* ---- the whole ---- */

/* The mean over all moves, as KataGo has it; bound and spread are the best move's. */
static void put_root_info(struct report *r) {
    const struct yo_search_move *best = &r->result->moves[0];
    uint64_t visits = 0;
    for (size_t i = 0; i < r->result->move_count; i++)
        visits += r->result->moves[i].visits;
    double winrate = seen_rate(r, yo_search_root_winrate(r->result));
    double score = r->sign * yo_search_root_score(r->result);
    yo_buf_printf(&r->out, ",\"rootInfo\":{\"currentPlayer\":\"%c\"",
                  r->to_move == YO_GO_BLACK ? 'B' : 'W');
    put_real(r, "lcb", seen_rate(r, best->lcb_to_move));
    put_real(r, "scoreLead", score);
    put_real(r, "scoreSelfplay", score);
    put_real(r, "scoreStdev", best->score_stdev);
    put_names(r);
    put_real(r, "utility", 2 * winrate - 1);
    yo_buf_printf(&r->out, ",\"visits\":%" PRIu64, visits);
    put_real(r, "winrate", winrate);
    yo_buf_char(&r->out, '}');
}

static void put_head(struct yo_buf *out, const struct analysis_task *task, bool during) {
    yo_buf_str(out, "{\"id\":");
    yo_json_put_string(out, task->id, task->id_len);
    yo_buf_printf(out, ",\"isDuringSearch\":%s", during ? "true" : "false");
}

void yo_analysis_report_nothing(const struct analysis_task *task) {
    struct yo_buf out = {0};
    put_head(&out, task, false);
    yo_buf_printf(&out, ",\"noResults\":true,\"turnNumber\":%d}", task->turn);
    yo_analysis_send(task->analysis, &out);
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
    put_head(&r.out, task, during);
    yo_buf_str(&r.out, ",\"moveInfos\":[");
    for (size_t i = 0; i < result->move_count; i++)
        put_move_info(&r, i);
    yo_buf_char(&r.out, ']');
    if (task->wants.ownership) {
        yo_buf_str(&r.out, ",\"ownership\":");
        put_ownership(&r, result->ownership);
    }
    if (task->wants.policy) put_policy(&r);
    put_root_info(&r);
    yo_buf_printf(&r.out, ",\"turnNumber\":%d}", task->turn);
    yo_analysis_send(task->analysis, &r.out);
}
