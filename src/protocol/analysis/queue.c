/* The queue of tasks by priority, and the workers that search them. */
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "base/time.h"
#include "engine/options.h"
#include "eval/net/evaluator.h"
#include "eval/net/runner.h"
#include "protocol/analysis/internal.h"

/* ---- one task ---- */

static void report(void *user, const struct yo_search_result *so_far) {
    struct analysis_task *task = user;
    int64_t now = yo_time_ms();
    if (atomic_load(&task->analysis->unheard)) atomic_store(&task->stop, true);
    if (!task->next_report_ms || now < task->next_report_ms || so_far->move_count == 0) return;
    yo_analysis_report(task, so_far, true);
    task->next_report_ms = task->wants.report_every_ms ? now + task->wants.report_every_ms : 0;
}

static void report_failure(const struct analysis_task *task, const struct yo_diag *diag) {
    bool failed = false;
    json_t *object = yo_json_object();
    yo_json_set(object, "error", yo_json_text(diag->what, strlen(diag->what)), &failed);
    yo_json_set(object, "id", json_stringn(task->id, task->id_len), &failed);
    yo_json_set(object, "turnNumber", json_integer(task->turn), &failed);
    yo_analysis_send(task->analysis, object, failed);
}

/* Prepares a fresh search with the task's options. */
static enum yo_err prepare(struct analysis_worker *w, const struct analysis_task *task,
                           struct yo_diag *diag) {
    enum yo_err err = YO_OK;
    if (!yo_options_equal(yo_session_options(w->session), &task->options))
        err = yo_session_copy_options(w->session, &task->options);
    if (err) return yo_diag_set(diag, err, "out of memory");
    yo_session_clear(w->session);
    return yo_session_prepare_for(w->session, task->game, diag);
}

static void search(struct analysis_worker *w, struct analysis_task *task) {
    struct yo_diag diag = {0};
    struct yo_search_result result = {0};
    struct yo_search_limits limits = {.playouts = task->wants.playouts,
                                      .time_ms = task->wants.time_ms,
                                      .whole = true,
                                      .details = true,
                                      .ownership = task->wants.ownership,
                                      .moves_ownership = task->wants.moves_ownership,
                                      .only = task->allows ? task->only : NULL,
                                      .only_count = task->only_count,
                                      .avoid = task->avoid,
                                      .avoid_count = task->avoid_count};
    limits.ownership = limits.ownership || task->wants.ownership_stdev;
    limits.moves_ownership = limits.moves_ownership || task->wants.moves_ownership_stdev;
    limits.ownership = limits.ownership || limits.moves_ownership;
    enum yo_err err = prepare(w, task, &diag);
    task->started_ms = yo_time_ms();
    if (task->wants.first_report_ms)
        task->next_report_ms = task->started_ms + task->wants.first_report_ms;
    if (!err)
        err = yo_session_analyse(w->session, task->game, &limits, &task->stop, report, task,
                                 &result, &diag);
    if (err)
        report_failure(task, &diag);
    else if (result.move_count == 0)
        yo_analysis_report_nothing(task);
    else
        yo_analysis_report(task, &result, false);
}

/* ---- the workers ---- */

static void unlink_task(struct analysis_task **list, const struct analysis_task *task) {
    while (*list && *list != task)
        list = &(*list)->next;
    if (*list) *list = task->next;
}

static struct analysis_task *take(struct yo_analysis *a) {
    pthread_mutex_lock(&a->lock);
    while (!a->waiting && !a->leaving)
        pthread_cond_wait(&a->task_came, &a->lock);
    struct analysis_task *task = a->leaving ? NULL : a->waiting;
    if (task) {
        a->waiting = task->next;
        task->next = a->running;
        a->running = task;
    }
    pthread_mutex_unlock(&a->lock);
    return task;
}

static bool work(void *analysis, int thread) {
    struct yo_analysis *a = analysis;
    struct analysis_worker *w = &a->workers[thread];
    struct analysis_task *task;
    while ((task = take(a))) {
        if (!atomic_load(&a->unheard)) search(w, task);
        pthread_mutex_lock(&a->lock);
        unlink_task(&a->running, task);
        pthread_cond_broadcast(&a->task_done);
        pthread_mutex_unlock(&a->lock);
        yo_analysis_task_delete(task);
    }
    return false;
}

