/* A tree search of Go in slices of playouts. */
#include <string.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "cluster/sim_engine.h"
#include "yomi/go.h"

struct go {
    struct yo_session *session;
    struct yo_go_game *game; /* of the job; NULL: no job */
    struct yo_plan_job job;
    struct yo_search_result result;
    bool known;
    unsigned number;
};

static void end_job(struct go *g) {
    yo_go_game_delete(g->game);
    yo_plan_job_free(&g->job);
    g->game = NULL;
    g->known = false;
}

static enum yo_err start(void *ctx, const void *game, const struct yo_plan_job *job,
                         struct yo_diag *diag) {
    struct go *g = ctx;
    end_job(g);
    enum yo_err err = yo_go_game_copy(game, &g->game);
    if (err) return yo_diag_set(diag, err, "no memory for a job");
    for (size_t i = 0; !err && i < job->path_count; i++)
        err =
            yo_go_game_play(g->game, yo_go_game_to_move(g->game), (yo_go_point)job->path[i], diag);
    return err ? err : yo_plan_job_copy(job, &g->job, diag);
}

static enum yo_err advance(void *ctx, uint64_t nodes, bool *done, struct yo_diag *diag) {
    struct go *g = ctx;
    *done = false;
    if (!g->game || nodes == 0) return YO_OK;
    struct yo_search_limits limits = {.playouts = nodes,
                                      .whole = true,
                                      .only = g->job.only,
                                      .only_count = g->job.only_count,
                                      .number = g->number};
    enum yo_err err =
        yo_session_analyse(g->session, g->game, &limits, NULL, NULL, NULL, &g->result, diag);
    g->known = !err && g->result.move_count > 0;
    return err;
}

static bool latest(void *ctx, struct yo_search_result *result) {
    struct go *g = ctx;
    *result = g->result;
    return g->known;
}

static void stop(void *ctx, bool all) {
    struct go *g = ctx;
    end_job(g);
    if (all) yo_session_clear(g->session);
}

static void destroy(void *ctx) {
    struct go *g = ctx;
    end_job(g);
    yo_session_delete(g->session);
    yo_free(g);
}

static size_t take(void *ctx, struct yo_search_entry *entries, size_t most) {
    return yo_session_take_entries(((struct go *)ctx)->session, entries, most);
}

static void give(void *ctx, const struct yo_search_entry *entries, size_t count) {
    yo_session_give_entries(((struct go *)ctx)->session, entries, count);
}

static const struct yo_sim_engine_ops ops = {.start = start,
                                             .advance = advance,
                                             .latest = latest,
                                             .take = take,
                                             .give = give,
                                             .stop = stop,
                                             .destroy = destroy};

enum yo_err yo_sim_go(struct yo_session *session, unsigned number, struct yo_sim_engine *engine,
                      struct yo_diag *diag) {
    struct go *g = yo_alloc(1, sizeof *g);
    if (!g) return yo_diag_set(diag, YO_ERR_NOMEM, "no memory for a worker");
    g->session = session;
    g->number = number;
    *engine = (struct yo_sim_engine){&ops, g};
    return YO_OK;
}
