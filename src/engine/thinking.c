/* A move search in its own thread, so that the session can take stop and ponderhit. The answer to
 * an infinite search or to pondering waits for them. */
#include <string.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "base/time.h"
#include "engine/internal.h"
#include "game/shogi/movegen.h"

/* ---- The thinking thread ---- */

/* Waits until the answer may be given. False: it must not be given. */
static bool may_answer(struct thinking *t) {
    pthread_mutex_lock(&t->mutex);
    while (t->held)
        pthread_cond_wait(&t->changed, &t->mutex);
    bool wanted = !t->silent;
    t->answered = wanted; /* from now on callers wait for the end of the thread */
    pthread_mutex_unlock(&t->mutex);
    return wanted;
}

static void give(struct thinking *t, const struct yo_session_answer *answer) {
    t->listener.answer(t->listener.user, answer);
}

static bool is_in_book(struct thinking *t) {
    pthread_mutex_lock(&t->mutex); /* a ponderhit may be setting it */
    bool found = t->book_move.move;
    pthread_mutex_unlock(&t->mutex);
    return found;
}

/* chosen: the number of the move to play. */
static struct yo_session_answer answer_of(const struct yo_search_result *result, size_t chosen) {
    struct yo_session_answer a = {
        .kind = YO_ANSWER_RESIGN, .ponder = YO_MOVE_NONE, .result = *result};
    if (result->move_count == 0) return a;
    const struct yo_search_move *best = &result->moves[chosen];
    a.kind = YO_ANSWER_MOVE;
    a.move = best->move;
    if (best->pv_count > 1) a.ponder = best->pv[1];
    return a;
}

/* Gives the book move, with the book's value as a search result. */
static void give_book(struct yo_session *s) {
    const struct yo_shogi_book_move *b = &s->thinking.book_move;
    struct yo_shogi_position next = *shogi_game_now(s->shogi);
    yo_shogi_play(&next, b->move);
    yo_move line[] = {b->move, b->reply};
    bool replies = b->reply && yo_shogi_move_is_sound(&next, b->reply);
    int value = b->value; /* a book has no mate scores */
    if (value > YO_AB_MATE_FROM - 1) value = YO_AB_MATE_FROM - 1;
    if (value < 1 - YO_AB_MATE_FROM) value = 1 - YO_AB_MATE_FROM;
    struct yo_search_move m = {.move = b->move,
                               .winrate_to_move = yo_search_winrate_of(value),
                               .centipawns = value,
                               .depth = b->depth,
                               .pv = line,
                               .pv_count = replies ? 2 : 1};
    struct yo_search_result result = {.moves = &m, .move_count = 1, .depth = b->depth};
    struct yo_session_answer a = answer_of(&result, 0);
    a.from_book = true;
    give(&s->thinking, &a);
}

/* Stochastic_Ponder: searches the position before the expected move, to fill the table. If the
 * opponent plays another move, the client still needs an answer, which it ignores: a search of
 * depth 1, or of one playout, gives it. */
static void think_step_back(struct yo_session *s) {
    struct thinking *t = &s->thinking;
    struct yo_search_result result = {0};
    struct yo_search_limits limits = t->request.limits, any = {.depth = 1};
    if (!(s->search.ops->limits & YO_LIMIT_DEPTH)) any = (struct yo_search_limits){.playouts = 1};
    limits.clock = &t->clock;
    limits.only = limits.avoid = NULL;
    limits.avoid_count = 0;
    yo_search_run(s->search, s->player.before, &limits, &s->stop, NULL, NULL, &result, NULL);
    if (!may_answer(t)) return;
    yo_search_run(s->search, s->shogi, &any, NULL, NULL, NULL, &result, NULL);
    struct yo_session_answer a = answer_of(&result, 0);
    give(t, &a);
}

/* Behind by at least the option's resign value. */
static bool is_hopeless(const struct yo_session *s, const struct yo_search_result *result) {
    const struct yo_search_move *best = result->moves;
    if (s->thinking.request.infinite || result->move_count == 0 || best->bound == YO_BOUND_UNKNOWN)
        return false;
    int score = best->mate ? yo_ab_score(result) : yo_search_centipawns(best);
    return score <= -s->player.resign_value;
}

/* A tree search has no moves where the rules have ended the game, as by repetition; a client that
 * plays on wants one all the same. Where there is none, the side to move has lost. */
