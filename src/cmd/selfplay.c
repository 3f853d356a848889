/* yomi selfplay: games of the engine against itself, as training positions or as a comparison. */
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "base/cpu.h"
#include "base/diag.h"
#include "base/stats.h"
#include "base/time.h"
#include "cmd/command.h"
#include "eval/shogi/net_open.h"
#include "learn/selfplay_run.h"

enum { REPORT_MS = 10000 };

static atomic_bool stopped, interrupted; /* by time limit or signal; by signal only */

static void on_signal(int number) {
    (void)number;
    atomic_store(&interrupted, true);
    atomic_store(&stopped, true);
}

struct watch {
    int64_t started_ms, told_ms, limit_ms; /* limit 0: none */
    uint64_t before;                       /* positions of earlier runs */
    bool match, started;
};

static void tell(const struct watch *w, const struct yo_selfplay_tally *t) {
    double seconds = 1e-3 * (double)(yo_time_ms() - w->started_ms);
    if (w->match) {
        struct yo_tally tally = {
            .wins = (uint32_t)t->first, .losses = (uint32_t)t->second, .draws = (uint32_t)t->draws};
        double low, high;
        yo_tally_interval(&tally, &low, &high);
        printf("%u - %u, %u drawn: %.1f%% [%.1f, %.1f], Elo %+.0f [%+.0f, %+.0f]\n", tally.wins,
               tally.losses, tally.draws, 100 * yo_tally_score(&tally), 100 * low, 100 * high,
               yo_stats_elo(yo_tally_score(&tally)), yo_stats_elo(low), yo_stats_elo(high));
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
    if (w->limit_ms && now - w->started_ms >= w->limit_ms) atomic_store(&stopped, true);
    if (now - w->told_ms < REPORT_MS) return;
    w->told_ms = now;
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
    if (s->depth == 0 && s->nodes == 0)
        return yo_diag_set(diag, YO_ERR_ARGUMENT, "give --nodes or --depth: a search must end");
    return YO_OK;
}

static void settings_text(const struct yo_selfplay_settings *s, char *out, size_t size) {
    snprintf(out, size,
             "seed %" PRIu64 " depth %d nodes %" PRIu64 " mate %" PRIu64
             " random %d/%d max-moves %d decided %d asides %d eval %" PRIx64,
             s->seed, s->depth, s->nodes, s->mate_nodes, s->random_moves, s->random_plies,
             s->max_moves, s->decided, s->asides, s->nets[0] ? s->nets[0]->id : 0);
}

static enum yo_err run(const struct yo_options *options, struct yo_diag *diag) {
    char text[512];
    struct yo_selfplay_tally tally = {0};
    struct watch watch = {.started_ms = yo_time_ms(), .told_ms = yo_time_ms()};
    struct yo_selfplay_run run = {.settings_text = text,
                                  .path = yo_options_argument(options, 1),
                                  .games = (uint64_t)yo_options_int(options, "games"),
                                  .threads = (int)yo_options_int(options, "threads"),
                                  .stop = &stopped,
                                  .progress = progress,
                                  .user = &watch};
    enum yo_err err = take_settings(options, &run.settings, diag);
    if (err) return err;
    watch.limit_ms = 1000 * yo_options_int(options, "seconds");
    if (run.threads == 0) run.threads = yo_cpu_count();
    const char *other = yo_options_text(options, "against");
    struct yo_shogi_net *nets[2] = {NULL, NULL};
    watch.match = run.settings.match = other != NULL;
    if (!other == !run.path)
        return yo_diag_set(diag, YO_ERR_ARGUMENT, "give a FILE for positions, or --against");
    err = yo_shogi_net_open(yo_options_text(options, "eval"), &nets[0], diag);
    if (!err && other) err = yo_shogi_net_open(other, &nets[1], diag);
    if (!err) {
        run.settings.nets[0] = nets[0];
        run.settings.nets[1] = nets[1];
        settings_text(&run.settings, text, sizeof text);
        signal(SIGINT, on_signal);
        signal(SIGTERM, on_signal);
        err = yo_selfplay_run(&run, &tally, diag);
    }
    if (!err) tell(&watch, &tally);
    if (!err && atomic_load(&interrupted) && tally.games < run.games) {
        err = yo_diag_set(diag, YO_ERR_CANCELLED, "stopped before the end");
        if (run.path) yo_diag_hint(diag, "the same command goes on from here");
    }
    yo_shogi_net_delete(nets[0]);
    yo_shogi_net_delete(nets[1]);
    return err;
}

const struct yo_command yo_command_selfplay = {
    .name = "selfplay",
    .summary = "games against itself, for training",
    .description =
        "The engine plays against itself, from openings that are varied by random moves, and "
        "writes the positions of the games as training data: each packed into 40 bytes with the "
        "search's score and move and the game's result. Positions that were there before are left "
        "out. The file depends on the settings and the seed alone, not on threads or breaks: "
        "started again, the command goes on where it was ended.\n\n"
        "With --against two evaluations play each other, each opening twice with the sides "
        "exchanged, and the score is printed.",
    .examples = "yomi selfplay shogi positions.psv --games 10000 --nodes 1500\n"
                "yomi selfplay shogi --eval new.bin --against old.bin --games 400",
    .options =
        (const struct yo_option[]){
            YO_STRING("eval", YO_ON_CLI, YO_SHOGI_EVAL_DEFAULT, "FILE",
                      "who plays: a network's file, builtin, or material"),
            YO_STRING("against", YO_ON_CLI, NULL, "FILE",
                      "who plays against it, in a match that writes nothing"),
            YO_INT("games", YO_ON_CLI, "1000", 1, 1e12, "N",
                   "games in all, those of earlier runs counted in"),
            YO_INT("seconds", YO_ON_CLI, "0", 0, 1e9, "S", "end after so long; 0 for no limit"),
            YO_INT("nodes", YO_ON_CLI, "1500", 0, 1e12, "N",
                   "positions a search looks at; 0 for no limit"),
            YO_INT(
                "mate-nodes", YO_ON_CLI, "300", 0, 1e9, "N",
                "positions that the mate solver looks at before each search; 0: it is not asked"),
            YO_INT("depth", YO_ON_CLI, "0", 0, 100, "N", "depth of a search; 0 for no limit"),
            YO_INT("seed", YO_ON_CLI, "1", 0, 1e15, "N", "other games for another seed"),
            YO_INT("threads", YO_ON_CLI, "0", 0, 1024, "N", "0 for one on each core"),
            YO_INT("random-moves", YO_ON_CLI, "5", 0, 60, "N",
                   "moves of the opening that are drawn at random"),
            YO_INT("random-plies", YO_ON_CLI, "24", 0, 60, "N", "how long the opening is"),
            YO_INT("max-moves", YO_ON_CLI, "320", 1, 1000, "N", "moves until a draw"),
            YO_INT("asides", YO_ON_CLI, "0", 0, 100, "N",
                   "positions kept beside each move of a game, a few random moves away from it"),
            YO_INT("decided", YO_ON_CLI, "2500", 100, 32000, "CP", "who is so far ahead has won"),
            YO_OPTIONS_END,
        },
    .arguments =
        (const struct yo_argument[]){
            {.name = "GAME", .choices = (const char *const[]){"shogi", NULL}, .help = "the game"},
            {.name = "FILE",
             .optional = true,
             .help = "where positions are written; not for a match"},
            {.name = NULL},
        },
    .run = run,
};
