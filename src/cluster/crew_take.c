/* What follows from each message of a worker. */
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "cluster/crew_inside.h"
#include "cluster/lines.h"

enum {
    GRACE_MS = 1000, /* from sending a job until the worker's beats must name it */
    STRIKES_MAX = 3, /* wrong reports until a worker is not used any more */
};

/* ---- Workers come and go ---- */

static struct crew_worker *find(struct yo_crew *c, const char *name) {
    for (size_t i = 0; i < c->count; i++)
        if (strcmp(c->workers[i].name, name) == 0) return &c->workers[i];
    return NULL;
}

static bool make_room(struct yo_crew *c) {
    if (c->count < c->room) return true;
    size_t room = c->room ? 2 * c->room : 16;
    struct crew_worker *workers = yo_realloc(c->workers, room, sizeof *workers);
    if (workers) c->workers = workers;
    struct yo_plan_worker *able = yo_realloc(c->able, room, sizeof *able);
    if (able) c->able = able;
    const struct yo_plan_job **jobs = yo_realloc(c->jobs, room, sizeof *jobs);
    if (jobs) c->jobs = jobs;
    size_t *which = yo_realloc(c->which, room, sizeof *which);
    if (which) c->which = which;
    if (!workers || !able || !jobs || !which) return false;
    c->room = room;
    return true;
}

/* The first that nobody else has; those beyond the last share it. */
static size_t free_seat(const struct yo_crew *c) {
    enum { SEATS = 1000 };
    bool taken[SEATS] = {0};
    size_t seat = 0;
    for (size_t i = 0; i < c->count; i++)
        taken[c->workers[i].seat] = true;
    while (seat + 1 < SEATS && taken[seat])
        seat++;
    return seat;
}

static struct crew_worker *add(struct yo_crew *c, const char *name) {
    if (!make_room(c)) return NULL;
    size_t seat = free_seat(c);
    struct crew_worker *w = &c->workers[c->count++];
    *w = (struct crew_worker){.id = ++c->last_id, .seat = seat};
    strcpy(w->name, name);
    return w;
}

void yo_crew_lose(struct yo_crew *c, struct crew_worker *w, const char *why) {
    bool missed = w->job && c->game;
    yo_notice(&c->config.notices, "worker %s %s%s", w->name, why,
              missed ? "; its job goes to another" : "");
    yo_crew_drop_job(c, w);
    if (c->plan) yo_plan_forget(c->plan, w->id);
    *w = c->workers[--c->count];
    c->seen.lost++;
    c->dirty = true;
}

bool yo_crew_is_usable(const struct crew_worker *w) {
    return w->known && !w->elsewhere && w->strikes < STRIKES_MAX;
}

/* ---- Messages ---- */

static void take_announce(struct yo_crew *c, struct crew_worker *w, const struct yo_message *m) {
    bool fits = strcmp(m->game, yo_root_games[c->config.game]) == 0;
    bool again = w->known && w->pid != m->pid; /* a new process under an old name */
    bool is_new = !w->known && fits;
    if (again) {
        yo_crew_drop_job(c, w);
        if (c->plan) yo_plan_forget(c->plan, w->id);
        w->id = ++c->last_id;
        w->strikes = 0;
        w->serial = 0;
    }
    if (is_new)
        yo_notice(&c->config.notices, "worker %s joins: %s on %s", m->worker, m->engine, m->host);
    if (w->known != fits || again) c->dirty = true;
    w->announced = true;
    w->known = fits;
    w->pid = m->pid;
    snprintf(w->engine, sizeof w->engine, "%s", m->engine);
    snprintf(w->table, sizeof w->table, "%s", m->table);
    w->able = (struct yo_plan_worker){.id = w->id,
                                      .gives_values = m->values,
                                      .takes_moves = m->searchmoves,
                                      .several_lines = m->multi_pv,
                                      .exchanges = m->table[0] != '\0',
                                      .speed = m->speed};
    if (is_new && !yo_plan_serves(c->config.plan.strategy, &w->able))
        yo_notice(
            &c->config.notices,
            "worker %s gives no values and is of no use to this strategy; --strategy majority "
            "takes its votes",
            m->worker);
}

static void take_beat(struct yo_crew *c, struct crew_worker *w, const struct yo_message *m,
                      int64_t now) {
    bool other = m->job && strcmp(m->master, c->config.master) != 0;
    if (other != w->elsewhere) c->dirty = true;
    w->elsewhere = other;
    if (m->speed > 0) w->able.speed = m->speed;
    if (!w->announced) yo_crew_send_plain(c, YO_MESSAGE_WHO, w);
    if (other || !w->job || now - w->sent_ms < GRACE_MS) return;
    if (m->job == w->job) {
        if (m->nodes > w->nodes) w->nodes = m->nodes;
        return;
    }
    /* Its job was lost on the way, or its lease ran out: it begins anew. */
    c->nodes_before += (uint64_t)w->nodes;
    w->nodes = w->busy_ms = 0;
    w->done = false;
    w->job = ++c->last_job;
    yo_crew_send_job(c, w, now);
}

