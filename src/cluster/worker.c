/* A worker has two threads: this one talks, the other searches. What both use is under the mutex;
 * the talking thread never waits for the searching one. */
#include "cluster/worker.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "base/time.h"
#include "cluster/entries.h"
#include "cluster/lines.h"

enum {
    BEAT_MS = 500,
    REPORT_MS = 100, /* between two reports of a job */
    LEASE_MS = 5000, /* where the job names none */
    ONLY_MAX = 1024
};

/* The job in hand, and what is known of it. */
struct task {
    int64_t job; /* 0: none */
    char master[YO_MESSAGE_NAME];
    int64_t started_ms, nodes, share;
    bool running;
    /* The next report; `fresh`: not sent yet. */
    bool fresh, done, failed;
    char note[400];
    struct yo_message_line found[YO_MESSAGE_LINES_MAX];
    size_t found_count;
};

struct worker {
    const struct yo_worker_config *config;
    struct yo_message about;
    int64_t born_ms, beat_ms, report_ms, share_ms, lease_ms, lease_until_ms;
    double speed;
    /* The last job of the last master, also after it was stopped: what is not newer is a repeat. */
    char seen_master[YO_MESSAGE_NAME];
    int64_t seen_job;
    pthread_t searcher;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    int wake_fd;
    bool over; /* only the talking thread uses it */
    /* Under the mutex: */
    bool ending;
    struct yo_message next; /* the job that the searcher takes next; kind JOB if there is one */
    bool has_next;
    struct task task;
    atomic_bool stop; /* of the running search */
};

bool yo_worker_may(const struct yo_worker_task *task, yo_move move) {
    for (size_t i = 0; i < task->only_count; i++)
        if (task->only[i] == move) return true;
    return !task->only;
}

/* ---- The searching thread ---- */

static void wake(struct worker *w) {
    uint64_t one = 1;
    ssize_t put = write(w->wake_fd, &one, sizeof one);
    (void)put; /* it can only fail if a wake is pending already */
}

