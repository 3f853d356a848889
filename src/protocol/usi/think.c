/* The thread that thinks: how long, what it says meanwhile, and its answer. */
#include "base/alloc.h"
#include "base/time.h"
#include "game/shogi/movegen.h"
#include "protocol/usi/internal.h"

/* A bare go: nobody said how long. */
enum { BARE_GO_MS = 1000 };

/* ---- Answers ---- */

static void add_line(struct yo_buf *out, const yo_shogi_move *line, size_t length) {
    for (size_t i = 0; i < length; i++) {
        char text[YO_SHOGI_MOVE_TEXT];
        yo_buf_printf(out, " %s", yo_shogi_move_format(line[i], text));
    }
}

static void add_score(struct yo_buf *out, const struct yo_ab_report *r) {
    if (r->score >= YO_AB_MATE_FROM)
        yo_buf_printf(out, " score mate %d", YO_AB_MATE - r->score);
    else if (r->score <= -YO_AB_MATE_FROM)
        yo_buf_printf(out, " score mate -%d", YO_AB_MATE + r->score);
    else
        yo_buf_printf(out, " score cp %d", r->score);
    if (r->bound) yo_buf_str(out, r->bound > 0 ? " lowerbound" : " upperbound");
}

static void report(void *user, const struct yo_ab_report *r) {
    struct yo_usi *usi = user;
    struct yo_buf out = {0};
    int64_t ms = r->elapsed_ms > 0 ? r->elapsed_ms : 1;
    char text[YO_SHOGI_MOVE_TEXT];
    yo_buf_printf(&out, "info depth %d", r->depth);
    if (!r->trying) {
        yo_buf_printf(&out, " seldepth %d", r->seldepth > r->depth ? r->seldepth : r->depth);
        if (usi->multi_pv > 1) yo_buf_printf(&out, " multipv %d", r->multi_pv);
        add_score(&out, r);
    }
    yo_buf_printf(&out, " nodes %llu nps %llu hashfull %d time %lld", (unsigned long long)r->nodes,
                  (unsigned long long)(r->nodes * 1000 / (uint64_t)ms), r->hashfull,
                  (long long)r->elapsed_ms);
    if (r->trying) {
        yo_buf_printf(&out, " currmove %s", yo_shogi_move_format(r->trying, text));
    } else {
        yo_buf_str(&out, " pv");
        add_line(&out, r->line, r->length);
    }
    if (!yo_buf_status(&out)) yo_usi_say(usi, "%s", yo_buf_text(&out));
    yo_buf_free(&out);
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

static void answer_line(struct yo_usi *usi, const yo_shogi_move *line, size_t length) {
    char best[YO_SHOGI_MOVE_TEXT], next[YO_SHOGI_MOVE_TEXT];
    if (length == 0)
        yo_usi_answer(usi, "bestmove resign");
    else if (length == 1)
        yo_usi_answer(usi, "bestmove %s", yo_shogi_move_format(line[0], best));
    else
        yo_usi_answer(usi, "bestmove %s ponder %s", yo_shogi_move_format(line[0], best),
                      yo_shogi_move_format(line[1], next));
}

static void answer_book(struct yo_usi *usi) {
    const struct yo_shogi_book_move *b = &usi->book_move;
    yo_shogi_move line[] = {b->move, b->reply};
    struct yo_shogi_position next = usi->pos;
    yo_shogi_play(&next, b->move);
    size_t length = b->reply && yo_shogi_move_is_sound(&next, b->reply) ? 2 : 1;
    struct yo_ab_report r = {
        .depth = b->depth, .score = b->value, .multi_pv = 1, .line = line, .length = length};
    if (r.score > YO_AB_MATE_FROM - 1) r.score = YO_AB_MATE_FROM - 1; /* a book knows no mates */
    if (r.score < 1 - YO_AB_MATE_FROM) r.score = 1 - YO_AB_MATE_FROM;
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
    struct yo_ab_report result = {0};
    struct yo_ab_limits any = {.depth = 1};
    yo_ab_run(usi->search, &usi->before, &usi->rules, usi->past, usi->past_count - 1, &usi->limits,
              &usi->stop, NULL, NULL, &result);
    if (!may_answer(usi)) return;
    yo_ab_run(usi->search, &usi->pos, &usi->rules, usi->past, usi->past_count, &any, NULL, NULL,
              NULL, &result);
    answer_line(usi, result.line, result.length);
}

static void think(struct yo_usi *usi) {
    struct yo_ab_report result = {0};
    bool won = !usi->go.infinite && yo_shogi_can_declare(&usi->pos, &usi->rules);
    if (!won && !is_in_book(usi)) {
        enum yo_err err = yo_ab_run(usi->search, &usi->pos, &usi->rules, usi->past, usi->past_count,
                                    &usi->limits, &usi->stop, report, usi, &result);
        if (err) yo_usi_say(usi, "info string %s", yo_err_text(err));
    }
    if (!may_answer(usi)) return;
    bool hopeless = !usi->go.infinite && result.score <= -usi->resign_value;
    if (won)
        yo_usi_answer(usi, "bestmove win");
    else if (is_in_book(usi))
        answer_book(usi);
    else
        answer_line(usi, result.line, hopeless ? 0 : result.length);
}

static void think_mate(struct yo_usi *usi) {
    struct yo_dfpn_answer *answer = yo_alloc(1, sizeof *answer);
    /* No time at all is no answer either: a millisecond. */
    int64_t ms = usi->go.mate_ms;
    struct yo_dfpn_limits limits = {.time_ms = ms < 0 ? 0 : ms == 0 ? 1 : ms};
    struct yo_buf out = {0};
    if (!answer) {
        yo_usi_answer(usi, "checkmate timeout");
        return;
    }
    yo_dfpn_solve(usi->mate, &usi->pos, &limits, &usi->stop, answer);
    yo_buf_str(&out, "checkmate");
    if (answer->result == YO_DFPN_MATE)
        add_line(&out, answer->line, answer->length);
    else
        yo_buf_str(&out, answer->result == YO_DFPN_NO_MATE ? " nomate" : " timeout");
    yo_usi_answer(usi, "%s", yo_buf_status(&out) ? "checkmate timeout" : yo_buf_text(&out));
    yo_buf_free(&out);
    yo_free(answer);
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
    struct yo_shogi_clock clock = usi->go.clocks[usi->pos.side];
    clock.byoyomi_ms = usi->go.byoyomi_ms;
    struct yo_shogi_pace pace = {
        .delay_ms = yo_options_int(&usi->options, "NetworkDelay2"),
        .minimum_ms = yo_options_int(&usi->options, "MinimumThinkingTime"),
        .percent = (int)yo_options_int(&usi->options, "SlowMover"),
        .ponders = yo_options_bool(&usi->options, "USI_Ponder"),
        .ply = usi->pos.ply,
        .max_moves = (int)yo_options_int(&usi->options, "MaxMovesToDraw"),
    };
    return yo_shogi_clock_budget(&clock, &pace);
}

/* The clock of what usi->go says. What was pondered before counts towards the move, but for time
 * that would be lost otherwise. */
static void set_clock(struct yo_usi *usi, int64_t pondered_ms) {
    const struct usi_go *go = &usi->go;
    bool timed = is_timed(go, usi->pos.side), rounds = false;
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
    atomic_store(&usi->clock.ahead_ms, ahead);
    yo_ab_clock_set(&usi->clock, go->heard_ms, b.least_ms, b.soft_ms, b.hard_ms);
}

/* ---- Beginning and ending ---- */

static void take_options(struct yo_usi *usi) {
    const struct usi_go *go = &usi->go;
    usi->limits = (struct yo_ab_limits){.depth = (int)go->depth,
                                        .nodes = (uint64_t)go->nodes,
                                        .clock = &usi->clock,
                                        .only = go->only_count ? go->only : NULL,
                                        .only_count = go->only_count};
    usi->rules = yo_shogi_rules_default;
    yo_shogi_entering_parse(yo_options_text(&usi->options, "EnteringKingRule"), &usi->rules, NULL);
    usi->rules.max_moves = (int)yo_options_int(&usi->options, "MaxMovesToDraw");
    usi->multi_pv = yo_options_int(&usi->options, "MultiPV");
    usi->resign_value = yo_options_int(&usi->options, "ResignValue");
    usi->steps_back =
        go->ponder && usi->past_count > 1 && yo_options_bool(&usi->options, "Stochastic_Ponder");
    if (usi->steps_back) usi->limits.only = NULL;
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
    bool nothing_to_think = book.move || yo_shogi_legal_moves(&usi->pos, moves) == 1;
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
