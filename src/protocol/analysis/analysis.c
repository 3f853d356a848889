/* Reads lines: each is a query, an action, or an error. */
#include "protocol/analysis/analysis.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cpu.h"
#include "base/diag.h"
#include "protocol/analysis/internal.h"
#include "protocol/gtp/gtp.h"
#include "yomi/version.h"

const char *const yo_analysis_views[] = {[YO_ANALYSIS_BLACK] = "black",
                                         [YO_ANALYSIS_WHITE] = "white",
                                         [YO_ANALYSIS_SIDE_TO_MOVE] = "sidetomove",
                                         NULL};

void yo_analysis_task_delete(struct analysis_task *task) {
    yo_free(task->id);
    yo_go_game_delete(task->game);
    yo_free(task->avoid);
    yo_free(task->only);
    yo_options_free(&task->options);
    yo_free(task);
}

void yo_analysis_config_init(struct yo_analysis_config *config) {
    *config = (struct yo_analysis_config){.playouts = 500};
}

/* ---- new and delete ---- */

static enum yo_err set_int(struct yo_analysis *a, const char *key, int64_t value,
                           struct yo_diag *diag) {
    char text[32];
    snprintf(text, sizeof text, "%lld", (long long)value);
    return yo_options_set(&a->options, YO_EVERYWHERE, key, text, diag);
}

/* Divides memory and threads among the workers. */
static enum yo_err set_options(struct yo_analysis *a, struct yo_diag *diag) {
    enum yo_err err = yo_options_init(&a->options, yo_session_rows(YO_SESSION_GO), diag);
    if (!err && a->config.options) err = yo_options_copy(&a->options, a->config.options);
    if (err) return err;
    int64_t each = yo_options_int(&a->options, "memory") / a->worker_count;
    err = set_int(a, "memory", each > 0 ? each : 1, diag);
    return err ? err : set_int(a, "threads", a->threads_each, diag);
}

enum yo_err yo_analysis_new(const struct yo_analysis_config *config, struct yo_analysis **out,
                            struct yo_diag *diag) {
    struct yo_analysis *a = yo_alloc(1, sizeof *a);
    if (!a) return yo_diag_set(diag, YO_ERR_NOMEM, "out of memory");
    int threads = config->threads ? config->threads : yo_cpu_count();
    a->config = *config;
    a->worker_count = config->positions ? config->positions : threads;
    a->threads_each = threads > a->worker_count ? threads / a->worker_count : 1;
    pthread_mutex_init(&a->lock, NULL);
    pthread_mutex_init(&a->out_lock, NULL);
    pthread_cond_init(&a->task_came, NULL);
    pthread_cond_init(&a->task_done, NULL);
    enum yo_err err = set_options(a, diag);
    if (!err && yo_nets_new(threads, a->worker_count, config->notices, &a->nets))
        err = yo_diag_set(diag, YO_ERR_NOMEM, "out of memory");
    if (!err) {
        a->workers = yo_alloc((size_t)a->worker_count, sizeof *a->workers);
        if (!a->workers) err = yo_diag_set(diag, YO_ERR_NOMEM, "out of memory");
    }
    if (err)
        a->worker_count = 0;
    else
        err = yo_analysis_start_workers(a, diag);
    if (err)
        yo_analysis_delete(a);
    else
        *out = a;
    return err;
}

void yo_analysis_delete(struct yo_analysis *a) {
    if (!a) return;
    yo_analysis_stop_workers(a);
    yo_free(a->workers);
    yo_options_free(&a->options);
    pthread_cond_destroy(&a->task_done);
    pthread_cond_destroy(&a->task_came);
    pthread_mutex_destroy(&a->out_lock);
    pthread_mutex_destroy(&a->lock);
    yo_free(a);
}

/* ---- actions: the answer is the query with the requested fields added ---- */

static void echo(struct yo_analysis *a, json_t *query) {
    yo_analysis_send(a, json_incref(query), false);
}

/* Takes ownership of the value. A key that the query already has keeps its value. */
static void add_missing(json_t *query, const char *key, json_t *value, bool *failed) {
    if (json_object_get(query, key))
        json_decref(value);
    else
        yo_json_set(query, key, value, failed);
}

static void answer_version(struct yo_analysis *a, json_t *query) {
    bool failed = false;
    add_missing(query, "version", json_string(YO_VERSION), &failed);
    add_missing(query, "git_hash", json_string("<omitted>"), &failed);
    yo_analysis_send(a, json_incref(query), failed);
}

