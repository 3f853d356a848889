/* yomi selfplay go, and shogi --search puct: a network against itself. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/random.h"
#include "base/time.h"
#include "cmd/progress.h"
#include "cmd/selfplay/match.h"
#include "cmd/selfplay/selfplay.h"
#include "engine/go_net.h"
#include "engine/shogi_guided.h"
#include "eval/net/choice.h"
#include "eval/net/game.h"
#include "game/go/game_ops.h"
#include "game/shogi/game_ops.h"
#include "learn/netplay/go.h"
#include "learn/netplay/run.h"
#include "learn/netplay/shogi.h"
#include "learn/selfplay_openings.h"

enum { REPORT_MS = 10000, SIZES_MAX = 64 };

struct watch {
    int64_t started_ms, told_ms, limit_ms; /* limit 0: none */
    uint64_t games;                        /* to play; 0: no end */
    struct yo_progress progress;
    struct yo_selfplay_match match;
};

/* By games or by the clock, whichever ends first. */
static void show(struct watch *w, uint64_t games) {
    int64_t spent_ms = yo_time_ms() - w->started_ms;
    double by_games = w->games ? (double)games / (double)w->games : 0;
    double by_time = w->limit_ms ? (double)spent_ms / (double)w->limit_ms : 0;
    double part = by_games > by_time ? by_games : by_time;
    yo_progress_say(&w->progress, part, w->games || w->limit_ms ? 1 : 0, "%" PRIu64 " games",
                    games);
}

static void tell(const struct watch *w, const struct yo_netplay_counts *c) {
    double seconds = 1e-3 * (double)(yo_time_ms() - w->started_ms);
    double games = c->games ? (double)c->games : 1;
    printf("%.0f s: %" PRIu64 " games (Black %.1f%%, %" PRIu64
           " drawn), %.1f moves a game, %" PRIu64 " targets, %" PRIu64
           " evaluations, %.0f/s; %" PRIu64 " decided early, %" PRIu64 " of them wrongly, %" PRIu64
           " resigned, %" PRIu64 " cut\n",
           seconds, c->games, 100 * ((double)c->first + 0.5 * (double)c->draws) / games, c->draws,
           (double)c->moves / games, c->targets, c->evaluations,
           (double)c->evaluations / (seconds > 0 ? seconds : 1), c->decided, c->decided_wrong,
           c->resigned, c->cut);
    fflush(stdout);
}

static void progress(void *user, const struct yo_netplay_counts *counts) {
    struct watch *w = user;
    int64_t now = yo_time_ms();
    if (w->limit_ms && now - w->started_ms >= w->limit_ms) atomic_store(&yo_selfplay_stop, true);
    show(w, counts->games);
    if (now - w->told_ms < REPORT_MS) return;
    w->told_ms = now;
    yo_progress_hide(&w->progress);
    tell(w, counts);
}

/* ---- options ---- */

static enum yo_err bad_sizes(const char *text, struct yo_diag *diag) {
    return yo_diag_set(diag, YO_ERR_ARGUMENT,
                       "--size %.60s: give sizes from %d to %d, such as 9 or 9,13,19 or 9-19", text,
                       YO_GO_SIZE_MIN, YO_GO_SIZE_MAX);
}

static enum yo_err read_sizes(const char *text, int *sizes, int *count, struct yo_diag *diag) {
    const char *at = text;
    *count = 0;
    for (;;) {
        char *end;
        long low = strtol(at, &end, 10), high = low;
        if (end == at) return bad_sizes(text, diag);
        if (*end == '-') {
            at = end + 1;
            high = strtol(at, &end, 10);
            if (end == at) return bad_sizes(text, diag);
        }
        if (low < YO_GO_SIZE_MIN || high > YO_GO_SIZE_MAX || low > high)
            return bad_sizes(text, diag);
        for (long size = low; size <= high; size++) {
            if (*count == SIZES_MAX) return bad_sizes(text, diag);
            sizes[(*count)++] = (int)size;
        }
        if (*end == '\0') return YO_OK;
        if (*end != ',') return bad_sizes(text, diag);
        at = end + 1;
    }
}

static int smallest_of(const struct yo_netplay_run *run) {
    int smallest = run->sizes[0];
    for (int i = 1; i < run->size_count; i++)
        if (run->sizes[i] < smallest) smallest = run->sizes[i];
    return smallest;
}

static enum yo_err read_rules(const struct yo_options *options, const struct yo_netplay_run *run,
                              struct yo_netplay_go_settings *s, struct yo_diag *diag) {
    const char *rules = yo_options_text(options, "rules"), *komi = yo_options_text(options, "komi");
    *s = yo_netplay_go_defaults;
    if (strcmp(rules, "random") != 0) {
        enum yo_err err = yo_go_rules_parse(rules, &s->rules, diag);
        if (err) return YO_ERR_ARGUMENT;
        if (s->rules.scoring != YO_GO_AREA)
            return yo_diag_set(diag, YO_ERR_ARGUMENT,
                               "self-play needs rules with area scoring, not %.60s", rules);
        s->random_rules = false;
    }
    if (strcmp(komi, "random") != 0) {
        int komi2;
        if (yo_go_komi_parse(komi, &komi2, diag)) return YO_ERR_ARGUMENT;
        s->komi = (double)komi2 / 2;
        int size = smallest_of(run);
        if (fabs(s->komi) > size * size)
            return yo_diag_set(diag, YO_ERR_ARGUMENT,
                               "--komi %.20s is more than a board of %dx%d has points", komi, size,
                               size);
        s->komi_stdev = s->komi_wide_share = 0;
    }
    return YO_OK;
}

