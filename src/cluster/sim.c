#include "cluster/sim.h"

#include <string.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "base/random.h"

/* A silent worker loses its job after this time, as in docs/cluster.md. */
#define LEASE_MS 1500
/* Faults last this long at most. */
#define TROUBLE_MS 3000
#define REBIRTH_MS 2000

struct worker {
    struct yo_sim_engine engine;
    uint32_t id; /* 0: not born yet, or dead and forgotten */
    bool dead;
    int64_t back_ms; /* a dead worker's return */
    int64_t slow_until, mute_until;
    int64_t heard_ms; /* by the master */
    double owed;      /* nodes, a fraction of one */
    bool done;

    struct yo_plan_job job; /* what it searches; what the master believes it searches */
    bool has_job;
    struct yo_plan_job next; /* on its way to it */
    bool has_next;
    int64_t next_at;
    int64_t report_at; /* it reports then */
};

struct yo_sim {
    struct yo_sim_config config;
    const struct yo_game_ops *ops;
    struct yo_plan *plan;
    struct worker *workers;
    struct yo_plan_worker *known; /* for the plan: those that live, as far as the master knows */
    size_t *places;               /* known[i] is workers[places[i]] */
    const struct yo_plan_job **jobs;
    uint32_t next_id;
    uint64_t random, nodes;
    int64_t now_ms;
    const void *game;
    int64_t step_ms, report_ms;
    struct yo_search_entry *entries; /* of all workers, on their way */
};

/* ---- life ---- */

enum yo_err yo_sim_new(const struct yo_sim_config *config, const struct yo_game_ops *ops,
                       struct yo_sim **out, struct yo_diag *diag) {
    struct yo_sim *sim = yo_alloc(1, sizeof *sim);
    if (!sim) return yo_diag_set(diag, YO_ERR_NOMEM, "no memory for the simulation");
    sim->config = *config;
    sim->ops = ops;
    if (sim->config.workers == 0) sim->config.workers = 1;
    if (sim->config.speed == 0) sim->config.speed = 20000;
    if (sim->config.delay_ms == 0) sim->config.delay_ms = 1;
    size_t count = sim->config.workers;
    sim->random = config->seed;
    sim->next_id = 1;
    sim->workers = yo_alloc(count, sizeof *sim->workers);
    sim->known = yo_alloc(count, sizeof *sim->known);
    sim->places = yo_alloc(count, sizeof *sim->places);
    sim->jobs = yo_alloc(count, sizeof *sim->jobs);
    if (config->entries) sim->entries = yo_alloc(count * config->entries, sizeof *sim->entries);
    enum yo_err err = YO_OK;
    if (!sim->workers || !sim->known || !sim->places || !sim->jobs ||
        (config->entries && !sim->entries))
        err = yo_diag_set(diag, YO_ERR_NOMEM, "no memory for the simulation");
    for (size_t i = 0; !err && i < count; i++)
        err = config->maker.make(config->maker.user, i, &sim->workers[i].engine, diag);
    if (err)
        yo_sim_delete(sim);
    else
        *out = sim;
    return err;
}

static void drop_jobs(struct worker *w) {
    if (w->has_job) yo_plan_job_free(&w->job);
    if (w->has_next) yo_plan_job_free(&w->next);
    w->has_job = w->has_next = false;
}

void yo_sim_delete(struct yo_sim *sim) {
    if (!sim) return;
    for (size_t i = 0; sim->workers && i < sim->config.workers; i++) {
        drop_jobs(&sim->workers[i]);
        if (sim->workers[i].engine.ops)
            sim->workers[i].engine.ops->destroy(sim->workers[i].engine.ctx);
    }
    yo_plan_delete(sim->plan);
    yo_free(sim->workers);
    yo_free(sim->known);
    yo_free(sim->places);
    yo_free(sim->jobs);
    yo_free(sim->entries);
    yo_free(sim);
}

enum yo_err yo_sim_new_game(struct yo_sim *sim, uint64_t seed, struct yo_diag *diag) {
    (void)diag;
    yo_plan_delete(sim->plan);
    sim->plan = NULL;
    sim->random = seed;
    sim->now_ms = 0;
    sim->next_id = 1;
    for (size_t i = 0; i < sim->config.workers; i++) {
        struct yo_sim_engine engine = sim->workers[i].engine;
        engine.ops->stop(engine.ctx, true);
        drop_jobs(&sim->workers[i]);
        sim->workers[i] = (struct worker){.engine = engine};
    }
    return YO_OK;
}

uint64_t yo_sim_nodes(const struct yo_sim *sim) { return sim->nodes; }

