#include "engine/shogi.h"

#include "base/alloc.h"
#include "base/cpu.h"
#include "base/diag.h"
#include "eval/shogi/net_eval.h"
#include "eval/shogi/net_open.h"

struct yo_shogi_engine {
    struct yo_ab *search;
    struct yo_shogi_net *net; /* NULL: material */
    struct yo_shogi_eval eval;
    atomic_bool stop;
};

static enum yo_err prepare(struct yo_shogi_engine *e, size_t table_mb, int threads,
                           const char *eval, struct yo_diag *diag) {
    enum yo_err err = yo_shogi_net_open(eval ? eval : YO_SHOGI_EVAL_DEFAULT, &e->net, diag);
    if (err) return err;
    e->eval = yo_shogi_net_eval(e->net);
    struct yo_ab_options options = yo_ab_options_default;
    options.eval = &e->eval;
    options.mate_search = true;
    options.threads = threads > 0 ? threads : yo_cpu_count();
    if (options.threads > YO_AB_THREADS_MAX) options.threads = YO_AB_THREADS_MAX;
    err = yo_ab_new(table_mb, &e->search);
    if (!err) err = yo_ab_set_options(e->search, &options);
    return err ? yo_diag_set(diag, err, "not enough memory for a search of shogi") : YO_OK;
}

enum yo_err yo_shogi_engine_new(size_t table_mb, int threads, const char *eval,
                                struct yo_shogi_engine **out, struct yo_diag *diag) {
    struct yo_shogi_engine *e = yo_alloc(1, sizeof *e);
    if (!e) return yo_diag_set(diag, YO_ERR_NOMEM, "out of memory");
    enum yo_err err = prepare(e, table_mb, threads, eval, diag);
    if (err)
        yo_shogi_engine_delete(e);
    else
        *out = e;
    return err;
}

void yo_shogi_engine_delete(struct yo_shogi_engine *engine) {
    if (!engine) return;
    yo_ab_delete(engine->search);
    yo_shogi_net_delete(engine->net);
    yo_free(engine);
}

const char *yo_shogi_engine_eval(const struct yo_shogi_engine *engine) { return engine->eval.name; }

static void fill(const struct yo_search_result *r, struct yo_shogi_found *found) {
    *found = (struct yo_shogi_found){.score = yo_ab_score(r),
                                     .mates = r->move_count == 0 || r->moves[0].mate,
                                     .depth = r->depth,
                                     .nodes = r->nodes,
                                     .elapsed_ms = r->elapsed_ms};
    if (r->move_count == 0) return;
    const struct yo_search_move *best = &r->moves[0];
    found->mate_in = best->mate;
    for (; found->length < best->pv_count && found->length < YO_SHOGI_LINE; found->length++)
        found->line[found->length] = (yo_shogi_move)best->pv[found->length];
}

enum yo_err yo_shogi_engine_run(struct yo_shogi_engine *engine, const struct yo_shogi_game *game,
                                const struct yo_shogi_limits *limits, const atomic_bool *stop,
                                yo_search_report_fn report, void *user,
                                struct yo_shogi_found *found, struct yo_diag *diag) {
    struct yo_search_limits inner = {
        .depth = limits->depth, .nodes = limits->nodes, .time_ms = limits->time_ms};
    struct yo_search_result result;
    enum yo_err err = yo_search_run(yo_ab_as_search(engine->search), game, &inner, stop, report,
                                    user, &result, diag);
    if (!err) fill(&result, found);
    return err;
}

enum yo_err yo_shogi_engine_think(struct yo_shogi_engine *engine, const struct yo_shogi_game *game,
                                  const struct yo_shogi_limits *limits,
                                  struct yo_shogi_found *found, struct yo_diag *diag) {
    enum yo_err err =
        yo_shogi_engine_run(engine, game, limits, &engine->stop, NULL, NULL, found, diag);
    atomic_store(&engine->stop, false);
    return err;
}

void yo_shogi_engine_stop(struct yo_shogi_engine *engine) { atomic_store(&engine->stop, true); }

double yo_shogi_score_rate(int score) {
    if (score >= YO_AB_MATE_FROM) return 1;
    if (score <= -YO_AB_MATE_FROM) return 0;
    return yo_search_winrate_of(score);
}