/* Without a network the playout policy is reported as the model. */
static void answer_models(struct yo_analysis *a, json_t *query) {
    bool failed = false;
    json_t *model = yo_json_object(), *list = yo_json_array();
    const struct analysis_model *m = &a->model;
    yo_json_set(model, "internalName", yo_json_text(m->internal_name, strlen(m->internal_name)),
                &failed);
    yo_json_set(model, "maxBatchSize", json_integer((json_int_t)m->batch), &failed);
    yo_json_set(model, "name", yo_json_text(m->name, strlen(m->name)), &failed);
    yo_json_set(model, "usesHumanSLProfile", json_false(), &failed);
    yo_json_set(model, "usingFP16", json_string("false"), &failed);
    yo_json_set(model, "version", json_integer(m->version), &failed);
    yo_json_append(list, model, &failed);
    add_missing(query, "models", list, &failed);
    yo_analysis_send(a, json_incref(query), failed);
}

static void clear_cache(struct yo_analysis *a, json_t *query) {
    echo(a, query); /* there is no cache: every search starts fresh */
}

static void terminate_some(struct yo_analysis *a, json_t *query, json_t *target) {
    json_t *id = json_object_get(query, "id");
    json_t *given = json_object_get(query, "turnNumbers");
    int *turns = NULL;
    size_t count = 0;
    if (given && !yo_analysis_read_ints(given, &turns, &count)) {
        yo_analysis_send_field(
            a, "error", id, "turnNumbers",
            "If provided, must be an array of integers indicating turns to terminate");
        return;
    }
    yo_analysis_terminate(a, target, turns, count);
    yo_free(turns);
    echo(a, query);
}

static void terminate(struct yo_analysis *a, json_t *query) {
    json_t *target = json_object_get(query, "terminateId");
    if (json_is_string(target))
        terminate_some(a, query, target);
    else
        yo_analysis_send_field(
            a, "error", json_object_get(query, "id"), "terminateId",
            "Requests for a terminate action must have a string \"terminateId\" field");
}

static void terminate_all(struct yo_analysis *a, json_t *query) { terminate_some(a, query, NULL); }

static void act(struct yo_analysis *a, json_t *query, const char *name) {
    static const struct {
        const char *name;
        void (*act)(struct yo_analysis *a, json_t *query);
    } actions[] = {{"query_version", answer_version},
                   {"query_models", answer_models},
                   {"clear_cache", clear_cache},
                   {"terminate", terminate},
                   {"terminate_all", terminate_all}};
    for (size_t i = 0; i < sizeof actions / sizeof actions[0]; i++) {
        if (strcmp(name, actions[i].name) != 0) continue;
        actions[i].act(a, query);
        return;
    }
    yo_analysis_send_error(a, "'action' field must be 'query_version' or 'query_models' or "
                              "'clear_cache' or 'terminate' or 'terminate_all'");
}

/* ---- lines ---- */

static void answer(struct yo_analysis *a, json_t *query) {
    if (!json_is_object(query)) {
        yo_analysis_send_error(a, "Request line was valid json but was not an object, ignoring");
        return;
    }
    json_t *id = json_object_get(query, "id"), *action = json_object_get(query, "action");
    if (!json_is_string(id))
        yo_analysis_send_error(a, "Request must have a string \"id\" field");
    else if (yo_json_string(action))
        act(a, query, yo_json_string(action));
    else {
        struct analysis_task *tasks = yo_analysis_read_query(a, query);
        if (tasks) yo_analysis_enqueue(a, tasks);
    }
}

static bool is_blank(const char *line, size_t len) {
    for (size_t i = 0; i < len; i++)
        if (!isspace((unsigned char)line[i])) return false;
    return true;
}

void yo_analysis_feed(struct yo_analysis *a, const char *line, size_t len) {
    json_t *query;
    struct yo_diag diag = {0};
    if (len > YO_LINE_MAX) {
        yo_analysis_send_error(a, "Request line is longer than a megabyte");
        return;
    }
    if (is_blank(line, len)) return;
    if (yo_json_read(line, len, &query, &diag)) {
        char message[400];
        snprintf(message, sizeof message,
                 "column %d: %.200s - could not parse input line as json request: %.*s%s",
                 diag.column, diag.what, (int)(len < 100 ? len : 100), line,
                 len > 100 ? "..." : "");
        yo_analysis_send_error(a, message);
        return;
    }
    answer(a, query);
    json_decref(query);
}
