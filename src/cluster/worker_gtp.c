/* A worker's engine: any program that speaks GTP. With lz-analyze (Leela Zero, KataGo, Yomi) it
 * gives values; else it names a move, for a vote. */
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "base/time.h"
#include "cluster/gtp_info.h"
#include "cluster/lines.h"
#include "cluster/turns.h"
#include "cluster/worker.h"
#include "game/go/game_ops.h"
#include "game/go/state.h"
#include "peer/gtp.h"

enum {
    READY_MS = 60000, /* also for a move: GTP has no stop */
    STOP_MS = 5000,   /* from the next command to its answer; longer is a hang */
    LOOK_MS = 20,
    TRIAL_MS = 500,
    INTERVAL_CS = 10, /* between two lines of lz-analyze */
    UNDO_MAX = 40,    /* more is set up afresh */
    PLAY = 24         /* "play black T19" */
};

struct gtp {
    char *command;
    struct yo_peer peer;
    char name[64];
    bool analyzes, allows, regards, undoes;
    /* What the program's board has: */
    struct yo_buf set_up; /* the commands before the first move */
    char (*plays)[PLAY];
    size_t play_count, play_room;
    struct yo_turns turns;
};

/* ---- The program ---- */

static enum yo_err ask(struct gtp *g, const char *command, struct yo_diag *diag) {
    return yo_peer_gtp_ask(&g->peer, command, READY_MS, NULL, diag);
}

static enum yo_err start(struct gtp *g, struct yo_diag *diag) {
    struct yo_buf answer = {0};
    if (yo_peer_is_fit(&g->peer)) return YO_OK;
    yo_peer_stop(&g->peer);
    yo_buf_clear(&g->set_up);
    g->play_count = 0;
    enum yo_err err = yo_peer_start(&g->peer, g->command, diag);
    if (!err) err = yo_peer_gtp_ask(&g->peer, "name", READY_MS, &answer, diag);
    if (!err) snprintf(g->name, sizeof g->name, "%.50s", yo_buf_text(&answer));
    g->analyzes = !err && yo_peer_gtp_knows(&g->peer, "lz-analyze", READY_MS);
    g->regards = !err && yo_peer_gtp_knows(&g->peer, "reg_genmove", READY_MS);
    g->undoes = !err && yo_peer_gtp_knows(&g->peer, "undo", READY_MS);
    yo_buf_free(&answer);
    return err;
}

/* ---- Its board ---- */

static const char *color_name(enum yo_go_color color) {
    return color == YO_GO_WHITE ? "white" : "black";
}

/* The commands before the first move, a line each. Stones of the start are played: GTP has no other
 * way that every program knows. */
static void write_set_up(const struct yo_go_game *game, struct yo_buf *out) {
    int size = yo_go_game_size(game);
    char text[8];
    yo_buf_printf(out, "boardsize %d\nclear_board\nkomi %.1f\n", size,
                  (double)game->rules.komi2 / 2);
    for (int p = 0; p < size * size; p++)
        if (game->start.color[p] != YO_GO_EMPTY)
            yo_buf_printf(out, "play %s %s\n", color_name(game->start.color[p]),
                          yo_go_point_format((yo_go_point)p, size, text));
}

static enum yo_err begin_board(struct gtp *g, const struct yo_buf *set_up, struct yo_diag *diag) {
    enum yo_err err = YO_OK;
    char line[64];
    g->play_count = 0;
    yo_buf_clear(&g->set_up);
    for (const char *at = yo_buf_text(set_up); !err && *at;) {
        size_t len = strcspn(at, "\n");
        snprintf(line, sizeof line, "%.*s", (int)len, at);
        err = ask(g, line, diag);
        at += len + 1;
    }
    if (!err) yo_buf_add(&g->set_up, set_up->data, set_up->len);
    return err ? err : yo_buf_status(&g->set_up);
}

static enum yo_err play(struct gtp *g, const char *command, struct yo_diag *diag) {
    if (g->play_count == g->play_room) {
        size_t room = g->play_room ? 2 * g->play_room : 256;
        void *grown = yo_realloc(g->plays, room, sizeof *g->plays);
        if (!grown) return yo_diag_set(diag, YO_ERR_NOMEM, "no memory for a game");
        g->plays = grown;
        g->play_room = room;
    }
    enum yo_err err = ask(g, command, diag);
    if (!err) snprintf(g->plays[g->play_count++], PLAY, "%s", command);
    return err;
}

static enum yo_err take_back(struct gtp *g, struct yo_diag *diag) {
    enum yo_err err = ask(g, "undo", diag);
    if (!err) g->play_count--;
    return err;
}

