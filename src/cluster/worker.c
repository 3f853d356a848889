/* The talking thread of a worker. */
#include "cluster/worker.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "base/time.h"
#include "cluster/entries.h"
#include "cluster/worker_inside.h"

enum {
    BEAT_MS = 500,
    /* Where the job names none: */
    REPORT_MS = 100,
    LEASE_MS = 5000,
};

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

/* For people: a value says from which depth it is, and how old. A program may say anything, and a
 * beat that is out of bounds would be none. Under the mutex. */
static void add_value(struct yo_message *m, const struct worker_task *t) {
    enum { MOST = 1000000 };
    if (!t->job || t->found_count == 0) return;
    const struct yo_message_line *line = &t->found[0];
    bool sound = line->winrate >= 0 && line->winrate <= 1 && line->centipawns >= -MOST &&
                 line->centipawns <= MOST && line->mate >= -MOST && line->mate <= MOST &&
                 line->depth >= 0 && line->depth <= MOST;
    if (!sound) return;
    snprintf(m->best, sizeof m->best, "%.*s", (int)strcspn(line->pv, " "), line->pv);
    m->winrate = line->winrate;
    m->centipawns = line->centipawns;
    m->mate = line->mate;
    m->depth = line->depth;
    m->value_ms = yo_time_ms() - t->found_ms;
}

static void beat(struct worker *w) {
    struct yo_message m = {.kind = YO_MESSAGE_BEAT};
    pthread_mutex_lock(&w->mutex);
    const struct worker_task *t = &w->task;
    m.job = t->job;
    char path[WORKER_PATH];
    strcpy(path, t->path);
    strcpy(m.master, t->master);
    m.path = path;
    m.moves = t->moves;
    m.nodes = t->nodes;
    m.busy_ms = t->job ? yo_time_ms() - t->started_ms : 0;
    add_value(&m, t);
    if (t->job && !t->done && m.busy_ms >= BEAT_MS && m.nodes > 0)
        w->speed = (double)m.nodes * 1000 / (double)m.busy_ms;
    pthread_mutex_unlock(&w->mutex);
    m.speed = w->speed;
    send_message(w, NULL, &m);
}

/* Sends the report under the mutex: it is small, and the lines are in place. */
static void report(struct worker *w) {
    struct worker_task *t = &w->task;
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
    struct yo_message m = {.kind = YO_MESSAGE_ENTRIES, .serial = w->sent_serial + 1};
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
    if (count > 0 && yo_buf_status(&data) == YO_OK) {
        w->sent_serial++;
        send_message(w, m.master, &m);
    }
    yo_buf_free(&data);
}

/* ---- Receiving ---- */

/* Another master may have the worker when the first has no job for it, or has not been heard of for
 * the time of the lease. */
static bool is_taken(const struct worker *w, const struct yo_message *m, int64_t now) {
    const struct worker_task *t = &w->task;
    return t->job && strcmp(t->master, m->master) != 0 && now < w->lease_until_ms;
}

/* Under the mutex. The searcher clears the stop flag when it takes the next job. */
static void drop_task(struct worker *w) {
    if (w->has_next) yo_message_free(&w->next);
    w->has_next = false;
    yo_worker_drop_found(&w->task);
    bool running = w->task.running;
    w->task = (struct worker_task){.running = running};
    atomic_store(&w->stop, true);
}

static void see(struct worker *w, const struct yo_message *m) {
    strcpy(w->seen_master, m->master);
    w->seen_job = m->job;
}

static int64_t count_words(const char *text) {
    int64_t count = 0;
    for (const char *c = text; c && *c; c++)
        count += *c != ' ' && (c == text || c[-1] == ' ');
    return count;
}

/* Takes the message over. */
static void take_job(struct worker *w, struct yo_message *m, int64_t now) {
    struct worker_task *t = &w->task;
    pthread_mutex_lock(&w->mutex);
    bool old = strcmp(w->seen_master, m->master) == 0 && m->job <= w->seen_job;
    if (m->job > 0 && !old && !is_taken(w, m, now)) {
        drop_task(w);
        w->next = *m;
        w->has_next = true;
        t->job = m->job;
        t->started_ms = now;
        t->share = m->share;
        snprintf(t->path, sizeof t->path, "%s", m->path ? m->path : "");
        t->moves = count_words(m->only);
        strcpy(t->master, m->master);
        see(w, m);
        w->lease_ms = m->lease_ms ? m->lease_ms : LEASE_MS;
        w->lease_until_ms = now + w->lease_ms;
        w->every_ms = m->report_ms ? m->report_ms : REPORT_MS;
        w->report_ms = now;
        w->share_ms = now + w->every_ms;
        *m = (struct yo_message){0};
        pthread_cond_signal(&w->changed);
    }
    pthread_mutex_unlock(&w->mutex);
}

static void take_stop(struct worker *w, const struct yo_message *m) {
    struct worker_task *t = &w->task;
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
    bool again = m->serial && m->serial <= w->given_serial && strcmp(w->given_by, m->master) == 0;
    if (again || !engine->ops->give_entries) return;
    w->given_serial = m->serial;
    strcpy(w->given_by, m->master);
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
        w->share_ms = now + w->every_ms;
    }
    if (fresh && (done || now >= w->report_ms)) {
        report(w);
        w->report_ms = now + w->every_ms;
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
    w->about.options = yo_message_copy_text(w->config->options);
    w->speed = w->about.speed;
}

enum yo_err yo_worker_run(const struct yo_worker_config *config, struct yo_diag *diag) {
    struct worker *w = yo_alloc(1, sizeof *w);
    if (!w) return yo_diag_set(diag, YO_ERR_NOMEM, "no memory for a worker");
    w->config = config;
    /* A later run under this name starts with a higher serial: entries are sent less often than
     * once in a millisecond. */
    w->born_ms = w->sent_serial = yo_time_ms();
    w->wake_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    pthread_mutex_init(&w->mutex, NULL);
    pthread_cond_init(&w->changed, NULL);
    describe(w);
    enum yo_err err = YO_OK;
    if (w->wake_fd < 0 || pthread_create(&w->searcher, NULL, yo_worker_search_all, w) != 0) {
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
    yo_message_free(&w->about);
    yo_free(w);
    return err;
}