static void trace(struct yo_sim *sim, enum yo_sim_event_kind kind, const struct worker *w,
                  const struct yo_plan_job *job, const struct yo_search_result *result) {
    if (!sim->config.trace) return;
    struct yo_sim_event event = {
        .kind = kind, .at_ms = sim->now_ms, .worker = w ? w->id : 0, .job = job, .result = result};
    sim->config.trace(sim->config.user, &event);
}

/* ---- faults ---- */

static bool happens(struct yo_sim *sim, double a_second) {
    if (a_second <= 0) return false;
    double draw = (double)(yo_splitmix64(&sim->random) >> 11) / 9007199254740992.0;
    return draw < a_second * (double)sim->step_ms / 1000;
}

static int64_t some_time(struct yo_sim *sim, int64_t most) {
    return 1 + (int64_t)(yo_splitmix64(&sim->random) % (uint64_t)most);
}

static void be_born(struct yo_sim *sim, struct worker *w) {
    w->id = sim->next_id++;
    w->dead = false;
    w->heard_ms = sim->now_ms;
    trace(sim, YO_SIM_BIRTH, w, NULL, NULL);
}

static void meet_fate(struct yo_sim *sim, struct worker *w) {
    const struct yo_sim_faults *f = &sim->config.faults;
    if (w->dead || w->id == 0) {
        if (sim->now_ms >= w->back_ms) be_born(sim, w);
        return;
    }
    if (happens(sim, f->dies)) {
        trace(sim, YO_SIM_DEATH, w, NULL, NULL);
        w->engine.ops->stop(w->engine.ctx, true);
        w->dead = true;
        w->back_ms = sim->now_ms + LEASE_MS + some_time(sim, REBIRTH_MS);
        return;
    }
    if (happens(sim, f->slows)) w->slow_until = sim->now_ms + some_time(sim, TROUBLE_MS);
    if (happens(sim, f->mutes)) w->mute_until = sim->now_ms + some_time(sim, TROUBLE_MS);
}

/* ---- workers ---- */

/* A job arrives. */
static enum yo_err take_job(struct yo_sim *sim, struct worker *w, struct yo_diag *diag) {
    if (w->has_job) yo_plan_job_free(&w->job);
    w->job = w->next;
    w->has_job = true;
    w->has_next = w->done = false;
    w->report_at = sim->now_ms + sim->report_ms;
    trace(sim, YO_SIM_JOB, w, &w->job, NULL);
    return w->engine.ops->start(w->engine.ctx, sim->game, &w->job, diag);
}

static enum yo_err work(struct yo_sim *sim, struct worker *w, struct yo_diag *diag) {
    enum yo_err err = YO_OK;
    if (w->dead || w->id == 0) return YO_OK;
    if (w->has_next && sim->now_ms >= w->next_at) err = take_job(sim, w, diag);
    if (err || !w->has_job) return err;
    double speed = (double)sim->config.speed * (sim->now_ms < w->slow_until ? 0.1 : 1);
    w->owed += speed * (double)sim->step_ms / 1000;
    uint64_t nodes = (uint64_t)w->owed;
    w->owed -= (double)nodes;
    sim->nodes += nodes;
    return w->engine.ops->advance(w->engine.ctx, nodes, &w->done, diag);
}

/* A report reaches the master, unless it is lost. One about a job that was taken away meanwhile
 * changes nothing. */
static enum yo_err tell(struct yo_sim *sim, struct worker *w, struct yo_diag *diag) {
    struct yo_search_result result;
    if (w->dead || w->id == 0 || sim->now_ms < w->mute_until) return YO_OK;
    w->heard_ms = sim->now_ms;
    if (!w->has_job || w->has_next || sim->now_ms < w->report_at) return YO_OK;
    if (!w->engine.ops->latest(w->engine.ctx, &result)) return YO_OK;
    w->report_at = sim->now_ms + sim->report_ms;
    trace(sim, YO_SIM_REPORT, w, &w->job, &result);
    return yo_plan_report(sim->plan, w->id, &w->job, &result, sim->now_ms, diag);
}

/* The entries of a step reach all workers before the next. */
static void exchange(struct yo_sim *sim) {
    size_t count = 0;
    if (!sim->entries || sim->config.workers < 2) return;
    for (size_t i = 0; i < sim->config.workers; i++) {
        struct worker *w = &sim->workers[i];
        if (w->dead || w->id == 0 || sim->now_ms < w->mute_until || !w->engine.ops->take) continue;
        count += w->engine.ops->take(w->engine.ctx, sim->entries + count, sim->config.entries);
    }
    for (size_t i = 0; i < sim->config.workers; i++) {
        struct worker *w = &sim->workers[i];
        if (!w->dead && w->id && w->engine.ops->give)
            w->engine.ops->give(w->engine.ctx, sim->entries, count);
    }
}

