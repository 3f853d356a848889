#include "cluster/crew.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "cluster/entries.h"
#include "cluster/lines.h"

enum {
    PLAN_MS = 20,    /* between two plans, however many reports come */
    GRACE_MS = 1000, /* from sending a job until the worker's beats must name it */
    STRIKES_MAX = 3, /* wrong reports until a worker is not used any more */
};

/* The worker id of the master's own search. */
#define OWN UINT32_MAX

struct worker {
    char name[YO_MESSAGE_NAME];
    uint32_t id;
    struct yo_plan_worker able;
    char engine[80], table[20];
    int64_t pid;
    bool known;     /* announced, and plays this game */
    bool elsewhere; /* works for another master */
    int strikes;
    int64_t heard_ms, sent_ms, kept_ms;
    /* Its job: */
    int64_t job; /* 0: none */
    struct yo_plan_job plan_job;
    size_t number; /* among those who search the same */
    bool done;
    int64_t busy_ms, nodes;
};

struct yo_crew {
    struct yo_crew_config config;
    const struct yo_game_ops *ops;
    void *root, *position, *scratch; /* of ops */
    struct worker *workers;
    size_t count, room;
    uint32_t last_id;
    int64_t last_job;
    struct yo_plan *plan;
    /* While a search runs: */
    const void *game;
    struct yo_message_game root_message;
    size_t lines;
    bool dirty; /* something happened since the last plan */
    int64_t planned_ms, again_ms;
    uint64_t nodes_before; /* of jobs that have ended */
    struct yo_crew_count seen;
    /* Entries of the workers' tables, gathered for all: */
    struct yo_buf entries;
    size_t entry_count;
    char table[20];
    int64_t shared_ms;
    /* Scratch of the plan: */
    struct yo_plan_worker *able;
    const struct yo_plan_job **jobs;
    size_t *which;
};

/* ---- Making ---- */

enum yo_err yo_crew_new(const struct yo_crew_config *config, struct yo_crew **out,
                        struct yo_diag *diag) {
    struct yo_crew *c = yo_alloc(1, sizeof *c);
    if (!c) return yo_diag_set(diag, YO_ERR_NOMEM, "no memory for a cluster");
    c->config = *config;
    c->ops = yo_root_ops(config->game);
    c->again_ms = -1;
    c->root = yo_alloc_aligned(c->ops->position_size);
    c->position = yo_alloc_aligned(c->ops->position_size);
    c->scratch = yo_alloc_aligned(c->ops->position_size);
    if (!c->root || !c->position || !c->scratch) {
        yo_crew_delete(c);
        return yo_diag_set(diag, YO_ERR_NOMEM, "no memory for a cluster");
    }
    *out = c;
    return YO_OK;
}

static void drop_job(struct yo_crew *c, struct worker *w) {
    if (w->job) {
        c->nodes_before += (uint64_t)w->nodes;
        yo_plan_job_free(&w->plan_job);
    }
    w->job = w->nodes = w->busy_ms = 0;
    w->done = false;
}

void yo_crew_delete(struct yo_crew *c) {
    if (!c) return;
    for (size_t i = 0; i < c->count; i++)
        drop_job(c, &c->workers[i]);
    yo_plan_delete(c->plan);
    yo_message_game_free(&c->root_message);
    yo_buf_free(&c->entries);
    yo_free_aligned(c->root);
    yo_free_aligned(c->position);
    yo_free_aligned(c->scratch);
    yo_free(c->workers);
    yo_free(c->able);
    yo_free(c->jobs);
    yo_free(c->which);
    yo_free(c);
}

void yo_crew_clear(struct yo_crew *c) {
    if (c->game) return;
    yo_plan_delete(c->plan);
    c->plan = NULL;
}

/* ---- Sending ---- */

static void send_message(struct yo_crew *c, struct yo_message *m, const char *to) {
    struct yo_buf line = {0};
    snprintf(m->master, sizeof m->master, "%s", c->config.master);
    if (to) snprintf(m->worker, sizeof m->worker, "%s", to);
    if (yo_message_write(m, &line) == YO_OK)
        c->config.send(c->config.user, to, yo_buf_text(&line), line.len);
    yo_buf_free(&line);
}

static void send_plain(struct yo_crew *c, enum yo_message_kind kind, const struct worker *w) {
    struct yo_message m = {.kind = kind, .job = w ? w->job : 0};
    send_message(c, &m, w ? w->name : NULL);
}

/* Moves as text, from this position; played, one after the other, or all in the same position. */
static enum yo_err write_moves(struct yo_crew *c, void *position, bool play, const yo_move *moves,
                               size_t count, struct yo_buf *out) {
    char word[16];
    for (size_t i = 0; i < count; i++) {
        yo_buf_printf(out, "%s%s", i ? " " : "", c->ops->format(position, moves[i], word));
        if (play) c->ops->play(position, moves[i]);
    }
    return yo_buf_status(out);
}

