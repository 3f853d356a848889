/* go and what ends it: the thread that thinks, and how long. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "game/shogi/movegen.h"
#include "protocol/usi_internal.h"

/* ---- Time ---- */

void yo_usi_budget(const struct yo_usi_clock *clock, int64_t delay_ms, int64_t *soft_ms,
                   int64_t *hard_ms) {
    int64_t time = clock->time_ms > 0 ? clock->time_ms : 0;
    int64_t increment = clock->increment_ms > 0 ? clock->increment_ms : 0;
    int64_t byoyomi = clock->byoyomi_ms > 0 ? clock->byoyomi_ms : 0;
    int64_t all = time + byoyomi - delay_ms; /* beyond this the game is lost */
    int64_t soft = time / 40 + (3 * increment + 3 * byoyomi) / 4;
    int64_t hard = time / 8 + increment + byoyomi;
    if (time == 0) soft = 2 * byoyomi / 3;
    if (all < 1) all = 1;
    *hard_ms = hard < all ? hard : all;
    if (*hard_ms < 1) *hard_ms = 1;
    *soft_ms = soft < *hard_ms ? soft : *hard_ms;
    if (*soft_ms < 1) *soft_ms = 1;
}

/* ---- Answers ---- */

static void add_line(struct yo_buf *out, const yo_shogi_move *line, size_t length) {
    for (size_t i = 0; i < length; i++) {
        char text[YO_SHOGI_MOVE_TEXT];
        yo_buf_printf(out, " %s", yo_shogi_move_format(line[i], text));
    }
}

static void report(void *user, const struct yo_ab_report *r) {
    struct yo_usi *usi = user;
    struct yo_buf out = {0};
    int64_t ms = r->elapsed_ms > 0 ? r->elapsed_ms : 1;
    yo_buf_printf(&out, "info depth %d seldepth %d ", r->depth,
                  r->seldepth > r->depth ? r->seldepth : r->depth);
    if (usi->multi_pv > 1) yo_buf_printf(&out, "multipv %d ", r->multi_pv);
    yo_buf_str(&out, "score ");
    if (r->score >= YO_AB_MATE_FROM)
        yo_buf_printf(&out, "mate %d", YO_AB_MATE - r->score);
    else if (r->score <= -YO_AB_MATE_FROM)
        yo_buf_printf(&out, "mate -%d", YO_AB_MATE + r->score);
    else
        yo_buf_printf(&out, "cp %d", r->score);
    yo_buf_printf(&out, " nodes %llu nps %llu hashfull %d time %lld pv",
                  (unsigned long long)r->nodes,
                  (unsigned long long)(r->nodes * 1000 / (uint64_t)ms), r->hashfull,
                  (long long)r->elapsed_ms);
    add_line(&out, r->line, r->length);
    yo_usi_say(usi, "%s", yo_buf_text(&out));
    yo_buf_free(&out);
}

/* An answer to infinite or ponder must wait until it is asked for. False: it is not wanted. */
static bool may_answer(struct yo_usi *usi) {
    pthread_mutex_lock(&usi->mutex);
    while ((usi->go.infinite || usi->go.ponder) && !usi->released)
        pthread_cond_wait(&usi->changed, &usi->mutex);
    bool wanted = !usi->silent;
    pthread_mutex_unlock(&usi->mutex);
    return wanted;
}

static void answer_best(struct yo_usi *usi, const struct yo_ab_report *r) {
    char best[YO_SHOGI_MOVE_TEXT], next[YO_SHOGI_MOVE_TEXT];
    bool hopeless = r->score <= -usi->resign_value;
    if (r->length == 0 || hopeless)
        yo_usi_say(usi, "bestmove resign");
    else if (r->length == 1)
        yo_usi_say(usi, "bestmove %s", yo_shogi_move_format(r->line[0], best));
    else
        yo_usi_say(usi, "bestmove %s ponder %s", yo_shogi_move_format(r->line[0], best),
                   yo_shogi_move_format(r->line[1], next));
}

/* ---- Thinking ---- */

