#include <string.h>

#include "base/diag.h"
#include "base/pool.h"
#include "base/time.h"
#include "search/guided/internal.h"

/* ---- threads ---- */

static bool work(void *ctx, int thread) {
    struct yo_guided *g = ctx;
    guided_work(&g->workers[thread + 1]);
    return !guided_is_over(g);
}

/* The caller's thread is the first worker, those of the pool are the others. */
static void work_together(struct yo_guided *g) {
    struct yo_job job = {.run = work, .ctx = g, .threads = g->threads - 1};
    bool shared = g->pool && g->threads > 1;
    if (shared) yo_pool_submit(g->pool, &job);
    guided_work(&g->workers[0]);
    if (shared) yo_pool_recall(g->pool, &job);
}

static bool all_begun(const struct yo_guided *g) {
    return g->budget && atomic_load(&g->begun) >= g->budget;
}

/* Threads that return before the search is over need memory, or one of them turned back from a node
 * in evaluation when the others had begun all other simulations: that one is still to be made. */
static void work_on(struct yo_guided *g) {
    for (;;) {
        work_together(g);
        if (guided_is_over(g) || all_begun(g)) return;
        if (atomic_load(&g->search.tree.full)) yo_guided_tree_thin(&g->search.tree);
    }
}

/* ---- a search, in steps ---- */

static void begin(struct yo_guided *g, const void *position, const struct yo_search_limits *limits,
                  const atomic_bool *stop) {
    g->position = position;
    g->limits = limits;
    g->clock = yo_search_clock_begin(limits, &g->own_clock);
    g->stop = stop;
    g->report = NULL; /* nothing to report before the root is evaluated */
    g->start_ms = g->reported_ms = yo_time_ms();
    g->err = YO_OK;
    atomic_store(&g->over, false);
    atomic_store(&g->cut, false);
    atomic_store(&g->failed, false);
    atomic_store(&g->begun, 0);
    atomic_store(&g->finished, 0);
    atomic_store(&g->joined, 0);
}

static void ban(struct yo_guided *g) {
    const struct yo_search_limits *limits = g->limits;
    memset(g->banned, limits->only != NULL, g->game->move_bound);
    for (size_t i = 0; i < limits->only_count; i++)
        g->banned[limits->only[i]] = 0;
    for (size_t i = 0; i < limits->avoid_count; i++)
        g->banned[limits->avoid[i]] = 1;
}

/* Simulations in flight know nothing of each other's values: if they are most of a small search,
 * they spread over moves that it would not look at one by one. So at most about an eighth of the
 * visits are in flight, with two batches of each thread, unless the options name the size of
 * batches. Without a number of visits, worker.c holds to it. */
static void set_width(struct yo_guided *g) {
    enum { PART = GUIDED_IN_FLIGHT };
    const struct yo_search_limits *l = g->limits;
    uint64_t most = l->visits ? l->visits : l->playouts;
    g->width = g->batch;
    g->threads = g->search.options.threads;
    g->grows = !most && !g->search.options.batch;
    if (!most || g->search.options.batch) return;
    if (most / PART < (uint64_t)g->threads) g->threads = most < PART ? 1 : (int)(most / PART);
    uint64_t width = most / PART / (uint64_t)g->threads;
    if (width < g->width) g->width = width ? (size_t)width : 1;
}

/* The root of a kept tree was evaluated as another position's child, and lost some of its value. */
static enum yo_err evaluate_raw(struct yo_guided *g, struct yo_diag *diag) {
    struct yo_eval_result result = {0};
    struct yo_eval_item item = {.position = g->position, .want = YO_EVAL_VALUE, .results = &result};
    if (!g->limits->details) return YO_OK;
    enum yo_err err = yo_eval_run(g->eval, &item, 1, diag);
    g->raw = result.value;
    return err;
}

/* How many simulations this search may make; 0: no limit. */
static uint64_t simulations(const struct yo_guided *g) {
    uint64_t most = g->limits->playouts;
    if (!g->limits->visits) return most;
    const struct yo_guided_node *root = yo_guided_node(&g->search.tree, g->search.tree.root);
    uint64_t had = yo_guided_visits(root) - atomic_load(&g->finished), left = 1;
    if (g->limits->visits > had) left = g->limits->visits - had;
    return most && most < left ? most : left;
}

/* Whether the moves of an open root are those of its position. If other moves led to a joined node
 * when it was opened, a repetition may forbid others there. */
