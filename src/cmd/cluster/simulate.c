#include "cmd/cluster/simulate.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/json.h"
#include "cmd/cluster/sim_games.h"
#include "cmd/cluster/sim_match.h"

/* Moves of the order that a position's line has. */
enum { ORDER_MOST = 16 };

struct watcher {
    const struct yo_sim_setup *setup;
    const void *game;
    bool prints;
    json_t *timeline; /* NULL: not wanted */
    int64_t from_ms;
    bool failed;
};

/* ---- events ---- */

/* All moves are written as at the root, which the formats of both games allow. */
static void print_moves(const struct watcher *w, const yo_move *moves, size_t count) {
    char text[16];
    for (size_t i = 0; i < count; i++)
        fprintf(stderr, " %s", w->setup->ops->format(w->game, moves[i], text));
}

static void print_event(const struct watcher *w, const struct yo_sim_event *e) {
    static const char *const names[] = {"job", "report", "death", "birth", "best"};
    static const char *const purposes[] = {"line", "rest", "candidate", "whole"};
    fprintf(stderr, "%" PRId64 " %s", e->at_ms, names[e->kind]);
    if (e->kind != YO_SIM_BEST) fprintf(stderr, " %u", e->worker);
    if (e->job) {
        fprintf(stderr, " %s after", purposes[e->job->purpose]);
        print_moves(w, e->job->path, e->job->path_count);
        if (e->job->only) fprintf(stderr, " only %zu", e->job->only_count);
    }
    if (e->result && e->result->move_count > 0) {
        const struct yo_search_move *m = &e->result->moves[0];
        fprintf(stderr, " depth %d value %d mate %d:", m->depth, m->centipawns, m->mate);
        print_moves(w, m->pv, m->pv_count);
    }
    fputc('\n', stderr);
}

static json_t *move_line(const struct watcher *w, const struct yo_search_move *m, bool *failed) {
    char text[16];
    json_t *line = yo_json_array();
    w->setup->ops->format(w->game, m->move, text);
    yo_json_append(line, yo_json_text(text, strlen(text)), failed);
    yo_json_append(line, json_integer(m->centipawns), failed);
    yo_json_append(line, json_integer(m->mate), failed);
    yo_json_append(line, json_integer(m->depth), failed);
    return line;
}

static void watch(void *user, const struct yo_sim_event *e) {
    struct watcher *w = user;
    if (w->prints) print_event(w, e);
    if (!w->timeline || e->kind != YO_SIM_BEST || e->result->move_count == 0) return;
    json_t *line = move_line(w, &e->result->moves[0], &w->failed);
    if (line) json_array_insert_new(line, 0, json_integer(e->at_ms - w->from_ms));
    yo_json_append(w->timeline, line, &w->failed);
}

/* ---- positions ---- */

static enum yo_err print_line(json_t *line, bool failed, struct yo_diag *diag) {
    struct yo_buf text = {0};
    if (!failed) yo_json_write(&text, line);
    json_decref(line);
    enum yo_err err = failed ? YO_ERR_NOMEM : yo_buf_status(&text);
    if (!err) puts(yo_buf_text(&text));
    fflush(stdout);
    yo_buf_free(&text);
    return err ? yo_diag_set(diag, err, "out of memory") : YO_OK;
}

static json_t *order_of(const struct watcher *w, const struct yo_search_result *result,
                        bool *failed) {
    json_t *order = yo_json_array();
    for (size_t i = 0; i < result->move_count && i < ORDER_MOST; i++)
        if (result->moves[i].bound == YO_BOUND_EXACT)
            yo_json_append(order, move_line(w, &result->moves[i], failed), failed);
    return order;
}

