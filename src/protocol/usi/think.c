/* The thread that thinks: how long, what it says meanwhile, and its answer. */
#include "base/time.h"
#include "game/shogi/movegen.h"
#include "protocol/usi/internal.h"

/* A bare go: nobody said how long. */
enum { BARE_GO_MS = 1000 };

/* ---- Answers ---- */

static void add_line(struct yo_buf *out, const yo_move *line, size_t length) {
    for (size_t i = 0; i < length; i++) {
        char text[YO_SHOGI_MOVE_TEXT];
        yo_buf_printf(out, " %s", yo_shogi_move_format((yo_shogi_move)line[i], text));
    }
}

static void add_score(struct yo_buf *out, const struct yo_search_move *m) {
    if (m->mate)
        yo_buf_printf(out, " score mate %d", m->mate);
    else
        yo_buf_printf(out, " score cp %d", m->centipawns);
    if (m->bound) yo_buf_str(out, m->bound > 0 ? " lowerbound" : " upperbound");
}

static void add_counts(struct yo_buf *out, const struct yo_search_result *r) {
    uint64_t ms = r->elapsed_ms > 0 ? (uint64_t)r->elapsed_ms : 1;
    yo_buf_printf(out, " nodes %llu nps %llu hashfull %d time %lld", (unsigned long long)r->nodes,
                  (unsigned long long)(r->nodes * 1000 / ms), r->hashfull,
                  (long long)r->elapsed_ms);
}

static void say_buf(struct yo_usi *usi, struct yo_buf *out) {
    if (!yo_buf_status(out)) yo_usi_say(usi, "%s", yo_buf_text(out));
    yo_buf_free(out);
}

static void report_line(struct yo_usi *usi, const struct yo_search_result *r, size_t i) {
    struct yo_buf out = {0};
    const struct yo_search_move *m = &r->moves[i];
    yo_buf_printf(&out, "info depth %d seldepth %d", m->depth,
                  m->seldepth > m->depth ? m->seldepth : m->depth);
    if (usi->multi_pv > 1) yo_buf_printf(&out, " multipv %zu", r->first + i + 1);
    add_score(&out, m);
    add_counts(&out, r);
    yo_buf_str(&out, " pv");
    add_line(&out, m->pv, m->pv_count);
    say_buf(usi, &out);
}

static void report(void *user, const struct yo_search_result *r) {
    struct yo_usi *usi = user;
    for (size_t i = 0; i < r->move_count; i++)
        report_line(usi, r, i);
    if (!r->trying) return;
    struct yo_buf out = {0};
    yo_buf_printf(&out, "info depth %d", r->depth);
    add_counts(&out, r);
    yo_buf_str(&out, " currmove");
    add_line(&out, r->trying, 1);
    say_buf(usi, &out);
}

/* An answer to infinite or ponder must wait until it is asked for. False: it is not wanted. */
static bool may_answer(struct yo_usi *usi) {
    pthread_mutex_lock(&usi->mutex);
    while (usi->held)
        pthread_cond_wait(&usi->changed, &usi->mutex);
    bool wanted = !usi->silent;
    pthread_mutex_unlock(&usi->mutex);
    return wanted;
}

static void answer_line(struct yo_usi *usi, const yo_move *line, size_t length) {
    char best[YO_SHOGI_MOVE_TEXT], next[YO_SHOGI_MOVE_TEXT];
    if (length == 0)
        yo_usi_answer(usi, "bestmove resign");
    else if (length == 1)
        yo_usi_answer(usi, "bestmove %s", yo_shogi_move_format((yo_shogi_move)line[0], best));
    else
        yo_usi_answer(usi, "bestmove %s ponder %s",
                      yo_shogi_move_format((yo_shogi_move)line[0], best),
                      yo_shogi_move_format((yo_shogi_move)line[1], next));
}

static void answer_result(struct yo_usi *usi, const struct yo_search_result *result) {
    if (result->move_count == 0)
        answer_line(usi, NULL, 0);
    else
        answer_line(usi, result->moves[0].pv, result->moves[0].pv_count);
}

static void answer_book(struct yo_usi *usi) {
    const struct yo_shogi_book_move *b = &usi->book_move;
    yo_move line[] = {b->move, b->reply};
    struct yo_shogi_position next = *usi_now(usi);
    yo_shogi_play(&next, b->move);
    size_t length = b->reply && yo_shogi_move_is_sound(&next, b->reply) ? 2 : 1;
    struct yo_search_move m = {
        .move = b->move, .centipawns = b->value, .depth = b->depth, .pv = line, .pv_count = length};
    struct yo_search_result r = {.moves = &m, .move_count = 1};
    if (m.centipawns > YO_AB_MATE_FROM - 1) m.centipawns = YO_AB_MATE_FROM - 1;
    if (m.centipawns < 1 - YO_AB_MATE_FROM) m.centipawns = 1 - YO_AB_MATE_FROM;
    yo_usi_say(usi, "info string a move of the book");
    report(usi, &r);
    answer_line(usi, line, length);
}

