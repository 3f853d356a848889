/* The lane: one thread that runs the requests that search, one after another. A new request stops
 * those before it, which then send their last message soon. */
#include <stdio.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "base/time.h"
#include "protocol/web/internal.h"

struct web_task *yo_web_task_new(struct yo_web *web, json_int_t id, web_task_fn run) {
    struct web_task *task = yo_alloc(1, sizeof *task);
    if (!task) return NULL;
    task->web = web;
    task->id = id;
    task->run = run;
    return task;
}

void yo_web_task_delete(struct web_task *task) {
    if (!task) return;
    yo_web_game_free(&task->game);
    yo_free(task->moves);
    yo_free(task);
}

/* ---- Sessions ---- */

static void notice(void *user, const char *text) {
    struct yo_web *web = user;
    bool failed = false;
    json_t *message = yo_json_object();
    yo_web_put(message, "type", "notice", &failed);
    yo_web_put(message, "text", text, &failed);
    yo_web_send(web, message, failed, false);
}

/* Pages that play the same moves do not get the same game twice. */
static enum yo_err set_seed(struct yo_session *session, struct yo_diag *diag) {
    char text[24];
    snprintf(text, sizeof text, "%lld", (long long)(yo_time_ns() & INT32_MAX));
    return yo_session_set(session, YO_EVERYWHERE, "seed", text, diag);
}

/* The option `net` is a network for Go; that for shogi is `shogi-net`. */
static enum yo_err set_shogi_net(const struct yo_web *web, struct yo_session *session,
                                 struct yo_diag *diag) {
    const struct yo_options *o = web->config.options;
    const char *name = NULL;
    if (o && yo_option_find(o->rows, ~0u, "shogi-net")) name = yo_options_text(o, "shogi-net");
    return yo_session_set(session, YO_EVERYWHERE, "net", name ? name : "", diag);
}

/* Whether the running task was stopped and answered before its search began. From here on, if
 * `begins`, only its own thread answers it. */
static bool is_answered(struct yo_web *web, bool begins) {
    pthread_mutex_lock(&web->lock);
    bool answered = web->running->answered;
    if (begins) web->running->prepares = false;
    pthread_mutex_unlock(&web->lock);
    return answered;
}

/* Goes on when the task is stopped: the next one needs it, too. */
static enum yo_err prepare(struct yo_web *web, struct yo_session *session, struct yo_diag *diag) {
    enum yo_err err = yo_session_prepare_for(session, web->running->game.go, diag);
    return is_answered(web, true) && !err ? YO_ERR_CANCELLED : err;
}

static enum yo_err make_session(struct yo_web *web, enum yo_session_game game,
                                struct yo_session **out, struct yo_diag *diag) {
    struct yo_session_config config = {.game = game,
                                       .options = web->config.options,
                                       .kinds = web->config.kinds,
                                       .notice = notice,
                                       .quiet = true, /* reports and moves tell the rest */
                                       .at_once = true,
                                       .user = web,
                                       .notices = {.notify = notice, .user = web}};
    struct yo_session *session;
    enum yo_err err = yo_session_new(&config, &session, diag);
    if (err) return err;
    if (game == YO_SESSION_SHOGI)
        err = set_shogi_net(web, session, diag);
    else
        err = set_seed(session, diag);
    if (err)
        yo_session_delete(session);
    else
        *out = session;
    return err;
}

enum yo_err yo_web_session(struct yo_web *web, enum yo_session_game game, struct yo_session **out,
                           struct yo_diag *diag) {
    struct yo_session *session = web->sessions[game]; /* only this thread changes it */
    if (!session) {
        enum yo_err err = make_session(web, game, &session, diag);
        if (err) return err;
        pthread_mutex_lock(&web->lock);
        web->sessions[game] = session;
        pthread_mutex_unlock(&web->lock);
    }
    *out = session;
    return prepare(web, session, diag);
}

/* ---- Before the first connection ---- */

static void ignore(void *user, const char *text, size_t len, bool report) {
    (void)user, (void)text, (void)len, (void)report;
}

static enum yo_err try_game(struct yo_web *web, enum yo_session_game game, struct yo_diag *diag) {
    struct yo_session *session;
    enum yo_err err = make_session(web, game, &session, diag);
    if (err) return err;
    /* The workers of a cluster are not started for this. */
    err = yo_session_set(session, YO_EVERYWHERE, "cluster", "", diag);
    if (!err) err = yo_session_prepare_strictly(session, diag);
    yo_session_delete(session);
    return err;
}

enum yo_err yo_web_try(const struct yo_web_config *config, struct yo_diag *diag) {
    static const struct {
        const char *key;
        enum yo_session_game game;
    } named[] = {
        {"net", YO_SESSION_GO}, {"shogi-net", YO_SESSION_SHOGI}, {"eval", YO_SESSION_SHOGI}};
    struct yo_web web = {.config = *config};
    bool wanted[2] = {false, false};
    enum yo_err err = YO_OK;
    web.config.send = ignore;
    for (size_t i = 0; i < sizeof named / sizeof named[0]; i++)
        if (yo_options_given(config->options, named[i].key)) wanted[named[i].game] = true;
    pthread_mutex_init(&web.out_lock, NULL);
    for (int game = 0; game < 2 && !err; game++)
        if (wanted[game]) err = try_game(&web, (enum yo_session_game)game, diag);
    pthread_mutex_destroy(&web.out_lock);
    return err;
}