static struct yo_ab_limits limits_of(const struct yo_usi *usi) {
    const struct usi_go *go = &usi->go;
    struct yo_ab_limits limits = {.depth = (int)go->depth,
                                  .nodes = (uint64_t)go->nodes,
                                  .only = go->only_count ? go->only : NULL,
                                  .only_count = go->only_count};
    struct yo_usi_clock clock = go->clocks[usi->pos.side];
    clock.byoyomi_ms = go->byoyomi_ms;
    bool timed = clock.time_ms >= 0 || clock.increment_ms >= 0 || clock.byoyomi_ms >= 0;
    if (go->movetime_ms > 0) {
        limits.hard_ms = go->movetime_ms;
    } else if (timed && !go->infinite && !go->ponder) {
        int64_t delay = yo_options_int(&usi->options, "NetworkDelay2");
        yo_usi_budget(&clock, delay, &limits.soft_ms, &limits.hard_ms);
    } else if (!timed && !go->infinite && !go->ponder && !go->depth && !go->nodes) {
        limits.hard_ms = 1000; /* a bare go: nobody said how long */
    }
    return limits;
}

static void think(struct yo_usi *usi) {
    struct yo_ab_report result = {0};
    if (yo_shogi_can_declare(&usi->pos, &usi->rules)) {
        if (may_answer(usi)) yo_usi_say(usi, "bestmove win");
        return;
    }
    enum yo_err err = yo_ab_run(usi->search, &usi->pos, &usi->rules, usi->past, usi->past_count,
                                &usi->limits, &usi->stop, report, usi, &result);
    if (err) yo_usi_say(usi, "info string %s", yo_err_text(err));
    if (may_answer(usi)) answer_best(usi, &result);
}

static void think_mate(struct yo_usi *usi) {
    struct yo_dfpn_answer *answer = yo_alloc(1, sizeof *answer);
    struct yo_dfpn_limits limits = {.time_ms = usi->go.mate_ms};
    struct yo_buf out = {0};
    if (!answer) {
        yo_usi_say(usi, "checkmate timeout");
        return;
    }
    yo_dfpn_solve(usi->mate, &usi->pos, &limits, &usi->stop, answer);
    yo_buf_str(&out, "checkmate");
    if (answer->result == YO_DFPN_MATE)
        add_line(&out, answer->line, answer->length);
    else
        yo_buf_str(&out, answer->result == YO_DFPN_NO_MATE ? " nomate" : " timeout");
    yo_usi_say(usi, "%s", yo_buf_text(&out));
    yo_buf_free(&out);
    yo_free(answer);
}

static void *run(void *arg) {
    struct yo_usi *usi = arg;
    if (usi->go.mate)
        think_mate(usi);
    else
        think(usi);
    return NULL;
}

static void take_options(struct yo_usi *usi) {
    usi->limits = limits_of(usi);
    usi->rules = yo_shogi_rules_default;
    yo_shogi_entering_parse(yo_options_text(&usi->options, "EnteringKingRule"), &usi->rules, NULL);
    usi->rules.max_moves = (int)yo_options_int(&usi->options, "MaxMovesToDraw");
    usi->multi_pv = yo_options_int(&usi->options, "MultiPV");
    usi->resign_value = yo_options_int(&usi->options, "ResignValue");
}

static void start(struct yo_usi *usi) {
    take_options(usi);
    atomic_store(&usi->stop, false);
    usi->released = usi->silent = false;
    usi->running = pthread_create(&usi->thread, NULL, run, usi) == 0;
    if (!usi->running) {
        yo_usi_say(usi, "info string no thread could be started");
        yo_usi_say(usi, "bestmove resign");
    }
}

static void join(struct yo_usi *usi) {
    pthread_join(usi->thread, NULL);
    usi->running = false;
}

void yo_usi_wait(struct yo_usi *usi) {
    bool endless = usi->go.infinite || usi->go.ponder || (usi->go.mate && !usi->go.mate_ms);
    if (usi->running && !endless) join(usi);
}

void yo_usi_stop(struct yo_usi *usi, bool silent) {
    if (!usi->running) return;
    atomic_store(&usi->stop, true);
    pthread_mutex_lock(&usi->mutex);
    usi->released = true;
    usi->silent = silent;
    pthread_cond_signal(&usi->changed);
    pthread_mutex_unlock(&usi->mutex);
    join(usi);
}