/* One line: what the cluster says of the position, and when it said what. */
static enum yo_err think(struct watcher *w, struct yo_sim *sim, const char *text,
                         struct yo_diag *diag) {
    void *game, *position = NULL;
    enum yo_err err = yo_sim_game_parse(w->setup, text, &game, diag);
    if (err) return err;
    struct yo_search_result result;
    bool timeline = yo_options_bool(w->setup->options, "timeline"), failed = false;
    json_t *line = yo_json_object();
    position = yo_alloc_aligned(w->setup->ops->position_size);
    if (!position) err = yo_diag_set(diag, YO_ERR_NOMEM, "out of memory");
    if (!err) {
        w->setup->ops->from_game(game, position);
        w->game = position;
        w->timeline = timeline ? yo_json_array() : NULL;
        w->failed = false;
        err = yo_sim_new_game(sim, (uint64_t)yo_options_int(w->setup->options, "seed"), diag);
    }
    uint64_t before = yo_sim_nodes(sim);
    if (!err) err = yo_sim_think(sim, game, w->setup->move_ms, &result, diag);
    if (!err) {
        yo_json_set(line, "position", yo_json_text(text, strlen(text)), &failed);
        yo_json_set(line, "order", order_of(w, &result, &failed), &failed);
        yo_json_set(line, "nodes", json_integer((json_int_t)(yo_sim_nodes(sim) - before)), &failed);
        if (timeline) yo_json_set(line, "timeline", w->timeline, &failed);
        err = print_line(line, failed || w->failed, diag);
    } else {
        json_decref(line);
    }
    yo_free_aligned(position);
    yo_sim_game_delete(w->setup, game);
    return err;
}

static enum yo_err run_positions(struct yo_sim_setup *setup, struct yo_diag *diag) {
    struct watcher watcher = {.setup = setup, .prints = yo_options_bool(setup->options, "trace")};
    const char *path = yo_options_argument(setup->options, 1);
    struct yo_buf text = {0};
    struct yo_sim *sim;
    enum yo_err err = YO_OK;
    if (path)
        err = yo_file_read(path, &text, diag);
    else
        yo_buf_str(&text, setup->go ? " " : "startpos");
    if (!err && yo_buf_status(&text)) err = yo_diag_set(diag, YO_ERR_NOMEM, "out of memory");
    setup->config.trace = watch;
    setup->config.user = &watcher;
    if (!err) err = yo_sim_new(&setup->config, setup->ops, &sim, diag);
    if (err) {
        yo_buf_free(&text);
        return err;
    }
    char *at = text.data;
    for (int line = 1; !err && at && *at; line++) {
        char *end = strchr(at, '\n');
        if (end) *end = '\0';
        if (*at && *at != '#') err = think(&watcher, sim, at, diag);
        if (err && path) yo_diag_where(diag, path, line, 0);
        at = end ? end + 1 : NULL;
    }
    yo_sim_delete(sim);
    yo_buf_free(&text);
    return err;
}

/* ---- the word ---- */

const char *const yo_simulate_keys[] = {"strategy",
                                        "seconds",
                                        "speed",
                                        "recommend",
                                        "step",
                                        "width",
                                        "order",
                                        "leaf-width",
                                        "margin",
                                        "eval",
                                        "probability-file",
                                        "table",
                                        "size",
                                        "seed",
                                        "dies",
                                        "slows",
                                        "mutes",
                                        "against",
                                        "games",
                                        "first-game",
                                        "timeline",
                                        "opening",
                                        "trace",
                                        "lean",
                                        "discount",
                                        "roots",
                                        "entries",
                                        "net",
                                        "rival",
                                        "rival-strategy",
                                        "rival-entries",
                                        NULL};

enum yo_err yo_cluster_simulate(const struct yo_options *options, struct yo_diag *diag) {
    struct yo_sim_setup setup;
    bool threads = yo_options_int(options, "against") > 0,
         rival = yo_options_int(options, "rival") > 0;
    if (threads && rival)
        return yo_diag_set(diag, YO_ERR_ARGUMENT, "--against and --rival exclude each other");
    enum yo_err err = yo_sim_setup_init(&setup, options, diag);
    if (!err) err = threads || rival ? yo_sim_match(&setup, diag) : run_positions(&setup, diag);
    yo_sim_setup_free(&setup);
    return err;
}
