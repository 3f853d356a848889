/* What shogi adds to a session: evaluation, book, rules, the time for a move. */
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cpu.h"
#include "base/diag.h"
#include "engine/internal.h"
#include "eval/shogi/net_eval.h"
#include "search/mate/solver.h"

enum {
    BARE_MS = 1000, /* without any limit */
    MATE_TABLE_MB = 64
};

/* ---- Evaluation ---- */

static void use_net(struct yo_session *s, struct yo_shogi_net *net) {
    struct shogi_player *p = &s->player;
    yo_search_destroy(&s->search); /* it uses the old evaluation and has its values in the table */
    yo_shogi_net_delete(p->net);
    p->net = net;
    p->eval = yo_shogi_net_eval(net);
}

/* If the file cannot be read, the previous evaluation stays, or the built-in network is used. */
static enum yo_err load_eval(struct yo_session *s, const char *name, struct yo_diag *diag) {
    struct shogi_player *p = &s->player;
    struct yo_shogi_net *net;
    enum yo_err err = yo_session_remember(&p->eval_asked, name);
    if (!err) err = yo_shogi_net_open(name, &net, diag);
    if (err == YO_ERR_NOMEM || (err && s->config.strict)) return err;
    if (err) {
        char instead[96];
        if (!p->eval.value) {
            if ((err = yo_shogi_net_open(YO_SHOGI_EVAL_DEFAULT, &net, NULL))) return err;
            use_net(s, net);
        }
        snprintf(instead, sizeof instead, "evaluating by %.64s", p->eval.name);
        yo_session_tell_failure(s, "EvalFile", diag, instead);
        return YO_OK;
    }
    use_net(s, net);
    return YO_OK;
}

static enum yo_err prepare_eval(struct yo_session *s, struct yo_diag *diag) {
    struct shogi_player *p = &s->player;
    const char *name = yo_session_text(&s->options, "eval");
    if (!name) name = YO_SHOGI_EVAL_DEFAULT;
    bool needed =
        yo_session_is_new(p->eval_asked, name) || !p->eval.value; /* or memory was missing */
    enum yo_err err = needed ? load_eval(s, name, diag) : YO_OK;
    int scale = (int)yo_options_int(&s->options, "FV_SCALE");
    if (p->net && p->net->scale != scale) {
        p->net->scale = scale;
        if (s->search.ops) s->search.ops->clear(s->search.ctx);
    }
    return err;
}

/* ---- The network of PUCT and MCSS ---- */

static void close_guide(struct yo_session *s) {
    struct shogi_player *p = &s->player;
    if (!p->guide.ops) return;
    yo_search_destroy(&s->search); /* it uses the network */
    p->guide.ops->destroy(p->guide.ctx);
    p->guide = (struct yo_eval){0};
}

/* A network that the search has no use for. Clients may send its option all the same. */
static enum yo_err refuse_guide(const struct yo_session *s, const char *search,
                                struct yo_diag *diag) {
    yo_diag_set(diag, YO_ERR_ARGUMENT, "the search %s does not use the option net", search);
    yo_diag_hint(diag, "search with puct or mcss");
    if (s->config.strict) return YO_ERR_ARGUMENT;
    yo_session_tell_failure(s, "DNN_Model:", diag, "the network is not read");
    return YO_OK;
}

/* Without the network there is no such search: alpha-beta plays in its place. */
static enum yo_err open_guide(struct yo_session *s, int threads, struct yo_diag *diag) {
    enum yo_err err = yo_shogi_guide_open(&s->options, threads, s->config.notices, s->config.nets,
                                          &s->player.guide, diag);
    if (!err || err == YO_ERR_NOMEM || s->config.strict || !s->config.notice) return err;
    yo_session_tell_failure(s, "DNN_Model:", diag, "searching with alphabeta in its place");
    return YO_OK;
}

/* Opened only for a search that needs it. One that could not be opened is tried again after a
 * change of options. */