static void strike(struct yo_crew *c, struct crew_worker *w, const char *what) {
    c->seen.refused++;
    w->strikes++;
    if (w->strikes == 1 || w->strikes == STRIKES_MAX)
        yo_notice(&c->config.notices, "worker %s (%s): %.200s%s", w->name, w->engine, what,
                  w->strikes == STRIKES_MAX ? "; it is not used any more" : "");
    if (w->strikes < STRIKES_MAX) return;
    yo_crew_send_plain(c, YO_MESSAGE_STOP, w);
    yo_crew_drop_job(c, w);
    if (c->plan) yo_plan_forget(c->plan, w->id);
    c->dirty = true;
}

static void take_report(struct yo_crew *c, struct crew_worker *w, const struct yo_message *m,
                        int64_t now) {
    struct yo_lines lines;
    struct yo_diag diag = {0};
    bool mine = strcmp(m->master, c->config.master) == 0 && w->job && m->job == w->job;
    if (!c->game || !mine || w->done || m->busy_ms < w->busy_ms || !yo_crew_is_usable(w)) return;
    w->busy_ms = m->busy_ms;
    if (m->nodes > w->nodes) w->nodes = m->nodes;
    w->done = m->done;
    enum yo_err err = m->failed ? YO_ERR_STATE : YO_OK;
    if (err) yo_diag_set(&diag, err, "%s", m->note ? m->note : "its search failed");
    memcpy(c->position, c->root, c->ops->position_size);
    for (size_t i = 0; i < w->plan_job.path_count; i++)
        c->ops->play(c->position, w->plan_job.path[i]);
    if (!err) err = yo_lines_read(c->ops, c->position, c->scratch, m, &lines, &diag);
    if (!err && lines.result.move_count > 0)
        err = yo_plan_report(c->plan, w->id, &w->plan_job, &lines.result, now, &diag);
    if (err == YO_ERR_NOMEM) return;
    if (err) {
        strike(c, w, diag.what);
        return;
    }
    c->seen.reports++;
    c->seen.changed++;
    c->dirty = true;
}

/* Gathers entries; tables of different kinds do not mix, and what there is no room for is lost. */
static void take_entries(struct yo_crew *c, struct crew_worker *w, const struct yo_message *m,
                         int64_t now) {
    size_t count = yo_entries_count(m->data);
    bool mine = strcmp(m->master, c->config.master) == 0 && w->job;
    if (!c->game || !mine || !yo_crew_is_usable(w) || !w->table[0] ||
        strcmp(m->table, w->table) != 0)
        return;
    if (count == 0) {
        c->seen.refused++;
        return;
    }
    if (m->serial && m->serial <= w->serial) return; /* statistics must not count twice */
    w->serial = m->serial;
    if (strcmp(c->table, m->table) != 0) yo_crew_send_entries(c, now);
    if (c->entry_count + count > YO_ENTRIES_MAX) return;
    strcpy(c->table, m->table);
    yo_buf_str(&c->entries, m->data);
    c->entry_count += count;
}

void yo_crew_take(struct yo_crew *c, const char *bytes, size_t len, int64_t now) {
    struct yo_message m;
    if (yo_message_read(bytes, len, &m, NULL)) {
        c->seen.refused++;
        return;
    }
    bool from_worker = m.kind == YO_MESSAGE_ANNOUNCE || m.kind == YO_MESSAGE_BEAT ||
                       m.kind == YO_MESSAGE_REPORT || m.kind == YO_MESSAGE_LEAVE ||
                       (m.kind == YO_MESSAGE_ENTRIES && m.worker[0]);
    struct crew_worker *w = from_worker ? find(c, m.worker) : NULL;
    if (!w && from_worker && m.kind != YO_MESSAGE_LEAVE) w = add(c, m.worker);
    if (w) {
        w->heard_ms = now;
        if (m.kind == YO_MESSAGE_ANNOUNCE) take_announce(c, w, &m);
        if (m.kind == YO_MESSAGE_BEAT) take_beat(c, w, &m, now);
        if (m.kind == YO_MESSAGE_REPORT) take_report(c, w, &m, now);
        if (m.kind == YO_MESSAGE_ENTRIES) take_entries(c, w, &m, now);
        if (m.kind == YO_MESSAGE_LEAVE) yo_crew_lose(c, w, "has left");
    }
    yo_message_free(&m);
}
