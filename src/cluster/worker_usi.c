/* A worker's engine: any program that speaks USI. Only "go infinite" and "stop" are used, which
 * every engine has; some end themselves at a word that they do not know. */
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "base/time.h"
#include "cluster/turns.h"
#include "cluster/usi_info.h"
#include "cluster/worker.h"
#include "game/shogi/game.h"
#include "game/shogi/movegen.h"
#include "game/shogi/text.h"
#include "peer/usi.h"

enum {
    READY_MS = 180000, /* some load hundreds of megabytes */
    STOP_MS = 3000,    /* from stop to bestmove; longer is a hang */
    LOOK_MS = 20,      /* how often the stop flag is read */
    TRIAL_MS = 700,
    VALUE_MS = 10000, /* until the first value of a program that has values */
};

struct usi {
    char *command, *options;
    const atomic_bool *quit;
    struct yo_peer peer;
    char name[64];
    bool values, searchmoves, multi_pv;
    double speed; /* measured by a trial; 0: it reports no nodes */
    size_t lines; /* MultiPV as it is set now */
    struct yo_turns turns;
};

/* ---- The program ---- */

static enum yo_err start(struct usi *u, struct yo_diag *diag) {
    if (yo_peer_is_fit(&u->peer)) return YO_OK;
    yo_peer_stop(&u->peer);
    u->lines = 1;
    enum yo_err err = yo_peer_start(&u->peer, u->command, diag);
    struct yo_buf offered = {0};
    u->peer.stop = u->quit;
    if (!err) err = yo_peer_usi_meet(&u->peer, u->options, READY_MS, u->name, &offered, diag);
    u->multi_pv = strstr(yo_buf_text(&offered), "MultiPV type spin") != NULL;
    yo_buf_free(&offered);
    u->peer.stop = NULL;
    return err ? err : yo_peer_say(&u->peer, "usinewgame", diag);
}

/* ---- One search of the program ---- */

struct go {
    const atomic_bool *stop;
    int64_t until_ms;                                          /* 0: none */
    int64_t most_nodes;                                        /* 0: any */
    bool until_value;                                          /* ends with the first one */
    void (*heard)(void *user, const struct yo_usi_info *info); /* or NULL */
    void *user;
    struct yo_usi_info info;
    char best[16];
};

static bool is_over(const struct go *g) {
    bool stopped = g->stop && atomic_load(g->stop);
    bool late = g->until_ms && yo_time_ms() >= g->until_ms;
    if (g->until_value && g->info.scored) return true;
    return stopped || late || (g->most_nodes && g->info.nodes >= g->most_nodes);
}

static enum yo_err hear_search(struct usi *u, struct go *g, struct yo_diag *diag) {
    struct yo_buf line = {0};
    bool asked = false, heard, ended = false;
    int64_t asked_ms = 0;
    enum yo_err err = YO_OK;
    while (!err && !ended) {
        err = yo_peer_hear_if(&u->peer, yo_time_awake_ms() + LOOK_MS, &line, &heard, diag);
        if (!err && heard) {
            const char *text = yo_buf_text(&line);
            if (yo_usi_info_take(&g->info, text) && g->heard && !asked) g->heard(g->user, &g->info);
            ended = sscanf(text, "bestmove %15s", g->best) == 1;
        }
        if (!err && !ended && !asked && is_over(g)) {
            err = yo_peer_say(&u->peer, "stop", diag);
            asked = true;
            asked_ms = yo_time_ms();
        }
        if (!err && !ended && asked && yo_time_ms() - asked_ms > STOP_MS)
            err = yo_peer_fail(&u->peer, YO_PEER_HUNG, "it does not stop", diag);
    }
    yo_buf_free(&line);
    return err;
}

static enum yo_err run_search(struct usi *u, const char *position, const char *searchmoves,
                              struct go *g, struct yo_diag *diag) {
    struct yo_buf go = {0};
    yo_buf_str(&go, "go infinite");
    if (searchmoves) yo_buf_printf(&go, " searchmoves%s", searchmoves);
    enum yo_err err = yo_buf_status(&go);
    if (!err) err = yo_peer_say(&u->peer, position, diag);
    if (!err) err = yo_peer_say(&u->peer, yo_buf_text(&go), diag);
    if (!err) err = hear_search(u, g, diag);
    yo_buf_free(&go);
    return err;
}

/* ---- Trials ---- */

/* A position that no book has. */
static const char *const trial = "position startpos moves 1g1f 9c9d 9g9f 1c1d";

