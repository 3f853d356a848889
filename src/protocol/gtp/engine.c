/* What stands behind the GTP commands that think: playouts, a search, the clock. Started late, so
 * that `name` and `list_commands` are answered at once. */
#include <stdio.h>
#include <unistd.h>

#include "game/go/state.h"
#include "protocol/gtp/internal.h"

#define DEFAULT_MS 2000
#define REPEAT_US  2000

void yo_gtp_engine_stop(struct yo_gtp *gtp) { yo_engine_stop(&gtp->engine); }

static void notice_backend(struct yo_gtp *gtp) {
    if (gtp->noticed || !gtp->config.notice) return;
    char text[320];
    const struct yo_engine *engine = &gtp->engine;
    snprintf(text, sizeof text, "search by %s, %s", engine->search.ops->name, engine->plays);
    gtp->config.notice(gtp->config.user, text);
    gtp->noticed = true;
}

enum yo_err yo_gtp_engine_start(struct yo_gtp *gtp, struct yo_diag *diag) {
    struct yo_engine_setup setup = {.options = &gtp->search_options,
                                    .backend = gtp->config.backend,
                                    .net = gtp->config.net,
                                    .threads = gtp->config.threads,
                                    .seed = gtp->config.seed};
    enum yo_err err = yo_engine_start(&gtp->engine, &setup, diag);
    if (!err) notice_backend(gtp);
    return err;
}

/* The options' limits and the clock's, whichever is less; two seconds when there are none. */
static struct yo_search_limits limits_for(const struct yo_gtp *gtp, enum yo_go_color color) {
    struct yo_search_limits limits = {.playouts = gtp->config.playouts,
                                      .visits = gtp->config.visits,
                                      .time_ms = gtp->config.time_ms};
    int size = yo_go_game_size(gtp->game);
    int64_t budget = yo_clock_budget(&gtp->clock, color == YO_GO_WHITE, size * size,
                                     yo_go_game_stones(gtp->game), gtp->config.lag_ms);
    if (budget && (!limits.time_ms || budget < limits.time_ms)) {
        limits.time_ms = budget;
        limits.extra_ms = yo_clock_extra(&gtp->clock, color == YO_GO_WHITE, size * size, budget,
                                         gtp->config.lag_ms);
    }
    if (!limits.playouts && !limits.visits && !limits.time_ms) limits.time_ms = DEFAULT_MS;
    return limits;
}

static enum yo_err run(struct yo_gtp *gtp, enum yo_go_color color,
                       const struct yo_search_limits *limits, yo_search_report_fn report,
                       void *user, struct yo_search_result *result, struct yo_diag *diag) {
    enum yo_err err = yo_gtp_engine_start(gtp, diag);
    if (err) return err;
    if (gtp->narrowed) gtp->engine.search.ops->clear(gtp->engine.search.ctx);
    gtp->narrowed = limits->avoid_count > 0;
    enum yo_go_color to_move = yo_go_game_to_move(gtp->game);
    yo_go_game_set_to_move(gtp->game, color);
    err = yo_search_run(gtp->engine.search, gtp->game, limits, &gtp->stop, report, user, result,
                        diag);
    yo_go_game_set_to_move(gtp->game, to_move);
    return err;
}

enum yo_err yo_gtp_think(struct yo_gtp *gtp, enum yo_go_color color, bool clean_up,
                         struct yo_search_result *result, struct yo_diag *diag) {
    struct yo_search_limits limits = limits_for(gtp, color);
    limits.clean_up = clean_up;
    return run(gtp, color, &limits, NULL, NULL, result, diag);
}

/* A search that has nothing more to find ends by itself; the analysis goes on until it is told. */
static void repeat(struct yo_gtp *gtp, yo_search_report_fn report, void *user,
                   const struct yo_search_result *result) {
    while (!atomic_load(&gtp->stop)) {
        report(user, result);
        usleep(REPEAT_US);
    }
}

enum yo_err yo_gtp_analyze(struct yo_gtp *gtp, enum yo_go_color color,
                           const struct yo_search_limits *only, bool until_input,
                           yo_search_report_fn report, void *user, struct yo_search_result *result,
                           struct yo_diag *diag) {
    struct yo_search_limits limits = limits_for(gtp, color);
    until_input = until_input && gtp->send;
    if (until_input) {
        limits = (struct yo_search_limits){0};
        atomic_store(&gtp->yielding, true);
        if (atomic_load(&gtp->waiting) > 0) yo_gtp_interrupt(gtp);
    }
    limits.details = true;
    limits.avoid = only->avoid;
    limits.avoid_count = only->avoid_count;
    enum yo_err err = run(gtp, color, &limits, report, user, result, diag);
    if (!err && until_input) repeat(gtp, report, user, result);
    atomic_store(&gtp->yielding, false);
    return err;
}

/* What is found stays in the tree, for the next genmove. */
void yo_gtp_ponder(struct yo_gtp *gtp) {
    /* Whatever else was asked meanwhile, its own move is still the last one. */
    bool its_turn = gtp->moved_at > 0 && gtp->moved_at == yo_go_game_move_count(gtp->game);
    if (!gtp->config.ponder || !its_turn || !gtp->engine.search.ops) return;
    if (yo_go_game_passes(gtp->game) >= 2) return;
    struct yo_search_limits limits = {0};
    struct yo_search_result result;
    atomic_store(&gtp->stop, false);
    atomic_store(&gtp->yielding, true);
    if (atomic_load(&gtp->waiting) == 0)
        run(gtp, yo_go_game_to_move(gtp->game), &limits, NULL, NULL, &result, NULL);
    atomic_store(&gtp->yielding, false);
}

/* With the two flags in opposite order in yo_gtp_analyze and yo_gtp_ponder, one of the two sees the
 * other. */
void yo_gtp_input_came(struct yo_gtp *gtp) {
    atomic_fetch_add(&gtp->waiting, 1);
    if (atomic_load(&gtp->yielding)) yo_gtp_interrupt(gtp);
}

enum yo_err yo_gtp_judge(struct yo_gtp *gtp, struct yo_judgement *judgement, struct yo_diag *diag) {
    struct yo_judge_limits limits = {
        .seed = gtp->config.seed, .games = gtp->config.judge_games, .stop = &gtp->stop};
    enum yo_err err = yo_gtp_engine_start(gtp, diag);
    return err ? err : yo_judge_result(gtp->engine.eval, gtp->game, &limits, judgement, diag);
}

void yo_gtp_new_game(struct yo_gtp *gtp) {
    struct yo_clock_settings settings = gtp->clock.settings;
    yo_clock_start(&gtp->clock, &settings);
    gtp->tries = 0;
    gtp->moved_at = 0;
    gtp->resign = (struct yo_resign){0};
    if (gtp->engine.search.ops) gtp->engine.search.ops->clear(gtp->engine.search.ctx);
}
