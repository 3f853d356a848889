/* Alpha-beta in a thread that runs only while the simulation waits for it. */
#include <pthread.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "cluster/sim_engine.h"
#include "game/shogi/game.h"
#include "search/alphabeta/alphabeta.h"

enum { PV_MAX = 16 };

enum turn { IDLE, RUNS, WAITS, ENDS };

struct shogi {
    struct yo_ab *search;
    struct yo_shogi_game *game; /* of the job; NULL: no job */
    yo_move *only;
    size_t only_count;
    unsigned number; /* of this worker */
    bool whole;      /* others search the same position */

    /* `turn` says who may touch the rest: the simulation, unless it is RUNS. */
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    enum turn turn;
    bool begun, ended; /* the job's search: it waits for more nodes; it has come to its end */
    atomic_bool stop;
    uint64_t used, budget; /* nodes of this job */

    bool known; /* there is a result of this job */
    struct yo_search_move move;
    yo_move pv[PV_MAX];
    struct yo_search_result result;
};

/* ---- in the search's thread ---- */

/* Gives the turn back and waits for the next one. */
static void hand_over(struct shogi *s) {
    pthread_mutex_lock(&s->lock);
    s->turn = WAITS;
    pthread_cond_broadcast(&s->changed);
    while (s->turn == WAITS)
        pthread_cond_wait(&s->changed, &s->lock);
    pthread_mutex_unlock(&s->lock);
}

static void pace(void *user, uint64_t nodes) {
    struct shogi *s = user;
    s->used = nodes;
    while (s->used >= s->budget && !atomic_load(&s->stop))
        hand_over(s);
}

static void keep(void *user, const struct yo_search_result *r) {
    struct shogi *s = user;
    if (r->move_count == 0 || r->moves[0].bound != YO_BOUND_EXACT) return;
    s->move = r->moves[0];
    if (s->move.pv_count > PV_MAX) s->move.pv_count = PV_MAX;
    for (size_t i = 0; i < s->move.pv_count; i++)
        s->pv[i] = r->moves[0].pv[i];
    s->move.pv = s->pv;
    s->result = (struct yo_search_result){
        .moves = &s->move, .move_count = 1, .depth = r->depth, .nodes = r->nodes};
    s->known = true;
}

static void search(struct shogi *s) {
    struct yo_search_limits limits = {.only = s->only,
                                      .only_count = s->only_count,
                                      .number = s->whole ? s->number : 0,
                                      .prompt = true};
    struct yo_search_result result;
    yo_search_run(yo_ab_as_search(s->search), s->game, &limits, &s->stop, keep, s, &result, NULL);
}

static void *serve(void *user) {
    struct shogi *s = user;
    pthread_mutex_lock(&s->lock);
    for (;;) {
        while (s->turn == IDLE)
            pthread_cond_wait(&s->changed, &s->lock);
        if (s->turn == ENDS) break;
        pthread_mutex_unlock(&s->lock);
        search(s);
        pthread_mutex_lock(&s->lock);
        s->turn = IDLE;
        pthread_cond_broadcast(&s->changed);
    }
    pthread_mutex_unlock(&s->lock);
    return NULL;
}

/* ---- in the simulation's thread ---- */

/* The search runs until its budget is used up, or to its end. */
static void run(struct shogi *s) {
    pthread_mutex_lock(&s->lock);
    s->turn = RUNS;
    pthread_cond_broadcast(&s->changed);
    while (s->turn == RUNS)
        pthread_cond_wait(&s->changed, &s->lock);
    s->begun = s->turn == WAITS;
    s->ended = !s->begun;
    pthread_mutex_unlock(&s->lock);
}

static void end_job(struct shogi *s) {
    if (s->begun) {
        atomic_store(&s->stop, true);
        run(s);
    }
    atomic_store(&s->stop, false);
    yo_shogi_game_delete(s->game);
    yo_free(s->only);
    s->game = NULL;
    s->only = NULL;
    s->only_count = 0;
    s->known = s->ended = false;
    s->used = s->budget = 0;
}

