#include "base/alloc.h"
#include "base/diag.h"
#include "base/pool.h"
#include "search/guided/internal.h"

static enum yo_err make(struct yo_guided *g, struct yo_diag *diag) {
    const struct yo_guided_options *o = &g->search.options;
    size_t most = g->game->max_moves;
    g->workers = yo_alloc((size_t)o->threads, sizeof *g->workers);
    g->banned = yo_alloc(g->game->move_bound, 1);
    g->moves = yo_alloc(most, sizeof *g->moves);
    g->pv = yo_alloc(most * GUIDED_PV_MAX, sizeof *g->pv);
    g->pv_visits = yo_alloc(most * GUIDED_PV_MAX, sizeof *g->pv_visits);
    g->priors = yo_alloc(most, sizeof *g->priors);
    g->gumbel = yo_alloc(most, sizeof *g->gumbel);
    g->search.banned = g->banned;
    bool good =
        g->workers && g->banned && g->moves && g->pv && g->pv_visits && g->priors && g->gumbel;
    for (int t = 0; good && t < o->threads; t++)
        good = !guided_worker_init(&g->workers[t], g, t);
    if (!good) return yo_diag_set(diag, YO_ERR_NOMEM, "no memory for the search");
    enum yo_err err = o->threads > 1 ? yo_pool_new(o->threads - 1, &g->pool, diag) : YO_OK;
    if (!err)
        err = yo_guided_tree_init(&g->search.tree, o->memory_mb << 20,
                                  o->joining && g->hooks.position_key, diag);
    bool corrects = g->hooks.surroundings && o->value_bias > 0 && o->mode == YO_GUIDED_PUCT;
    if (!err && corrects && guided_bias_init(&g->search))
        err = yo_diag_set(diag, YO_ERR_NOMEM, "no memory for the search");
    return err;
}

static enum yo_err check(const struct yo_game_ops *game, struct yo_eval eval,
                         struct yo_eval_about *about, struct yo_diag *diag) {
    unsigned wants = YO_EVAL_VALUE | YO_EVAL_POLICY;
    eval.ops->describe(eval.ctx, 0, about);
    if ((about->wants & wants) != wants || (about->game && about->game != game)) {
        yo_diag_set(diag, YO_ERR_UNSUPPORTED, "%s gives no values and policies for %s", about->name,
                    game->name);
        yo_diag_hint(diag, "this search needs a network: --net FILE");
        return YO_ERR_UNSUPPORTED;
    }
    if (game->move_bound > 65536 || game->max_moves > GUIDED_CHILDREN_MAX)
        return yo_diag_set(diag, YO_ERR_UNSUPPORTED, "%s has too many moves", game->name);
    return YO_OK;
}

enum yo_err yo_guided_new(const struct yo_game_ops *game, struct yo_eval eval,
                          const struct yo_guided_hooks *hooks,
                          const struct yo_guided_options *options, struct yo_guided **out,
                          struct yo_diag *diag) {
    struct yo_eval_about about;
    enum yo_err err = check(game, eval, &about, diag);
    if (err) return err;
    struct yo_guided *g = yo_alloc(1, sizeof *g);
    if (!g) return yo_diag_set(diag, YO_ERR_NOMEM, "no memory for the search");
    yo_share_init(&g->share);
    g->game = game;
    g->eval = eval;
    if (hooks) g->hooks = *hooks;
    g->search.options = *options;
    if (g->search.options.threads > YO_POOL_THREADS_MAX)
        g->search.options.threads = YO_POOL_THREADS_MAX;
    /* The evaluator says what one search should have in flight. Of several threads each gets twice
     * its share, since they do not fill their batches at the same moment (docs/net-cuda.md). */
    size_t threads = (size_t)g->search.options.threads;
    size_t share = threads == 1 ? about.batch : 2 * about.batch / threads;
    g->batch = options->batch ? options->batch : share ? share : 1;
    if (about.batch_max && g->batch > about.batch_max) g->batch = about.batch_max;
    err = make(g, diag);
    if (err)
        yo_guided_delete(g);
    else
        *out = g;
    return err;
}

void yo_guided_delete(struct yo_guided *g) {
    if (!g) return;
    yo_pool_delete(g->pool);
    for (int t = 0; g->workers && t < g->search.options.threads; t++)
        guided_worker_free(&g->workers[t]);
    yo_guided_tree_free(&g->search.tree);
    guided_bias_free(&g->search);
    yo_share_free(&g->share);
    yo_free(g->workers);
    yo_free(g->banned);
    yo_free(g->moves);
    yo_free(g->pv);
    yo_free(g->pv_visits);
    yo_free(g->priors);
    yo_free(g->gumbel);
    guided_owners_free(g);
    yo_free(g);
}

void yo_guided_clear(struct yo_guided *g) {
    yo_guided_tree_clear(&g->search.tree);
    guided_bias_clear(&g->search);
    yo_share_begin(&g->share, 0, 0);
    g->tempered = g->noisy = 0;
}

void yo_guided_reseed(struct yo_guided *g) {
    for (int i = 0; i < g->search.options.threads; i++)
        guided_worker_seed(&g->workers[i]);
}

void yo_guided_advance(struct yo_guided *g, yo_move move) {
    yo_guided_tree_advance(&g->search.tree, move);
}

void yo_guided_set_key(struct yo_guided *g, uint64_t key) { g->root_key = key; }

struct yo_share *yo_guided_share_of(struct yo_guided *g) {
    return &g->share;
}

/* Only PUCT adds up what others found. */
uint64_t yo_guided_share_kind(const struct yo_guided *g) {
    const struct yo_guided_options *o = &g->search.options;
    struct yo_eval_about about;
    if (o->mode == YO_GUIDED_MCSS || o->gumbel) return 0;
    g->eval.ops->describe(g->eval.ctx, 0, &about);
    return yo_share_kind("puct", about.name);
}

size_t yo_guided_nodes(struct yo_guided *g) {
    struct yo_guided_tree *tree = &g->search.tree;
    return tree->root ? yo_guided_tree_count(tree, tree->root) : 0;
}
