#include "engine/shogi.h"

#include <stdio.h>

#include "base/alloc.h"
#include "base/cpu.h"
#include "base/diag.h"
#include "base/time.h"
#include "engine/level.h"
#include "engine/session.h"
#include "engine/shogi_guided.h"

struct yo_shogi_engine {
    struct yo_session *session;
    uint64_t random; /* for the choice of weaker levels */
    bool deep;       /* the table has values of a search at full strength */
};

static enum yo_err set_int(struct yo_session *s, const char *key, uint64_t value,
                           struct yo_diag *diag) {
    char text[24];
    snprintf(text, sizeof text, "%llu", (unsigned long long)value);
    return yo_session_set(s, YO_EVERYWHERE, key, text, diag);
}

/* The score of the best move; a tree has winrates. */
static int score_of(const struct yo_search_result *r) {
    bool tree = r->move_count > 0 && r->moves[0].visits > 0 && !r->moves[0].mate;
    return tree ? yo_search_centipawns(&r->moves[0]) : yo_ab_score(r);
}

static enum yo_err prepare(struct yo_shogi_engine *e, const struct yo_session_config *given,
                           size_t table_mb, int threads, const char *eval, struct yo_diag *diag) {
    struct yo_session_config config = *given;
    const struct yo_options *options = given->options; /* may be NULL */
    config.game = YO_SESSION_SHOGI;
    config.strict = true;
    if (table_mb < 1) table_mb = 1;
    if (threads <= 0) threads = yo_cpu_count();
    if (threads > YO_AB_THREADS_MAX) threads = YO_AB_THREADS_MAX;
    enum yo_err err = yo_session_new(&config, &e->session, diag);
    /* A command for both games may have a default that names a network of Go. */
    if (!err && options && !yo_options_given(options, "net"))
        err = yo_session_set(e->session, YO_EVERYWHERE, "net", "", diag);
    if (!err) err = set_int(e->session, "memory", table_mb, diag);
    if (!err) err = set_int(e->session, "threads", (uint64_t)threads, diag);
    if (!err && eval) err = yo_session_set(e->session, YO_EVERYWHERE, "eval", eval, diag);
    return err ? err : yo_session_prepare(e->session, diag);
}

static enum yo_err make(const struct yo_session_config *config, size_t table_mb, int threads,
                        const char *eval, struct yo_shogi_engine **out, struct yo_diag *diag) {
    struct yo_shogi_engine *e = yo_alloc(1, sizeof *e);
    if (!e) return yo_diag_set(diag, YO_ERR_NOMEM, "out of memory");
    e->random = (uint64_t)yo_time_ns();
    enum yo_err err = prepare(e, config, table_mb, threads, eval, diag);
    if (err)
        yo_shogi_engine_delete(e);
    else
        *out = e;
    return err;
}

enum yo_err yo_shogi_engine_new(size_t table_mb, int threads, const char *eval,
                                struct yo_shogi_engine **out, struct yo_diag *diag) {
    return make(&(struct yo_session_config){0}, table_mb, threads, eval, out, diag);
}

/* The threads are those of each of a cluster's workers: one, unless more are asked for. */
enum yo_err yo_shogi_engine_open(const struct yo_options *options,
                                 const struct yo_search_kind *kinds,
                                 const struct yo_notices *notices, struct yo_shogi_engine **out,
                                 struct yo_diag *diag) {
    struct yo_session_config config = {.options = options, .kinds = kinds, .notices = *notices};
    enum yo_err err = yo_shogi_check_eval(options, diag);
    if (err) return err;
    bool cluster =
        kinds && yo_options_given(options, "cluster") && !yo_options_given(options, "threads");
    int threads = cluster ? 1 : (int)yo_options_int(options, "threads");
    return make(&config, (size_t)yo_options_int(options, "hash"), threads,
                yo_options_text(options, "eval"), out, diag);
}

bool yo_shogi_has_option(const char *key) {
    return yo_option_find(yo_session_rows(YO_SESSION_SHOGI), YO_EVERYWHERE, key);
}

