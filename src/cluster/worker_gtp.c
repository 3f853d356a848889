/* A worker's engine: any program that speaks GTP. With lz-analyze (Leela Zero, KataGo, Yomi) it
 * gives values; else it names a move, for a vote. */
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "base/time.h"
#include "cluster/gtp_analysis.h"
#include "cluster/gtp_board.h"
#include "cluster/lines.h"
#include "cluster/turns.h"
#include "cluster/worker.h"
#include "peer/gtp.h"

enum {
    TRIAL_MS = 10000, /* until the first report, on a busy machine */
    MEASURE_MS = 700,
};

struct gtp {
    char *command;
    const atomic_bool *quit;
    struct yo_peer peer;
    char name[64];
    bool analyzes, allows, regards;
    double speed; /* visits a second, measured by a trial; 0: it reports none */
    struct yo_peer_board board;
    struct yo_turns turns;
};

/* ---- The program ---- */

static enum yo_err ask(struct gtp *g, const char *command, struct yo_diag *diag) {
    return yo_peer_gtp_ask(&g->peer, command, YO_PEER_GTP_READY_MS, NULL, diag);
}

static enum yo_err start(struct gtp *g, struct yo_diag *diag) {
    struct yo_buf answer = {0};
    if (yo_peer_is_fit(&g->peer)) return YO_OK;
    yo_peer_stop(&g->peer);
    yo_peer_board_clear(&g->board);
    enum yo_err err = yo_peer_start(&g->peer, g->command, diag);
    g->peer.stop = g->quit;
    if (!err) err = yo_peer_gtp_ask(&g->peer, "name", YO_PEER_GTP_READY_MS, &answer, diag);
    if (!err) snprintf(g->name, sizeof g->name, "%.50s", yo_buf_text(&answer));
    g->analyzes = !err && yo_peer_gtp_knows(&g->peer, "lz-analyze", YO_PEER_GTP_READY_MS);
    g->regards = !err && yo_peer_gtp_knows(&g->peer, "reg_genmove", YO_PEER_GTP_READY_MS);
    g->board.undoes = !err && yo_peer_gtp_knows(&g->peer, "undo", YO_PEER_GTP_READY_MS);
    g->peer.stop = NULL;
    yo_buf_free(&answer);
    return err;
}

/* ---- Trials ---- */

/* Whether lz-analyze keeps to the one move that it is allowed. */
static bool keeps_to(struct gtp *g, const char *move) {
    char command[80];
    struct yo_peer_analysis a = {.until_ms = yo_time_ms() + TRIAL_MS, .most = 1};
    snprintf(command, sizeof command, "lz-analyze black %d allow black %s 1",
             YO_PEER_GTP_INTERVAL_CS, move);
    bool kept = yo_peer_analysis_run(&g->peer, command, &a, NULL) == YO_OK && a.has_best &&
                strncmp(a.best.pv, move, strlen(move)) == 0;
    if (a.has_best) yo_lines_free(&a.best, 1);
    return kept;
}

static void measure(struct gtp *g) {
    char command[40];
    int64_t began = yo_time_ms();
    struct yo_peer_analysis a = {.until_ms = began + MEASURE_MS};
    snprintf(command, sizeof command, "lz-analyze black %d", YO_PEER_GTP_INTERVAL_CS);
    if (yo_peer_analysis_run(&g->peer, command, &a, NULL) == YO_OK)
        g->speed = (double)a.visits * 1000 / (double)(yo_time_ms() - began + 1);
    if (a.has_best) yo_lines_free(&a.best, 1);
}

static enum yo_err try_out(struct gtp *g, struct yo_diag *diag) {
    enum yo_err err = ask(g, "boardsize 9", diag);
    if (!err) err = ask(g, "clear_board", diag);
    if (err) return err;
    g->allows = g->analyzes && keeps_to(g, "B8") && keeps_to(g, "H2");
    err = start(g, diag);
    if (!err && g->analyzes) err = ask(g, "boardsize 9", diag);
    if (!err && g->analyzes) measure(g);
    if (err) return err;
    return start(g, diag); /* the trial may have ended it */
}

/* ---- A job ---- */

struct passing {
    yo_worker_found_fn found;
    void *user;
};

static void pass_on(void *user, const struct yo_message_line *lines, size_t count, int64_t visits) {
    const struct passing *p = user;
    p->found(p->user, lines, count, visits);
}

static enum yo_err search_at_once(struct gtp *g, const struct yo_worker_task *task,
                                  struct yo_peer_analysis *a, struct yo_diag *diag) {
    struct yo_buf command = {0};
    const struct yo_go_game *game = task->root->go;
    const char *color = yo_peer_color(game->to_move);
    char text[8];
    yo_buf_printf(&command, "lz-analyze %s %d", color, YO_PEER_GTP_INTERVAL_CS);
    for (size_t i = 0; i < task->only_count; i++)
        yo_buf_printf(&command, "%s%s%s%s", i ? "," : " allow ", i ? "" : color, i ? "" : " ",
                      yo_go_point_format((yo_go_point)task->only[i], yo_go_game_size(game), text));
    if (task->only_count) yo_buf_str(&command, " 1");
    enum yo_err err = yo_buf_status(&command);
    if (!err) err = yo_peer_analysis_run(&g->peer, yo_buf_text(&command), a, diag);
    yo_buf_free(&command);
    return err;
}

