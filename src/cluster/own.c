/* A worker's engine: a session in this process. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "cluster/entries.h"
#include "cluster/lines.h"
#include "cluster/worker.h"
#include "engine/session.h"
#include "yomi/version.h"

enum { MEASURE_MS = 100 };

struct own {
    enum yo_session_game game;
    struct yo_session *session;
    int64_t threads;
    double speed; /* measured at the start */
    /* While the session replaces its search, as for a board that has another network, and while
     * another thread exchanges entries with it. */
    pthread_mutex_t replacing;
};

static void describe(void *ctx, struct yo_message *m) {
    const struct own *o = ctx;
    strcpy(m->game, yo_root_games[o->game]);
    snprintf(m->engine, sizeof m->engine, "Yomi %s %s", yo_version(),
             yo_session_search_name(o->session));
    m->threads = o->threads;
    m->speed = o->speed;
    m->values = m->searchmoves = m->multi_pv = true;
    yo_entries_kind_text(yo_session_entry_kind(o->session), m->table);
}

/* ---- A job ---- */

struct listening {
    const struct yo_root *root;
    yo_worker_found_fn found;
    void *user;
};

/* Reports about a move that is being tried have no value yet, and those about later lines come
 * again with the whole list. */
static void pass_on(void *user, const struct yo_search_result *r) {
    const struct listening *l = user;
    struct yo_message_line lines[YO_MESSAGE_LINES_MAX];
    if (r->trying || r->first > 0 || r->move_count == 0) return;
    if (r->moves[0].bound == YO_BOUND_UNKNOWN) return;
    size_t count = yo_lines_write(l->root, r, lines, YO_MESSAGE_LINES_MAX);
    int64_t nodes = (int64_t)(r->nodes ? r->nodes : r->playouts);
    if (count > 0) l->found(l->user, lines, count, nodes);
    yo_lines_free(lines, count);
}

static enum yo_err search(void *ctx, const struct yo_worker_task *task, const atomic_bool *stop,
                          yo_worker_found_fn found, void *user, struct yo_diag *diag) {
    struct own *o = ctx;
    bool go = o->game == YO_SESSION_GO;
    struct listening listening = {task->root, found, user};
    struct yo_search_result result = {0};
    struct yo_search_limits limits = {.time_ms = task->most_ms,
                                      .lines = go ? 0 : task->lines,
                                      .only = task->only,
                                      .only_count = task->only_count,
                                      .number = task->number,
                                      .prompt = true};
    if (task->root->kind != o->game)
        return yo_diag_set(diag, YO_ERR_UNSUPPORTED, "this worker plays %s",
                           yo_root_games[o->game]);
    if (go)
        limits.playouts = (uint64_t)task->most_nodes;
    else
        limits.nodes = (uint64_t)task->most_nodes;
    const void *game = yo_root_game(task->root);
    pthread_mutex_lock(&o->replacing);
    enum yo_err err = yo_session_prepare_for(o->session, game, diag);
    pthread_mutex_unlock(&o->replacing);
    if (!err)
        err =
            yo_session_analyse(o->session, game, &limits, stop, pass_on, &listening, &result, diag);
    if (!err) pass_on(&listening, &result);
    return err;
}

/* ---- Making ---- */

static void destroy(void *ctx) {
    struct own *o = ctx;
    yo_session_delete(o->session);
    pthread_mutex_destroy(&o->replacing);
    yo_free(o);
}

/* Who talks does not wait for a network that is loaded; entries are lost then. */
static size_t take_entries(void *ctx, struct yo_search_entry *entries, size_t most) {
    struct own *o = ctx;
    if (pthread_mutex_trylock(&o->replacing) != 0) return 0;
    size_t count = yo_session_take_entries(o->session, entries, most);
    pthread_mutex_unlock(&o->replacing);
    return count;
}

static void give_entries(void *ctx, const struct yo_search_entry *entries, size_t count) {
    struct own *o = ctx;
    if (pthread_mutex_trylock(&o->replacing) != 0) return;
    yo_session_give_entries(o->session, entries, count);
    pthread_mutex_unlock(&o->replacing);
}

static const struct yo_worker_engine_ops ops = {.describe = describe,
                                                .search = search,
                                                .destroy = destroy,
                                                .take_entries = take_entries,
                                                .give_entries = give_entries};

/* The first of "KEY=VALUE;KEY=VALUE"; *options goes on to the next. */
static enum yo_err set_one(struct yo_session *session, const char **options, struct yo_diag *diag) {
    char key[64], value[512];
    int len = (int)strcspn(*options, ";"), key_len = (int)strcspn(*options, "=;");
    const char *text = *options;
    *options += len + (text[len] == ';');
    if (len == 0) return YO_OK;
    if (key_len == len || key_len >= (int)sizeof key || len - key_len >= (int)sizeof value)
        return yo_diag_set(diag, YO_ERR_ARGUMENT, "%.*s is not KEY=VALUE", len > 100 ? 100 : len,
                           text);
    snprintf(key, sizeof key, "%.*s", key_len, text);
    snprintf(value, sizeof value, "%.*s", len - key_len - 1, text + key_len + 1);
    return yo_session_set(session, YO_ON_CLI | YO_ON_TUNE, key, value, diag);
}

/* A short search, which also loads everything that the first job would wait for. */
static enum yo_err measure(struct own *o, struct yo_diag *diag) {
    struct yo_search_limits limits = {.time_ms = MEASURE_MS};
    struct yo_search_result result = {0};
    enum yo_err err =
        yo_session_analyse(o->session, NULL, &limits, NULL, NULL, NULL, &result, diag);
    if (!err) /* the first one touches memory for the first time */
        err = yo_session_analyse(o->session, NULL, &limits, NULL, NULL, NULL, &result, diag);
    uint64_t nodes = result.nodes ? result.nodes : result.playouts;
    if (!err && result.elapsed_ms > 0) o->speed = (double)nodes * 1000 / (double)result.elapsed_ms;
    return err;
}

enum yo_err yo_worker_own(enum yo_session_game game, const char *options,
                          const struct yo_notices *notices, struct yo_worker_engine *engine,
                          struct yo_diag *diag) {
    struct own *o = yo_alloc(1, sizeof *o);
    if (!o) return yo_diag_set(diag, YO_ERR_NOMEM, "no memory for an engine");
    struct yo_session_config config = {.game = game, .strict = true, .notices = *notices};
    o->game = game;
    pthread_mutex_init(&o->replacing, NULL);
    enum yo_err err = yo_session_new(&config, &o->session, diag);
    /* A worker is one of many: one thread unless its operator says more. */
    if (!err) err = yo_session_set(o->session, YO_ON_CLI, "threads", "1", diag);
    while (!err && options && *options)
        err = set_one(o->session, &options, diag);
    if (!err) o->threads = yo_options_int(yo_session_options(o->session), "threads");
    if (!err) err = measure(o, diag);
    if (err) {
        destroy(o);
        return err;
    }
    *engine = (struct yo_worker_engine){&ops, o};
    return YO_OK;
}
