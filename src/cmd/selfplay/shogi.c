/* yomi selfplay shogi: games by alpha-beta, as training positions or as a comparison. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cpu.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/time.h"
#include "cmd/progress.h"
#include "cmd/selfplay/match.h"
#include "cmd/selfplay/selfplay.h"
#include "eval/shogi/net_open.h"
#include "learn/selfplay_run.h"

enum { REPORT_MS = 10000 };

struct watch {
    int64_t started_ms, told_ms, limit_ms; /* limit 0: none */
    uint64_t before;                       /* positions of earlier runs */
    uint64_t games;                        /* to play */
    bool match, started;
    struct yo_progress progress;
};

/* By games or by the clock, whichever ends first. */
static void show(struct watch *w, uint64_t games) {
    int64_t spent_ms = yo_time_ms() - w->started_ms;
    double by_games = w->games ? (double)games / (double)w->games : 0;
    double by_time = w->limit_ms ? (double)spent_ms / (double)w->limit_ms : 0;
    yo_progress_say(&w->progress, by_games > by_time ? by_games : by_time, 1,
                    "%" PRIu64 " of %" PRIu64 " games", games, w->games);
}

static void tell(const struct watch *w, const struct yo_selfplay_tally *t) {
    double seconds = 1e-3 * (double)(yo_time_ms() - w->started_ms);
    if (w->match) {
        yo_selfplay_tell_score(&(struct yo_tally){.wins = (uint32_t)t->first,
                                                  .losses = (uint32_t)t->second,
                                                  .draws = (uint32_t)t->draws});
    } else {
        printf("%" PRIu64 " games (Black won %" PRIu64 ", White %" PRIu64 ", %" PRIu64
               " drawn), %" PRIu64 " positions, %" PRIu64 " repeated, %.0f positions/s\n",
               t->games, t->first, t->second, t->draws, t->positions, t->repeated,
               (double)(t->positions - w->before) / (seconds > 0 ? seconds : 1));
    }
    fflush(stdout);
}

static void progress(void *user, const struct yo_selfplay_tally *t) {
    struct watch *w = user;
    int64_t now = yo_time_ms();
    if (!w->started) {
        w->started = true;
        w->before = t->positions;
    }
    if (w->limit_ms && now - w->started_ms >= w->limit_ms) atomic_store(&yo_selfplay_stop, true);
    show(w, t->games);
    if (now - w->told_ms < REPORT_MS) return;
    w->told_ms = now;
    yo_progress_hide(&w->progress);
    tell(w, t);
}

static enum yo_err take_settings(const struct yo_options *options, struct yo_selfplay_settings *s,
                                 struct yo_diag *diag) {
    *s = yo_selfplay_defaults;
    s->seed = (uint64_t)yo_options_int(options, "seed");
    s->depth = (int)yo_options_int(options, "depth");
    s->nodes = (uint64_t)yo_options_int(options, "nodes");
    s->mate_nodes = (uint64_t)yo_options_int(options, "mate-nodes");
    s->random_moves = (int)yo_options_int(options, "random-moves");
    s->random_plies = (int)yo_options_int(options, "random-plies");
    s->max_moves = (int)yo_options_int(options, "max-moves");
    s->decided = (int)yo_options_int(options, "decided");
    s->asides = (int)yo_options_int(options, "asides");
    s->leaves = (int)yo_options_int(options, "leaves");
    s->deep_nodes = (uint64_t)yo_options_int(options, "deep-nodes");
    s->deep_share = yo_options_real(options, "deep-share");
    if (s->deep_nodes && s->nodes == 0)
        return yo_diag_set(diag, YO_ERR_ARGUMENT,
                           "--deep-nodes needs --nodes, for the other searches");
    if (s->depth == 0 && s->nodes == 0)
        return yo_diag_set(diag, YO_ERR_ARGUMENT, "give --nodes or --depth: a search must end");
    return YO_OK;
}

