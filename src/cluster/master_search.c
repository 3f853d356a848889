/* The search of the master: until the clock, a limit or the stop flag ends it, the crew works. */
#include <unistd.h>

#include "base/diag.h"
#include "base/time.h"
#include "cluster/master_inside.h"

enum {
    REPORT_MS = 100,   /* between two reports of the search */
    FIRST_MS = 30,     /* the master's own look at the position, before any worker has answered */
    FIRST_PART = 10,   /* at most this part of the time */
    OWN_BELOW_MS = 60, /* a search this short is its own */
};

/* The master's own search beside: as long as there is no worker, or helped by them. */
struct beside {
    struct yo_job job;
    bool begun;
    atomic_bool stop;
    struct yo_search_result result;
    enum yo_err err;
    struct yo_diag diag;
    bool helped;
    bool has_before;
    uint64_t before;       /* visits of its tree from earlier searches */
    _Atomic uint64_t made; /* visits since, those of workers included */
};

struct running {
    struct master *m;
    const void *game;
    const struct yo_search_limits *limits;
    const atomic_bool *stop;
    yo_search_report_fn report;
    void *user;
    struct yo_search_clock *clock, own_clock;
    int64_t started_ms, reported_ms, best_since_ms;
    int64_t changed; /* of the crew, at the last report */
    yo_move best;
    struct beside own;
};

static bool is_stopped(const struct running *r) { return r->stop && atomic_load(r->stop); }

/* The soft end comes earlier if the best move is old, later if it is new. */
static bool is_time_up(struct running *r, int64_t now) {
    int64_t soft = yo_search_clock_read(&r->clock->soft),
            hard = yo_search_clock_read(&r->clock->hard),
            least = yo_search_clock_read(&r->clock->least);
    if (hard && now >= hard) return true;
    if (!soft) return false;
    int64_t steady = now - r->best_since_ms, spent = now - r->started_ms;
    int64_t percent = 2 * steady >= spent ? 90 : 125;
    int64_t end = r->started_ms + (soft - r->started_ms) * percent / 100;
    if (end < least) end = least;
    if (now < end) return false;
    return !yo_search_clock_ends_later(r->clock, now);
}

static bool is_timed(const struct running *r) {
    return yo_search_clock_read(&r->clock->soft) || yo_search_clock_read(&r->clock->hard);
}

/* Nothing more to find: a mate that is seen to its end. */
static bool is_decided(const struct running *r, const struct yo_search_result *result) {
    if (!is_timed(r) || r->limits->whole || result->move_count == 0) return false;
    const struct yo_search_move *best = &result->moves[0];
    return best->mate > 0 && best->depth >= best->mate;
}

static bool is_enough(struct running *r, const struct yo_search_result *result) {
    const struct yo_search_limits *l = r->limits;
    uint64_t most = l->nodes ? l->nodes : l->playouts ? l->playouts : l->visits;
    if (is_stopped(r) || is_time_up(r, yo_time_ms())) return true;
    if (most && result->nodes >= most) return true;
    if (l->depth && result->depth >= l->depth) return true;
    return is_decided(r, result);
}

/* Copies the crew's result. Under the mutex. */
static enum yo_err take_result(struct running *r, struct yo_search_result *result,
                               struct yo_diag *diag) {
    struct yo_search_result known;
    yo_crew_result(r->m->crew, &known);
    enum yo_err err = yo_copy_result(&r->m->copy, &known, result);
    if (err) return yo_diag_set(diag, err, "no memory for a result");
    result->elapsed_ms = yo_time_ms() - r->started_ms;
    result->playouts = result->nodes;
    if (result->move_count > 0 && result->moves[0].move != r->best) {
        r->best = result->moves[0].move;
        r->best_since_ms = yo_time_ms();
    }
    return YO_OK;
}

static void report(struct running *r, const struct yo_search_result *result, int64_t changed) {
    int64_t now = yo_time_ms();
    if (changed == r->changed || now - r->reported_ms < REPORT_MS) return;
    r->changed = changed;
    r->reported_ms = now;
    if (r->report && result->move_count > 0) r->report(r->user, result);
}

