#include "cmd/cluster/sim_shared.h"

#include "base/alloc.h"
#include "base/diag.h"
#include "search/alphabeta/alphabeta.h"

struct yo_sim_shared {
    const struct yo_sim_setup *setup;
    uint64_t nodes; /* a move */
    struct yo_ab *ab;
    struct yo_session *session;
};

enum yo_err yo_sim_shared_new(const struct yo_sim_setup *setup, int threads,
                              struct yo_sim_shared **out, struct yo_diag *diag) {
    struct yo_sim_shared *shared = yo_alloc(1, sizeof *shared);
    if (!shared) return yo_diag_set(diag, YO_ERR_NOMEM, "no memory for the opponent");
    shared->setup = setup;
    double seconds = (double)setup->move_ms / 1000;
    shared->nodes = (uint64_t)(seconds * (double)setup->config.speed * threads);
    size_t memory = setup->table_mb * (size_t)threads;
    enum yo_err err;
    if (setup->go) {
        uint64_t seed = (uint64_t)yo_options_int(setup->options, "seed") % 1000000 + 5000000;
        err = yo_sim_session(seed, threads, memory, &shared->session, diag);
    } else {
        struct yo_ab_options options = yo_ab_options_default;
        options.eval = &setup->eval;
        options.threads = threads;
        options.mate_search = false;
        err = yo_ab_new(memory, &shared->ab);
        if (!err) err = yo_ab_set_options(shared->ab, &options);
        if (err) yo_diag_set(diag, err, "no memory for the opponent");
    }
    if (err)
        yo_sim_shared_delete(shared);
    else
        *out = shared;
    return err;
}

void yo_sim_shared_delete(struct yo_sim_shared *shared) {
    if (!shared) return;
    yo_ab_delete(shared->ab);
    yo_session_delete(shared->session);
    yo_free(shared);
}

void yo_sim_shared_clear(struct yo_sim_shared *shared) {
    if (shared->ab) yo_ab_clear(shared->ab);
    if (shared->session) yo_session_clear(shared->session);
}

enum yo_err yo_sim_shared_think(struct yo_sim_shared *shared, const void *game,
                                struct yo_search_result *result, struct yo_diag *diag) {
    struct yo_search_limits limits = {.whole = true};
    if (shared->ab) {
        limits.nodes = shared->nodes;
        return yo_search_run(yo_ab_as_search(shared->ab), game, &limits, NULL, NULL, NULL, result,
                             diag);
    }
    limits.playouts = shared->nodes;
    limits.clean_up = true;
    return yo_session_analyse(shared->session, game, &limits, NULL, NULL, NULL, result, diag);
}