static void take_any(const struct yo_session *s, const struct yo_search_limits *limits,
                     struct yo_session_answer *a) {
    yo_shogi_move moves[YO_SHOGI_LIST];
    size_t count = yo_shogi_legal_moves(shogi_game_now(s->shogi), moves);
    if (count == 0) return;
    a->kind = YO_ANSWER_MOVE;
    a->move = limits->only_count ? limits->only[0] : moves[0];
}

static void think(struct yo_session *s) {
    struct thinking *t = &s->thinking;
    struct yo_search_limits limits = t->request.limits;
    struct yo_search_result result = {0};
    struct yo_diag diag = {0};
    enum yo_err err = YO_OK;
    bool won = !t->request.infinite && !limits.mate &&
               yo_shogi_can_declare(shogi_game_now(s->shogi), &s->shogi->rules);
    limits.clock = &t->clock;
    limits.time_ms = 0;
    bool weak = !t->request.infinite && !limits.mate;
    if (weak) yo_level_limit(&s->player.level, &limits);
    if (!won && !is_in_book(t))
        err = yo_search_run(limits.mate ? s->player.mate : s->search, s->shogi, &limits, &s->stop,
                            t->listener.report, t->listener.user, &result, &diag);
    /* A tree search reports at intervals, so the final result is still to be reported; alpha-beta
     * has reported each depth. */
    bool unsaid = result.move_count > 0 && result.moves[0].visits > 0;
    if (unsaid && t->listener.report) t->listener.report(t->listener.user, &result);
    if (!may_answer(t)) return;
    size_t chosen = 0;
    if (weak && !err)
        chosen = yo_level_choose_shogi(&s->player.level, &result, &s->player.level_random);
    struct yo_session_answer a = answer_of(&result, chosen);
    a.err = err;
    a.diag = &diag;
    /* Analysis of a declared win, by a search that has no moves at the end of a game. */
    if (!won && !limits.mate && !err && result.move_count == 0)
        won = yo_shogi_can_declare(shogi_game_now(s->shogi), &s->shogi->rules);
    if (won)
        a.kind = YO_ANSWER_WIN;
    else if (!limits.mate && !err && result.move_count == 0)
        take_any(s, &limits, &a);
    if (!won && is_hopeless(s, &result)) a.kind = YO_ANSWER_RESIGN;
    if (!won && is_in_book(t))
        give_book(s);
    else
        give(t, &a);
}

static void *run(void *arg) {
    struct yo_session *s = arg;
    if (s->player.before)
        think_step_back(s);
    else
        think(s);
    return NULL;
}

/* ---- Beginning and ending ---- */

static enum yo_err copy_moves(const yo_move *moves, size_t count, yo_move **copy) {
    yo_free(*copy);
    *copy = NULL;
    if (!moves) return YO_OK;
    *copy = yo_alloc(count + 1, sizeof **copy);
    if (!*copy) return YO_ERR_NOMEM;
    memcpy(*copy, moves, count * sizeof *moves);
    return YO_OK;
}

/* The options `playouts` and `visits`, if the request has no limit but time. A search without one
 * of these limits takes the next best one. */
static void limit_by_options(const struct yo_session *s, struct yo_search_limits *l) {
    const unsigned can = s->search.ops->limits;
    uint64_t playouts = (uint64_t)yo_options_int(&s->options, "playouts");
    uint64_t visits = (uint64_t)yo_options_int(&s->options, "visits");
    if (l->mate || l->depth || l->nodes || l->playouts || l->visits) return;
    if (can & YO_LIMIT_VISITS) {
        l->visits = visits;
    } else if (visits && (!playouts || visits < playouts)) {
        playouts = visits;
    }
    if (can & YO_LIMIT_PLAYOUTS)
        l->playouts = playouts;
    else
        l->nodes = playouts;
}

/* Starts the thread for thinking.request. */
static enum yo_err begin(struct yo_session *s, struct yo_diag *diag) {
    struct thinking *t = &s->thinking;
    const struct yo_session_request *r = &t->request;
    bool plays = !r->infinite && !r->ponder && !r->limits.mate && !r->limits.only;
    yo_shogi_player_take_options(s, r->ponder);
    yo_shogi_player_set_clock(s, 0);
    atomic_store(&s->stop, false);
    t->held = r->infinite || r->ponder;
    t->silent = t->answered = false;
    t->book_move = plays ? yo_shogi_player_book_move(s) : (struct yo_shogi_book_move){0};
    t->started_ms = yo_time_ms();
    t->running = pthread_create(&t->thread, NULL, run, s) == 0;
    return t->running ? YO_OK : yo_diag_set(diag, YO_ERR_NOMEM, "no thread could be started");
}