/* ---- The master's own search: what it finds counts as a report ---- */

static void add_own(struct running *r, const struct yo_search_result *result, bool over) {
    yo_master_lock(r->m);
    yo_crew_add_own(r->m->crew, result, over, yo_time_ms());
    pthread_mutex_unlock(&r->m->mutex);
}

/* A look at the position for at most this long. */
static void glance(struct running *r, int64_t time_ms) {
    int64_t hard = yo_search_clock_read(&r->clock->hard), now = yo_time_ms();
    if (hard && hard - now < time_ms) time_ms = hard - now;
    if (time_ms <= 0 || is_stopped(r)) return;
    struct yo_search_result result = {0};
    struct yo_search_limits limits = {.time_ms = time_ms,
                                      .lines = r->limits->lines,
                                      .only = r->limits->only,
                                      .only_count = r->limits->only_count,
                                      .avoid = r->limits->avoid,
                                      .avoid_count = r->limits->avoid_count,
                                      .whole = true};
    /* Where this fails, workers may still answer. */
    enum yo_err err =
        yo_search_run(r->m->inner, r->game, &limits, r->stop, NULL, NULL, &result, NULL);
    if (!err) add_own(r, &result, true);
}

/* Reports about a move that is being tried, or about a later line, are parts of one to come. */
static void take_alone(void *user, const struct yo_search_result *result) {
    if (!result->trying && result->first == 0) add_own(user, result, false);
}

static void take_helped(void *user, const struct yo_search_result *result) {
    struct running *r = user;
    uint64_t visits = yo_search_root_visits(result);
    if (!r->own.has_before && visits >= result->playouts) r->own.before = visits - result->playouts;
    r->own.has_before = true;
    atomic_store(&r->own.made, visits > r->own.before ? visits - r->own.before : 0);
    if (r->report) r->report(r->user, result);
}

static bool search_beside(void *ctx, int thread) {
    struct running *r = ctx;
    struct beside *own = &r->own;
    struct yo_search_limits limits = *r->limits;
    (void)thread;
    limits.clock = r->clock; /* the live one: a ponder hit sets it */
    own->err = yo_search_run(r->m->inner, r->game, &limits, &own->stop,
                             own->helped ? take_helped : take_alone, r, &own->result, &own->diag);
    if (!own->err && !own->helped) add_own(r, &own->result, true);
    return false;
}

static void begin_beside(struct running *r) {
    if (r->own.begun) return;
    r->own.begun = true;
    r->own.job = (struct yo_job){.run = search_beside, .ctx = r, .threads = 1};
    atomic_store(&r->own.stop, false);
    yo_pool_submit(r->m->pool, &r->own.job);
}

/* By itself, or by its stop flag. */
static bool has_ended_beside(const struct running *r) {
    return r->own.begun && yo_pool_ended(r->m->pool, &r->own.job);
}

static enum yo_err end_beside(struct running *r, struct yo_diag *diag) {
    if (!r->own.begun) return YO_OK;
    atomic_store(&r->own.stop, true);
    yo_pool_wait(r->m->pool, &r->own.job);
    r->own.begun = false;
    if (r->own.err && diag) *diag = r->own.diag;
    return r->own.err;
}

/* ---- With the crew ---- */

/* Says once that the workers are gone, and once that they are back. */
static void tell_alone(struct master *m, const struct yo_crew_count *count) {
    bool alone = count->serving == 0;
    if (alone == m->alone) return;
    m->alone = alone;
    yo_master_tell(m,
                   !alone ? "workers are there: the master leaves the search to them"
                   : count->workers
                       ? "no worker can do what the strategy wants: the master searches by itself"
                       : "no worker is there: the master searches by itself");
}