/* ---- The command ---- */

/* One number behind a word of go. False: it is missing or no number. */
static bool read_number(struct yo_usi *usi, const char *name, const char **rest, int64_t *number) {
    char word[32], *end;
    if (yo_usi_word(rest, word, sizeof word)) {
        long long n = strtoll(word, &end, 10);
        if (*end == '\0') {
            *number = n < 0 ? 0 : n; /* servers send clocks a little below zero */
            return true;
        }
    }
    yo_usi_say(usi, "info string go %s wants a number", name);
    return false;
}

static bool read_searchmoves(struct yo_usi *usi, struct usi_go *go, const char **rest) {
    for (;;) {
        char word[32];
        const char *before = *rest;
        yo_shogi_move move;
        if (!yo_usi_word(rest, word, sizeof word)) break;
        if (yo_shogi_move_parse(word, &move, NULL)) {
            *rest = before;
            break;
        }
        if (!yo_shogi_move_is_sound(&usi->pos, move)) {
            yo_usi_say(usi, "info string illegal move %s", word);
            return false;
        }
        if (go->only_count < USI_SEARCHMOVES) go->only[go->only_count++] = move;
    }
    if (go->only_count == 0) yo_usi_say(usi, "info string go searchmoves wants moves");
    return go->only_count > 0;
}

static bool read_mate(struct usi_go *go, const char **rest) {
    char word[32];
    go->mate = true;
    if (yo_usi_word(rest, word, sizeof word) && strcmp(word, "infinite") != 0)
        go->mate_ms = strtoll(word, NULL, 10);
    return true;
}

static bool read_go(struct yo_usi *usi, const char *rest, struct usi_go *go) {
    struct {
        const char *name;
        int64_t *number;
    } numbers[] = {
        {"btime", &go->clocks[0].time_ms},
        {"wtime", &go->clocks[1].time_ms},
        {"binc", &go->clocks[0].increment_ms},
        {"winc", &go->clocks[1].increment_ms},
        {"byoyomi", &go->byoyomi_ms},
        {"movetime", &go->movetime_ms},
        {"depth", &go->depth},
        {"nodes", &go->nodes},
    };
    char word[32];
    while (yo_usi_word(&rest, word, sizeof word)) {
        bool good = false;
        size_t i = 0;
        while (i < sizeof numbers / sizeof numbers[0] && strcmp(word, numbers[i].name) != 0)
            i++;
        if (i < sizeof numbers / sizeof numbers[0])
            good = read_number(usi, word, &rest, numbers[i].number);
        else if (strcmp(word, "infinite") == 0)
            good = go->infinite = true;
        else if (strcmp(word, "ponder") == 0)
            good = go->ponder = true;
        else if (strcmp(word, "mate") == 0)
            good = read_mate(go, &rest);
        else if (strcmp(word, "searchmoves") == 0)
            good = read_searchmoves(usi, go, &rest);
        else
            yo_usi_say(usi, "info string go does not know %s", word);
        if (!good) return false;
    }
    return true;
}

void yo_usi_go(struct yo_usi *usi, const char *rest) {
    yo_usi_stop(usi, false);
    struct usi_go go = {.clocks = {{-1, -1, -1}, {-1, -1, -1}}, .byoyomi_ms = -1};
    if (!read_go(usi, rest, &go)) return;
    if (go.depth > YO_AB_PLY_MAX - 1) go.depth = YO_AB_PLY_MAX - 1;
    usi->go = go;
    if (yo_usi_prepare(usi)) {
        yo_usi_say(usi, "info string not enough memory; make USI_Hash or Threads smaller");
        yo_usi_say(usi, go.mate ? "checkmate timeout" : "bestmove resign");
        return;
    }
    start(usi);
}

/* The move that was pondered on was played: the same position, now on the clock. What was found
 * out is in the table. */
void yo_usi_ponderhit(struct yo_usi *usi, const char *rest) {
    if (!usi->running || !usi->go.ponder) return;
    yo_usi_stop(usi, true);
    usi->go.ponder = false;
    struct usi_go go = usi->go;
    if (read_go(usi, rest, &go)) usi->go = go; /* some clients send the clocks anew */
    start(usi);
}