static void drop_found(struct task *t) {
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
    struct task *t = &s->worker->task;
    pthread_mutex_lock(&s->worker->mutex);
    if (t->job == s->job) {
        drop_found(t);
        for (size_t i = 0; i < count && i < YO_MESSAGE_LINES_MAX; i++) {
            t->found[i] = lines[i];
            t->found[i].pv = yo_message_copy_text(lines[i].pv);
            if (!t->found[i].pv) break;
            t->found_count++;
        }
        t->nodes = nodes;
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
    struct task *t = &w->task;
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

static void *search_all(void *arg) {
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

/* ---- Sending ---- */

static void send_message(struct worker *w, const char *to, struct yo_message *m) {
    struct yo_transport t = w->config->transport;
    struct yo_buf line = {0};
    snprintf(m->worker, sizeof m->worker, "%s", w->config->name);
    if (yo_message_write(m, &line) == YO_OK) t.ops->send(t.ctx, to, yo_buf_text(&line), line.len);
    yo_buf_free(&line);
}

static void announce(struct worker *w) {
    struct yo_message m = w->about;
    m.up_ms = yo_time_ms() - w->born_ms;
    m.speed = w->speed;
    send_message(w, NULL, &m);
}

static void beat(struct worker *w) {
    struct yo_message m = {.kind = YO_MESSAGE_BEAT};
    pthread_mutex_lock(&w->mutex);
    const struct task *t = &w->task;
    m.job = t->job;
    strcpy(m.master, t->master);
    m.nodes = t->nodes;
    m.busy_ms = t->job ? yo_time_ms() - t->started_ms : 0;
    if (t->job && !t->done && m.busy_ms >= BEAT_MS && m.nodes > 0)
        w->speed = (double)m.nodes * 1000 / (double)m.busy_ms;
    pthread_mutex_unlock(&w->mutex);
    m.speed = w->speed;
    send_message(w, NULL, &m);
}

/* Sends the report under the mutex: it is small, and the lines are in place. */
static void report(struct worker *w) {
    struct task *t = &w->task;
    pthread_mutex_lock(&w->mutex);
    if (t->fresh && t->job) {
        struct yo_message m = {.kind = YO_MESSAGE_REPORT,
                               .job = t->job,
                               .nodes = t->nodes,
                               .busy_ms = yo_time_ms() - t->started_ms,
                               .done = t->done,
                               .failed = t->failed,
                               .note = t->failed ? t->note : NULL,
                               .found = t->found,
                               .found_count = t->found_count};
        strcpy(m.master, t->master);
        send_message(w, t->master, &m);
    }
    t->fresh = false;
    pthread_mutex_unlock(&w->mutex);
}

/* Sends what the search has learned to the master, who passes it on to the others. */
static void share(struct worker *w) {
    const struct yo_worker_engine *engine = &w->config->engine;
    struct yo_search_entry entries[YO_ENTRIES_MAX];
    struct yo_message m = {.kind = YO_MESSAGE_ENTRIES};
    struct yo_buf data = {0};
    pthread_mutex_lock(&w->mutex);
    size_t most = w->task.job && w->task.share > 0 ? (size_t)w->task.share : 0;
    strcpy(m.master, w->task.master);
    pthread_mutex_unlock(&w->mutex);
    if (most > YO_ENTRIES_MAX) most = YO_ENTRIES_MAX;
    if (most == 0 || !engine->ops->take_entries) return;
    size_t count = engine->ops->take_entries(engine->ctx, entries, most);
    yo_entries_write(entries, count, &data);
    strcpy(m.table, w->about.table);
    m.data = data.data;
    if (count > 0 && yo_buf_status(&data) == YO_OK) send_message(w, m.master, &m);
    yo_buf_free(&data);
}

/* ---- Receiving ---- */

/* Another master may have the worker when the first has no job for it, or has not been heard of for
 * the time of the lease. */
static bool is_taken(const struct worker *w, const struct yo_message *m, int64_t now) {
    const struct task *t = &w->task;
    return t->job && strcmp(t->master, m->master) != 0 && now < w->lease_until_ms;
}

/* Under the mutex. The searcher clears the stop flag when it takes the next job. */
static void drop_task(struct worker *w) {
    if (w->has_next) yo_message_free(&w->next);
    w->has_next = false;
    drop_found(&w->task);
    bool running = w->task.running;
    w->task = (struct task){.running = running};
    atomic_store(&w->stop, true);
}

static void see(struct worker *w, const struct yo_message *m) {
    strcpy(w->seen_master, m->master);
    w->seen_job = m->job;
}

/* Takes the message over. */
static void take_job(struct worker *w, struct yo_message *m, int64_t now) {
    struct task *t = &w->task;
    pthread_mutex_lock(&w->mutex);
    bool old = strcmp(w->seen_master, m->master) == 0 && m->job <= w->seen_job;
    if (m->job > 0 && !old && !is_taken(w, m, now)) {
        drop_task(w);
        w->next = *m;
        w->has_next = true;
        t->job = m->job;
        t->started_ms = now;
        t->share = m->share;
        strcpy(t->master, m->master);
        see(w, m);
        w->lease_ms = m->lease_ms ? m->lease_ms : LEASE_MS;
        w->lease_until_ms = now + w->lease_ms;
        *m = (struct yo_message){0};
        pthread_cond_signal(&w->changed);
    }
    pthread_mutex_unlock(&w->mutex);
}

static void take_stop(struct worker *w, const struct yo_message *m) {
    struct task *t = &w->task;
    pthread_mutex_lock(&w->mutex);
    bool mine = strcmp(w->seen_master, m->master) == 0 && m->job >= w->seen_job;
    if (mine) see(w, m); /* a job that the stop has overtaken is not taken up any more */
    if (mine && t->job && strcmp(t->master, m->master) == 0) drop_task(w);
    pthread_mutex_unlock(&w->mutex);
}

static void take_keep(struct worker *w, const struct yo_message *m, int64_t now) {
    pthread_mutex_lock(&w->mutex);
    bool mine = strcmp(w->task.master, m->master) == 0 && m->job == w->task.job;
    if (mine) w->lease_until_ms = now + w->lease_ms;
    pthread_mutex_unlock(&w->mutex);
}

static void take_entries(struct worker *w, const struct yo_message *m) {
    const struct yo_worker_engine *engine = &w->config->engine;
    struct yo_search_entry entries[YO_ENTRIES_MAX];
    size_t count = yo_entries_count(m->data);
    pthread_mutex_lock(&w->mutex);
    bool mine = w->task.job && strcmp(w->task.master, m->master) == 0;
    pthread_mutex_unlock(&w->mutex);
    if (!mine || !count || !m->table[0] || strcmp(m->table, w->about.table) != 0) return;
    if (!engine->ops->give_entries) return;
    yo_entries_read(m->data, count, entries);
    engine->ops->give_entries(engine->ctx, entries, count);
}

static void take(struct worker *w, const struct yo_buf *bytes) {
    struct yo_message m;
    int64_t now = yo_time_ms();
    /* What cannot be read changes nothing; a flood of it must not fill a log. */
    if (yo_message_read(yo_buf_text(bytes), bytes->len, &m, NULL)) return;
    bool for_me = !m.worker[0] || strcmp(m.worker, w->config->name) == 0;
    if (for_me && m.kind == YO_MESSAGE_JOB) take_job(w, &m, now);
    if (for_me && m.kind == YO_MESSAGE_STOP) take_stop(w, &m);
    if (for_me && m.kind == YO_MESSAGE_KEEP) take_keep(w, &m, now);
    if (for_me && m.kind == YO_MESSAGE_ENTRIES) take_entries(w, &m);
    if (m.kind == YO_MESSAGE_WHO) {
        announce(w);
        beat(w);
    }
    if (for_me && m.kind == YO_MESSAGE_QUIT) w->over = true;
    yo_message_free(&m);
}

/* ---- The loop ---- */

static void expire(struct worker *w, int64_t now) {
    pthread_mutex_lock(&w->mutex);
    if (w->task.job && now >= w->lease_until_ms) drop_task(w);
    pthread_mutex_unlock(&w->mutex);
}

/* Milliseconds until something is due. */
static int64_t act(struct worker *w) {
    int64_t now = yo_time_ms();
    expire(w, now);
    if (now >= w->beat_ms) {
        beat(w);
        w->beat_ms = now + BEAT_MS;
    }
    pthread_mutex_lock(&w->mutex);
    bool fresh = w->task.fresh, done = w->task.done, shares = w->task.job && w->task.share > 0;
    pthread_mutex_unlock(&w->mutex);
    if (shares && now >= w->share_ms) {
        share(w);
        w->share_ms = now + YO_ENTRIES_EVERY_MS;
    }
    if (fresh && (done || now >= w->report_ms)) {
        report(w);
        w->report_ms = now + REPORT_MS;
        fresh = false;
    }
    int64_t wait = w->beat_ms - now;
    if (fresh && w->report_ms - now < wait) wait = w->report_ms - now;
    if (shares && w->share_ms - now < wait) wait = w->share_ms - now;
    return wait < 1 ? 1 : wait;
}

static void loop(struct worker *w) {
    struct yo_transport t = w->config->transport;
    struct yo_buf bytes = {0};
    announce(w);
    while (!w->over && !atomic_load(w->config->quit)) {
        struct pollfd fds[] = {{.fd = t.fd, .events = POLLIN},
                               {.fd = w->wake_fd, .events = POLLIN}};
        uint64_t wakes;
        poll(fds, 2, (int)act(w));
        if (fds[1].revents && read(w->wake_fd, &wakes, sizeof wakes) < 0 && errno != EAGAIN) break;
        while (!w->over && t.ops->receive(t.ctx, &bytes))
            take(w, &bytes);
        if (t.ops->is_over(t.ctx)) break;
    }
    yo_buf_free(&bytes);
    struct yo_message leave = {.kind = YO_MESSAGE_LEAVE};
    send_message(w, NULL, &leave);
}

static void describe(struct worker *w) {
    const struct yo_worker_engine *engine = &w->config->engine;
    w->about = (struct yo_message){.kind = YO_MESSAGE_ANNOUNCE, .pid = getpid()};
    gethostname(w->about.host, sizeof w->about.host - 1);
    engine->ops->describe(engine->ctx, &w->about);
    w->speed = w->about.speed;
}

enum yo_err yo_worker_run(const struct yo_worker_config *config, struct yo_diag *diag) {
    struct worker *w = yo_alloc(1, sizeof *w);
    if (!w) return yo_diag_set(diag, YO_ERR_NOMEM, "no memory for a worker");
    w->config = config;
    w->born_ms = yo_time_ms();
    w->wake_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    pthread_mutex_init(&w->mutex, NULL);
    pthread_cond_init(&w->changed, NULL);
    describe(w);
    enum yo_err err = YO_OK;
    if (w->wake_fd < 0 || pthread_create(&w->searcher, NULL, search_all, w) != 0) {
        err = yo_diag_set(diag, YO_ERR_NOMEM, "no thread for a worker");
    } else {
        loop(w);
        pthread_mutex_lock(&w->mutex);
        w->ending = true;
        drop_task(w);
        pthread_cond_signal(&w->changed);
        pthread_mutex_unlock(&w->mutex);
        pthread_join(w->searcher, NULL);
    }
    if (w->wake_fd >= 0) close(w->wake_fd);
    pthread_cond_destroy(&w->changed);
    pthread_mutex_destroy(&w->mutex);
    yo_free(w);
    return err;
}