/* Until a limit, or the own search, ends it. */
static enum yo_err search_with_crew(struct running *r, struct yo_search_result *result,
                                    struct yo_diag *diag) {
    struct master *m = r->m;
    int64_t first_ms = yo_search_time_ms(r->limits) / FIRST_PART;
    glance(r, first_ms && first_ms < FIRST_MS ? first_ms : FIRST_MS);
    for (;;) {
        usleep(1000 * MASTER_LOOK_MS);
        bool over = has_ended_beside(r);
        yo_master_lock(m);
        struct yo_crew_count count = yo_crew_count(m->crew);
        enum yo_err err = take_result(r, result, diag);
        pthread_mutex_unlock(&m->mutex);
        if (err) return err;
        yo_master_tell_notices(m);
        report(r, result, count.changed);
        if (over || is_enough(r, result)) return YO_OK;
        tell_alone(m, &count);
        if (count.serving > 0)
            end_beside(r, NULL);
        else
            begin_beside(r);
    }
}

/* Limits that only one tree can keep, and searches too short to ask anyone. */
static bool is_own_affair(const struct master *m, const struct yo_search_limits *l,
                          int64_t time_ms) {
    return l->mate || (l->details && !m->shares) || l->clean_up ||
           (time_ms && time_ms < OWN_BELOW_MS);
}

/* The crew has begun: the tree is the master's, which knows more of each move than reports tell,
 * and workers add to it. What they visit counts as playouts. */
static enum yo_err search_helped(struct running *r, struct yo_search_result *result,
                                 struct yo_diag *diag) {
    struct master *m = r->m;
    struct beside *own = &r->own;
    uint64_t most = r->limits->playouts;
    own->helped = true;
    begin_beside(r);
    while (!has_ended_beside(r)) {
        usleep(1000 * MASTER_LOOK_MS);
        yo_master_lock(m);
        struct yo_crew_count count = yo_crew_count(m->crew);
        pthread_mutex_unlock(&m->mutex);
        yo_master_tell_notices(m);
        tell_alone(m, &count);
        if (is_stopped(r) || (most && atomic_load(&own->made) >= most)) break;
    }
    enum yo_err err = end_beside(r, diag);
    *result = own->result;
    return err;
}

/* Has the root no moves? Where the rules have ended the game, a search may still know some: it is
 * asked, as if there were no cluster, and workers, whose moves nobody could take, are not. */
static bool is_over(struct yo_crew *crew) {
    struct yo_search_result known;
    yo_crew_result(crew, &known);
    return known.move_count == 0;
}

enum yo_err yo_master_run(void *ctx, const void *game, const struct yo_search_limits *limits,
                          const atomic_bool *stop, yo_search_report_fn report_to, void *user,
                          struct yo_search_result *result, struct yo_diag *diag) {
    struct master *m = ctx;
    int64_t now = yo_time_ms(), time_ms = yo_search_time_ms(limits);
    if (is_own_affair(m, limits, time_ms))
        return yo_search_run(m->inner, game, limits, stop, report_to, user, result, diag);
    struct running r = {.m = m,
                        .game = game,
                        .limits = limits,
                        .stop = stop,
                        .report = report_to,
                        .user = user,
                        .started_ms = now,
                        .best_since_ms = now,
                        .best = YO_MOVE_NONE};
    bool over = false;
    r.clock = yo_search_clock_begin(limits, &r.own_clock); /* the first plan may take long */
    yo_master_lock(m);
    enum yo_err err = yo_crew_begin(m->crew, game, limits, time_ms, now, diag);
    if (!err) over = is_over(m->crew);
    if (over)
        yo_crew_end(m->crew);
    else if (!err && limits->details)
        yo_crew_help(m->crew);
    pthread_mutex_unlock(&m->mutex);
    if (over) return yo_search_run(m->inner, game, limits, stop, report_to, user, result, diag);
    yo_master_wake(m);
    if (!err)
        err =
            limits->details ? search_helped(&r, result, diag) : search_with_crew(&r, result, diag);
    enum yo_err own = end_beside(&r, err ? NULL : diag);
    if (!err) err = own;
    yo_master_lock(m);
    yo_crew_end(m->crew);
    pthread_mutex_unlock(&m->mutex);
    return err;
}