static enum yo_err prepare_guide(struct yo_session *s, struct yo_diag *diag) {
    struct shogi_player *p = &s->player;
    const char *search = yo_shogi_search_name(&s->options);
    const char *net = yo_session_text(&s->options, "net");
    const char *backend = yo_session_text(&s->options, "net-backend");
    char asked[8192];
    if (!yo_shogi_search_has_net(search)) {
        close_guide(s);
        bool named = yo_shogi_guide_name(&s->options) && (s->changed || !s->search.ops);
        return named ? refuse_guide(s, search, diag) : YO_OK;
    }
    int threads = (int)yo_options_int(&s->options, "threads");
    snprintf(asked, sizeof asked, "%s\n%s\n%lld\n%d", net ? net : "", backend ? backend : "",
             (long long)yo_options_int(&s->options, "net-cache"), threads);
    bool tried = p->guide.ops || (s->search.ops && !s->changed);
    if (tried && !yo_session_is_new(p->guide_asked, asked)) return YO_OK;
    close_guide(s);
    enum yo_err err = yo_session_remember(&p->guide_asked, asked);
    return err ? err : open_guide(s, threads, diag);
}

/* ---- The book ---- */

static enum yo_err load_book(struct yo_session *s, const char *name, struct yo_diag *diag) {
    struct shogi_player *p = &s->player;
    enum yo_err err = yo_session_remember(&p->book_asked, name);
    if (err) return err;
    yo_shogi_book_delete(p->book);
    p->book = NULL;
    err = yo_book_open_shogi(name, &p->book, diag);
    if (err && s->config.strict) return err;
    if (err)
        yo_session_tell_failure(s, "BookFile:", diag, "playing without a book");
    else if (p->book && strcmp(name, YO_BOOK_AUTO) != 0)
        yo_session_notice(s, "BookFile %s: %zu positions", name, yo_shogi_book_positions(p->book));
    return YO_OK;
}

static enum yo_err prepare_book(struct yo_session *s, struct yo_diag *diag) {
    const char *name = yo_session_text(&s->options, "book");
    if (!name || !yo_options_bool(&s->options, "USI_OwnBook")) name = YO_BOOK_OFF;
    return yo_session_is_new(s->player.book_asked, name) ? load_book(s, name, diag) : YO_OK;
}

bool yo_session_book_shogi(struct yo_session *s, const struct yo_shogi_position *position,
                           bool limited, struct yo_shogi_book_move *move) {
    const char *name = yo_session_text(&s->options, "book");
    return yo_book_is_used(name, limited) &&
           yo_book_draw_shogi(s->player.book, position, &s->player.random, move);
}

struct yo_shogi_book_move yo_shogi_player_book_move(struct yo_session *s) {
    struct yo_shogi_book_move move = {0};
    const struct yo_session_request *r = &s->thinking.request;
    const struct yo_search_limits *l = &r->limits;
    bool limited = r->limited || l->depth || l->nodes || l->playouts || l->visits;
    yo_session_book_shogi(s, shogi_game_now(s->shogi), limited, &move);
    return move;
}

/* ---- All of it ---- */

static enum yo_err make_search(struct yo_session *s, struct yo_diag *diag) {
    if (s->search.ops && !s->changed) return YO_OK;
    int threads = (int)yo_options_int(&s->options, "threads");
    struct yo_search_setup setup = {.game = YO_SESSION_SHOGI,
                                    .options = &s->options,
                                    .eval = &s->player.eval,
                                    .net = s->player.guide,
                                    .seed = (uint64_t)yo_options_int(&s->options, "seed"),
                                    .plays = s->player.plays,
                                    .plays_size = sizeof s->player.plays,
                                    .threads = threads > 0 ? threads : yo_cpu_count(),
                                    .strict = s->config.strict,
                                    .at_once = s->config.at_once,
                                    .notices = s->config.notices,
                                    .notice = s->config.notice,
                                    .user = s->config.user};
    s->player.plays[0] = '\0';
    const char *name = yo_shogi_search_name(&s->options);
    if (yo_shogi_search_has_net(name) && !s->player.guide.ops) name = "alphabeta";
    const struct yo_search_kind *kind =
        yo_search_kind_find(s->config.kinds, YO_SESSION_SHOGI, name, diag);
    if (kind) setup.search = kind->name;
    enum yo_err err = kind ? kind->make(&setup, &s->search, diag) : YO_ERR_UNKNOWN;
    if (!err) s->changed = false;
    return err;
}