/* ---- Thinking ---- */

static bool is_in_book(struct yo_usi *usi) {
    pthread_mutex_lock(&usi->mutex); /* a ponderhit may just be looking it up */
    bool found = usi->book_move.move;
    pthread_mutex_unlock(&usi->mutex);
    return found;
}

/* The opponent is to move and may play anything: what matters is left in the table. If the game
 * takes another turn the client wants a move that it will not play; any will do. */
static void think_step_back(struct yo_usi *usi) {
    struct yo_search search = yo_ab_as_search(usi->search);
    struct yo_search_result result = {0};
    struct yo_search_limits any = {.depth = 1};
    yo_search_run(search, usi->before, &usi->limits, &usi->stop, NULL, NULL, &result, NULL);
    if (!may_answer(usi)) return;
    yo_search_run(search, usi->game, &any, NULL, NULL, NULL, &result, NULL);
    answer_result(usi, &result);
}

/* So far behind that the options say to resign. */
static bool is_hopeless(const struct yo_usi *usi, const struct yo_search_result *result) {
    return !usi->go.infinite && result->move_count > 0 && yo_ab_score(result) <= -usi->resign_value;
}

static void think(struct yo_usi *usi) {
    struct yo_search_result result = {0};
    struct yo_diag diag = {0};
    bool won = !usi->go.infinite && yo_shogi_can_declare(usi_now(usi), &usi->game->rules);
    if (!won && !is_in_book(usi) &&
        yo_search_run(yo_ab_as_search(usi->search), usi->game, &usi->limits, &usi->stop, report,
                      usi, &result, &diag))
        yo_usi_complain(usi, "", &diag);
    if (!may_answer(usi)) return;
    if (won)
        yo_usi_answer(usi, "bestmove win");
    else if (is_in_book(usi))
        answer_book(usi);
    else if (is_hopeless(usi, &result))
        answer_line(usi, NULL, 0);
    else
        answer_result(usi, &result);
}

static void think_mate(struct yo_usi *usi) {
    struct yo_search_limits limits = {.mate = true};
    struct yo_search_result result = {0};
    struct yo_buf out = {0};
    /* No time at all is no answer either: a millisecond. */
    if (usi->go.mate_ms >= 0) limits.time_ms = usi->go.mate_ms > 0 ? usi->go.mate_ms : 1;
    yo_search_run(usi->mate, usi->game, &limits, &usi->stop, NULL, NULL, &result, NULL);
    yo_buf_str(&out, "checkmate");
    if (result.move_count > 0)
        add_line(&out, result.moves[0].pv, result.moves[0].pv_count);
    else
        yo_buf_str(&out, result.no_mate ? " nomate" : " timeout");
    yo_usi_answer(usi, "%s", yo_buf_status(&out) ? "checkmate timeout" : yo_buf_text(&out));
    yo_buf_free(&out);
}

static void *run(void *arg) {
    struct yo_usi *usi = arg;
    if (usi->go.mate)
        think_mate(usi);
    else if (usi->steps_back)
        think_step_back(usi);
    else
        think(usi);
    return NULL;
}

/* ---- Time ---- */

static bool is_timed(const struct usi_go *go, int side) {
    return go->clocks[side].time_ms >= 0 || go->clocks[side].increment_ms >= 0 ||
           go->byoyomi_ms >= 0;
}

static struct yo_shogi_budget budget_of(const struct yo_usi *usi) {
    struct yo_shogi_clock clock = usi->go.clocks[usi_now(usi)->side];
    clock.byoyomi_ms = usi->go.byoyomi_ms;
    struct yo_shogi_pace pace = {
        .delay_ms = yo_options_int(&usi->options, "NetworkDelay2"),
        .minimum_ms = yo_options_int(&usi->options, "MinimumThinkingTime"),
        .percent = (int)yo_options_int(&usi->options, "SlowMover"),
        .ponders = yo_options_bool(&usi->options, "USI_Ponder"),
        .ply = usi_now(usi)->ply,
        .max_moves = (int)yo_options_int(&usi->options, "MaxMovesToDraw"),
    };
    return yo_shogi_clock_budget(&clock, &pace);
}

/* The clock of what usi->go says. What was pondered before counts towards the move, but for time
 * that would be lost otherwise. */