/* The position after a move of the job. */
static enum yo_err search_after(struct gtp *g, const struct yo_go_game *game, yo_go_point move,
                                struct yo_peer_analysis *a, struct yo_diag *diag) {
    char command[YO_PEER_GTP_PLAY], point[8], analysis[40];
    yo_go_point_format(move, yo_go_game_size(game), point);
    snprintf(command, sizeof command, "play %s %s", yo_peer_color(game->to_move), point);
    snprintf(analysis, sizeof analysis, "lz-analyze %s %d",
             yo_peer_color(yo_go_other(game->to_move)), YO_PEER_GTP_INTERVAL_CS);
    enum yo_err err = yo_peer_board_set(&g->board, game, diag);
    if (!err) err = yo_peer_board_play(&g->board, command, diag);
    if (!err) err = yo_peer_analysis_run(&g->peer, analysis, a, diag);
    if (!err && a->has_best) yo_turns_put(&g->turns, point, &a->best);
    g->turns.nodes += a->visits;
    return err;
}

static enum yo_err search_in_turn(struct gtp *g, const struct yo_worker_task *task,
                                  const struct yo_peer_analysis *whole, struct yo_diag *diag) {
    const struct passing *p = whole->user;
    enum yo_err err = YO_OK;
    yo_turns_free(&g->turns);
    for (int64_t each = YO_TURNS_FIRST_MS; !err; each = yo_turns_longer(each)) {
        for (size_t i = 0; i < task->only_count && !err; i++) {
            struct yo_peer_analysis a = {.stop = whole->stop, .until_ms = yo_time_ms() + each};
            if (whole->until_ms && whole->until_ms < a.until_ms) a.until_ms = whole->until_ms;
            err = search_after(g, task->root->go, (yo_go_point)task->only[i], &a, diag);
            if (a.has_best) yo_lines_free(&a.best, 1);
            if (!err) yo_turns_pass(&g->turns, p->found, p->user);
            if (yo_peer_analysis_is_over(whole) || (whole->most && g->turns.nodes >= whole->most))
                return err;
        }
    }
    return err;
}

/* A move without a value. A program that resigns, or wants another move than it may, has nothing to
 * say. */
static enum yo_err search_for_vote(struct gtp *g, const struct yo_worker_task *task,
                                   const struct passing *p, struct yo_diag *diag) {
    const struct yo_go_game *game = task->root->go;
    char command[40];
    struct yo_buf answer = {0};
    yo_go_point move;
    bool regards = g->regards || !g->board.undoes;
    snprintf(command, sizeof command, "%s %s", regards ? "reg_genmove" : "genmove",
             yo_peer_color(game->to_move));
    g->peer.stop = g->quit;
    enum yo_err err = yo_peer_gtp_ask(&g->peer, command, YO_PEER_GTP_READY_MS, &answer, diag);
    g->peer.stop = NULL;
    bool names = !err && yo_go_point_parse(yo_buf_text(&answer), yo_go_game_size(game), &move,
                                           NULL) == YO_OK;
    char text[8];
    if (names && move != YO_GO_RESIGN && yo_worker_may(task, move)) {
        struct yo_message_line line = {.winrate = 0.5, .depth = 1};
        line.pv = yo_go_point_format(move, yo_go_game_size(game), text);
        p->found(p->user, &line, 1, 1);
    }
    if (!err && !regards && !(names && move == YO_GO_RESIGN)) err = ask(g, "undo", diag);
    yo_buf_free(&answer);
    return err;
}

static enum yo_err search(void *ctx, const struct yo_worker_task *task, const atomic_bool *stop,
                          yo_worker_found_fn found, void *user, struct yo_diag *diag) {
    struct gtp *g = ctx;
    struct passing passing = {found, user};
    struct yo_peer_analysis a = {.stop = stop,
                                 .until_ms = task->most_ms ? yo_time_ms() + task->most_ms : 0,
                                 .most = task->most_nodes,
                                 .heard = pass_on,
                                 .user = &passing};
    if (task->root->kind != YO_SESSION_GO)
        return yo_diag_set(diag, YO_ERR_UNSUPPORTED, "this worker plays Go");
    enum yo_err err = start(g, diag);
    if (!err) err = yo_peer_board_set(&g->board, task->root->go, diag);
    if (err) {
        yo_peer_stop(&g->peer); /* its board is unknown */
        return err;
    }
    if (!g->analyzes)
        err = search_for_vote(g, task, &passing, diag);
    else if (task->only && !g->allows)
        err = search_in_turn(g, task, &a, diag);
    else
        err = search_at_once(g, task, &a, diag);
    if (a.has_best) yo_lines_free(&a.best, 1);
    return err;
}

static void describe(void *ctx, struct yo_message *m) {
    const struct gtp *g = ctx;
    strcpy(m->game, yo_root_games[YO_SESSION_GO]);
    snprintf(m->engine, sizeof m->engine, "%s", g->name);
    m->values = m->multi_pv = g->analyzes;
    m->searchmoves = g->allows;
    m->speed = g->speed;
}

static void destroy(void *ctx) {
    struct gtp *g = ctx;
    yo_peer_stop(&g->peer);
    yo_turns_free(&g->turns);
    yo_peer_board_free(&g->board);
    yo_free(g->command);
    yo_free(g);
}

static const struct yo_worker_engine_ops ops = {
    .describe = describe, .search = search, .destroy = destroy};

enum yo_err yo_worker_gtp(const char *command, const atomic_bool *quit,
                          struct yo_worker_engine *engine, struct yo_diag *diag) {
    struct gtp *g = yo_alloc(1, sizeof *g);
    if (!g) return yo_diag_set(diag, YO_ERR_NOMEM, "no memory for an engine");
    g->board.peer = &g->peer;
    g->quit = quit;
    g->command = yo_message_copy_text(command);
    enum yo_err err = g->command ? start(g, diag) : YO_ERR_NOMEM;
    if (!err) err = try_out(g, diag);
    if (err) {
        destroy(g);
        return err;
    }
    *engine = (struct yo_worker_engine){&ops, g};
    return YO_OK;
}