static void read_settings(const struct yo_options *options, struct yo_netplay_settings *s) {
    const struct yo_netplay_rules *rules = s->rules;
    *s = yo_netplay_defaults;
    s->rules = rules;
    s->seed = (uint64_t)yo_options_int(options, "seed");
    s->visits = (unsigned)yo_options_int(options, "visits");
    s->fast_visits = (unsigned)yo_options_int(options, "fast-visits");
    s->cheap_visits = (unsigned)yo_options_int(options, "cheap-visits");
    s->full_share = yo_options_real(options, "full-share");
    s->noise = (float)yo_options_real(options, "noise");
    s->puct.cpuct = (float)yo_options_real(options, "cpuct");
    s->puct.fpu = (float)yo_options_real(options, "fpu-reduction");
    s->puct.policy_temperature = (float)yo_options_real(options, "policy-temperature");
    s->opening = yo_options_real(options, "opening");
    s->resign_share = yo_options_real(options, "resign-share");
    s->gumbel = (unsigned)yo_options_int(options, "gumbel");
    s->leaf_proof = (unsigned)yo_options_int(options, "leaf-mate");
    s->root_proof = (unsigned)yo_options_int(options, "mate-nodes");
}

static enum yo_err choose_sizes(const struct yo_options *options, struct yo_netplay_run *run,
                                struct yo_diag *diag) {
    run->threads = (int)yo_options_int(options, "threads");
    run->eval_threads = (int)yo_options_int(options, "eval-threads");
    run->groups = (int)yo_options_int(options, "groups");
    run->at_once = (int)yo_options_int(options, "at-once");
    if (run->at_once > 0 && run->at_once < run->size_count)
        return yo_diag_set(diag, YO_ERR_ARGUMENT,
                           "--at-once %d is too few for --size, which has %d sizes", run->at_once,
                           run->size_count);
    yo_netplay_run_fit(run);
    return YO_OK;
}

/* ---- the network ---- */

/* The records name their network by the checksum of its file. */
static enum yo_err read_id(const char *path, bool go, int size, uint32_t *id,
                           struct yo_diag *diag) {
    struct yo_buf file = {0};
    if (strcmp(path, "builtin") == 0) {
        size_t len;
        const void *bytes = go ? yo_go_net_builtin(size, &len) : yo_shogi_net_builtin(&len);
        *id = (uint32_t)crc32(0, bytes, (unsigned)len);
        return YO_OK;
    }
    enum yo_err err = yo_file_read(path, &file, diag);
    if (!err) *id = (uint32_t)crc32(0, (const unsigned char *)file.data, (unsigned)file.len);
    yo_buf_free(&file);
    return err;
}

static enum yo_err open_net(const char *path, const struct yo_game_ops *game, int size,
                            struct yo_net **net, uint32_t *id, struct yo_diag *diag) {
    bool go = game == &yo_go_ops;
    enum yo_err err =
        go ? yo_go_net_load(path, size, net, diag) : yo_shogi_guide_load(path, net, diag);
    if (err) return err;
    err = read_id(path, go, size, id, diag);
    if (!err && yo_net_game(*net)->game != game)
        err = yo_diag_set(diag, YO_ERR_ARGUMENT, "%.150s is no network for %s", path, game->name);
    if (err) {
        yo_net_delete(*net);
        *net = NULL;
    }
    return err;
}

/* ---- openings ---- */

struct setups {
    struct yo_selfplay_openings openings;
    double share; /* of games that begin there */
    uint64_t seed;
    bool match; /* two games have the same */
};

static size_t begin_at(const void *setups, uint64_t game, uint8_t out[YO_NETPLAY_SETUP_MAX]) {
    const struct setups *s = setups;
    uint64_t drawn = yo_mix64(s->seed + YO_SPLITMIX_STEP * (1 + (s->match ? game / 2 : game)));
    uint64_t number = drawn % s->openings.count;
    if (yo_random_uniform(&drawn) >= s->share) return yo_netplay_shogi.draw(NULL, 0, NULL, out);
    return yo_netplay_shogi_setup(s->openings.samples[number].position, out);
}

static enum yo_err read_setups(const struct yo_options *options, struct yo_netplay_settings *s,
                               struct setups *setups, struct yo_diag *diag) {
    static const char *const of_openings[] = {"openings-share", NULL};
    const char *path = yo_options_text(options, "openings");
    if (!path) return yo_options_refuse(options, of_openings, "selfplay without --openings", diag);
    setups->share = yo_options_real(options, "openings-share");
    setups->seed = s->seed;
    setups->match = s->match;
    s->setup = begin_at;
    s->setups = setups;
    return yo_selfplay_read_openings(path, &setups->openings, diag);
}