static void set_clock(struct yo_usi *usi, int64_t pondered_ms) {
    const struct usi_go *go = &usi->go;
    bool timed = is_timed(go, usi_now(usi)->side), rounds = false;
    struct yo_shogi_budget b = {0};
    if (go->infinite || go->ponder) {
        /* until it is told otherwise */
    } else if (go->movetime_ms >= 0) {
        b.hard_ms = go->movetime_ms > 0 ? go->movetime_ms : 1;
    } else if (timed) {
        b = budget_of(usi);
        rounds = yo_options_bool(&usi->options, "RoundUpToFullSecond");
        b.soft_ms -= pondered_ms;
        if (b.soft_ms <= b.least_ms && pondered_ms) b.soft_ms = b.hard_ms = b.least_ms;
    } else if (!go->depth && !go->nodes) {
        b.hard_ms = BARE_GO_MS;
    }
    int64_t ahead = rounds ? yo_options_int(&usi->options, "NetworkDelay") : -1;
    atomic_store(&usi->clock.round_ms, ahead);
    yo_search_clock_set(&usi->clock, go->heard_ms, b.least_ms, b.soft_ms, b.hard_ms);
}

/* ---- Beginning and ending ---- */

static void take_options(struct yo_usi *usi) {
    const struct usi_go *go = &usi->go;
    struct yo_shogi_rules *rules = &usi->game->rules;
    usi->multi_pv = yo_options_int(&usi->options, "MultiPV");
    usi->limits = (struct yo_search_limits){.depth = (int)go->depth,
                                            .nodes = (uint64_t)go->nodes,
                                            .clock = &usi->clock,
                                            .lines = (size_t)usi->multi_pv,
                                            .only = go->only_count ? go->only : NULL,
                                            .only_count = go->only_count};
    *rules = yo_shogi_rules_default;
    yo_shogi_entering_parse(yo_options_text(&usi->options, "EnteringKingRule"), rules, NULL);
    rules->max_moves = (int)yo_options_int(&usi->options, "MaxMovesToDraw");
    usi->resign_value = yo_options_int(&usi->options, "ResignValue");
    yo_shogi_game_delete(usi->before);
    usi->before = NULL;
    usi->steps_back = go->ponder && usi->game->count > 1 &&
                      yo_options_bool(&usi->options, "Stochastic_Ponder") &&
                      yo_shogi_game_copy(usi->game, &usi->before) == YO_OK;
    if (!usi->steps_back) return;
    yo_shogi_game_undo(usi->before, NULL);
    usi->limits.only = NULL;
}

void yo_usi_start(struct yo_usi *usi) {
    const struct usi_go *go = &usi->go;
    bool plays = !go->infinite && !go->ponder && !go->mate && !go->only_count;
    take_options(usi);
    set_clock(usi, 0);
    atomic_store(&usi->stop, false);
    usi->held = go->infinite || go->ponder;
    usi->silent = usi->answered = false;
    usi->book_move = plays ? yo_usi_book_move(usi) : (struct yo_shogi_book_move){0};
    usi->started_ms = yo_time_ms();
    usi->running = pthread_create(&usi->thread, NULL, run, usi) == 0;
    if (!usi->running) {
        yo_usi_say(usi, "info string no thread could be started");
        yo_usi_say(usi, go->mate ? "checkmate timeout" : "bestmove resign");
    }
}

void yo_usi_play_on(struct yo_usi *usi) {
    yo_shogi_move moves[YO_SHOGI_LIST];
    struct yo_shogi_book_move book = {0};
    if (!usi->go.infinite && !usi->go.only_count) book = yo_usi_book_move(usi);
    bool nothing_to_think = book.move || yo_shogi_legal_moves(usi_now(usi), moves) == 1;
    set_clock(usi, usi->go.heard_ms - usi->started_ms);
    pthread_mutex_lock(&usi->mutex);
    usi->book_move = book;
    usi->held = usi->go.infinite;
    pthread_cond_signal(&usi->changed);
    pthread_mutex_unlock(&usi->mutex);
    if (nothing_to_think && !usi->go.infinite) atomic_store(&usi->stop, true);
}

static void join(struct yo_usi *usi) {
    pthread_join(usi->thread, NULL);
    usi->running = false;
}

bool yo_usi_is_thinking(struct yo_usi *usi) {
    pthread_mutex_lock(&usi->mutex);
    bool answered = usi->answered;
    pthread_mutex_unlock(&usi->mutex);
    if (usi->running && answered) join(usi);
    return usi->running;
}

void yo_usi_wait(struct yo_usi *usi) {
    bool endless = usi->go.infinite || usi->go.ponder || (usi->go.mate && usi->go.mate_ms < 0);
    if (usi->running && !endless) join(usi);
}

void yo_usi_stop(struct yo_usi *usi, bool silent) {
    if (!usi->running) return;
    atomic_store(&usi->stop, true);
    pthread_mutex_lock(&usi->mutex);
    usi->held = false;
    usi->silent = silent;
    pthread_cond_signal(&usi->changed);
    pthread_mutex_unlock(&usi->mutex);
    join(usi);
}