/* Entries that each worker may send at a time: all together fit into one message. */
static int64_t share_of(const struct yo_crew *c) {
    enum { EACH_MAX = 256, WORKERS_MAX = 200 };
    if (c->count < 2 || c->count > WORKERS_MAX) return 0;
    int64_t each = YO_ENTRIES_MAX / (int64_t)c->count;
    return each < EACH_MAX ? each : EACH_MAX;
}

static enum yo_err send_job(struct yo_crew *c, struct worker *w, int64_t now) {
    const struct yo_plan_job *job = &w->plan_job;
    struct yo_buf path = {0}, only = {0};
    struct yo_message m = {.kind = YO_MESSAGE_JOB,
                           .job = w->job,
                           .root = c->root_message,
                           .lines = (int64_t)c->lines,
                           .number = (int64_t)w->number,
                           .share = w->table[0] ? share_of(c) : 0,
                           .lease_ms = YO_CREW_LEASE_MS};
    memcpy(c->position, c->root, c->ops->position_size);
    enum yo_err err = write_moves(c, c->position, true, job->path, job->path_count, &path);
    if (!err && job->only)
        err = write_moves(c, c->position, false, job->only, job->only_count, &only);
    if (!err) {
        m.path = path.data;
        m.only = only.data;
        send_message(c, &m, w->name);
        w->sent_ms = w->kept_ms = now;
        c->seen.jobs++;
    }
    yo_buf_free(&path);
    yo_buf_free(&only);
    return err;
}

/* Numbers are never used twice: a worker passes over what is not newer than what it has seen. */
static void give_job(struct yo_crew *c, struct worker *w, const struct yo_plan_job *job,
                     size_t number, int64_t now) {
    struct yo_plan_job copy;
    if (yo_plan_job_copy(job, &copy, NULL)) return; /* no memory: it keeps what it has */
    drop_job(c, w);
    w->plan_job = copy;
    w->number = job->purpose == YO_PLAN_WHOLE ? number : 0;
    w->job = ++c->last_job;
    send_job(c, w, now);
}

/* ---- Workers come and go ---- */

static struct worker *find(struct yo_crew *c, const char *name) {
    for (size_t i = 0; i < c->count; i++)
        if (strcmp(c->workers[i].name, name) == 0) return &c->workers[i];
    return NULL;
}