static bool root_fits(const struct yo_guided *g, const struct yo_guided_node *root) {
    const struct yo_guided_edge *edges = yo_guided_edges(&g->search.tree, root);
    yo_move *moves = g->workers[0].batches[0].leaves[0].moves;
    if (!edges || !g->search.tree.joins.entries) return true;
    size_t count = g->game->moves(g->position, moves), same = 0;
    for (unsigned i = 0; i < root->edge_count; i++)
        for (size_t k = 0; k < count; k++)
            same += edges[i].move == moves[k];
    return count == root->edge_count && same == count;
}

/* Can the search go on from the root of a kept tree? Not where the search took the leaf that the
 * game has come to for an end, or had no memory for its moves. */
static bool is_good_root(const struct yo_guided *g) {
    const struct guided_search *s = &g->search;
    if (g->half_open) return false;
    if (!s->tree.root) return true; /* it gets one */
    const struct yo_guided_node *root = yo_guided_node(&s->tree, s->tree.root);
    enum yo_guided_state state = yo_guided_state(root);
    return state == YO_GUIDED_FRESH ||
           (state == YO_GUIDED_OPEN && root->edges && root_fits(g, root));
}

/* Evaluates the root, and centres the score utility on its score. */
static enum yo_err prepare_root(struct yo_guided *g, struct yo_diag *diag) {
    struct guided_search *s = &g->search;
    if (!is_good_root(g)) {
        yo_guided_clear(g);
        atomic_store(&g->finished, 0); /* a root without room for its moves was a simulation, too */
        atomic_store(&g->joined, 0);
    }
    g->half_open = false;
    if (!s->tree.root)
        s->tree.root = yo_guided_tree_add(&s->tree, g->game->side_to_move(g->position));
    if (!s->tree.root) return yo_diag_set(diag, YO_ERR_NOMEM, "the tree has no room");
    struct yo_guided_node *root = yo_guided_node(&s->tree, s->tree.root);
    /* A proof that the game found names no move; a proven child solves the root again. */
    atomic_store(&root->solved, YO_GUIDED_UNSOLVED);
    if (yo_guided_visits(root) > 0 && g->hooks.cells) {
        guided_set_center(s, yo_guided_get(&root->mean.score), g->hooks.cells(g->position));
        guided_bias_clear(s); /* errors of nodes that the game has left; the others come again */
        guided_recenter(s);
    } else if (s->tree.joins.entries) {
        yo_guided_tree_count(&s->tree, s->tree.root); /* what it meets can be found again */
    }
    if (yo_guided_state(root) != YO_GUIDED_FRESH && g->tempered != s->tree.root)
        guided_temper_root(s);
    g->tempered = s->tree.root;
    return guided_open_root(&g->workers[0], diag);
}

enum yo_err yo_guided_run(struct yo_guided *g, const void *position,
                          const struct yo_search_limits *limits, const atomic_bool *stop,
                          yo_search_report_fn report, void *user, struct yo_search_result *result,
                          struct yo_diag *diag) {
    begin(g, position, limits, stop);
    *result = (struct yo_search_result){.moves = g->moves};
    if (g->game->outcome(position) != YO_OUTCOME_NONE) return YO_OK;
    ban(g);
    if (!guided_owners_begin(g)) return yo_diag_set(diag, YO_ERR_NOMEM, "no memory for ownership");
    enum yo_err err = prepare_root(g, diag);
    /* What the game has left behind may be in pieces too short for the moves of the root. */
    if (!err && !g->half_open && !is_good_root(g)) err = prepare_root(g, diag);
    if (!err) err = evaluate_raw(g, diag);
    if (err) return err;
    guided_advise_kept(g);
    g->report = report;
    g->user = user;
    atomic_store(&g->begun, atomic_load(&g->finished));
    g->budget = simulations(g);
    set_width(g);
    if (g->search.options.noise > 0 && g->noisy != g->search.tree.root) {
        guided_add_noise(&g->search, &g->workers[0].random);
        g->noisy = g->search.tree.root;
    }
    if (g->search.options.gumbel) guided_gumbel_begin(g);
    if (guided_choices(g) > 0 && !g->half_open) {
        yo_share_begin(&g->share, g->root_key, limits->number);
        guided_share(g, false);
        work_on(g);
        guided_share(g, true);
    }
    /* When reports came is chance; a search that is cut short has no time for it. */
    if (!atomic_load(&g->cut)) guided_owners_renew(g);
    guided_fill_result(g, result);
    if (g->err && diag) *diag = g->diag;
    return g->err;
}