static void describe_model(struct yo_analysis *a) {
    struct analysis_model *m = &a->model;
    struct yo_eval net;
    const char *policy = yo_options_text(&a->options, "playout-policy");
    *m = (struct analysis_model){.name = "playouts", .version = -1, .batch = 1};
    snprintf(m->internal_name, sizeof m->internal_name, "%s", policy);
    if (yo_session_net(a->workers[0].session, &net, NULL)) return;
    const char *path = yo_session_text(&a->options, "net");
    struct yo_eval_about about;
    net.ops->describe(net.ctx, 0, &about);
    const struct yo_net_program *program = yo_net_eval_program(&net);
    snprintf(m->name, sizeof m->name, "%s", path && strcmp(path, "auto") ? path : "builtin");
    snprintf(m->internal_name, sizeof m->internal_name, "%s", program ? program->net->name : "");
    m->version = program ? program->net->version : 0;
    m->batch = about.batch;
}

enum yo_err yo_analysis_start_workers(struct yo_analysis *a, struct yo_diag *diag) {
    struct yo_session_config config = {.game = YO_SESSION_GO,
                                       .options = &a->options,
                                       .kinds = a->config.kinds,
                                       .notices = a->config.notices,
                                       .nets = a->nets,
                                       .patterns = a->config.patterns};
    enum yo_err err = YO_OK;
    for (int i = 0; !err && i < a->worker_count; i++) {
        a->workers[i].analysis = a;
        /* One of them announces its search. */
        config.notice = i == 0 ? a->config.notices.notify : NULL;
        config.user = a->config.notices.user;
        err = yo_session_new(&config, &a->workers[i].session, diag);
    }
    if (!err) err = yo_pool_new(a->worker_count, &a->pool, diag);
    if (err) {
        yo_diag_hint(diag, "ask for fewer positions at a time with --positions");
        return err;
    }
    /* Reports a wrong network or search now, not at the first query. */
    err = yo_session_prepare(a->workers[0].session, diag);
    if (err) return err;
    describe_model(a);
    a->searching = (struct yo_job){.run = work, .ctx = a, .threads = a->worker_count};
    yo_pool_submit(a->pool, &a->searching);
    return YO_OK;
}

void yo_analysis_stop_workers(struct yo_analysis *a) {
    pthread_mutex_lock(&a->lock);
    a->leaving = true;
    for (struct analysis_task *task = a->running; task; task = task->next)
        atomic_store(&task->stop, true);
    pthread_cond_broadcast(&a->task_came);
    pthread_mutex_unlock(&a->lock);
    yo_pool_delete(a->pool);
    for (int i = 0; i < a->worker_count; i++)
        yo_session_delete(a->workers[i].session);
    yo_nets_delete(a->nets);
    while (a->waiting) {
        struct analysis_task *task = a->waiting;
        a->waiting = task->next;
        yo_analysis_task_delete(task);
    }
}

/* ---- the queue ---- */

void yo_analysis_enqueue(struct yo_analysis *a, struct analysis_task *tasks) {
    pthread_mutex_lock(&a->lock);
    while (tasks) {
        struct analysis_task *task = tasks, **link = &a->waiting;
        tasks = task->next;
        while (*link && (*link)->priority >= task->priority)
            link = &(*link)->next;
        task->next = *link;
        *link = task;
    }
    pthread_cond_broadcast(&a->task_came);
    pthread_mutex_unlock(&a->lock);
}

static bool is_meant(const struct analysis_task *task, json_t *id, const int *turns,
                     size_t turn_count) {
    if (id && (task->id_len != json_string_length(id) ||
               memcmp(task->id, json_string_value(id), task->id_len) != 0))
        return false;
    for (size_t i = 0; turns && i < turn_count; i++)
        if (turns[i] == task->turn) return true;
    return !turns;
}

void yo_analysis_terminate(struct yo_analysis *a, json_t *id, const int *turns, size_t turn_count) {
    struct analysis_task *dropped = NULL, **last = &dropped;
    pthread_mutex_lock(&a->lock);
    for (struct analysis_task **link = &a->waiting; *link;) {
        struct analysis_task *task = *link;
        if (!is_meant(task, id, turns, turn_count)) {
            link = &task->next;
            continue;
        }
        *link = task->next;
        task->next = NULL;
        *last = task;
        last = &task->next;
    }
    for (struct analysis_task *task = a->running; task; task = task->next)
        if (is_meant(task, id, turns, turn_count)) atomic_store(&task->stop, true);
    pthread_cond_broadcast(&a->task_done);
    pthread_mutex_unlock(&a->lock);
    while (dropped) {
        struct analysis_task *task = dropped;
        dropped = task->next;
        yo_analysis_report_nothing(task);
        yo_analysis_task_delete(task);
    }
}

void yo_analysis_finish(struct yo_analysis *a) {
    pthread_mutex_lock(&a->lock);
    while ((a->waiting || a->running) && !atomic_load(&a->unheard))
        pthread_cond_wait(&a->task_done, &a->lock);
    pthread_mutex_unlock(&a->lock);
}