static void write_play(const struct yo_go_game *game, size_t i, char out[PLAY]) {
    char text[8];
    snprintf(out, PLAY, "play %s %s", color_name(game->moves[i].color),
             yo_go_point_format(game->moves[i].move, yo_go_game_size(game), text));
}

/* Goes from what the board has to this game, by undo where that is short. */
static enum yo_err set_board(struct gtp *g, const struct yo_go_game *game, struct yo_diag *diag) {
    struct yo_buf set_up = {0};
    char command[PLAY];
    size_t same = 0;
    write_set_up(game, &set_up);
    enum yo_err err = yo_buf_status(&set_up);
    bool here = !err && strcmp(yo_buf_text(&set_up), yo_buf_text(&g->set_up)) == 0;
    for (; here && same < g->play_count && same < game->count; same++) {
        write_play(game, same, command);
        if (strcmp(command, g->plays[same]) != 0) break;
    }
    bool near = here && (same == g->play_count || (g->undoes && g->play_count - same <= UNDO_MAX));
    if (!err && !near) {
        err = begin_board(g, &set_up, diag);
        same = 0;
    }
    while (!err && g->play_count > same)
        err = take_back(g, diag);
    for (size_t i = same; i < game->count && !err; i++) {
        write_play(game, i, command);
        err = play(g, command, diag);
    }
    yo_buf_free(&set_up);
    return err;
}

/* ---- lz-analyze ---- */

struct analysis {
    const atomic_bool *stop;
    int64_t until_ms, most;
    void (*heard)(void *user, const struct yo_message_line *lines, size_t count, int64_t visits);
    void *user;
    /* The best of the last line: */
    struct yo_message_line best;
    bool has_best;
    int64_t visits;
};

static bool is_over(const struct analysis *a) {
    bool stopped = a->stop && atomic_load(a->stop);
    bool late = a->until_ms && yo_time_ms() >= a->until_ms;
    return stopped || late || (a->most && a->visits >= a->most);
}

static void take_info(struct analysis *a, const char *text) {
    struct yo_message_line lines[YO_MESSAGE_LINES_MAX];
    int64_t visits;
    size_t count = yo_gtp_info_read(text, lines, YO_MESSAGE_LINES_MAX, &visits);
    if (count == 0) return;
    a->visits = visits;
    if (a->heard) a->heard(a->user, lines, count, visits);
    if (a->has_best) yo_lines_free(&a->best, 1);
    a->best = lines[0];
    a->has_best = true;
    lines[0].pv = NULL;
    yo_lines_free(lines, count);
}

/* Any command ends an analysis; what comes before its answer is the rest of the analysis. */
static enum yo_err end_analysis(struct gtp *g, struct yo_diag *diag) {
    struct yo_buf line = {0};
    int64_t until = yo_time_ms() + STOP_MS;
    enum yo_err err = yo_peer_say(&g->peer, "protocol_version", diag);
    while (!err && !(err = yo_peer_hear(&g->peer, until, &line, diag)))
        if (yo_buf_text(&line)[0] == '=') break;
    if (!err) err = yo_peer_hear(&g->peer, until, &line, diag); /* the empty line */
    yo_buf_free(&line);
    return err;
}

static enum yo_err analyze(struct gtp *g, const char *command, struct analysis *a,
                           struct yo_diag *diag) {
    struct yo_buf line = {0};
    bool heard;
    enum yo_err err = yo_peer_say(&g->peer, command, diag);
    if (!err) err = yo_peer_hear(&g->peer, yo_time_ms() + READY_MS, &line, diag);
    if (!err && yo_buf_text(&line)[0] != '=')
        err = yo_peer_fail(&g->peer, YO_PEER_NONSENSE, "it does not analyse", diag);
    while (!err && !is_over(a)) {
        err = yo_peer_hear_if(&g->peer, yo_time_ms() + LOOK_MS, &line, &heard, diag);
        if (!err && heard) take_info(a, yo_buf_text(&line));
    }
    yo_buf_free(&line);
    return err ? err : end_analysis(g, diag);
}

/* ---- Trials ---- */

/* Whether lz-analyze keeps to the one move that it is allowed. */
static bool keeps_to(struct gtp *g, const char *move) {
    char command[80];
    struct analysis a = {.until_ms = yo_time_ms() + TRIAL_MS};
    snprintf(command, sizeof command, "lz-analyze black %d allow black %s 1", INTERVAL_CS, move);
    bool kept = analyze(g, command, &a, NULL) == YO_OK && a.has_best &&
                strncmp(a.best.pv, move, strlen(move)) == 0;
    if (a.has_best) yo_lines_free(&a.best, 1);
    return kept;
}

