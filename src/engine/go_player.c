/* What Go adds to a session: playouts, the time for a move, resigning, judging the end. */
#include <string.h>

#include "base/diag.h"
#include "base/nearest.h"
#include "base/time.h"
#include "engine/go_net.h"
#include "engine/internal.h"
#include "game/go/state.h"
#include "search/go/opinion.h"

enum {
    BARE_MS = 2000, /* without any limit */
    RESIGN_MS = 50, /* search time for a ko before resigning, if a clock runs */
};

/* ---- Making it ---- */

static void tell_what_plays(struct yo_session *s) {
    struct go_player *p = &s->go_player;
    if (p->noticed || s->config.quiet) return;
    yo_session_notice(s, "search by %s, %s", p->engine.search.ops->name, p->engine.plays);
    p->noticed = true;
}

enum yo_err yo_go_player_prepare_for(struct yo_session *s, const struct yo_go_game *game,
                                     struct yo_diag *diag) {
    struct yo_engine_setup setup = {.kinds = s->config.kinds,
                                    .options = &s->options,
                                    .backend = yo_options_text(&s->options, "backend"),
                                    .threads = (int)yo_options_int(&s->options, "threads"),
                                    .size = yo_go_game_size(game),
                                    .seed = (uint64_t)yo_options_int(&s->options, "seed"),
                                    .patterns = s->config.patterns,
                                    .notices = s->config.notices,
                                    .nets = s->config.nets,
                                    .strict = s->config.strict,
                                    .at_once = s->config.at_once,
                                    .notice = s->config.notice,
                                    .user = s->config.user};
    struct yo_engine *engine = &s->go_player.engine;
    if (engine->net.ops && yo_go_net_differs(&s->options, engine->size, setup.size)) {
        yo_engine_stop(engine);
        s->go_player.noticed = false;
    }
    enum yo_err err = yo_go_player_prepare_book(s, diag);
    if (!err) err = yo_engine_start(engine, &setup, diag);
    if (!err) tell_what_plays(s);
    return err;
}

enum yo_err yo_go_player_prepare(struct yo_session *s, struct yo_diag *diag) {
    return yo_go_player_prepare_for(s, s->go, diag);
}

/* With --net auto a limit of playouts asks for playouts. */
static bool needs_another_net(const struct yo_session *s) {
    const struct yo_engine *engine = &s->go_player.engine;
    if (!engine->search.ops) return false;
    return (engine->net.ops != NULL) != yo_go_net_is_wanted(&s->options, s->config.patterns);
}

void yo_go_player_option_changed(struct yo_session *s, const char *key) {
    const struct yo_option *row = yo_option_find(s->options.rows, ~0u, key);
    bool other = needs_another_net(s);
    if (other) s->go_player.noticed = false;
    if (row && strcmp(row->key, "seed") == 0) s->go_player.draws = s->go_player.book_draws = false;
    if (row && yo_session_is_habit(row->key) && !other) return;
    yo_engine_stop(&s->go_player.engine);
}

void yo_go_player_new_game(struct yo_session *s) {
    struct go_player *p = &s->go_player;
    struct yo_clock_settings settings = p->clock.settings;
    yo_clock_start(&p->clock, &settings);
    p->moved_at = 0;
    p->resign = (struct yo_resign){0};
}

struct yo_clock *yo_session_clock(struct yo_session *s) {
    return &s->go_player.clock;
}

/* ---- Thinking ---- */

static int64_t ms_of(const struct yo_session *s, const char *key) {
    return (int64_t)(1000 * yo_options_real(&s->options, key));
}

static struct yo_level level_of(const struct yo_session *s) {
    return yo_level_go(&s->options, yo_go_game_size(s->go), s->go_player.engine.net.ops);
}

/* The smaller of the options' limits and the clock's. */
static void limit(const struct yo_session *s, enum yo_go_color color,
                  struct yo_search_limits *limits) {
    const struct yo_clock *clock = &s->go_player.clock;
    int points = yo_go_game_size(s->go) * yo_go_game_size(s->go), side = color == YO_GO_WHITE;
    int64_t lag_ms = ms_of(s, "lag");
    limits->playouts = (uint64_t)yo_options_int(&s->options, "playouts");
    limits->visits = (uint64_t)yo_options_int(&s->options, "visits");
    limits->time_ms = ms_of(s, "time");
    int64_t budget = yo_clock_budget(clock, side, points, yo_go_game_stones(s->go), lag_ms);
    if (budget && (!limits->time_ms || budget < limits->time_ms)) {
        limits->time_ms = budget;
        limits->extra_ms = yo_clock_extra(clock, side, points, budget, lag_ms);
    }
}