/* ---- the command ---- */

static void see_game(void *user, const struct yo_netplay_record *game) {
    yo_selfplay_match_see(&((struct watch *)user)->match, game);
}

static enum yo_err read_run(const struct yo_options *options, struct yo_netplay_run *run,
                            struct yo_netplay_go_settings *rules, struct watch *watch,
                            struct yo_diag *diag) {
    bool go = run->settings.rules == &yo_netplay_go;
    enum yo_err err = go ? read_rules(options, run, rules, diag) : YO_OK;
    if (err) return err;
    read_settings(options, &run->settings);
    run->settings.rules_settings = rules;
    if (run->other) yo_selfplay_match_set(&watch->match, options, &run->settings);
    const struct yo_net_graph *graph = &run->net->graph;
    run->backend = yo_net_choose_named(graph, yo_options_text(options, "backend"), diag);
    if (!run->backend) return YO_ERR_ARGUMENT;
    run->other_backend = run->backend;
    if (run->other && yo_options_given(options, "against-backend")) {
        graph = &run->other->graph;
        run->other_backend =
            yo_net_choose_named(graph, yo_options_text(options, "against-backend"), diag);
        if (!run->other_backend) return YO_ERR_ARGUMENT;
    }
    return choose_sizes(options, run, diag);
}

static int largest_of(const int *sizes, int count) {
    int largest = 0;
    for (int i = 0; i < count; i++)
        if (sizes[i] > largest) largest = sizes[i];
    return largest;
}

static enum yo_err play(struct yo_netplay_run *run, struct watch *watch, struct yo_diag *diag) {
    struct yo_netplay_counts counts;
    yo_selfplay_catch_signals();
    printf("%s on %s: %d games at once in %d batches, %d threads\n", run->net->name,
           run->backend->name, run->at_once, run->groups, run->threads);
    if (run->other) printf("against %s on %s\n", run->other->name, run->other_backend->name);
    fflush(stdout);
    enum yo_err err = yo_netplay_run(run, &counts, diag);
    yo_progress_hide(&watch->progress);
    if (err) return err;
    tell(watch, &counts);
    if (run->other) yo_selfplay_match_tell(&watch->match, &counts);
    /* Without a number of games a signal is the usual end. */
    if (!yo_selfplay_interrupted() || run->games == 0 || counts.unfinished == 0) return YO_OK;
    err = yo_diag_set(diag, YO_ERR_CANCELLED, "stopped before the end");
    if (run->path) yo_diag_hint(diag, "the next run goes on with the unfinished games");
    return err;
}

enum yo_err yo_selfplay_net(const struct yo_options *options, bool shogi, struct yo_diag *diag) {
    const struct yo_game_ops *game = shogi ? &yo_shogi_ops : &yo_go_ops;
    int sizes[SIZES_MAX];
    struct yo_netplay_go_settings rules;
    struct setups setups = {0};
    const char *against = yo_options_text(options, "against");
    uint32_t other_id;
    struct watch watch = {.started_ms = yo_time_ms(), .told_ms = yo_time_ms()};
    struct yo_netplay_run run = {.games = (uint64_t)yo_options_int(options, "games"),
                                 .path = yo_options_argument(options, 1),
                                 .settings.rules = shogi ? &yo_netplay_shogi : &yo_netplay_go,
                                 .sizes = sizes,
                                 .notices = yo_cmd_notices,
                                 .stop = &yo_selfplay_stop,
                                 .progress = progress,
                                 .user = &watch};
    static const char *const of_match[] = {"against-backend", "against-cpuct",
                                           "against-fpu-reduction", "against-policy-temperature",
                                           NULL};
    enum yo_err err =
        against ? YO_OK : yo_options_refuse(options, of_match, "selfplay without --against", diag);
    if (err) return err;
    if (!run.path == !against)
        return yo_diag_set(diag, YO_ERR_ARGUMENT, "give a FILE for the games, or --against");
    watch.limit_ms = 1000 * yo_options_int(options, "seconds");
    watch.games = run.games;
    err = read_sizes(shogi ? "9" : yo_options_text(options, "size"), sizes, &run.size_count, diag);
    int largest = err ? 0 : largest_of(sizes, run.size_count);
    if (!err)
        err = open_net(yo_options_text(options, "net"), game, largest, &run.net, &run.net_id, diag);
    if (!err && against) err = open_net(against, game, largest, &run.other, &other_id, diag);
    yo_selfplay_match_init(&watch.match);
    if (against) run.ended = see_game;
    if (!err) err = read_run(options, &run, &rules, &watch, diag);
    if (!err) err = read_setups(options, &run.settings, &setups, diag);
    if (!err) err = play(&run, &watch, diag);
    yo_selfplay_match_free(&watch.match);
    yo_free(setups.openings.samples);
    yo_net_delete(run.net);
    yo_net_delete(run.other);
    return err;
}
