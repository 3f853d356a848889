#include "cluster/crew.h"

#include "base/alloc.h"
#include "base/diag.h"
#include "cluster/crew_inside.h"

enum { PLAN_MS = 20 }; /* between two plans, however many reports come */

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

void yo_crew_drop_job(struct yo_crew *c, struct crew_worker *w) {
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
        yo_crew_drop_job(c, &c->workers[i]);
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

/* ---- The plan ---- */

/* Numbers are never used twice: a worker passes over what is not newer than what it has seen. */
static void give_job(struct yo_crew *c, struct crew_worker *w, const struct yo_plan_job *job,
                     int64_t now) {
    struct yo_plan_job copy;
    if (yo_plan_job_copy(job, &copy, NULL)) return; /* no memory: it keeps what it has */
    yo_crew_drop_job(c, w);
    w->plan_job = copy;
    w->number = job->purpose == YO_PLAN_WHOLE ? w->seat + c->helps : 0;
    w->job = ++c->last_job;
    yo_crew_send_job(c, w, now);
}

/* A plan for many workers takes longer, and more reports come: a twentieth of a millisecond for
 * each keeps plans to a small part of the time. */
static int64_t plan_every_ms(const struct yo_crew *c) {
    int64_t every = c->report_ms < PLAN_MS ? c->report_ms : PLAN_MS;
    return every + (int64_t)c->count / 20;
}

/* As often as the simulation has it, a sixtieth of the move's time; many workers, each of which is
 * told what all the others have found, report less often. */
static int64_t report_every_ms(const struct yo_crew *c, int64_t time_ms) {
    enum { PARTS = 60, LEAST_MS = 4, MOST_MS = 100 };
    int64_t every = time_ms / PARTS, least = LEAST_MS + (int64_t)c->count / 2;
    if (every < least) every = least;
    return time_ms && every < MOST_MS ? every : MOST_MS;
}

static void make_plan(struct yo_crew *c, int64_t now) {
    size_t count = 0;
    for (size_t i = 0; i < c->count; i++) {
        struct crew_worker *w = &c->workers[i];
        if (!yo_crew_is_usable(w)) continue;
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
        struct crew_worker *w = &c->workers[c->which[i]];
        if (c->jobs[i] && !(w->job && yo_plan_job_equal(c->jobs[i], &w->plan_job)))
            give_job(c, w, c->jobs[i], now);
    }
}

/* The older of two times, of which negative ones do not count. */
static int64_t sooner(int64_t a, int64_t b) { return a < 0 || (b >= 0 && b < a) ? b : a; }

int64_t yo_crew_tick(struct yo_crew *c, int64_t now) {
    int64_t due = now + YO_CREW_KEEP_MS;
    for (size_t i = c->count; i-- > 0;) {
        struct crew_worker *w = &c->workers[i];
        if (now - w->heard_ms >= YO_CREW_SILENT_MS) {
            yo_crew_lose(c, w, "is silent");
            continue;
        }
        due = sooner(due, w->heard_ms + YO_CREW_SILENT_MS);
        if (!w->job) continue;
        if (now - w->kept_ms >= YO_CREW_KEEP_MS) {
            yo_crew_send_plain(c, YO_MESSAGE_KEEP, w);
            w->kept_ms = now;
        }
        due = sooner(due, w->kept_ms + YO_CREW_KEEP_MS);
    }
    if (!c->game) return due;
    if (c->entry_count > 0) {
        if (now - c->shared_ms >= c->report_ms) yo_crew_send_entries(c, now);
        due = sooner(due, c->shared_ms + c->report_ms);
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
    config.whole = limits->whole;
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
    c->report_ms = report_every_ms(c, time_ms);
    yo_plan_set_recommend(c->plan, time_ms ? time_ms / PARTS + 1 : RECOMMEND_MS);
    c->ops->from_game(game, c->root);
    c->game = game;
    c->lines = limits->lines ? limits->lines : 1;
    c->nodes_before = c->nodes_own = 0;
    c->dirty = true;
    c->planned_ms = now - plan_every_ms(c);
    c->again_ms = -1;
    return YO_OK;
}

void yo_crew_help(struct yo_crew *c) { c->helps = true; }

void yo_crew_end(struct yo_crew *c) {
    for (size_t i = 0; i < c->count; i++) {
        struct crew_worker *w = &c->workers[i];
        if (w->job) yo_crew_send_plain(c, YO_MESSAGE_STOP, w);
        yo_crew_drop_job(c, w);
    }
    c->game = NULL;
    c->helps = false;
    c->again_ms = -1;
}

void yo_crew_add_own(struct yo_crew *c, const struct yo_search_result *result, bool over,
                     int64_t now) {
    struct yo_plan_job whole = {.purpose = YO_PLAN_WHOLE};
    if (!c->game) return;
    c->nodes_own = result->nodes ? result->nodes : result->playouts;
    if (over) {
        c->nodes_before += c->nodes_own;
        c->nodes_own = 0;
    }
    if (result->move_count == 0 || result->moves[0].bound == YO_BOUND_UNKNOWN) return;
    if (yo_plan_report(c->plan, YO_PLAN_MASTER, &whole, result, now, NULL)) return;
    c->seen.changed++;
}

void yo_crew_result(struct yo_crew *c, struct yo_search_result *result) {
    yo_plan_result(c->plan, result);
    result->nodes = yo_crew_count(c).nodes;
}

bool yo_crew_worker(const struct yo_crew *c, size_t i, struct yo_crew_worker *worker) {
    for (size_t k = 0; k < c->count; k++) {
        const struct crew_worker *w = &c->workers[k];
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
    count.workers = count.serving = count.busy = 0;
    count.nodes = c->nodes_before + c->nodes_own;
    for (size_t i = 0; i < c->count; i++) {
        const struct crew_worker *w = &c->workers[i];
        bool usable = yo_crew_is_usable(w);
        count.workers += usable;
        count.serving += usable && yo_plan_serves(c->config.plan.strategy, &w->able);
        count.busy += w->job != 0;
        if (w->job) count.nodes += (uint64_t)w->nodes;
    }
    return count;
}