/* Whether it keeps to the one move that it may play. Some programs end at the word. */
static bool keeps_to(struct usi *u, const char *move) {
    struct go g = {.until_ms = yo_time_ms() + TRIAL_MS};
    char moves[16];
    snprintf(moves, sizeof moves, " %s", move);
    bool kept = start(u, NULL) == YO_OK && run_search(u, trial, moves, &g, NULL) == YO_OK &&
                strcmp(g.best, move) == 0;
    yo_usi_info_free(&g.info);
    return kept;
}

static void measure(struct usi *u) {
    int64_t began = yo_time_ms();
    struct go g = {.until_ms = began + TRIAL_MS};
    if (run_search(u, trial, NULL, &g, NULL) == YO_OK)
        u->speed = (double)g.info.nodes * 1000 / (double)(yo_time_ms() - began + 1);
    yo_usi_info_free(&g.info);
}

static enum yo_err try_out(struct usi *u, struct yo_diag *diag) {
    struct go g = {.until_ms = yo_time_ms() + VALUE_MS, .until_value = true};
    enum yo_err err = run_search(u, trial, NULL, &g, diag);
    u->values = g.info.scored;
    yo_usi_info_free(&g.info);
    if (err) return err;
    u->searchmoves = keeps_to(u, "6i5h") && keeps_to(u, "4i4h");
    err = start(u, diag);
    if (err) return err;
    measure(u);
    return start(u, diag); /* the trial may have ended it */
}

/* ---- A job ---- */

static enum yo_err write_position(const struct yo_shogi_game *game, struct yo_buf *out) {
    char sfen[YO_SHOGI_SFEN_MAX], text[YO_SHOGI_MOVE_TEXT];
    yo_buf_printf(out, "position sfen %s moves", yo_shogi_sfen_format(&game->positions[0], sfen));
    for (size_t i = 0; i + 1 < game->count; i++)
        yo_buf_printf(out, " %s", yo_shogi_move_format(game->moves[i], text));
    return yo_buf_status(out);
}

struct passing {
    yo_worker_found_fn found;
    void *user;
};

static void pass_on(void *user, const struct yo_usi_info *info) {
    const struct passing *p = user;
    p->found(p->user, info->lines, info->count, info->nodes);
}

static enum yo_err set_lines(struct usi *u, size_t lines, struct yo_diag *diag) {
    char command[64];
    if (!u->multi_pv || lines == u->lines) return YO_OK;
    u->lines = lines;
    snprintf(command, sizeof command, "setoption name MultiPV value %zu", lines);
    return yo_peer_say(&u->peer, command, diag);
}

static enum yo_err search_at_once(struct usi *u, const struct yo_worker_task *task, struct go *g,
                                  const char *position, struct yo_diag *diag) {
    struct yo_buf moves = {0};
    char text[YO_SHOGI_MOVE_TEXT];
    for (size_t i = 0; i < task->only_count; i++)
        yo_buf_printf(&moves, " %s", yo_shogi_move_format((yo_shogi_move)task->only[i], text));
    enum yo_err err = yo_buf_status(&moves);
    if (!err) err = set_lines(u, task->lines, diag);
    if (!err) err = run_search(u, position, task->only ? yo_buf_text(&moves) : NULL, g, diag);
    yo_buf_free(&moves);
    return err;
}

/* ---- A job, move by move ---- */

static bool mates(const struct yo_shogi_game *game, yo_shogi_move move) {
    struct yo_shogi_position next = *shogi_game_now(game);
    yo_shogi_move moves[YO_SHOGI_LIST];
    yo_shogi_play(&next, move);
    return yo_shogi_legal_moves(&next, moves) == 0;
}

static enum yo_err search_after(struct usi *u, const struct yo_worker_task *task,
                                yo_shogi_move move, const char *position, struct go *g,
                                struct yo_diag *diag) {
    struct yo_buf after = {0};
    char text[YO_SHOGI_MOVE_TEXT];
    yo_shogi_move_format(move, text);
    if (mates(task->root->shogi, move)) {
        yo_turns_put_win(&u->turns, text);
        return YO_OK;
    }
    yo_buf_printf(&after, "%s %s", position, text);
    enum yo_err err = yo_buf_status(&after);
    if (!err) err = run_search(u, yo_buf_text(&after), NULL, g, diag);
    if (!err && g->info.count) yo_turns_put(&u->turns, text, &g->info.lines[0]);
    u->turns.nodes += g->info.nodes;
    yo_buf_free(&after);
    return err;
}