enum yo_err yo_go_player_run(struct yo_session *s, const void *game,
                             const struct yo_search_limits *limits, const atomic_bool *stop,
                             yo_search_report_fn report, void *user,
                             struct yo_search_result *result, struct yo_diag *diag) {
    struct go_player *p = &s->go_player;
    enum yo_err err = yo_go_player_prepare_for(s, game, diag);
    if (err) return err;
    if (p->narrowed) p->engine.search.ops->clear(p->engine.search.ctx);
    p->narrowed = limits->avoid_count > 0 || limits->only;
    struct yo_search_limits own = *limits;
    if (own.visits && !(p->engine.search.ops->limits & YO_LIMIT_VISITS)) {
        /* For a search that does not count kept visits, a visit is a playout. */
        if (!own.playouts || own.visits < own.playouts) own.playouts = own.visits;
        own.visits = 0;
    }
    return yo_search_run(p->engine.search, game, &own, stop, report, user, result, diag);
}

enum yo_err yo_session_analyse_for(struct yo_session *s, enum yo_go_color color,
                                   const struct yo_search_limits *limits, const atomic_bool *stop,
                                   yo_search_report_fn report, void *user,
                                   struct yo_search_result *result, struct yo_diag *diag) {
    enum yo_go_color to_move = yo_go_game_to_move(s->go);
    yo_go_game_set_to_move(s->go, color);
    enum yo_err err = yo_session_analyse(s, NULL, limits, stop, report, user, result, diag);
    yo_go_game_set_to_move(s->go, to_move);
    return err;
}

/* A weak level forgets earlier searches: a tree that an analysis or the last move left would make
 * it stronger than it is. */
enum yo_err yo_session_limit_by_level(struct yo_session *s, struct yo_search_limits *limits,
                                      struct yo_diag *diag) {
    struct yo_engine *engine = &s->go_player.engine;
    enum yo_err err = yo_go_player_prepare(s, diag);
    if (err) return err;
    struct yo_level level = level_of(s);
    if (yo_level_is_full(&level)) return YO_OK;
    engine->search.ops->clear(engine->search.ctx);
    yo_level_limit(&level, limits);
    return YO_OK;
}

enum yo_err yo_session_think(struct yo_session *s, enum yo_go_color color,
                             const struct yo_search_limits *limits, const atomic_bool *stop,
                             yo_search_report_fn report, void *user,
                             struct yo_search_result *result, struct yo_diag *diag) {
    struct yo_search_limits all = *limits;
    limit(s, color, &all);
    enum yo_err err = yo_session_limit_by_level(s, &all, diag);
    if (err) return err;
    bool bare = !all.playouts && !all.visits && !all.time_ms;
    if (bare) all.time_ms = BARE_MS;
    return yo_session_analyse_for(s, color, &all, stop, report, user, result, diag);
}

enum yo_err yo_session_find_move(struct yo_session *s, enum yo_go_color color,
                                 const struct yo_search_limits *limits, const atomic_bool *stop,
                                 yo_search_report_fn report, void *user,
                                 struct yo_search_result *result, struct yo_diag *diag) {
    bool found = false;
    bool may = !limits->clean_up && !limits->only && limits->avoid_count == 0;
    enum yo_err err = may ? yo_session_book(s, color, result, &found, diag) : YO_OK;
    if (err || found) return err;
    return yo_session_think(s, color, limits, stop, report, user, result, diag);
}

/* The move that the level plays after this search. The draws go on from game to game, so that games
 * differ; a session with the same seed draws the same. */
static yo_go_point choose(struct yo_session *s, enum yo_go_color color,
                          const struct yo_search_result *result) {
    struct go_player *p = &s->go_player;
    if (!p->draws) p->level_random = (uint64_t)yo_options_int(&s->options, "seed");
    p->draws = true;
    struct yo_level level = level_of(s);
    yo_move move = yo_level_choose_go(&level, result, YO_GO_PASS, &p->level_random);
    bool legal = yo_go_game_legal(s->go, color, (yo_go_point)move);
    return (yo_go_point)(legal ? move : result->moves[0].move);
}

/* Whether a game in which the search would only pass is lost by as much when it is counted:
 * networks take seki for dead stones. */
static enum yo_err is_lost_by_count(struct yo_session *s, enum yo_go_color color, bool *lost,
                                    struct yo_diag *diag) {
    struct yo_judgement judgement;
    enum yo_err err = yo_session_judge(s, NULL, &judgement, diag);
    if (err) return err;
    double lead = yo_judge_lead(&judgement, s->go);
    if (color != yo_go_game_to_move(s->go)) lead = -lead;
    *lost = lead <= -YO_RESIGN_POINTS;
    return YO_OK;
}