enum yo_err yo_shogi_player_prepare(struct yo_session *s, struct yo_diag *diag) {
    struct yo_diag unread;
    if (!diag) diag = &unread;
    *diag = (struct yo_diag){0};
    enum yo_err err = prepare_eval(s, diag);
    if (!err && !s->player.mate.ops) err = yo_mate_solver_new(MATE_TABLE_MB, &s->player.mate);
    if (!err) err = prepare_book(s, diag);
    if (!err) err = prepare_guide(s, diag);
    if (!err) err = make_search(s, diag);
    if (err && !diag->what[0]) yo_diag_set(diag, err, "not enough memory to play");
    return err;
}

void yo_shogi_player_free(struct yo_session *s) {
    struct shogi_player *p = &s->player;
    yo_search_destroy(&p->mate);
    close_guide(s);
    yo_free(p->guide_asked);
    yo_shogi_net_delete(p->net);
    yo_shogi_book_delete(p->book);
    yo_shogi_game_delete(p->before);
    yo_free(p->eval_asked);
    yo_free(p->book_asked);
}

void yo_shogi_player_take_options(struct yo_session *s, bool ponders) {
    struct shogi_player *p = &s->player;
    struct yo_shogi_rules *rules = &s->shogi->rules;
    *rules = yo_shogi_rules_default;
    yo_shogi_entering_parse(yo_options_text(&s->options, "EnteringKingRule"), rules, NULL);
    rules->max_moves = (int)yo_options_int(&s->options, "MaxMovesToDraw");
    p->resign_value = yo_options_int(&s->options, "ResignValue");
    p->level = yo_level_shogi(&s->options, s->search.ops->limits);
    yo_shogi_game_delete(p->before);
    p->before = NULL;
    if (ponders && s->shogi->count > 1 && yo_options_bool(&s->options, "Stochastic_Ponder") &&
        yo_shogi_game_copy(s->shogi, &p->before) == YO_OK)
        yo_shogi_game_undo(p->before, NULL);
}

/* ---- Time ---- */

void yo_session_set_clocks(struct yo_session *s, const struct yo_shogi_clock clocks[2]) {
    memcpy(s->player.clocks, clocks, sizeof s->player.clocks);
}

static bool is_timed(const struct yo_shogi_clock *clock) {
    return clock->time_ms >= 0 || clock->increment_ms >= 0 || clock->byoyomi_ms >= 0;
}

static struct yo_shogi_budget budget_of(const struct yo_session *s,
                                        const struct yo_shogi_clock *clock) {
    struct yo_shogi_pace pace = {
        .delay_ms = yo_options_int(&s->options, "NetworkDelay2"),
        .minimum_ms = yo_options_int(&s->options, "MinimumThinkingTime"),
        .percent = (int)yo_options_int(&s->options, "SlowMover"),
        .ponders = yo_options_bool(&s->options, "USI_Ponder"),
        .ply = shogi_game_now(s->shogi)->ply,
        .max_moves = (int)yo_options_int(&s->options, "MaxMovesToDraw"),
    };
    return yo_shogi_clock_budget(clock, &pace);
}

void yo_shogi_player_set_clock(struct yo_session *s, int64_t pondered_ms) {
    struct thinking *t = &s->thinking;
    const struct yo_session_request *r = &t->request;
    const struct yo_shogi_clock *clock = &s->player.clocks[shogi_game_now(s->shogi)->side];
    struct yo_shogi_budget b = {0};
    bool rounds = false;
    if (r->infinite || r->ponder) {
        /* no limit until ponderhit or stop */
    } else if (r->limits.time_ms) {
        b.hard_ms = r->limits.time_ms;
    } else if (r->limits.mate) {
        /* no time limit */
    } else if (is_timed(clock)) {
        b = budget_of(s, clock);
        rounds = yo_options_bool(&s->options, "RoundUpToFullSecond");
        b.soft_ms -= pondered_ms;
        if (b.soft_ms <= b.least_ms && pondered_ms) b.soft_ms = b.hard_ms = b.least_ms;
    } else if (!r->limits.depth && !r->limits.nodes && !r->limits.playouts && !r->limits.visits) {
        b.hard_ms = BARE_MS;
    }
    int64_t ahead = rounds ? yo_options_int(&s->options, "NetworkDelay") : -1;
    atomic_store(&t->clock.round_ms, ahead);
    yo_search_clock_set(&t->clock, r->heard_ms, b.least_ms, b.soft_ms, b.hard_ms);
}