/* The positions after the moves, in turn, longer each round. */
static enum yo_err search_in_turn(struct usi *u, const struct yo_worker_task *task,
                                  const struct go *whole, const char *position,
                                  struct yo_diag *diag) {
    const struct passing *passing = whole->user;
    enum yo_err err = set_lines(u, 1, diag);
    yo_turns_free(&u->turns);
    for (int64_t each = YO_TURNS_FIRST_MS; !err; each = yo_turns_longer(each)) {
        for (size_t i = 0; i < task->only_count && !err; i++) {
            struct go g = {.stop = whole->stop, .until_ms = yo_time_ms() + each};
            if (whole->until_ms && whole->until_ms < g.until_ms) g.until_ms = whole->until_ms;
            err = search_after(u, task, (yo_shogi_move)task->only[i], position, &g, diag);
            yo_usi_info_free(&g.info);
            if (!err) yo_turns_pass(&u->turns, passing->found, passing->user);
            if (is_over(whole)) return err;
            if (whole->most_nodes && u->turns.nodes >= whole->most_nodes) return err;
        }
    }
    return err;
}

/* An engine without values names a move, again and again, each time after twice as long. */
static enum yo_err search_for_votes(struct usi *u, const struct yo_worker_task *task,
                                    const struct go *whole, const char *position,
                                    struct yo_diag *diag) {
    const struct passing *passing = whole->user;
    enum yo_err err = YO_OK;
    int64_t depth = 1;
    for (int64_t each = YO_TURNS_FIRST_MS; !err && !is_over(whole); each = yo_turns_longer(each)) {
        struct go g = {.stop = whole->stop, .until_ms = yo_time_ms() + each};
        if (whole->until_ms && whole->until_ms < g.until_ms) g.until_ms = whole->until_ms;
        err = run_search(u, position, NULL, &g, diag);
        struct yo_message_line line = {.pv = g.best, .winrate = 0.5, .depth = depth++};
        yo_shogi_move move;
        bool names = !err && yo_shogi_move_parse(g.best, &move, NULL) == YO_OK;
        if (names && yo_worker_may(task, move)) passing->found(passing->user, &line, 1, 0);
        yo_usi_info_free(&g.info);
    }
    return err;
}

static enum yo_err search(void *ctx, const struct yo_worker_task *task, const atomic_bool *stop,
                          yo_worker_found_fn found, void *user, struct yo_diag *diag) {
    struct usi *u = ctx;
    struct passing passing = {found, user};
    struct go g = {.stop = stop,
                   .until_ms = task->most_ms ? yo_time_ms() + task->most_ms : 0,
                   .most_nodes = task->most_nodes,
                   .heard = pass_on,
                   .user = &passing};
    struct yo_buf position = {0};
    if (task->root->kind != YO_SESSION_SHOGI)
        return yo_diag_set(diag, YO_ERR_UNSUPPORTED, "this worker plays shogi");
    enum yo_err err = start(u, diag);
    if (!err) err = write_position(task->root->shogi, &position);
    if (err) {
        /* said already */
    } else if (!u->values) {
        err = search_for_votes(u, task, &g, yo_buf_text(&position), diag);
    } else if (task->only && !u->searchmoves) {
        err = search_in_turn(u, task, &g, yo_buf_text(&position), diag);
    } else {
        err = search_at_once(u, task, &g, yo_buf_text(&position), diag);
        if (!err && g.info.count) pass_on(&passing, &g.info);
    }
    yo_usi_info_free(&g.info);
    yo_buf_free(&position);
    return err;
}

static void describe(void *ctx, struct yo_message *m) {
    const struct usi *u = ctx;
    strcpy(m->game, yo_root_games[YO_SESSION_SHOGI]);
    snprintf(m->engine, sizeof m->engine, "%s", u->name);
    m->values = u->values;
    m->searchmoves = u->searchmoves;
    m->multi_pv = u->multi_pv;
    m->speed = u->speed;
}

static void destroy(void *ctx) {
    struct usi *u = ctx;
    yo_peer_stop(&u->peer);
    yo_turns_free(&u->turns);
    yo_free(u->command);
    yo_free(u->options);
    yo_free(u);
}

static const struct yo_worker_engine_ops ops = {
    .describe = describe, .search = search, .destroy = destroy};

enum yo_err yo_worker_usi(const char *command, const char *options, const atomic_bool *quit,
                          struct yo_worker_engine *engine, struct yo_diag *diag) {
    struct usi *u = yo_alloc(1, sizeof *u);
    if (!u) return yo_diag_set(diag, YO_ERR_NOMEM, "no memory for an engine");
    u->quit = quit;
    u->command = yo_message_copy_text(command);
    u->options = yo_message_copy_text(options);
    enum yo_err err = u->command ? start(u, diag) : YO_ERR_NOMEM;
    if (!err) err = try_out(u, diag);
    if (err) {
        destroy(u);
        return err;
    }
    *engine = (struct yo_worker_engine){&ops, u};
    return YO_OK;
}