/* A move or the resignation; *resign is what is known of the moves before, and of this one then. */
static enum yo_err decide(struct yo_session *s, enum yo_go_color color, bool may_resign,
                          const struct yo_search_result *result, struct yo_resign *resign,
                          yo_go_point *move, struct yo_diag *diag) {
    const struct go_player *p = &s->go_player;
    double below = yo_options_real(&s->options, "resign");
    bool resigns = false, from_book = yo_go_player_is_book(s, result);
    bool at_pass = result->moves[0].move == YO_GO_PASS;
    enum yo_err err = YO_OK;
    *move = from_book ? (yo_go_point)result->moves[0].move : choose(s, color, result);
    if (may_resign && below > 0 && !from_book)
        err = yo_resign_decide(resign, p->engine.search, s->go, color, result, below,
                               p->clock.settings.kind == YO_CLOCK_NONE ? 0 : RESIGN_MS, &resigns,
                               diag);
    if (!err && resigns && at_pass) err = is_lost_by_count(s, color, &resigns, diag);
    if (resigns) *move = YO_GO_RESIGN;
    return err;
}

enum yo_err yo_session_play_best(struct yo_session *s, enum yo_go_color color, bool may_resign,
                                 const struct yo_search_result *result, yo_go_point *move,
                                 struct yo_diag *diag) {
    struct go_player *p = &s->go_player;
    int64_t start_ms = yo_time_ms() - result->elapsed_ms;
    enum yo_err err = decide(s, color, may_resign, result, &p->resign, move, diag);
    yo_clock_spend(&p->clock, color == YO_GO_WHITE, yo_time_ms() - start_ms);
    if (err || *move == YO_GO_RESIGN) return err;
    err = yo_go_game_play(s->go, color, *move, diag);
    if (!err) p->moved_at = yo_go_game_move_count(s->go);
    return err;
}

enum yo_err yo_session_choose_best(struct yo_session *s, enum yo_go_color color,
                                   const struct yo_search_result *result, yo_go_point *move,
                                   struct yo_diag *diag) {
    struct yo_resign resign = s->go_player.resign;
    return decide(s, color, true, result, &resign, move, diag);
}

bool yo_session_may_ponder(struct yo_session *s) {
    const struct go_player *p = &s->go_player;
    bool its_turn = p->moved_at > 0 && p->moved_at == yo_go_game_move_count(s->go);
    return yo_options_bool(&s->options, "ponder") && its_turn && p->engine.search.ops &&
           yo_go_game_passes(s->go) < 2;
}

void yo_session_ponder(struct yo_session *s, const atomic_bool *stop) {
    struct yo_search_limits limits = {0};
    struct yo_search_result result;
    if (!yo_session_may_ponder(s)) return;
    yo_session_analyse(s, NULL, &limits, stop, NULL, NULL, &result, NULL);
}

/* ---- The end ---- */

enum yo_err yo_session_playouts(struct yo_session *s, struct yo_eval *eval, struct yo_diag *diag) {
    enum yo_err err = yo_go_player_prepare(s, diag);
    if (!err) *eval = s->go_player.engine.eval;
    return err;
}

enum yo_err yo_session_net(struct yo_session *s, struct yo_eval *eval, struct yo_diag *diag) {
    enum yo_err err = yo_go_player_prepare(s, diag);
    if (err) return err;
    *eval = s->go_player.engine.net;
    if (eval->ops) return YO_OK;
    yo_diag_set(diag, YO_ERR_STATE, "there is no network");
    yo_diag_hint(diag, "give one with --net FILE, or --net builtin");
    return YO_ERR_STATE;
}

enum yo_err yo_session_judge(struct yo_session *s, const atomic_bool *stop,
                             struct yo_judgement *judgement, struct yo_diag *diag) {
    struct yo_judge_limits limits = {.seed = (uint64_t)yo_options_int(&s->options, "seed"),
                                     .games = (uint64_t)yo_options_int(&s->options, "judge"),
                                     .stop = stop ? stop : &s->stop};
    struct yo_eval eval;
    enum yo_err err = yo_session_playouts(s, &eval, diag);
    if (err) return err;
    /* Networks that are built in have seen too few dead stones and seki: playouts judge better
     * (tests/data/go/ends.txt). */
    if (!yo_go_net_is_builtin(&s->options) && yo_opinion_has_ownership(s->go_player.engine.net))
        limits.net = s->go_player.engine.net;
    return yo_judge_result(eval, s->go, &limits, judgement, diag);
}
