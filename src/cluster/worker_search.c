/* The searching thread of a worker. */
#include <stdio.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "base/time.h"
#include "cluster/lines.h"
#include "cluster/worker_inside.h"

enum { ONLY_MAX = 1024 };

bool yo_worker_may(const struct yo_worker_task *task, yo_move move) {
    for (size_t i = 0; i < task->only_count; i++)
        if (task->only[i] == move) return true;
    return !task->only;
}

static void wake(struct worker *w) {
    uint64_t one = 1;
    ssize_t put = write(w->wake_fd, &one, sizeof one);
    (void)put; /* it can only fail if a wake is pending already */
}

void yo_worker_drop_found(struct worker_task *t) {
    yo_lines_free(t->found, t->found_count);
    t->found_count = 0;
}

struct searching {
    struct worker *worker;
    int64_t job;
};

static void take_found(void *user, const struct yo_message_line *lines, size_t count,
                       int64_t nodes) {
    struct searching *s = user;
    struct worker_task *t = &s->worker->task;
    pthread_mutex_lock(&s->worker->mutex);
    if (t->job == s->job) {
        yo_worker_drop_found(t);
        for (size_t i = 0; i < count && i < YO_MESSAGE_LINES_MAX; i++) {
            t->found[i] = lines[i];
            t->found[i].pv = yo_message_copy_text(lines[i].pv);
            if (!t->found[i].pv) break;
            t->found_count++;
        }
        t->nodes = nodes;
        t->found_ms = yo_time_ms();
        t->fresh = true;
    }
    pthread_mutex_unlock(&s->worker->mutex);
    wake(s->worker);
}

/* Sets up the position of a job and searches it. */
static enum yo_err search_job(struct worker *w, const struct yo_message *job,
                              struct yo_diag *diag) {
    struct searching searching = {w, job->job};
    struct yo_root root;
    yo_move only[ONLY_MAX];
    struct yo_worker_task task = {.root = &root,
                                  .lines = job->lines > 0 ? (size_t)job->lines : 1,
                                  .most_nodes = job->most_nodes,
                                  .most_ms = job->most_ms,
                                  .number = (unsigned)job->number};
    enum yo_err err = yo_root_read(&job->root, &root, diag);
    if (err) return err;
    const struct yo_game_ops *ops = yo_root_ops(root.kind);
    void *position = yo_alloc_aligned(ops->position_size);
    if (!position) err = yo_diag_set(diag, YO_ERR_NOMEM, "no memory for a position");
    if (!err) err = yo_root_play(&root, job->path, diag);
    if (!err) {
        ops->from_game(yo_root_game(&root), position);
        err = yo_lines_read_moves(ops, position, job->only, only, ONLY_MAX, &task.only_count, diag);
        if (task.only_count) task.only = only;
    }
    const struct yo_worker_engine *engine = &w->config->engine;
    if (!err) err = engine->ops->search(engine->ctx, &task, &w->stop, take_found, &searching, diag);
    yo_free_aligned(position);
    yo_root_free(&root);
    return err;
}

static void finish(struct worker *w, int64_t job, enum yo_err err, const struct yo_diag *diag) {
    struct worker_task *t = &w->task;
    pthread_mutex_lock(&w->mutex);
    t->running = false;
    if (t->job == job) {
        t->fresh = t->done = true;
        t->failed = err != YO_OK;
        if (err) snprintf(t->note, sizeof t->note, "%s", diag->what);
    }
    pthread_mutex_unlock(&w->mutex);
    wake(w);
}

void *yo_worker_search_all(void *arg) {
    struct worker *w = arg;
    pthread_mutex_lock(&w->mutex);
    while (!w->ending) {
        if (!w->has_next) {
            pthread_cond_wait(&w->changed, &w->mutex);
            continue;
        }
        struct yo_message job = w->next;
        struct yo_diag diag = {0};
        w->has_next = false;
        w->task.running = true;
        atomic_store(&w->stop, false);
        pthread_mutex_unlock(&w->mutex);
        enum yo_err err = search_job(w, &job, &diag);
        finish(w, job.job, err, &diag);
        yo_message_free(&job);
        pthread_mutex_lock(&w->mutex);
    }
    pthread_mutex_unlock(&w->mutex);
    return NULL;
}