enum yo_err yo_session_start(struct yo_session *s, const struct yo_session_request *request,
                             const struct yo_session_listener *listener, struct yo_diag *diag) {
    struct thinking *t = &s->thinking;
    yo_session_stop(s);
    enum yo_err err = yo_session_prepare(s, diag);
    if (err) return err;
    /* A weak level would read deep values off the table. */
    struct yo_level level = yo_level_shogi(&s->options, s->search.ops->limits);
    bool weak = !yo_level_is_full(&level) && !request->infinite;
    if (weak && s->deep) s->search.ops->clear(s->search.ctx);
    s->deep = !weak;
    t->request = *request;
    t->listener = *listener;
    if (!t->request.heard_ms) t->request.heard_ms = yo_time_ms();
    struct yo_search_limits *l = &t->request.limits;
    err = copy_moves(l->only, l->only_count, &t->only);
    if (!err) err = copy_moves(l->avoid, l->avoid_count, &t->avoid);
    if (err) return yo_diag_set(diag, err, "out of memory");
    l->only = t->only;
    l->avoid = t->avoid;
    if (!l->lines) l->lines = (size_t)yo_options_int(&s->options, "MultiPV");
    if (l->mate) l->lines = 1;
    if (l->depth && !l->mate && !(s->search.ops->limits & YO_LIMIT_DEPTH)) {
        yo_session_notice(s, "the search %s cannot be limited by depth", s->search.ops->name);
        l->depth = 0;
        t->request.limited = true; /* it wants a search all the same, not the book `auto` */
    }
    if (!t->request.infinite) limit_by_options(s, l);
    return begin(s, diag);
}

static void join(struct thinking *t) {
    pthread_join(t->thread, NULL);
    t->running = false;
}

/* silent: without its answer. */
static void end(struct yo_session *s, bool silent) {
    struct thinking *t = &s->thinking;
    if (!t->running) return;
    atomic_store(&s->stop, true);
    pthread_mutex_lock(&t->mutex);
    t->held = false;
    t->silent = silent;
    pthread_cond_signal(&t->changed);
    pthread_mutex_unlock(&t->mutex);
    join(t);
    atomic_store(&s->stop, false);
}

void yo_session_stop(struct yo_session *s) { end(s, false); }

/* Continues the same search on the clock, no longer pondering. */
static void play_on(struct yo_session *s) {
    struct thinking *t = &s->thinking;
    yo_shogi_move moves[YO_SHOGI_LIST];
    struct yo_shogi_book_move book = {0};
    bool infinite = t->request.infinite;
    if (!infinite && !t->request.limits.only) book = yo_shogi_player_book_move(s);
    bool clear = book.move || yo_shogi_legal_moves(shogi_game_now(s->shogi), moves) == 1;
    yo_shogi_player_set_clock(s, t->request.heard_ms - t->started_ms);
    pthread_mutex_lock(&t->mutex);
    t->book_move = book;
    t->held = infinite;
    pthread_cond_signal(&t->changed);
    pthread_mutex_unlock(&t->mutex);
    if (clear && !infinite) atomic_store(&s->stop, true); /* book move or only move */
}

void yo_session_ponderhit(struct yo_session *s, int64_t heard_ms) {
    struct thinking *t = &s->thinking;
    if (!yo_session_is_pondering(s)) return;
    t->request.ponder = false;
    t->request.heard_ms = heard_ms;
    if (!s->player.before) {
        play_on(s);
        return;
    }
    end(s, true); /* its results stay in the table */
    struct yo_diag diag;
    if (begin(s, &diag) == YO_OK) return;
    struct yo_session_answer a = {
        .kind = YO_ANSWER_RESIGN, .ponder = YO_MOVE_NONE, .err = diag.err, .diag = &diag};
    give(t, &a);
}

bool yo_session_is_pondering(const struct yo_session *s) {
    return s->thinking.running && s->thinking.request.ponder;
}

bool yo_session_is_thinking(struct yo_session *s) {
    struct thinking *t = &s->thinking;
    pthread_mutex_lock(&t->mutex);
    bool answered = t->answered;
    pthread_mutex_unlock(&t->mutex);
    if (t->running && answered) join(t);
    return t->running;
}

void yo_session_wait(struct yo_session *s) {
    const struct yo_session_request *r = &s->thinking.request;
    bool endless = r->infinite || r->ponder || (r->limits.mate && !r->limits.time_ms);
    if (s->thinking.running && !endless) join(&s->thinking);
}
