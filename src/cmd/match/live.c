/* What a running match tells `yomi web`: engines, score, and the boards. */
#include <math.h>
#include <string.h>

#include "base/json.h"
#include "base/time.h"
#include "cmd/match/match.h"

static json_t *text(const char *bytes) { return yo_json_text(bytes, strlen(bytes)); }

static void put_int(json_t *object, const char *key, size_t value, bool *failed) {
    yo_json_set(object, key, json_integer((json_int_t)value), failed);
}

static json_t *list_engines(const struct yo_match *m, bool *failed) {
    json_t *list = yo_json_array();
    struct yo_rating ratings[YO_MATCH_ENGINES_MAX];
    yo_ratings(&m->scores, m->schedule.engines, ratings);
    for (int i = 0; i < m->schedule.engines; i++) {
        json_t *row = yo_json_object();
        struct yo_tally total = yo_match_sum(m, i);
        yo_json_set(row, "name", text(m->engines[i].name), failed);
        yo_json_set(row, "command", text(m->commands[i]), failed);
        yo_json_set(row, "elo", yo_json_real(ratings[i].elo), failed);
        yo_json_set(row, "half",
                    isfinite(ratings[i].half) ? yo_json_real(ratings[i].half) : json_null(),
                    failed);
        put_int(row, "wins", total.wins, failed);
        put_int(row, "losses", total.losses, failed);
        put_int(row, "draws", total.draws, failed);
        yo_json_append(list, row, failed);
    }
    return list;
}

static json_t *list_tables(const struct match_view *v, bool *failed) {
    const struct yo_match *m = v->match;
    json_t *list = yo_json_array();
    for (int i = 0; i < m->jobs; i++) {
        const struct match_table *t = &v->tables[i];
        if (!t->used) continue;
        struct yo_pairing p = yo_schedule_game(&m->schedule, t->game);
        json_t *row = yo_json_object();
        put_int(row, "game", t->game + 1, failed);
        put_int(row, "black", (size_t)yo_pairing_black(&p), failed);
        put_int(row, "white", (size_t)yo_pairing_white(&p), failed);
        put_int(row, "moves", t->moves, failed);
        yo_json_set(row, "board", text(t->board), failed);
        yo_json_set(row, "last", text(t->last), failed);
        yo_json_append(list, row, failed);
    }
    return list;
}

/* The score of two engines, with the interval of the share in Elo. */
static json_t *difference(const struct yo_match *m, bool *failed) {
    json_t *object = yo_json_object();
    const struct yo_tally *t = &m->scores.of[0][1];
    double bounds[3] = {yo_tally_score(t)};
    static const char *const keys[3] = {"elo", "low", "high"};
    yo_tally_interval(t, &bounds[1], &bounds[2]);
    for (int i = 0; i < 3; i++) {
        double elo = yo_stats_elo(bounds[i]);
        yo_json_set(object, keys[i], isfinite(elo) ? yo_json_real(elo) : json_null(), failed);
    }
    return object;
}

void yo_match_view_publish(struct match_view *v) {
    const struct yo_match *m = v->match;
    bool failed = false;
    char left[32];
    if (!yo_live_is_due(&v->live)) return;
    json_t *root = yo_json_object();
    size_t done = v->before + m->played;
    yo_time_left(yo_time_ms() - v->started_ms, (double)m->played, (double)(m->games - done), left);
    yo_json_set(root, "game", json_string(m->kind == &yo_match_go ? "go" : "shogi"), &failed);
    if (m->kind == &yo_match_go) put_int(root, "size", (size_t)m->go.rules.size, &failed);
    put_int(root, "games", m->games, &failed);
    put_int(root, "done", done, &failed);
    yo_json_set(root, "left", text(left), &failed);
    yo_json_set(root, "engines", list_engines(m, &failed), &failed);
    if (m->schedule.engines == 2) yo_json_set(root, "difference", difference(m, &failed), &failed);
    yo_json_set(root, "tables", list_tables(v, &failed), &failed);
    struct yo_buf out = {0};
    if (!failed) yo_json_write(&out, root);
    if (!failed && !yo_buf_status(&out)) yo_live_write(&v->live, yo_buf_text(&out), out.len);
    yo_buf_free(&out);
    json_decref(root);
}