static enum yo_err try_out(struct gtp *g, struct yo_diag *diag) {
    enum yo_err err = ask(g, "boardsize 9", diag);
    if (!err) err = ask(g, "clear_board", diag);
    if (err) return err;
    g->allows = g->analyzes && keeps_to(g, "B8") && keeps_to(g, "H2");
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
                                  struct analysis *a, struct yo_diag *diag) {
    struct yo_buf command = {0};
    const struct yo_go_game *game = task->root->go;
    const char *color = color_name(game->to_move);
    char text[8];
    yo_buf_printf(&command, "lz-analyze %s %d", color, INTERVAL_CS);
    for (size_t i = 0; i < task->only_count; i++)
        yo_buf_printf(&command, "%s%s%s%s", i ? "," : " allow ", i ? "" : color, i ? "" : " ",
                      yo_go_point_format((yo_go_point)task->only[i], yo_go_game_size(game), text));
    if (task->only_count) yo_buf_str(&command, " 1");
    enum yo_err err = yo_buf_status(&command);
    if (!err) err = analyze(g, yo_buf_text(&command), a, diag);
    yo_buf_free(&command);
    return err;
}

/* The position after a move of the job. */
static enum yo_err search_after(struct gtp *g, const struct yo_go_game *game, yo_go_point move,
                                struct analysis *a, struct yo_diag *diag) {
    char command[PLAY], point[8], analysis[40];
    yo_go_point_format(move, yo_go_game_size(game), point);
    snprintf(command, sizeof command, "play %s %s", color_name(game->to_move), point);
    snprintf(analysis, sizeof analysis, "lz-analyze %s %d", color_name(yo_go_other(game->to_move)),
             INTERVAL_CS);
    enum yo_err err = set_board(g, game, diag);
    if (!err) err = play(g, command, diag);
    if (!err) err = analyze(g, analysis, a, diag);
    if (!err && a->has_best) yo_turns_put(&g->turns, point, &a->best);
    g->turns.nodes += a->visits;
    return err;
}

static enum yo_err search_in_turn(struct gtp *g, const struct yo_worker_task *task,
                                  const struct analysis *whole, struct yo_diag *diag) {
    const struct passing *p = whole->user;
    enum yo_err err = YO_OK;
    yo_turns_free(&g->turns);
    for (int64_t each = YO_TURNS_FIRST_MS; !err; each = yo_turns_longer(each)) {
        for (size_t i = 0; i < task->only_count && !err; i++) {
            struct analysis a = {.stop = whole->stop, .until_ms = yo_time_ms() + each};
            if (whole->until_ms && whole->until_ms < a.until_ms) a.until_ms = whole->until_ms;
            err = search_after(g, task->root->go, (yo_go_point)task->only[i], &a, diag);
            if (a.has_best) yo_lines_free(&a.best, 1);
            if (!err) yo_turns_pass(&g->turns, p->found, p->user);
            if (is_over(whole) || (whole->most && g->turns.nodes >= whole->most)) return err;
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
    bool regards = g->regards || !g->undoes;
    snprintf(command, sizeof command, "%s %s", regards ? "reg_genmove" : "genmove",
             color_name(game->to_move));
    enum yo_err err = yo_peer_gtp_ask(&g->peer, command, READY_MS, &answer, diag);
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
    struct analysis a = {.stop = stop,
                         .until_ms = task->most_ms ? yo_time_ms() + task->most_ms : 0,
                         .most = task->most_nodes,
                         .heard = pass_on,
                         .user = &passing};
    if (task->root->kind != YO_SESSION_GO)
        return yo_diag_set(diag, YO_ERR_UNSUPPORTED, "this worker plays Go");
    enum yo_err err = start(g, diag);
    if (!err) err = set_board(g, task->root->go, diag);
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
}

static void destroy(void *ctx) {
    struct gtp *g = ctx;
    yo_peer_stop(&g->peer);
    yo_turns_free(&g->turns);
    yo_buf_free(&g->set_up);
    yo_free(g->plays);
    yo_free(g->command);
    yo_free(g);
}

static const struct yo_worker_engine_ops ops = {
    .describe = describe, .search = search, .destroy = destroy};

enum yo_err yo_worker_gtp(const char *command, struct yo_worker_engine *engine,
                          struct yo_diag *diag) {
    struct gtp *g = yo_alloc(1, sizeof *g);
    if (!g) return yo_diag_set(diag, YO_ERR_NOMEM, "no memory for an engine");
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