static bool make_room(struct yo_crew *c) {
    if (c->count < c->room) return true;
    size_t room = c->room ? 2 * c->room : 16;
    struct worker *workers = yo_realloc(c->workers, room, sizeof *workers);
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

static struct worker *add(struct yo_crew *c, const char *name) {
    if (!make_room(c)) return NULL;
    struct worker *w = &c->workers[c->count++];
    *w = (struct worker){.id = ++c->last_id};
    strcpy(w->name, name);
    return w;
}

static void lose(struct yo_crew *c, struct worker *w, const char *why) {
    bool missed = w->job && c->game;
    yo_notice(&c->config.notices, "worker %s %s%s", w->name, why,
              missed ? "; its job goes to another" : "");
    drop_job(c, w);
    if (c->plan) yo_plan_forget(c->plan, w->id);
    *w = c->workers[--c->count];
    c->seen.lost++;
    c->dirty = true;
}

static bool is_usable(const struct worker *w) {
    return w->known && !w->elsewhere && w->strikes < STRIKES_MAX;
}

/* ---- Messages ---- */

static void take_announce(struct yo_crew *c, struct worker *w, const struct yo_message *m) {
    bool fits = strcmp(m->game, yo_root_games[c->config.game]) == 0;
    bool again = w->known && w->pid != m->pid; /* a new process under an old name */
    if (again) {
        drop_job(c, w);
        if (c->plan) yo_plan_forget(c->plan, w->id);
        w->id = ++c->last_id;
        w->strikes = 0;
    }
    if (!w->known && fits)
        yo_notice(&c->config.notices, "worker %s joins: %s on %s", m->worker, m->engine, m->host);
    if (w->known != fits || again) c->dirty = true;
    w->known = fits;
    w->pid = m->pid;
    snprintf(w->engine, sizeof w->engine, "%s", m->engine);
    snprintf(w->table, sizeof w->table, "%s", m->table);
    w->able = (struct yo_plan_worker){.id = w->id,
                                      .gives_values = m->values,
                                      .takes_moves = m->searchmoves,
                                      .several_lines = m->multi_pv,
                                      .speed = m->speed};
}

static void take_beat(struct yo_crew *c, struct worker *w, const struct yo_message *m,
                      int64_t now) {
    bool other = m->job && strcmp(m->master, c->config.master) != 0;
    if (other != w->elsewhere) c->dirty = true;
    w->elsewhere = other;
    if (m->speed > 0) w->able.speed = m->speed;
    if (!w->known) send_plain(c, YO_MESSAGE_WHO, w);
    if (other || !w->job || now - w->sent_ms < GRACE_MS) return;
    if (m->job == w->job) {
        if (m->nodes > w->nodes) w->nodes = m->nodes;
        return;
    }
    /* Its job was lost on the way, or its lease ran out. */
    w->job = ++c->last_job;
    send_job(c, w, now);
}

static void strike(struct yo_crew *c, struct worker *w, const char *what) {
    c->seen.refused++;
    w->strikes++;
    if (w->strikes == 1 || w->strikes == STRIKES_MAX)
        yo_notice(&c->config.notices, "worker %s (%s): %.200s%s", w->name, w->engine, what,
                  w->strikes == STRIKES_MAX ? "; it is not used any more" : "");
    if (w->strikes < STRIKES_MAX) return;
    send_plain(c, YO_MESSAGE_STOP, w);
    drop_job(c, w);
    if (c->plan) yo_plan_forget(c->plan, w->id);
    c->dirty = true;
}

static void take_report(struct yo_crew *c, struct worker *w, const struct yo_message *m,
                        int64_t now) {
    struct yo_lines lines;
    struct yo_diag diag = {0};
    bool mine = strcmp(m->master, c->config.master) == 0 && w->job && m->job == w->job;
    if (!c->game || !mine || w->done || m->busy_ms < w->busy_ms || !is_usable(w)) return;
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

static void send_entries(struct yo_crew *c, int64_t now) {
    struct yo_message m = {.kind = YO_MESSAGE_ENTRIES, .data = c->entries.data};
    strcpy(m.table, c->table);
    if (c->entry_count > 0 && yo_buf_status(&c->entries) == YO_OK) send_message(c, &m, NULL);
    yo_buf_free(&c->entries);
    c->entry_count = 0;
    c->shared_ms = now;
}

/* Gathers entries; tables of different kinds do not mix, and what there is no room for is lost. */
static void take_entries(struct yo_crew *c, struct worker *w, const struct yo_message *m,
                         int64_t now) {
    size_t count = yo_entries_count(m->data);
    bool mine = strcmp(m->master, c->config.master) == 0 && w->job;
    if (!c->game || !mine || !is_usable(w) || !w->table[0] || strcmp(m->table, w->table) != 0)
        return;
    if (count == 0) {
        c->seen.refused++;
        return;
    }
    if (strcmp(c->table, m->table) != 0) send_entries(c, now);
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
    struct worker *w = from_worker ? find(c, m.worker) : NULL;
    if (!w && from_worker && m.kind != YO_MESSAGE_LEAVE) w = add(c, m.worker);
    if (w) {
        w->heard_ms = now;
        if (m.kind == YO_MESSAGE_ANNOUNCE) take_announce(c, w, &m);
        if (m.kind == YO_MESSAGE_BEAT) take_beat(c, w, &m, now);
        if (m.kind == YO_MESSAGE_REPORT) take_report(c, w, &m, now);
        if (m.kind == YO_MESSAGE_ENTRIES) take_entries(c, w, &m, now);
        if (m.kind == YO_MESSAGE_LEAVE) lose(c, w, "has left");
    }
    yo_message_free(&m);
}

/* ---- The plan ---- */

/* A plan for many workers takes longer, and more reports come: a tenth of a millisecond for each
 * keeps plans to a small part of the time. */
static int64_t plan_every_ms(const struct yo_crew *c) { return PLAN_MS + (int64_t)c->count / 10; }

static void make_plan(struct yo_crew *c, int64_t now) {
    size_t count = 0;
    for (size_t i = 0; i < c->count; i++) {
        struct worker *w = &c->workers[i];
        if (!is_usable(w)) continue;
        w->able.current = w->job ? &w->plan_job : NULL;
        w->able.done = w->done;
        c->able[count] = w->able;
        c->which[count++] = i;
    }
    c->dirty = false;
    c->planned_ms = now;
    if (count == 0) return;
    if (yo_plan_make(c->plan, c->able, count, now, c->jobs, &c->again_ms, NULL)) return;
    for (size_t i = 0; i < count; i++) {
        struct worker *w = &c->workers[c->which[i]];
        if (c->jobs[i] && !(w->job && yo_plan_job_equal(c->jobs[i], &w->plan_job)))
            give_job(c, w, c->jobs[i], i, now);
    }
}

/* The older of two times, of which negative ones do not count. */
static int64_t sooner(int64_t a, int64_t b) { return a < 0 || (b >= 0 && b < a) ? b : a; }

int64_t yo_crew_tick(struct yo_crew *c, int64_t now) {
    int64_t due = now + YO_CREW_KEEP_MS;
    for (size_t i = c->count; i-- > 0;) {
        struct worker *w = &c->workers[i];
        if (now - w->heard_ms >= YO_CREW_SILENT_MS) {
            lose(c, w, "is silent");
            continue;
        }
        due = sooner(due, w->heard_ms + YO_CREW_SILENT_MS);
        if (!w->job) continue;
        if (now - w->kept_ms >= YO_CREW_KEEP_MS) {
            send_plain(c, YO_MESSAGE_KEEP, w);
            w->kept_ms = now;
        }
        due = sooner(due, w->kept_ms + YO_CREW_KEEP_MS);
    }
    if (!c->game) return due;
    if (c->entry_count > 0) {
        if (now - c->shared_ms >= YO_ENTRIES_EVERY_MS) send_entries(c, now);
        due = sooner(due, c->shared_ms + YO_ENTRIES_EVERY_MS);
    }
    bool is_due = c->again_ms >= 0 && now >= c->again_ms;
    if ((c->dirty || is_due) && now - c->planned_ms >= plan_every_ms(c)) make_plan(c, now);
    if (c->dirty) due = sooner(due, c->planned_ms + plan_every_ms(c));
    return sooner(due, c->again_ms);
}

/* ---- A search ---- */

static enum yo_err set_plan(struct yo_crew *c, const void *game,
                            const struct yo_search_limits *limits, struct yo_diag *diag) {
    struct yo_plan_config config = c->config.plan;
    struct yo_plan_advanced advanced;
    if (c->plan) return yo_plan_advance(c->plan, game, limits, &advanced, diag);
    config.only = limits->only;
    config.only_count = limits->only_count;
    config.avoid = limits->avoid;
    config.avoid_count = limits->avoid_count;
    return yo_plan_new(&config, c->ops, game, &c->plan, diag);
}

enum yo_err yo_crew_begin(struct yo_crew *c, const void *game,
                          const struct yo_search_limits *limits, int64_t time_ms, int64_t now,
                          struct yo_diag *diag) {
    enum { PARTS = 15, RECOMMEND_MS = 1000 };
    yo_message_game_free(&c->root_message);
    enum yo_err err = yo_root_write(c->config.game, game, &c->root_message);
    if (err) return yo_diag_set(diag, err, "no memory for a cluster");
    err = set_plan(c, game, limits, diag);
    if (err) {
        yo_plan_delete(c->plan);
        c->plan = NULL;
        return err;
    }
    yo_plan_set_recommend(c->plan, time_ms ? time_ms / PARTS + 1 : RECOMMEND_MS);
    c->ops->from_game(game, c->root);
    c->game = game;
    c->lines = limits->lines ? limits->lines : 1;
    c->nodes_before = 0;
    c->dirty = true;
    c->planned_ms = now - plan_every_ms(c);
    c->again_ms = -1;
    return YO_OK;
}

void yo_crew_end(struct yo_crew *c) {
    for (size_t i = 0; i < c->count; i++) {
        struct worker *w = &c->workers[i];
        if (w->job) send_plain(c, YO_MESSAGE_STOP, w);
        drop_job(c, w);
    }
    c->game = NULL;
    c->again_ms = -1;
}

void yo_crew_add_own(struct yo_crew *c, const struct yo_search_result *result, int64_t now) {
    struct yo_plan_job whole = {.purpose = YO_PLAN_WHOLE};
    if (!c->game || result->move_count == 0 || result->moves[0].bound == YO_BOUND_UNKNOWN) return;
    if (yo_plan_report(c->plan, OWN, &whole, result, now, NULL)) return;
    c->nodes_before += result->nodes ? result->nodes : result->playouts;
    c->seen.changed++;
}

void yo_crew_result(struct yo_crew *c, struct yo_search_result *result) {
    yo_plan_result(c->plan, result);
    result->nodes = yo_crew_count(c).nodes;
}

bool yo_crew_worker(const struct yo_crew *c, size_t i, struct yo_crew_worker *worker) {
    for (size_t k = 0; k < c->count; k++) {
        const struct worker *w = &c->workers[k];
        if (!w->known || w->elsewhere || i-- > 0) continue;
        *worker = (struct yo_crew_worker){.name = w->name,
                                          .engine = w->engine,
                                          .busy = w->job != 0,
                                          .nodes = (uint64_t)(w->nodes > 0 ? w->nodes : 0)};
        return true;
    }
    return false;
}

struct yo_crew_count yo_crew_count(const struct yo_crew *c) {
    struct yo_crew_count count = c->seen;
    count.workers = count.busy = 0;
    count.nodes = c->nodes_before;
    for (size_t i = 0; i < c->count; i++) {
        const struct worker *w = &c->workers[i];
        count.workers += is_usable(w);
        count.busy += w->job != 0;
        if (w->job) count.nodes += (uint64_t)w->nodes;
    }
    return count;
}