/* ---- the master ---- */

static size_t list_known(struct yo_sim *sim) {
    size_t count = 0;
    for (size_t i = 0; i < sim->config.workers; i++) {
        struct worker *w = &sim->workers[i];
        if (w->id == 0) continue;
        if (sim->now_ms - w->heard_ms > LEASE_MS) {
            yo_plan_forget(sim->plan, w->id);
            drop_jobs(w);
            if (w->dead) w->id = 0;
            continue;
        }
        sim->places[count] = i;
        sim->known[count++] = (struct yo_plan_worker){
            .id = w->id,
            .gives_values = true,
            .takes_moves = true,
            .exchanges = sim->entries && w->engine.ops->take,
            .speed = (double)sim->config.speed,
            .current = w->has_next  ? &w->next
                       : w->has_job ? &w->job
                                    : NULL,
            .done = w->done && !w->has_next,
        };
    }
    return count;
}

static enum yo_err plan(struct yo_sim *sim, struct yo_diag *diag) {
    size_t count = list_known(sim);
    enum yo_err err =
        yo_plan_make(sim->plan, sim->known, count, sim->now_ms, sim->jobs, NULL, diag);
    for (size_t i = 0; !err && i < count; i++) {
        struct worker *w = &sim->workers[sim->places[i]];
        if (sim->known[i].current && yo_plan_job_equal(sim->known[i].current, sim->jobs[i]))
            continue;
        struct yo_plan_job copy;
        err = yo_plan_job_copy(sim->jobs[i], &copy, diag);
        if (err) break;
        if (w->has_next) yo_plan_job_free(&w->next);
        w->next = copy;
        w->has_next = true;
        w->next_at = sim->now_ms + sim->config.delay_ms;
    }
    return err;
}

/* The jobs that go on are those of the new root. */
static enum yo_err set_game(struct yo_sim *sim, const void *game, struct yo_diag *diag) {
    sim->game = game;
    if (!sim->plan) return yo_plan_new(&sim->config.plan, sim->ops, game, &sim->plan, diag);
    struct yo_plan_advanced advanced;
    enum yo_err err = yo_plan_advance(sim->plan, game, NULL, &advanced, diag);
    if (err) return err;
    for (size_t i = 0; i < sim->config.workers; i++) {
        struct worker *w = &sim->workers[i];
        /* Workers do not ponder: between moves they stop. */
        w->engine.ops->stop(w->engine.ctx, false);
        drop_jobs(w);
    }
    return YO_OK;
}

static void set_times(struct yo_sim *sim, int64_t move_ms) {
    const struct yo_sim_config *c = &sim->config;
    int64_t recommend_ms = c->recommend_ms ? c->recommend_ms : move_ms / 15;
    sim->step_ms = c->step_ms ? c->step_ms : move_ms / 60;
    if (sim->step_ms < 1) sim->step_ms = 1;
    sim->report_ms = recommend_ms / 2;
    if (sim->report_ms < sim->step_ms) sim->report_ms = sim->step_ms;
    yo_plan_set_recommend(sim->plan, recommend_ms);
}

static enum yo_err step(struct yo_sim *sim, struct yo_diag *diag) {
    enum yo_err err = plan(sim, diag);
    sim->now_ms += sim->step_ms;
    for (size_t i = 0; !err && i < sim->config.workers; i++) {
        meet_fate(sim, &sim->workers[i]);
        err = work(sim, &sim->workers[i], diag);
    }
    for (size_t i = 0; !err && i < sim->config.workers; i++)
        err = tell(sim, &sim->workers[i], diag);
    exchange(sim);
    if (err || !sim->config.trace) return err;
    struct yo_search_result best;
    yo_plan_result(sim->plan, &best);
    trace(sim, YO_SIM_BEST, NULL, NULL, &best);
    return YO_OK;
}

enum yo_err yo_sim_think(struct yo_sim *sim, const void *game, int64_t move_ms,
                         struct yo_search_result *result, struct yo_diag *diag) {
    enum yo_err err = set_game(sim, game, diag);
    if (err) return err;
    set_times(sim, move_ms);
    for (size_t i = 0; i < sim->config.workers; i++) {
        struct worker *w = &sim->workers[i];
        if (w->id == 0 && !w->dead && sim->now_ms >= w->back_ms) be_born(sim, w);
        if (!w->dead) w->heard_ms = sim->now_ms;
    }
    int64_t end = sim->now_ms + move_ms;
    while (!err && sim->now_ms < end)
        err = step(sim, diag);
    if (!err) yo_plan_result(sim->plan, result);
    return err;
}