static enum yo_err start(void *ctx, const void *game, const struct yo_plan_job *job,
                         struct yo_diag *diag) {
    struct shogi *s = ctx;
    end_job(s);
    s->whole = job->path_count == 0 && !job->only;
    enum yo_err err = yo_shogi_game_copy(game, &s->game);
    for (size_t i = 0; !err && i < job->path_count; i++)
        err = yo_shogi_game_play(s->game, (yo_shogi_move)job->path[i], diag);
    if (err || !job->only) return err;
    struct yo_plan_job copy;
    err = yo_plan_job_copy(job, &copy, diag);
    if (err) return err;
    s->only = (yo_move *)copy.only;
    s->only_count = copy.only_count;
    return YO_OK;
}

static enum yo_err advance(void *ctx, uint64_t nodes, bool *done, struct yo_diag *diag) {
    struct shogi *s = ctx;
    (void)diag;
    *done = s->ended;
    if (!s->game) return YO_OK;
    s->budget += nodes;
    if (s->budget <= s->used) return YO_OK; /* it went a little too far last time */
    if (!s->ended) run(s);
    *done = s->ended;
    return YO_OK;
}

static bool latest(void *ctx, struct yo_search_result *result) {
    struct shogi *s = ctx;
    *result = s->result;
    return s->known;
}

static size_t take(void *ctx, struct yo_search_entry *entries, size_t most) {
    struct yo_search search = yo_ab_as_search(((struct shogi *)ctx)->search);
    return search.ops->take_entries(search.ctx, entries, most);
}

static void give(void *ctx, const struct yo_search_entry *entries, size_t count) {
    struct yo_search search = yo_ab_as_search(((struct shogi *)ctx)->search);
    search.ops->give_entries(search.ctx, entries, count);
}

static void stop(void *ctx, bool all) {
    struct shogi *s = ctx;
    end_job(s);
    if (all) yo_ab_clear(s->search);
}

static void destroy(void *ctx) {
    struct shogi *s = ctx;
    end_job(s);
    pthread_mutex_lock(&s->lock);
    s->turn = ENDS;
    pthread_cond_broadcast(&s->changed);
    pthread_mutex_unlock(&s->lock);
    pthread_join(s->thread, NULL);
    pthread_mutex_destroy(&s->lock);
    pthread_cond_destroy(&s->changed);
    yo_ab_delete(s->search);
    yo_free(s);
}

static const struct yo_sim_engine_ops ops = {.start = start,
                                             .advance = advance,
                                             .latest = latest,
                                             .take = take,
                                             .give = give,
                                             .stop = stop,
                                             .destroy = destroy};

enum yo_err yo_sim_shogi(const struct yo_shogi_eval *eval, size_t table_mb, unsigned number,
                         struct yo_sim_engine *engine, struct yo_diag *diag) {
    struct shogi *s = yo_alloc(1, sizeof *s);
    if (!s) return yo_diag_set(diag, YO_ERR_NOMEM, "no memory for a worker");
    struct yo_ab_options options = yo_ab_options_default;
    options.eval = eval;
    options.mate_search = false; /* its nodes are not those of the search */
    options.pace = pace;
    options.pace_user = s;
    s->number = number;
    enum yo_err err = yo_ab_new(table_mb, &s->search);
    if (!err) err = yo_ab_set_options(s->search, &options);
    if (!err) {
        pthread_mutex_init(&s->lock, NULL);
        pthread_cond_init(&s->changed, NULL);
        if (pthread_create(&s->thread, NULL, serve, s) == 0) {
            *engine = (struct yo_sim_engine){&ops, s};
            return YO_OK;
        }
        pthread_mutex_destroy(&s->lock);
        pthread_cond_destroy(&s->changed);
        err = YO_ERR_NOMEM;
    }
    yo_ab_delete(s->search);
    yo_free(s);
    return yo_diag_set(diag, err, "no memory for a worker");
}