void yo_shogi_engine_delete(struct yo_shogi_engine *engine) {
    if (!engine) return;
    yo_session_delete(engine->session);
    yo_free(engine);
}

const char *yo_shogi_engine_eval(const struct yo_shogi_engine *engine) {
    return yo_session_eval_name(engine->session);
}

/* chosen: the number of the move to play. */
static void fill(const struct yo_search_result *r, size_t chosen, struct yo_shogi_found *found) {
    *found = (struct yo_shogi_found){.score = score_of(r),
                                     .mates = r->move_count == 0 || r->moves[0].mate,
                                     .depth = r->depth,
                                     .nodes = r->nodes ? r->nodes : r->playouts,
                                     .elapsed_ms = r->elapsed_ms};
    if (r->move_count == 0) return;
    const struct yo_search_move *best = &r->moves[chosen];
    found->mate_in = best->mate;
    for (; found->length < best->pv_count && found->length < YO_SHOGI_LINE; found->length++)
        found->line[found->length] = (yo_shogi_move)best->pv[found->length];
}

static enum yo_err search(struct yo_shogi_engine *engine, const struct yo_shogi_game *game,
                          const struct yo_shogi_limits *limits, const struct yo_level *level,
                          const atomic_bool *stop, yo_search_report_fn report, void *user,
                          struct yo_shogi_found *found, struct yo_diag *diag) {
    struct yo_search_limits inner = {
        .depth = limits->depth, .nodes = limits->nodes, .time_ms = limits->time_ms};
    struct yo_search_result result;
    bool full = yo_level_is_full(level);
    /* A weak level would read deep values off the table. */
    if (!full && engine->deep) yo_session_clear(engine->session);
    engine->deep = full;
    yo_level_limit(level, &inner);
    enum yo_err err =
        yo_session_analyse(engine->session, game, &inner, stop, report, user, &result, diag);
    if (err) return err;
    fill(&result, yo_level_choose_shogi(level, &result, &engine->random), found);
    return YO_OK;
}

enum yo_err yo_shogi_engine_play(struct yo_shogi_engine *engine, const struct yo_shogi_game *game,
                                 const struct yo_shogi_limits *limits, const atomic_bool *stop,
                                 yo_search_report_fn report, void *user,
                                 struct yo_shogi_found *found, bool *from_book,
                                 struct yo_diag *diag) {
    struct yo_shogi_book_move book;
    enum yo_err err = yo_session_prepare(engine->session, diag);
    if (err) return err;
    bool limited = limits->depth || limits->nodes;
    *from_book = yo_session_book_shogi(engine->session, shogi_game_now(game), limited, &book);
    if (*from_book) {
        *found = (struct yo_shogi_found){
            .line = {book.move}, .length = 1, .score = book.value, .depth = book.depth};
        return YO_OK;
    }
    struct yo_level level =
        yo_level_shogi(yo_session_options(engine->session), yo_session_limits(engine->session));
    return search(engine, game, limits, &level, stop, report, user, found, diag);
}

enum yo_err yo_shogi_engine_run(struct yo_shogi_engine *engine, const struct yo_shogi_game *game,
                                const struct yo_shogi_limits *limits, const atomic_bool *stop,
                                yo_search_report_fn report, void *user,
                                struct yo_shogi_found *found, struct yo_diag *diag) {
    return search(engine, game, limits, &(struct yo_level){0}, stop, report, user, found, diag);
}

enum yo_err yo_shogi_engine_think(struct yo_shogi_engine *engine, const struct yo_shogi_game *game,
                                  const struct yo_shogi_limits *limits,
                                  struct yo_shogi_found *found, struct yo_diag *diag) {
    return yo_shogi_engine_run(engine, game, limits, NULL, NULL, NULL, found, diag);
}

void yo_shogi_engine_stop(struct yo_shogi_engine *engine) { yo_session_interrupt(engine->session); }

double yo_shogi_score_rate(int score) {
    if (score >= YO_AB_MATE_FROM) return 1;
    if (score <= -YO_AB_MATE_FROM) return 0;
    return yo_search_winrate_of(score);
}