/* ---- The lane's thread ---- */

static struct web_task *take(struct yo_web *web) {
    pthread_mutex_lock(&web->lock);
    while (!web->waiting && !web->leaving)
        pthread_cond_wait(&web->changed, &web->lock);
    struct web_task *task = web->leaving ? NULL : web->waiting;
    if (task) {
        web->waiting = task->next;
        web->waiting_count--;
        web->running = task;
        task->prepares = true;
    }
    pthread_mutex_unlock(&web->lock);
    return task;
}

static void finish(struct yo_web *web, struct web_task *task) {
    pthread_mutex_lock(&web->lock);
    web->running = NULL;
    pthread_cond_broadcast(&web->changed);
    pthread_mutex_unlock(&web->lock);
    yo_web_task_delete(task);
}

static void *run(void *arg) {
    struct yo_web *web = arg;
    struct web_task *task;
    while ((task = take(web))) {
        struct yo_diag diag = {0};
        enum yo_err err = is_answered(web, false) ? YO_OK : task->run(web, task, &diag);
        if (err && !diag.err) yo_diag_set(&diag, err, "%s", yo_err_text(err));
        if (!is_answered(web, true) && err) yo_web_send_error(web, &task->id, &diag, -1);
        finish(web, task);
    }
    return NULL;
}

/* ---- The caller's side ---- */

/* Under the lock. A session's own stop flag is cleared when a move's search begins, so the task
 * looks at its flag again after that (think.c). */
static void stop_task(struct yo_web *web, struct web_task *task) {
    atomic_store(&task->stop, true);
    struct yo_session *session = web->sessions[task->game.kind];
    if (task == web->running && session) yo_session_interrupt(session);
}

enum yo_err yo_web_lane_start(struct yo_web *web, struct yo_diag *diag) {
    pthread_mutex_init(&web->out_lock, NULL);
    pthread_mutex_init(&web->lock, NULL);
    pthread_cond_init(&web->changed, NULL);
    if (pthread_create(&web->thread, NULL, run, web) == 0) return YO_OK;
    return yo_diag_set(diag, YO_ERR_NOMEM, "no thread could be started");
}

void yo_web_lane_end(struct yo_web *web) {
    pthread_mutex_lock(&web->lock);
    web->leaving = true;
    if (web->running) stop_task(web, web->running);
    pthread_cond_broadcast(&web->changed);
    pthread_mutex_unlock(&web->lock);
    pthread_join(web->thread, NULL);
    while (web->waiting) {
        struct web_task *task = web->waiting;
        web->waiting = task->next;
        yo_web_task_delete(task);
    }
    for (int game = 0; game < 2; game++)
        yo_session_delete(web->sessions[game]);
    pthread_cond_destroy(&web->changed);
    pthread_mutex_destroy(&web->lock);
    pthread_mutex_destroy(&web->out_lock);
}

/* A task whose search has not begun: it need not wait for what is loaded. Under the lock. */
static bool is_unbegun(const struct yo_web *web, const struct web_task *task) {
    return task->unbegun && (task != web->running || task->prepares);
}

bool yo_web_lane_stop(struct yo_web *web, const json_int_t *id, bool *later) {
    json_t *answers[1 + WEB_WAITING];
    size_t count = 0;
    /* Answers come in order: those at once end where one has to wait. */
    bool at_once = true, failed = false, any = false, waits = false;
    pthread_mutex_lock(&web->lock);
    struct web_task *task = web->running ? web->running : web->waiting;
    for (; task; task = task == web->running ? web->waiting : task->next) {
        if (task->answered) continue;
        bool meant = !task->is_stop && (!id || task->id == *id);
        at_once = at_once && meant && is_unbegun(web, task);
        if (!meant) continue;
        stop_task(web, task);
        any = true;
        if (at_once) answers[count++] = task->unbegun(task, &failed);
        task->answered = at_once;
        waits = waits || !at_once;
    }
    pthread_mutex_unlock(&web->lock);
    for (size_t i = 0; i < count; i++)
        yo_web_send(web, answers[i], failed, false);
    if (later) *later = waits;
    return any;
}

enum yo_err yo_web_lane_add(struct yo_web *web, struct web_task *task, struct yo_diag *diag) {
    enum yo_err err = YO_OK;
    if (!task->is_stop) yo_web_lane_stop(web, NULL, NULL);
    pthread_mutex_lock(&web->lock);
    struct web_task **link = &web->waiting;
    while (*link)
        link = &(*link)->next;
    if (web->waiting_count >= WEB_WAITING) {
        err = yo_diag_set(diag, YO_ERR_CANCELLED, "too many requests are waiting");
    } else {
        *link = task;
        web->waiting_count++;
        pthread_cond_broadcast(&web->changed);
    }
    pthread_mutex_unlock(&web->lock);
    if (err) yo_web_task_delete(task);
    return err;
}

bool yo_web_is_busy(struct yo_web *web) {
    pthread_mutex_lock(&web->lock);
    bool busy = web->running || web->waiting;
    pthread_mutex_unlock(&web->lock);
    return busy;
}

void yo_web_lane_wait(struct yo_web *web) {
    pthread_mutex_lock(&web->lock);
    while (web->running || web->waiting)
        pthread_cond_wait(&web->changed, &web->lock);
    pthread_mutex_unlock(&web->lock);
}