static void settings_text(const struct yo_selfplay_settings *s, char *out, size_t size) {
    /* Nothing where there are none, as in files of earlier versions, which can be continued. */
    char openings[32] = "", leaves[32] = "", deep[64] = "";
    if (s->openings) snprintf(openings, sizeof openings, " openings %" PRIx64, s->openings->id);
    if (s->leaves) snprintf(leaves, sizeof leaves, " leaves %d", s->leaves);
    if (s->deep_nodes)
        snprintf(deep, sizeof deep, " deep %" PRIu64 "/%g", s->deep_nodes, s->deep_share);
    snprintf(out, size,
             "seed %" PRIu64 " depth %d nodes %" PRIu64 " mate %" PRIu64
             " random %d/%d max-moves %d decided %d asides %d eval %" PRIx64 "%s%s%s",
             s->seed, s->depth, s->nodes, s->mate_nodes, s->random_moves, s->random_plies,
             s->max_moves, s->decided, s->asides, s->nets[0] ? s->nets[0]->id : 0, openings, leaves,
             deep);
}

enum yo_err yo_selfplay_read_openings(const char *path, struct yo_selfplay_openings *openings,
                                      struct yo_diag *diag) {
    struct yo_buf bytes = {0};
    enum yo_err err = yo_file_read(path, &bytes, diag);
    if (!err) {
        err = yo_selfplay_openings_take(bytes.data, bytes.len, path, openings, diag);
        if (err) yo_diag_hint(diag, "--openings takes what `yomi selfplay shogi FILE` writes");
    }
    yo_buf_free(&bytes);
    return err;
}

enum yo_err yo_selfplay_shogi(const struct yo_options *options, struct yo_diag *diag) {
    char text[512];
    struct yo_selfplay_tally tally = {0};
    struct watch watch = {.started_ms = yo_time_ms(), .told_ms = yo_time_ms()};
    struct yo_selfplay_run run = {.settings_text = text,
                                  .path = yo_options_argument(options, 1),
                                  .games = (uint64_t)yo_options_int(options, "games"),
                                  .threads = (int)yo_options_int(options, "threads"),
                                  .stop = &yo_selfplay_stop,
                                  .progress = progress,
                                  .user = &watch};
    watch.games = run.games;
    enum yo_err err = take_settings(options, &run.settings, diag);
    if (err) return err;
    watch.limit_ms = 1000 * yo_options_int(options, "seconds");
    if (run.threads == 0) run.threads = yo_cpu_count();
    const char *other = yo_options_text(options, "against");
    const char *begin = yo_options_text(options, "openings");
    struct yo_selfplay_openings openings = {0};
    struct yo_shogi_net *nets[2] = {NULL, NULL};
    watch.match = run.settings.match = other != NULL;
    if (!other == !run.path)
        return yo_diag_set(diag, YO_ERR_ARGUMENT, "give a FILE for positions, or --against");
    err = yo_shogi_net_open(yo_options_text(options, "eval"), &nets[0], diag);
    if (!err && other) err = yo_shogi_net_open(other, &nets[1], diag);
    if (!err && begin) err = yo_selfplay_read_openings(begin, &openings, diag);
    if (!err) {
        run.settings.openings = begin ? &openings : NULL;
        run.settings.nets[0] = nets[0];
        run.settings.nets[1] = nets[1];
        settings_text(&run.settings, text, sizeof text);
        yo_selfplay_catch_signals();
        err = yo_selfplay_run(&run, &tally, diag);
    }
    yo_progress_hide(&watch.progress);
    if (!err) tell(&watch, &tally);
    if (!err && yo_selfplay_interrupted() && tally.games < run.games) {
        err = yo_diag_set(diag, YO_ERR_CANCELLED, "stopped before the end");
        if (run.path) yo_diag_hint(diag, "the same command goes on from here");
    }
    yo_free(openings.samples);
    yo_shogi_net_delete(nets[0]);
    yo_shogi_net_delete(nets[1]);
    return err;
}
