#include "search/mate/solver.h"

#include "base/alloc.h"
#include "base/diag.h"
#include "base/time.h"
#include "game/shogi/game.h"
#include "search/mate/dfpn.h"

struct solver {
    struct yo_dfpn *dfpn;
    struct yo_dfpn_answer answer;
    struct yo_search_move line;
    yo_move moves[YO_DFPN_LINE];
};

static void fill(struct solver *s, struct yo_search_result *result) {
    const struct yo_dfpn_answer *a = &s->answer;
    *result = (struct yo_search_result){.moves = &s->line,
                                        .nodes = a->nodes,
                                        .elapsed_ms = a->elapsed_ms,
                                        .no_mate = a->result == YO_DFPN_NO_MATE};
    if (a->result != YO_DFPN_MATE || a->length == 0) return;
    for (size_t i = 0; i < a->length; i++)
        s->moves[i] = a->line[i];
    s->line = (struct yo_search_move){.move = s->moves[0],
                                      .winrate_to_move = 1,
                                      .proven = true,
                                      .mate = (int)a->length,
                                      .depth = (int)a->length,
                                      .seldepth = (int)a->length,
                                      .pv = s->moves,
                                      .pv_count = a->length};
    result->move_count = 1;
    result->depth = (int)a->length;
}

static enum yo_err run(void *ctx, const void *game, const struct yo_search_limits *limits,
                       const atomic_bool *stop, yo_search_report_fn report, void *user,
                       struct yo_search_result *result, struct yo_diag *diag) {
    struct solver *s = ctx;
    struct yo_search_clock own = {0};
    if (!limits->mate)
        return yo_diag_set(diag, YO_ERR_ARGUMENT, "the mate solver answers nothing but mate");
    int64_t end = yo_search_clock_end(yo_search_clock_begin(limits, &own));
    int64_t left_ms = end - yo_time_ms();
    struct yo_dfpn_limits inner = {.nodes = limits->nodes};
    if (end) inner.time_ms = left_ms > 0 ? left_ms : 1;
    yo_dfpn_solve(s->dfpn, shogi_game_now(game), &inner, stop, &s->answer);
    fill(s, result);
    if (report && result->move_count > 0) report(user, result);
    return YO_OK;
}

static void clear(void *ctx) { (void)ctx; /* nothing is kept from call to call */ }

static void destroy(void *ctx) {
    struct solver *s = ctx;
    yo_dfpn_delete(s->dfpn);
    yo_free(s);
}

enum yo_err yo_mate_solver_new(size_t table_mb, struct yo_search *search) {
    static const struct yo_search_ops ops = {.name = "mate",
                                             .limits =
                                                 YO_LIMIT_TIME | YO_LIMIT_NODES | YO_LIMIT_MATE,
                                             .run = run,
                                             .clear = clear,
                                             .destroy = destroy};
    struct solver *s = yo_alloc(1, sizeof *s);
    enum yo_err err = s ? yo_dfpn_new(table_mb, &s->dfpn) : YO_ERR_NOMEM;
    if (err)
        yo_free(s);
    else
        *search = (struct yo_search){&ops, s};
    return err;
}
